"""Allows one sign-in at a time: starting another, or cancelling the wait for it, ends the one that is under way."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from client.api.errors import SignInError


class Attempt:
    """The sign-in that waits for the volunteer, if there is one."""

    def __init__(self, again: str, ended: Callable[[], None]) -> None:
        """Prepare sign-ins; ``again`` is the command to start with; ``ended`` is called after each attempt."""
        self._again, self._ended = again, ended
        self._working: asyncio.Task[str] | None = None

    async def make(self, work: Coroutine[Any, Any, str]) -> str:
        """Carry out a sign-in; returns its result as a sentence, and raises SignInError if it is cancelled."""
        if self._working:  # a new attempt gives up the old one
            self._working.cancel()
        task = self._working = asyncio.create_task(work)
        try:
            await asyncio.wait({task})
        finally:
            task.cancel()
            await asyncio.wait({task})
            if self._working is task:
                self._working = None
                self._ended()
        if task.cancelled():
            raise SignInError("The sign-in was cancelled.", f"Sign in with `{self._again}` to try again.")
        return task.result()

    def cancel(self) -> str:
        if not self._working:
            raise SignInError("No sign-in is under way.", f"Start one with `{self._again}`.")
        self._working.cancel()
        return "The sign-in is cancelled."

    @property
    def is_under_way(self) -> bool:
        return self._working is not None
