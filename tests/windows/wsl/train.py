"""Has the daemon under Wine train the embedded run in a process of Linux.

``python -m tests.windows.wsl.train [FOLDER]`` needs root, and the system of `tests.windows.environment` in FOLDER
(.windows); beside that system the trainer runs by this Python. It prints what was measured, takes about ten minutes,
and ends all that it has started.
"""

import asyncio
import json
import shutil
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

from client.demo.folder import DemoFolder, prepare
from client.joining.embedded import EmbeddedSet
from client.joining.run_card import MANIFEST, RunCard
from client.paths import Paths
from core.run.manifest import RunManifest
from tests.windows import environment, run
from tests.windows.wsl.daemon import VARIABLE
from tests.windows.wsl.service import WslService, environment_of

_RELAY = Path("opt/windows/wsl.exe")
_HOME = Path("tmp/wsl-home")
_SCRIPT = """
export WINEPREFIX=/root/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' HOME=/root LC_ALL=C.UTF-8
export XDG_RUNTIME_DIR=/run PYTHONDONTWRITEBYTECODE=1
[ -d $WINEPREFIX ] || /usr/lib/wine/wine64 wineboot --update
cd "$1"; shift
exec /usr/lib/wine/wine64 "$@"
"""


def build_relay(system: Path) -> None:
    """Build the stand-in for wsl.exe within the system."""
    shutil.copyfile(Path(__file__).with_name("relay.c"), system / "tmp/relay.c")
    compiler = [
        "x86_64-w64-mingw32-gcc",
        "-O2",
        "-Wall",
        "-Werror",
        "-o",
        f"/{_RELAY}",
        "/tmp/relay.c",
        "-lws2_32",
    ]
    subprocess.run(["chroot", str(system), *compiler], check=True)


def make_run(system: Path, temporary: Path) -> str:
    """Put the files of the embedded run where the daemon keeps them, and return the folder's path on Windows."""
    demo = DemoFolder(temporary / "demo")
    demo.root.mkdir()
    prepare(demo, environment.ROOT / "assets/embedded", EmbeddedSet.STARTER)
    manifest = RunManifest.load(demo.manifest)
    shutil.rmtree(system / _HOME, ignore_errors=True)
    folder = Paths.of_user({"IDLEBRUSH_HOME": str(system / _HOME)}).run(manifest.training_digest)
    shutil.copytree(demo.manifest.parent, folder, ignore=shutil.ignore_patterns("*.pem"))
    shutil.copyfile(demo.manifest, folder / MANIFEST)
    RunCard.of(manifest).save(folder)
    return _on_windows(folder.relative_to(system))


def _on_windows(path: Path) -> str:
    return "Z:\\" + str(path).replace("/", "\\")


def make_drives(system: Path, temporary: Path) -> Path:
    """Return a folder with the drives of Wine, by their letters, as a distribution has them."""
    mount = temporary / "mnt"
    mount.mkdir()
    (mount / "c").symlink_to(system / "root/wine/drive_c")
    (mount / "z").symlink_to(system)
    return mount


async def train(system: Path, temporary: Path) -> int:
    """Run the service beside the daemon under Wine, and return the status of what drives the daemon."""
    folder = make_run(system, temporary)
    service = WslService(environment_of(uuid.uuid4().hex, environment.ROOT))
    port = await service.open()
    settings = {
        "program": _on_windows(_RELAY),
        "agent": [sys.executable, "-P", "-m", "core.children.agent"],
        "mount": str(make_drives(system, temporary)),
    }
    variables = {
        "WSL_STAND_IN": str(port),
        VARIABLE: json.dumps(settings),
        "IDLEBRUSH_HOME": _on_windows(_HOME),
    }
    given = [f"{name}={value}" for name, value in variables.items()]
    python = [f"/{environment.PYTHON}/python.exe", "-m", "tests.windows.wsl.drive", folder]
    command = ["env", *given, "sh", "-ec", _SCRIPT, "sh", f"/{environment.SOURCE}", *python]
    # The stand-in for wsl.exe reaches the service on this loopback.
    driving = await asyncio.create_subprocess_exec(*environment.inside(system, command, shares_network=True))
    try:
        return await driving.wait()
    finally:
        if driving.returncode is None:  # this was interrupted
            driving.kill()
        await service.close()
        left = service.inside()
        service.end(left)
        print(json.dumps({"measured": "processes of agents left at the end", "values": [len(left)]}))


def main(system: Path) -> int:
    """Make what is missing, train, and return the exit status."""
    environment.make(system)
    build_relay(system)
    with tempfile.TemporaryDirectory() as temporary:
        return asyncio.run(train(system, Path(temporary)))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).absolute() if sys.argv[1:] else run.FOLDER))
