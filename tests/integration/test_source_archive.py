"""The archive of the source is complete: pip and `make install` install it, and what they install starts."""

import io
import os
import subprocess
import sysconfig
import tarfile
import venv
from collections.abc import Mapping
from pathlib import Path

import pytest

from client.paths import HOME_VARIABLE
from coordinator.web.downloads import archive
from core.children import processes
from tests.desktops.tray_host import TrayKind, desk
from tests.processes.process_tree import MARK
from tests.waiting import COSTLY, wait_until

_OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_COMPILE": "1"}
"""Has pip take nothing but what is there; 0 is how pip's environment spells `--no-build-isolation`."""
_LONGEST = 240
_ANOTHER_ARCHIVE = (
    "import sys; from coordinator.web.downloads import archive; sys.stdout.buffer.write(archive())"
)


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _unpack(archive(), tmp_path_factory.mktemp("archive"))


def test_it_holds_what_its_readme_and_its_makefile_name(unpacked: Path) -> None:
    """The archive holds what the messages name as well: docs/coordinator.md explains each setting."""
    named = (
        "docs/coordinator.md",
        "docs/pictures/app-now.png",
        "notebooks/large_models_on_small_devices.ipynb",
        "tests/install_programs.sh",
        "benchmarks",
        "gui",
    )
    assert [name for name in named if not (unpacked / name).exists()] == []
    hidden = [path for path in unpacked.rglob("*") if path.name.startswith(".") or path.name == "__pycache__"]
    assert hidden == []


@pytest.mark.timeout(900)  # pip installs twice, and the app starts
def test_a_copy_that_pip_installed_gives_an_archive_that_make_installs_and_that_opens_the_app(
    unpacked: Path, tmp_path: Path
) -> None:
    python = _environment(tmp_path / "installed")
    _run(tmp_path, python, "-m", "pip", "install", "--no-deps", unpacked)
    _run(
        tmp_path,
        tmp_path / "installed" / "bin" / "idlebrush",
        "coordinator",
        "init",
        tmp_path / "run",
        "--open",
    )
    given = subprocess.run(
        [python, "-c", _ANOTHER_ARCHIVE], cwd=tmp_path, env=_clean(), capture_output=True, check=True
    ).stdout
    again = _unpack(given, tmp_path / "again")
    _environment(again / ".venv")
    (again / ".venv" / "bin" / "pip").touch()  # so that make takes the environment for complete
    _run(again, "make", "install")
    _open_app(again / ".venv" / "bin" / "idlebrush", tmp_path)


def _unpack(packed: bytes, folder: Path) -> Path:
    with tarfile.open(fileobj=io.BytesIO(packed), mode="r:gz") as tar:
        tar.extractall(folder, filter="data")
    return folder / "idlebrush"


def _environment(folder: Path) -> Path:
    """The interpreter of a virtual environment that has this one's packages, but not its Idlebrush."""
    venv.create(folder, with_pip=False, symlinks=True)
    own = sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)})
    # What a .pth file adds is searched last, and the .pth files there, such as an editable Idlebrush's, are not read.
    Path(own, "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return folder / "bin" / "python"


def _clean(**more: str) -> Mapping[str, str]:
    left = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return {**left, **_OFFLINE, **more}


def _run(folder: Path, *command: str | Path) -> None:
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=_clean(),
        capture_output=True,
        text=True,
        check=False,
        timeout=_LONGEST,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def _open_app(command: Path, folder: Path) -> None:
    home, log = folder / "home", folder / "app.txt"
    with desk(TrayKind.EMBEDDED, folder) as place, log.open("wb") as output:
        own = {**place.environment, HOME_VARIABLE: str(home), MARK: str(home), "QT_QPA_PLATFORM": "xcb"}
        app = subprocess.Popen([command], cwd=folder, env=_clean(**own), stdout=output, stderr=output)
        try:
            wait_until(
                lambda: app.poll() is not None or place.takes_keys("Welcome to Idlebrush"),
                "the app does not come up",
                every=COSTLY,
            )
            assert app.poll() is None, log.read_text()
        finally:
            for left in processes.marked(MARK, str(home)):  # the daemon that it started, too
                processes.kill(left.pid)
            app.wait()
