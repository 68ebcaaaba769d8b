"""Fetches a run's newest manifest: when the organiser has taken the run back, and when its peers may have moved."""

import asyncio
import logging
import random
from collections.abc import Callable
from datetime import datetime, timedelta

from client.admission.tasks import FetchSuccessor, SuccessorFound
from client.api.errors import ClientError
from client.service.trainer.restarts import pause_after
from client.tasks import TaskRunner

_log = logging.getLogger(__name__)

_BETWEEN_LOOKS = timedelta(minutes=10)
"""Interval between two attempts while the swarm cannot be entered, as its peers may have moved; it spares the
coordinator.
"""
_SECONDS = 600.0
"""Time limit for fetching the manifest and the files that it newly names."""


class Succession:
    """Watches for a successor of one run's manifest; `run` continues in the background."""

    def __init__(
        self,
        tasks: TaskRunner,
        task: FetchSuccessor | None,
        come: Callable[[], None],
        now: Callable[[], datetime],
        draw: Callable[[], float] = random.random,
    ) -> None:
        """Prepare to watch; ``come`` is called once a newer manifest is in the run's folder.

        ``task`` None: the run has no coordinator to ask.
        """
        self._tasks, self._task, self._come = tasks, task, come
        self._now, self._draw = now, draw
        self._wanted, self._looked = asyncio.Event(), now() - _BETWEEN_LOOKS
        self.is_superseded = False
        """True while nothing may be trained before the new manifest is here."""
        self.trouble: ClientError | None = None
        """Error that has kept the new manifest from being fetched."""

    def superseded(self) -> None:
        """Note that the run goes on in another generation, and look for its manifest."""
        self.is_superseded = True
        if self._task is None:
            self.trouble = ClientError(
                "The run's organiser has rolled it back to an earlier state.",
                "Join the run again with its newest join link.",
            )
        self._wanted.set()

    def lost(self) -> None:
        """Look for a newer manifest, as the swarm cannot be entered: its peers may have moved."""
        # a clock that was set back must not put it off
        if not timedelta() <= self._now() - self._looked < _BETWEEN_LOOKS:
            self._wanted.set()

    async def run(self) -> None:
        """Fetch a newer manifest whenever one is needed, until cancelled."""
        failures = 0
        while self._task is not None:
            await self._wanted.wait()
            self._wanted.clear()  # whatever calls for it from here on is looked for again
            self._looked = self._now()
            try:
                found = await self._tasks.run(self._task, SuccessorFound, _SECONDS)
            except ClientError as error:
                self.trouble, failures = error, failures + 1
                _log.warning(
                    "The run's newest manifest could not be fetched (attempt %d): %s", failures, error
                )
            else:
                failures = failures + 1 if self.is_superseded and not found.changed else 0
                self._take(found.changed)
            if self.is_superseded:
                self._wanted.set()
                await asyncio.sleep(pause_after(failures, self._draw()))

    def _take(self, changed: bool) -> None:
        if changed:
            _log.info("The run has a newer manifest.")
            self.is_superseded, self.trouble = False, None
            self._come()
        elif self.is_superseded:
            self.trouble = ClientError(
                "The run's coordinator does not have the newest manifest yet.", "Idlebrush asks again soon."
            )
