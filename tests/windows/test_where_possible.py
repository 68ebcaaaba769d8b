"""The tests on Windows' Python say why they cannot run, and are left out only if that was asked for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.windows.run import WHERE_POSSIBLE

pytestmark = [
    pytest.mark.posix,
    pytest.mark.skipif(
        not sys.platform.startswith("linux") or os.geteuid() != 0, reason="only root can be refused something"
    ),
]
_MAIN = """
import sys
from pathlib import Path
from tests.windows.run import main
sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
"""


@pytest.mark.parametrize(
    ("without", "words"),
    [("--user", "need root."), ("--net", "need Debian's archive, which cannot be reached")],
)
@pytest.mark.parametrize(("options", "status"), [((WHERE_POSSIBLE,), 0), ((), 1)])
def test_what_is_lacking_is_named(
    tmp_path: Path, without: str, words: str, options: tuple[str, ...], status: int
) -> None:
    command = ["unshare", without, sys.executable, "-c", _MAIN, str(tmp_path / "system"), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == status
    assert words in done.stderr
    assert ("SKIPPED: " in done.stderr) == (status == 0)
    assert not (tmp_path / "system").exists()
