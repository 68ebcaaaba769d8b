"""Signals by which a user or the system asks a program to end, in a running event loop of any system."""

import asyncio
import signal
from collections.abc import Callable, Iterable
from types import FrameType

ENDING = ("SIGINT", "SIGTERM", "SIGBREAK")
"""Names of the signals, of which a system has some; SIGBREAK is Windows', by Ctrl-Break or a closed console."""
HANGUP = "SIGHUP"
"""Name of the signal of a closed terminal, which Windows does not have."""


def call_at_ending_signals(call: Callable[[], None], *, outlives_terminal: bool = False) -> None:
    """Make the running event loop call ``call`` at each signal that asks this program to end.

    Call it in the main thread.

    Args:
        call: Begins the end; it may be called several times.
        outlives_terminal: True for a program that goes on once its terminal is closed; otherwise that asks for the
            end as well.
    """
    _obey(ENDING if outlives_terminal else (*ENDING, HANGUP), call)
    if outlives_terminal and hasattr(signal, HANGUP):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)


def numbers(names: Iterable[str]) -> list[signal.Signals]:
    """Return the signals of those names that this system has."""
    return [getattr(signal, name) for name in names if hasattr(signal, name)]


def _obey(names: Iterable[str], call: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()

    def wake(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(call)

    for number in numbers(names):
        try:
            loop.add_signal_handler(number, call)
        except NotImplementedError:  # Windows' event loop has no such handlers, but signals wake it up
            signal.signal(number, wake)
