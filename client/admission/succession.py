"""Fetches a run's newest manifest: when the organiser has taken the run back, and when its peers may have moved."""

import asyncio
import random
from collections.abc import Callable
from datetime import datetime, timedelta

from client.admission.errands import FetchSuccessor, SuccessorFound
from client.api.errors import ClientError
from client.errands import Errands
from client.service.restarts import pause_after

_BETWEEN_LOOKS = timedelta(minutes=10)
"""For peers that may have moved: a swarm that cannot be entered is no reason to storm its coordinator."""
_SECONDS = 600.0
"""For the manifest, and for files that it newly names."""


class Succession:
    """Of one run's manifest; `run` goes on in the background."""

    def __init__(
        self,
        errands: Errands,
        errand: FetchSuccessor | None,
        come: Callable[[], None],
        now: Callable[[], datetime],
        draw: Callable[[], float] = random.random,
    ) -> None:
        """``come`` is called once a newer manifest is in the run's folder; ``errand`` None: nobody serves one."""
        self._errands, self._errand, self._come = errands, errand, come
        self._now, self._draw = now, draw
        self._wanted, self._looked = asyncio.Event(), now() - _BETWEEN_LOOKS
        self.is_superseded = False
        """Whether nothing may be trained before the new manifest is here."""
        self.trouble: ClientError | None = None
        """Why it is not here yet."""

    def superseded(self) -> None:
        """The run goes on in another generation."""
        self.is_superseded = True
        if self._errand is None:
            self.trouble = ClientError(
                "The run's organiser has taken it back to an earlier state.",
                "Join it again by its newest join link.",
            )
        self._wanted.set()

    def lost(self) -> None:
        """The swarm cannot be entered: its peers may have moved."""
        # a clock that was set back must not put it off
        if not timedelta() <= self._now() - self._looked < _BETWEEN_LOOKS:
            self._wanted.set()

    async def run(self) -> None:
        """Until cancelled."""
        failures = 0
        while self._errand is not None:
            await self._wanted.wait()
            self._looked = self._now()
            try:
                found = await self._errands.run(self._errand, SuccessorFound, _SECONDS)
            except ClientError as error:
                self.trouble, failures = error, failures + 1
            else:
                failures = failures + 1 if self.is_superseded and not found.changed else 0
                self._take(found.changed)
            if not self.is_superseded:
                self._wanted.clear()
            else:
                await asyncio.sleep(pause_after(failures, self._draw()))

    def _take(self, changed: bool) -> None:
        if changed:
            self.is_superseded, self.trouble = False, None
            self._come()
        elif self.is_superseded:
            self.trouble = ClientError(
                "The run's coordinator does not have the newest manifest yet.", "It is asked again."
            )
