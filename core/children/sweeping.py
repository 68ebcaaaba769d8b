"""Leaves nothing of a child: the guard sweeps below it, and what a killed guard left is found by its mark."""

import asyncio
import contextlib
import logging
import os
import shutil
import signal
from asyncio.subprocess import Process
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import gettempdir

from core.children import processes
from core.children.guard import folder_prefix
from core.children.program import Patience
from core.children.spawning import MARK

_log = logging.getLogger(__name__)
_POLL = 0.05
_SCAN = 0.5
"""Seconds between two looks through all processes of the system."""

Marked = Callable[[str, str], Sequence[processes.Process]]
"""The processes whose environment has a variable of that name and value."""


class Sweep:
    """What follows the end of one child, or ends it."""

    def __init__(self, guard: Process, mark: str, patience: Patience, marked: Marked) -> None:
        self._guard, self._mark, self._patience, self._marked = guard, mark, patience, marked

    async def leave_nothing(self, lifeline: int, *, in_order: bool) -> bool:
        """Whether nothing is left; ``in_order``: the child has closed the channel, and may be at its end.

        ``lifeline`` is closed, at which the guard kills what is left below it.
        """
        guard = self._guard
        with contextlib.suppress(ProcessLookupError):
            guard.send_signal(signal.SIGCONT)  # a frozen guard could not sweep up
        if in_order:
            await self._has_ended()
        os.close(lifeline)
        if not await self._has_ended():
            os.killpg(guard.pid, signal.SIGKILL)
            await self._has_ended()
        is_clean = await self._kill_strays()
        if guard.returncode is None or guard.returncode < 0:
            _remove_folder(guard.pid)
        if guard.stdin:
            guard.stdin.close()
        return is_clean

    async def _has_ended(self) -> bool:
        """Whether the guard has, waited for as long as it may take."""
        waited = 0.0
        while self._guard.returncode is None and waited < self._patience.leaving:
            await asyncio.sleep(_POLL)
            waited += _POLL
        return self._guard.returncode is not None

    async def _kill_strays(self) -> bool:
        """End what a killed guard left: its session at once, others after they had time to clean up."""
        waited = 0.0
        while strays := self._marked(MARK, self._mark):
            if waited >= self._patience.unkillable:
                _log.error("The system cannot end %s.", [stray.pid for stray in strays])
                return False
            for stray in strays:
                if stray.session == self._guard.pid or waited >= self._patience.leaving:
                    processes.kill(stray.pid)
            await asyncio.sleep(_SCAN)
            waited += _SCAN
        return True


def _remove_folder(guard: int) -> None:
    """What a guard that was killed could not take away: sockets above all."""
    for folder in Path(gettempdir()).glob(f"{folder_prefix(guard)}*"):
        shutil.rmtree(folder, ignore_errors=True)
