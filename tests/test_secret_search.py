"""The search for secrets finds them: otherwise every test that finds none would be worth nothing."""

import base64
import subprocess
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.processes.process_tree import started
from tests.secret_search import find_secret

SECRET = "hf_a token/that is looked for"
_SLEEP = "import time; print('up', flush=True); time.sleep(600)"


@pytest.mark.parametrize(
    "written",
    [
        SECRET,
        f'{{"token": "{SECRET}"}}',
        SECRET.encode().hex(),
        quote(SECRET, safe=""),
        base64.b64encode(SECRET.encode()).decode(),
    ],
)
def test_a_secret_in_a_file_is_found_however_it_is_written(tmp_path: Path, written: str) -> None:
    file = tmp_path / "deep" / "down.log"
    file.parent.mkdir()
    file.write_text(f"before {written} after")
    (tmp_path / "other.log").write_text("nothing")
    assert find_secret(SECRET, [tmp_path]) == [str(file)]


def test_a_secret_in_a_files_name_is_found(tmp_path: Path) -> None:
    file = tmp_path / "hf_name"
    file.touch()
    assert find_secret("hf_name", [tmp_path]) == [str(file)]


def test_a_secret_among_a_processs_arguments_is_found() -> None:
    with started("-c", _SLEEP, SECRET) as tree:
        tree.wait_for("up")
        assert find_secret(SECRET, [], [tree.process.pid]) == [f"/proc/{tree.process.pid}/cmdline"]


def test_a_secret_in_a_processs_environment_is_found() -> None:
    with started("-c", _SLEEP) as tree:
        tree.wait_for("up")
        assert find_secret(tree.mark, [], [tree.process.pid]) == [f"/proc/{tree.process.pid}/environ"]


def test_a_process_that_has_gone_holds_nothing() -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    assert find_secret(SECRET, [], [gone.pid]) == []
