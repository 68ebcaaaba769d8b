"""A real gnome-keyring on a D-Bus of its own, unlocked or locked, with a home that is none of this user's."""

import contextlib
import subprocess
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from core.children import processes
from tests.desktops.desktop import first_line, running
from tests.processes.process_tree import MARK
from tests.waiting import COSTLY, wait_until

_PASSWORD = "correct horse"
NO_BUS = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
"""The environment of a login without a desktop."""


@dataclass(frozen=True)
class KeyringDaemon:
    environment: Mapping[str, str]
    """Variables of the environment of programs that use it."""
    pid: int
    mark: str

    def prompts(self) -> int:
        """Return the number of windows that ask for its password."""
        named = (Path(f"/proc/{process.pid}/comm") for process in processes.marked(MARK, self.mark))
        return sum(_contents(path).strip() == "gcr-prompter" for path in named)


@contextlib.contextmanager
def keyring_daemon(home: Path, display: str = "", locked: bool = False) -> Iterator[KeyringDaemon]:
    """Run a keyring that stores its data under `home`; if locked, it asks for its password on the display."""
    own = _environment(home, display)
    # A socket's path may have 107 bytes, and a test's own folder is deep.
    with TemporaryDirectory(prefix="kr-") as runtime, _bus(own | {"XDG_RUNTIME_DIR": runtime}) as address:
        environment = {**own, "XDG_RUNTIME_DIR": runtime, "DBUS_SESSION_BUS_ADDRESS": address}
        with _daemon(environment, _unlocking(home)) as daemon:
            if not locked:
                yield KeyringDaemon(environment, daemon.pid, own[MARK])
                return
        with _daemon(environment, "--start") as daemon:
            yield KeyringDaemon(environment, daemon.pid, own[MARK])


def _environment(home: Path, display: str) -> dict[str, str]:
    folders = {name: home / name for name in ("data", "config", "cache")}
    for folder in folders.values():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    variables = {f"XDG_{name.upper()}_HOME": str(folder) for name, folder in folders.items()}
    own = {"HOME": str(home), "DISPLAY": display, "WAYLAND_DISPLAY": "", MARK: uuid.uuid4().hex}
    return variables | own


@contextlib.contextmanager
def _bus(environment: Mapping[str, str]) -> Iterator[str]:
    """Run a bus; processes that it starts on demand, such as a prompt, end with it."""
    options = ("--session", "--nofork", "--nopidfile", "--print-address=1")
    with running("dbus-daemon", *options, environment=environment) as daemon:
        try:
            yield first_line(daemon).split(",guid")[0]
        finally:
            for process in processes.marked(MARK, environment[MARK]):
                if process.pid != daemon.pid:
                    processes.kill(process.pid)


def _unlocking(home: Path) -> str:
    password = home / "password"
    password.write_text(_PASSWORD)
    return f"--unlock < {password}"


@contextlib.contextmanager
def _daemon(environment: Mapping[str, str], how: str) -> Iterator[subprocess.Popen[str]]:
    command = f"exec gnome-keyring-daemon --foreground --components=secrets {how}"
    with running("bash", "-c", command, environment=environment) as daemon:
        wait_until(lambda: _has_service(environment), "gnome-keyring does not come up", every=COSTLY)
        yield daemon
        daemon.terminate()
        daemon.wait(20)
        wait_until(lambda: not _has_service(environment), "gnome-keyring does not go", every=COSTLY)


def _has_service(environment: Mapping[str, str]) -> bool:
    call = ("--dest=org.freedesktop.DBus", "--object-path=/", "--method=org.freedesktop.DBus.NameHasOwner")
    address = f"--address={environment['DBUS_SESSION_BUS_ADDRESS']}"
    answer = subprocess.run(
        ["gdbus", "call", address, *call, "org.freedesktop.secrets"],
        capture_output=True,
        text=True,
        check=False,
    )
    return "true" in answer.stdout


def _contents(path: Path) -> str:
    try:
        return path.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
