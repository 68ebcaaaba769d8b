"""The app's first screens on Windows, by keys alone: under Wine, by ``make test-windows``."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.windows.windows_user import WindowsUser

pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="make test-windows runs it under Wine")
PICTURES = Path("/opt/windows/pictures")
"""Where the pictures of the screens stay, for people to look at: below .windows."""
SCREENS = ("1-welcome", "2-sign-in", "3-run", "4-times", "5-consent", "6-setup", "7-now")


@pytest.mark.timeout(600)
def test_the_first_run_goes_by_keys_alone(user: WindowsUser) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.windows.first_run", str(PICTURES)],
        env={**user.environment, "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=500,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert [(PICTURES / f"{name}.png").stat().st_size > 10_000 for name in SCREENS] == [True] * len(SCREENS)
    assert user.idlebrush("status").returncode == 0
