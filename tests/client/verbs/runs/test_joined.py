"""The verbs about joined runs: which run a name means, the table, and what the daemon gets."""

import json
import os
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from client.api.commands import Leave
from client.api.errors import JoinError
from client.api.runs import JoinedRunView, RunHindrance, SetShare
from client.console.run_cards import table_of_joined
from client.paths import HOME_VARIABLE, Paths
from client.verbs.runs.joined import run_named, run_to_leave
from tests.client.listening_daemon import ListeningDaemon, listening
from tests.client.snapshots import FULL, NOW
from tests.command_line import idlebrush

EMOJI = JoinedRunView(
    digest="ab" * 32,
    title="Emoji",
    share=300,
    is_current=True,
    trained_seconds=7260.0,
    week_seconds=3600.0,
    week_part=1.0,
)
CATS = JoinedRunView(digest="cd" * 32, title="Emoji of cats", share=100, is_current=False)
DOGS = JoinedRunView(digest="ce" * 32, title="Dogs", share=0, is_current=False)
RUNS = (EMOJI, CATS, DOGS)


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, HOME_VARIABLE: str(tmp_path), "COLUMNS": "120"}


@pytest.fixture
def daemon(home: dict[str, str]) -> Iterator[ListeningDaemon]:
    with listening(Paths.of_user(home), FULL.model_copy(update={"runs": RUNS})) as daemon:
        yield daemon


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Emoji", EMOJI),
        ("emoji", EMOJI),
        (" emoji OF cats ", CATS),
        ("cats", CATS),
        ("dog", DOGS),
        ("cdcdcd", CATS),
        ("ce" * 32, DOGS),
    ],
)
def test_a_name_means_a_title_a_part_of_one_or_a_digest(name: str, found: JoinedRunView) -> None:
    assert run_named(RUNS, name) is found


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("moji", "2 joined runs are called moji."),
        ("birds", "No joined run is called birds."),
        ("cd", "No joined run is called cd."),
        ("", "No joined run is called ."),
    ],
)
def test_a_name_that_means_none_or_several_is_refused(name: str, words: str) -> None:
    with pytest.raises(JoinError) as refused:
        run_named(RUNS, name)
    assert refused.value.what == words
    assert "Emoji of cats (cdcdcdcd)" in refused.value.remedy


def test_a_single_run_is_left_without_a_name() -> None:
    assert run_to_leave((EMOJI,), None) == ""
    assert run_to_leave(RUNS, "dogs") == DOGS.digest
    with pytest.raises(JoinError, match="3 runs are joined"):
        run_to_leave(RUNS, None)


def shown(*runs: JoinedRunView) -> str:
    text = StringIO()
    Console(file=text, width=140).print(table_of_joined(runs, NOW))
    return text.getvalue()


def test_the_table_shows_share_state_and_time() -> None:
    lines = shown(*RUNS).splitlines()
    assert [" ".join(line.split()) for line in lines[1:]] == [
        "Emoji 300 has its turn 2 h 01 min 1 h 00 min (100%)",
        "Emoji of cats 100 waits for its turn 0 s 0 s (0%)",
        "Dogs 0 waits until no other run can train 0 s 0 s (0%)",
    ]


@pytest.mark.parametrize("hindrance", RunHindrance)
def test_the_table_says_why_a_run_is_skipped_and_until_when(hindrance: RunHindrance) -> None:
    skipped = CATS.model_copy(update={"hindrance": hindrance, "retry_at": NOW + timedelta(hours=1)})
    assert f"skipped: {hindrance.words}; tried again at 15:30" in shown(skipped)
    tomorrow = skipped.model_copy(update={"retry_at": NOW + timedelta(days=1)})
    assert "tried again at 2026-03-02 14:30" in shown(tomorrow)


def test_a_title_has_no_markup() -> None:
    assert "[red]Cats[/red]" in shown(CATS.model_copy(update={"title": "[red]Cats[/red]"}))


@pytest.mark.usefixtures("daemon")
def test_the_joined_runs_are_shown_to_people_and_to_programs(home: dict[str, str]) -> None:
    assert "Emoji of cats" in idlebrush("runs", "joined", environment=home).stdout
    told = json.loads(idlebrush("runs", "joined", "--json", environment=home).stdout)
    assert [JoinedRunView.model_validate(run) for run in told["runs"]] == list(RUNS)
    assert "one of 3 joined runs" in idlebrush("status", environment=home).stdout


def test_the_daemon_gets_the_share_and_the_run_to_leave(
    daemon: ListeningDaemon, home: dict[str, str]
) -> None:
    assert idlebrush("runs", "share", "cats", "50", environment=home).returncode == 0
    (request,) = daemon.requests
    assert request.model_copy(update={"id": 0}) == SetShare(run=CATS.digest, share=50)
    refused = idlebrush("leave", environment=home)
    assert refused.returncode == 2
    assert "Name the one to leave" in refused.stderr
    done = idlebrush("leave", "dogs", "--membership", environment=home)
    assert done.returncode == 0, done.stderr
    _, request = daemon.requests
    assert request.model_copy(update={"id": 0}) == Leave(membership=True, run=DOGS.digest)
