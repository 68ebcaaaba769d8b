"""A serving coordinator reports which failures it retries, and prints messages for people."""

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from coordinator.serving.foreground import display, news, panel
from coordinator.serving.programs import LONGEST_PAUSE, MOST_CRASHES, pause_after
from coordinator.serving.view import NOTICES_KEPT, ServedProcess, ServingView, Stage, lose, website
from core.children.outcome import Ending, Outcome
from core.messages.children import Failed

VIEW = ServingView(
    title="A run",
    link="idlebrush:join?run=https%3A%2F%2Fa.org",
    fingerprint="abcd-efgh",
    stages=tuple((part, Stage.WAITING) for part in ServedProcess),
)


def ended(ending: Ending, code: str | None = None) -> Outcome:
    failure = Failed(code=code, what="It broke.", remedy="Mend it.") if code else None
    return Outcome("website", ending, 1, Path("log"), failure)


@pytest.mark.parametrize(
    ("outcome", "ends", "pause"),
    [
        (ended(Ending.CRASHED), 1, 0.5),
        (ended(Ending.CRASHED), 2, 1.0),
        (ended(Ending.CRASHED), MOST_CRASHES - 1, LONGEST_PAUSE),
        (ended(Ending.CRASHED), MOST_CRASHES, None),
        (ended(Ending.HUNG), 1, 0.5),
        (ended(Ending.FINISHED), 1, 0.5),
        (ended(Ending.FINISHED), MOST_CRASHES, None),
        (ended(Ending.GARBLED), 1, None),
        (ended(Ending.FAILED, "manifest"), 1, None),
        (ended(Ending.FAILED, "settings"), 1, None),
        (ended(Ending.FAILED, "swarm"), 1, 0.5),
        (ended(Ending.FAILED, "database"), 100_000, LONGEST_PAUSE),
    ],
)
def test_what_may_pass_is_tried_again(outcome: Outcome, ends: int, pause: float | None) -> None:
    assert pause_after(outcome, ends) == pause


def test_a_log_tells_each_thing_once() -> None:
    first = list(news(None, VIEW))
    assert any(VIEW.link in line for line in first)
    running = replace(VIEW.with_stage(ServedProcess.WEB, Stage.RUNNING), web="http://127.0.0.1:80")
    assert list(news(VIEW, running)) == ["web: running", "the website answers at: http://127.0.0.1:80"]
    assert list(news(running, running)) == []
    lost = lose(running, ServedProcess.WEB, "It broke.", again=False)
    assert list(news(running, lost)) == ["web: given up", "It broke. It is not started again."]


def test_a_panel_shows_all_of_it() -> None:
    view = lose(replace(VIEW, entry=("/ip4/a/p2p/Qm",)), ServedProcess.RECORDER, "It broke.", again=True)
    console = Console(width=100, record=True, file=Path("/dev/null").open("w"))  # noqa: SIM115
    console.print(panel(view))
    drawn = console.export_text()
    for words in (
        VIEW.title,
        VIEW.fingerprint,
        "/ip4/a/p2p/Qm",
        "restarting",
        "It is started again.",
    ):
        assert words in drawn


def test_on_a_terminal_the_link_is_reported_once_and_unbroken() -> None:
    drawn = StringIO()
    link = f"{VIEW.link}&key={'x' * 100}"
    with display(Console(width=60, force_terminal=True, file=drawn), plain=False) as show:
        for _ in range(2):
            show(replace(VIEW, link=link))
    assert drawn.getvalue().count(link) == 1


def test_the_same_is_not_reported_twice_in_a_row_and_the_oldest_is_forgotten() -> None:
    view = VIEW.with_notice("one").with_notice("one")
    assert view.notices == ("one",)
    for number in range(NOTICES_KEPT):
        view = view.with_notice(str(number))
    assert view.notices == tuple(map(str, range(NOTICES_KEPT)))


@pytest.mark.parametrize(
    ("listening", "shown"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://0.0.0.0:8080", "http://11.0.0.10:8080"),
        ("http://[::]:8080", "http://11.0.0.10:8080"),
    ],
)
def test_the_website_is_shown_where_people_can_open_it(listening: str, shown: str) -> None:
    assert website(listening, "http://11.0.0.10:8080") == shown
