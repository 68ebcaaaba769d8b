"""Runs the tests that concern Windows, on Windows' Python under Wine: ``python -m tests.windows.run [TESTS]``.

It needs root, for a Debian system of its own in .windows, and ends all that it has started with itself. What
Wine lacks or does in another way, and therefore nobody has seen work, is in docs/tried.md.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.windows import environment, installers

WHERE_POSSIBLE = "--where-possible"
"""Option by which a system that cannot run the tests is no failure, but is reported."""
FOLDER = environment.ROOT / ".windows"
SUITE = (
    "tests/windows",
    "tests/core/children",
    "tests/core/storage",
    "tests/core/messages",
    "tests/core/run",
    "tests/core/memory",
    "tests/client/api",
    "tests/client/autostart",
    "tests/client/checks",
    "tests/client/fetching",
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
    "tests/client/api/test_offer.py",
    "tests/client/checks/test_account_checks.py",
    "tests/client/checks/test_clock_checks.py",
    "tests/client/checks/test_run_checks.py",
    "tests/client/checks/test_trainer_checks.py",
    "tests/client/console/test_build_view.py",
    "tests/client/console/test_transfer_progress.py",
    "tests/gui/test_background.py",
    "tests/gui/tray/test_session_bus.py",
    "tests/gui/tray/test_tray.py",
)
"""Modules that need torch, D-Bus or POSIX processes, and so cannot be collected."""
_SCRIPT = """
export WINEPREFIX=/root/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' HOME=/root LC_ALL=C.UTF-8
export XDG_RUNTIME_DIR=/run PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 DISPLAY=:9
export HYPOTHESIS_STORAGE_DIRECTORY=/tmp/hypothesis
rm -f /tmp/.X9-lock /tmp/.X11-unix/X9 # of a run that was ended: its process's number may be in use again
Xvfb :9 -screen 0 1280x1024x24 >/dev/null 2>&1 &
until [ -S /tmp/.X11-unix/X9 ]; do sleep 0.1; done
openbox >/dev/null 2>&1 & # windows become active as on a desktop
rm -rf $WINEPREFIX # Windows as it is on its first day: what a run left that was ended is not whole
/usr/lib/wine/wine64 wineboot --update
cp /opt/windows/system32/* $WINEPREFIX/drive_c/windows/system32
cd "$1"; shift
exec /usr/lib/wine/wine64 "$@"
"""


def main(folder: Path, arguments: list[str]) -> int:
    """Make the system in ``folder`` where it is missing, run the tests, and return the status of pytest."""
    if lacking := _lacking(folder):
        is_optional = arguments == [WHERE_POSSIBLE]
        left_out = "SKIPPED: " if is_optional else ""
        print(f"{left_out}The tests on Windows' Python need {lacking}.", file=sys.stderr)
        return 0 if is_optional else 1
    with _timed("Making the system"):
        environment.make(folder)
    with _timed("Building the installers"):
        installers.build(folder)
    chosen = [argument for argument in arguments if argument != WHERE_POSSIBLE]
    ignored = [f"--ignore={path}" for path in NOT_THERE]
    pytest = ["-m", "pytest", "-p", "no:cacheprovider", "--timeout=120", *ignored, *(chosen or SUITE)]
    python = f"/{environment.PYTHON}/python.exe"
    command = ["sh", "-ec", _SCRIPT, "sh", f"/{environment.SOURCE}", python, *pytest]
    with _timed("Testing"):
        return subprocess.run(environment.inside(folder, command), check=False).returncode


@contextmanager
def _timed(what: str) -> Iterator[None]:
    """Print the minutes that something takes."""
    began = time.monotonic()
    yield
    print(f"{what} took {(time.monotonic() - began) / 60:.1f} minutes.", file=sys.stderr)


def _lacking(folder: Path) -> str:
    """Return what this system lacks, or does not let this process do; empty: nothing."""
    if missing := [name for name in ("debootstrap", "setpriv", "unshare") if shutil.which(name) is None]:
        return f"{' and '.join(missing)}: run `make programs`"
    if os.geteuid() != 0:
        return "root"
    tried = subprocess.run(environment.in_namespaces("true"), capture_output=True, text=True, check=False)
    if tried.returncode:
        return f"namespaces, which this system refuses ({tried.stderr.strip()})"
    if not environment.is_made(folder) and (why := environment.why_unreachable()):
        return f"Debian's archive, which cannot be reached ({why})"
    return ""


if __name__ == "__main__":
    sys.exit(main(FOLDER, sys.argv[1:]))
