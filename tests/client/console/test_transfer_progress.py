"""Long work with a data set shows how far it is: by a bar on a terminal, in a log by a line now and then."""

import io

import pytest
from rich.console import Console

from client.console.transfer_progress import PushLines, push_shown, rows_shown
from core.data.pushing.push import PushProgress
from tests.moved_clock import MovedClock


@pytest.mark.parametrize(
    ("total", "last"), [(1000, "checking: 900 of 1,000 rows"), (None, "checking: 900 rows")]
)
def test_rows_are_reported_to_a_log_now_and_then(total: int | None, last: str) -> None:
    written, clock = io.StringIO(), MovedClock(100.0)
    with rows_shown(Console(file=written, width=200), "checking", total, clock) as show:
        for done in range(0, 1000, 100):
            show(done)
            clock.now += 5
    lines = written.getvalue().splitlines()
    assert len(lines) == 3
    assert lines[-1].endswith(last)


def test_rows_are_a_bar_on_a_terminal_that_is_gone_at_the_end() -> None:
    written = io.StringIO()
    with rows_shown(Console(file=written, width=200, force_terminal=True), "checking", 10) as show:
        show(3)
    assert "3/10" in written.getvalue()
    assert written.getvalue().endswith("\x1b[2K")


def test_a_push_tells_a_log_its_waits_and_its_end_and_little_between() -> None:
    written, clock = list[str](), MovedClock(100.0)
    lines = PushLines(written.append, clock)
    for there in (0, 1000, 2000):
        lines.show(PushProgress(there, 5000))
        clock.now += 6
    lines.show(PushProgress(3000, 5000))
    lines.show(PushProgress(3000, 5000, 65, "The Hub is busy."))
    lines.show(PushProgress(5000, 5000))
    assert written == [
        "3.0 kB of 5.0 kB are at the Hub",
        "The Hub is busy; trying again in 1 min 05 s",
        "5.0 kB of 5.0 kB are at the Hub",
    ]


def test_a_push_is_a_bar_on_a_terminal_below_the_waits() -> None:
    written = io.StringIO()
    with push_shown(Console(file=written, width=200, force_terminal=True)) as show:
        show(PushProgress(3000, 5000, 65, "The Hub is busy."))
    assert "The Hub is busy; trying again in 1 min 05 s" in written.getvalue()
    assert "3.0/5.0 kB" in written.getvalue()
    assert written.getvalue().endswith("\x1b[2K")
