"""Checks of what is installed, with programs and daemons that do and do not work."""

import asyncio
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from client.checks.installation import look_at_daemon, look_at_folders, output_of
from client.doctor import CheckVerdict
from client.paths import Paths
from tests.client.listening_daemon import listening
from tests.client.snapshots import FULL


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path / "home")})


@pytest.mark.posix
def test_a_program_that_nobody_waits_for_any_more_is_ended(tmp_path: Path) -> None:
    async def give_up() -> None:
        async with asyncio.timeout(0.5):
            await output_of(sys.executable, "-c", f"import os, time; {note}; time.sleep(600)")

    file = tmp_path / "pid"
    note = f"open({str(file)!r}, 'w').write(str(os.getpid()))"
    with pytest.raises(TimeoutError):
        asyncio.run(give_up())
    assert not file.exists() or not Path(f"/proc/{file.read_text()}").exists()


def test_folders_that_can_be_used_are_named(paths: Paths) -> None:
    for _ in ("before they are made", "and after"):
        (finding,) = asyncio.run(look_at_folders(paths))
        assert finding.verdict is CheckVerdict.OK
        assert str(paths.data) in finding.found
        paths.prepare()


@pytest.mark.posix
def test_a_folder_that_others_may_write_to_is_a_problem(paths: Paths) -> None:
    paths.prepare()
    paths.data.chmod(0o777)
    (finding,) = asyncio.run(look_at_folders(paths))
    assert finding.verdict is CheckVerdict.PROBLEM
    assert finding.remedy == f"Run: chmod 700 {paths.data}"


def test_a_folder_below_a_file_is_a_problem(paths: Paths) -> None:
    paths.data.parent.write_text("")
    findings = asyncio.run(look_at_folders(paths))
    assert {finding.verdict for finding in findings} == {CheckVerdict.PROBLEM}


@pytest.mark.parametrize(
    ("installed", "verdict", "words"),
    [
        (version("idlebrush"), CheckVerdict.OK, "runs as process 4700"),
        ("0.0.1", CheckVerdict.WARNING, "version 0.0.1"),
    ],
)
def test_a_daemon_of_another_version_is_reported(
    installed: str, verdict: CheckVerdict, words: str, paths: Paths
) -> None:
    with listening(paths, FULL.model_copy(update={"version": installed})):
        (finding,) = asyncio.run(look_at_daemon(paths))
    assert finding.verdict is verdict
    assert words in finding.found


def test_a_daemon_that_does_not_run_is_no_problem(paths: Paths) -> None:
    (finding,) = asyncio.run(look_at_daemon(paths))
    assert finding.verdict is CheckVerdict.OK
