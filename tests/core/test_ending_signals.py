"""Signals end what runs in an event loop, also in a loop that has no handlers of its own, as on Windows."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from core.ending_signals import ENDING, HANGUP, call_at_ending_signals, numbers
from tests.waiting import DEADLINE

pytestmark = pytest.mark.skipif(
    os.name == "nt", reason="`os.kill` sends no signals there, but ends the process"
)


class LoopWithoutHandlers(asyncio.SelectorEventLoop):
    """An event loop that a signal wakes up and that has no handlers, like Windows' own."""

    def __init__(self) -> None:
        super().__init__()
        signal.set_wakeup_fd(self._csock.fileno())  # type: ignore[attr-defined]

    def close(self) -> None:
        signal.set_wakeup_fd(-1)
        super().close()

    def add_signal_handler(self, *_: Any, **__: Any) -> None:  # type: ignore[override]
        raise NotImplementedError


LOOPS = [asyncio.SelectorEventLoop, LoopWithoutHandlers]


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Restore the handlers of this process."""
    before = {number: signal.getsignal(number) for number in numbers((*ENDING, HANGUP))}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


async def _calls_after(number: signal.Signals, *, outlives_terminal: bool) -> int:
    """Return the number of calls that a signal causes."""
    calls, called = 0, asyncio.Event()

    def call() -> None:
        nonlocal calls
        calls += 1
        called.set()

    call_at_ending_signals(call, outlives_terminal=outlives_terminal)
    os.kill(os.getpid(), number)
    if number is signal.SIGHUP and outlives_terminal:
        await asyncio.sleep(0.1)
        return calls
    await asyncio.wait_for(called.wait(), DEADLINE)
    return calls


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize(
    ("number", "outlives_terminal", "calls"),
    [
        (signal.SIGINT, False, 1),
        (signal.SIGTERM, False, 1),
        (signal.SIGHUP, False, 1),
        (signal.SIGINT, True, 1),
        (signal.SIGTERM, True, 1),
        (signal.SIGHUP, True, 0),
    ],
)
def test_each_ending_signal_is_a_call_and_a_closed_terminal_is_if_it_matters(
    loop: Callable[[], asyncio.AbstractEventLoop],
    number: signal.Signals,
    outlives_terminal: bool,
    calls: int,
) -> None:
    with asyncio.Runner(loop_factory=loop) as runner:
        assert runner.run(_calls_after(number, outlives_terminal=outlives_terminal)) == calls


def test_a_system_has_some_of_the_signals() -> None:
    assert numbers(("SIGINT", "SIGNONE")) == [signal.SIGINT]
