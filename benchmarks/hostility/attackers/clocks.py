"""Peers whose clocks are wrong: no attack by intention, and as harmful if it is believed."""

import gc
import sys
import time
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from benchmarks.hostility.attackers.attacker import Attacker
from benchmarks.hostility.seat import PeerSeat


def shifted(clock: Callable[[], float], seconds: float) -> Callable[[], float]:
    """Return a ``clock`` that is ahead of the given one by ``seconds``."""
    return lambda: clock() + seconds


def replace_everywhere(old: Any, new: Any) -> None:
    """Put ``new`` in the place of ``old`` in all modules of this process, and in the defaults of all functions."""
    for module in [item for item in sys.modules.values() if isinstance(item, ModuleType)]:
        for name in [name for name, value in vars(module).items() if value is old]:
            setattr(module, name, new)
    for function in [item for item in gc.get_objects() if isinstance(item, FunctionType)]:
        defaults, named = function.__defaults__ or (), function.__kwdefaults__ or {}
        if any(value is old for value in defaults):
            function.__defaults__ = tuple(new if value is old else value for value in defaults)
        for name, value in named.items():
            if value is old:
                named[name] = new


class ShiftedClock(Attacker):
    """Trains honestly with a clock that is minutes off.

    It should be told so in plain words and stay out, or the others should not mind; nobody else's training may stop.
    """

    def __init__(self, seat: PeerSeat, *, seconds: float) -> None:
        """Set the clock ahead by ``seconds``, or back if they are negative."""
        super().__init__(seat)
        self._seconds = seconds

    def prepare(self) -> None:
        """Move the clock of this process and of those that it forks."""
        replace_everywhere(time.time, shifted(time.time, self._seconds))
