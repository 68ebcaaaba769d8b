"""`idlebrush open` where no window can open: it says how a terminal joins the run, and what is wrong with a link."""

import os
from pathlib import Path

import pytest

from client.paths import HOME_VARIABLE
from core.run.join_link import JoinLink
from tests.command_line import idlebrush
from tests.swarms.tiny_run import write_tiny_run

LINK = JoinLink("https://train.example.org/files/run.toml", "abcd-efgh-ijkl-mnop-qrst-uvwx")


@pytest.fixture
def elsewhere(tmp_path: Path) -> dict[str, str]:
    """An environment without a display."""
    return {**os.environ, HOME_VARIABLE: str(tmp_path / "home"), "DISPLAY": "", "WAYLAND_DISPLAY": ""}


@pytest.mark.parametrize("link", [str(LINK), str(LINK).replace(":", "://", 1), f'"{LINK}"'])
def test_without_a_display_a_link_is_answered_with_the_command_that_joins_it(
    link: str, elsewhere: dict[str, str]
) -> None:
    done = idlebrush("open", link, environment=elsewhere)
    assert done.returncode == 1
    assert done.stdout.endswith(f"idlebrush join '{LINK}'\n")


def test_without_a_display_a_file_is_answered_with_its_path(
    tmp_path: Path, elsewhere: dict[str, str]
) -> None:
    file = write_tiny_run(tmp_path / "tiny")
    done = idlebrush("open", file.as_uri(), environment=elsewhere)
    assert done.returncode == 1
    assert done.stdout.endswith(f"idlebrush join {file}\n")


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ("idlebrush://join", "is not a join link"),
        ("idlebrush:join?run=%2F%2Fserver%2Fshare&key=abcd", "The join link points to"),
        ("nowhere.idlebrush", "There is no run manifest at"),
        ("x" * 9_000, "far too long"),
    ],
)
def test_what_is_no_run_is_refused_in_two_lines(run: str, words: str, elsewhere: dict[str, str]) -> None:
    done = idlebrush("open", run, environment=elsewhere)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 2
    assert not done.stdout


def test_without_a_run_and_a_display_it_says_what_a_terminal_can_show(elsewhere: dict[str, str]) -> None:
    done = idlebrush("open", environment=elsewhere)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.endswith("idlebrush status\n")
