"""A user of Windows under Wine: what was installed for them, and what is in their files and their registry."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from tests.waiting import COSTLY, wait_until
from tests.windows.installers import FOLDER
from tests.windows.windows_user import desktop_environment

_OF_WINE = (r"Software\Wine", r"Software\Microsoft\Windows\CurrentVersion\Explorer")
"""Keys that Wine's shell writes as programs run."""
RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"
"""Key of what starts at login."""
_ON_ALL_WINDOWS = {r"Software\Classes", RUN}
"""Keys that Windows has, and Wine makes with the first key or value below them."""
_UNINSTALLERS = re.compile(r"\\~nsu\w*\.tmp")


@dataclass(frozen=True)
class UserAccount:
    """A user of Windows, with files and a registry."""

    local: Path = field(default_factory=lambda: Path(os.environ.get("LOCALAPPDATA", "")))
    profile: Path = field(default_factory=lambda: Path(os.environ.get("USERPROFILE", "")))
    environment: dict[str, str] = field(default_factory=desktop_environment)

    @property
    def root(self) -> Path:
        return self.local / "Programs" / "Idlebrush"

    @property
    def data(self) -> Path:
        """Folder of the data that Idlebrush keeps for the user."""
        return self.local / "idlebrush"

    @property
    def version(self) -> str:
        """Version that is installed, as its own file says."""
        return str(tomllib.loads((self.tree / "installation.toml").read_text())["version"])

    @property
    def replaced_version(self) -> str:
        """Version that the last update keeps beside the installed one; empty for none."""
        file = self.root / "previous" / "installation.toml"
        return str(tomllib.loads(file.read_text())["version"]) if file.exists() else ""

    @property
    def tree(self) -> Path:
        return self.root / "tree"

    def install(self, name: str) -> int:
        """Run an installer without a window; returns its exit status."""
        return self._run(Path("/", FOLDER, name), "/S")

    def uninstall(self, *options: str) -> None:
        """Run the uninstaller, which goes on in a copy of itself, until the folder of the program is gone."""
        self._run(self.root / "uninstall.exe", "/S", *options)
        wait_until(
            lambda: not self.root.exists(), "the folder of the program is left", seconds=300, every=COSTLY
        )

    def put_back(self, version: str) -> None:
        """Start the uninstaller with the option that puts the version before back."""
        self._run(self.root / "uninstall.exe", f"/BACK={version}", "/S")

    def uninstall_from_copy(self, folder: Path) -> int:
        """Run a copy of the uninstaller, as its own copy tells no exit status; returns that."""
        copy = folder / "uninstall.exe"
        shutil.copyfile(self.root / copy.name, copy)
        return self._run(copy, "/S", f"_?={self.root}")

    def _run(self, program: Path, *options: str) -> int:
        command = [str(program), *options]
        return subprocess.run(command, env=self.environment, timeout=600, check=False).returncode

    def click(self, command: str) -> int:
        """Run a command line as the shell does for a click; returns its exit status."""
        return subprocess.run(command, env=self.environment, timeout=60, check=False).returncode

    def idlebrush(self, *verb: str) -> "subprocess.CompletedProcess[str]":
        """Run the command line as a terminal does."""
        command = [str(self.tree / "bin/idlebrush.exe"), *verb]
        return subprocess.run(
            command,
            env=self.environment,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=120,
            check=False,
        )

    def processes(self) -> list[psutil.Process]:
        """Return what runs from the installed tree, and the uninstaller's copy of itself."""
        found = []
        for process in psutil.process_iter():
            try:
                program = process.exe()
                if str(self.root).lower() in program.lower() or _UNINSTALLERS.search(program):
                    found.append(process)
            except (psutil.Error, OSError):
                continue
        return found

    def programs(self) -> dict[str, int]:
        """Return the process ids of daemon and app, those of them that run; tasks come and go."""
        found = {}
        for process in self.processes():
            with suppress(psutil.Error, OSError):
                command = process.cmdline()
                if "client.daemon" in command:
                    found["daemon"] = process.pid
                elif "client.cli" in command and process.name().lower() == "pythonw.exe":
                    found["app"] = process.pid
        return found

    def contents(self) -> tuple[set[str], set[str]]:
        """Return the files of the user, but for the data of Idlebrush, and the names in the registry.

        The uninstaller's copy of itself is left out as well: Windows removes it as it starts the next time.
        """
        files = [path for path in self.profile.rglob("*") if self.data not in (path, *path.parents)]
        lasting = {str(path) for path in files if not _UNINSTALLERS.search(str(path))}
        names = {name for name in _names_below("Software") if not name.startswith(_OF_WINE)}
        return lasting, names - _ON_ALL_WINDOWS


if sys.platform == "win32":
    import winreg

    def registry_value(key: str, name: str = "") -> str:
        """Return a value of the user's registry."""
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened:
            return str(winreg.QueryValueEx(opened, name)[0])

    @contextmanager
    def seen_as(version: str, program: str) -> Iterator[None]:
        """Let Wine tell a program that this is another version of Windows."""
        place = rf"Software\Wine\AppDefaults\{program}"
        with winreg.CreateKey(winreg.HKEY_CURRENT_USER, place) as key:
            winreg.SetValueEx(key, "Version", 0, winreg.REG_SZ, version)
        try:
            yield
        finally:
            winreg.DeleteKey(winreg.HKEY_CURRENT_USER, place)

    def _names_below(key: str) -> Iterator[str]:
        """Yield the paths of all keys and values below a key of the user's registry."""
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened:
            keys, values, _ = winreg.QueryInfoKey(opened)
            inside = [winreg.EnumKey(opened, number) for number in range(keys)]
            yield from (f"{key}: {winreg.EnumValue(opened, number)[0]}" for number in range(values))
        for name in inside:
            yield rf"{key}\{name}"
            yield from _names_below(rf"{key}\{name}")
else:

    def registry_value(key: str, name: str = "") -> str:
        raise NotImplementedError

    @contextmanager
    def seen_as(version: str, program: str) -> Iterator[None]:
        raise NotImplementedError

    def _names_below(key: str) -> Iterator[str]:
        raise NotImplementedError
