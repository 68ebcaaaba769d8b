"""Runs the tests that concern Windows, on Windows' Python under Wine: ``python -m tests.windows.run [FOLDER]``.

It needs root, for a Debian system of its own in FOLDER (.windows), and ends all that it has started with itself. What
Wine lacks or does in another way, and therefore nobody has seen work, is in the README.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.windows import environment

FOLDER = environment.ROOT / ".windows"
SUITE = (
    "tests/windows",
    "tests/core/children",
    "tests/core/storage",
    "tests/core/messages",
    "tests/core/run",
    "tests/core/memory",
    "tests/client/api",
    "tests/client/hosts",
    "tests/client/policy",
    "tests/client/preferences",
    "tests/client/console",
    "tests/client/contribution",
    "tests/client/machine/windows",
    "tests/client/machine/systems",
    "tests/gui",
)
"""Folders with tests of what Windows runs itself; those marked ``posix`` are left out there."""
NOT_THERE = (
    "tests/core/children/test_guard.py",
    "tests/core/children/test_supervisor.py",
    "tests/core/storage/test_checkpoint.py",
    "tests/core/storage/test_replacement.py",
    "tests/core/storage/test_torch_archive.py",
    "tests/core/storage/test_torch_file.py",
    "tests/core/run/test_expected_traffic.py",
    "tests/core/run/test_files.py",
    "tests/core/run/test_look_schedule.py",
    "tests/core/memory/test_memory_on_cuda.py",
    "tests/core/memory/test_prediction.py",
    "tests/core/memory/test_speed.py",
    "tests/client/api/test_endpoints.py",
    "tests/client/api/test_launch.py",
    "tests/client/console/test_build_view.py",
    "tests/client/console/test_transfer_progress.py",
    "tests/gui/test_background.py",
    "tests/gui/tray/test_session_bus.py",
    "tests/gui/tray/test_tray.py",
)
"""Modules that need torch, D-Bus or POSIX processes, and so cannot be collected."""
_SCRIPT = """
export WINEPREFIX=/root/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' HOME=/root LC_ALL=C.UTF-8
export XDG_RUNTIME_DIR=/run PYTHONDONTWRITEBYTECODE=1 HYPOTHESIS_STORAGE_DIRECTORY=/tmp/hypothesis DISPLAY=:9
Xvfb :9 -screen 0 1280x1024x24 >/dev/null 2>&1 &
[ -d $WINEPREFIX ] || /usr/lib/wine/wine64 wineboot --update
cd "$1"; shift
exec /usr/lib/wine/wine64 "$@"
"""


def main(folder: Path, arguments: list[str]) -> int:
    """Make the system in ``folder`` where it is missing, run the tests, and return the status of pytest."""
    missing = [program for program in ("debootstrap", "unshare") if shutil.which(program) is None]
    if missing or os.geteuid() != 0:
        needed = "root" if not missing else " and ".join(missing)
        print(f"The tests on Windows' Python need {needed}: run `make programs` as root.", file=sys.stderr)
        return 1
    environment.make(folder)
    ignored = [f"--ignore={path}" for path in NOT_THERE]
    pytest = ["-m", "pytest", "-p", "no:cacheprovider", "--timeout=120", *ignored, *(arguments or SUITE)]
    python = f"/{environment.PYTHON}/python.exe"
    command = ["sh", "-ec", _SCRIPT, "sh", f"/{environment.SOURCE}", python, *pytest]
    return subprocess.run(environment.inside(folder, command), check=False).returncode


if __name__ == "__main__":
    sys.exit(main(FOLDER, sys.argv[1:]))
