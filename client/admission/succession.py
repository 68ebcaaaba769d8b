"""Fetches a run's newest manifest: after a rollback, when the run's peers may have moved, and, a few times a day, to
learn whether the run needs a newer version of Idlebrush.
"""

import asyncio
import logging
import random
from collections.abc import Callable
from datetime import datetime, timedelta

from client.admission.tasks import FetchSuccessor, SuccessorFound
from client.api.errors import ClientError
from client.service.trainer.restarts import pause_after
from client.tasks import TaskRunner
from core.run.least_version import UpdateNeeded, update_needed

_log = logging.getLogger(__name__)

_BETWEEN_LOOKS = timedelta(minutes=10)
"""Interval between two attempts while the swarm cannot be entered, as its peers may have moved; it spares the
coordinator.
"""
_FIRST_LOOK = 60.0, 600.0
"""Seconds until the first regular look, at least and at most: clients that start together do not look together."""
_REGULAR_LOOKS = 4 * 3600.0, 8 * 3600.0
"""Seconds between two regular looks, at least and at most."""
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
        needed: UpdateNeeded | None = None,
        refreshed: Callable[[], None] = lambda: None,
    ) -> None:
        """Prepare to watch; nothing is asked before `run`.

        Args:
            tasks: Carries out the task.
            task: Task that fetches the manifest; None: the run has no coordinator to ask.
            come: Called once a newer manifest is in the run's folder, and once `needed` has another value.
            now: Clock with a time zone.
            draw: Random numbers, 0 to 1.
            needed: The update that the manifest in the folder needs.
            refreshed: Called once a newer manifest is there of which the trainer need not know, as with news.
        """
        self._refreshed = refreshed
        self._tasks, self._task, self._come = tasks, task, come
        self._now, self._draw = now, draw
        self._wanted, self._looked = asyncio.Event(), now() - _BETWEEN_LOOKS
        self.needed = needed
        """The update that the run needs before it can go on here; None: it needs none."""
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
        failures, seconds = 0, self._drawn(*_FIRST_LOOK)
        while self._task is not None:
            is_regular = not await self._is_wanted_within(seconds)
            self._wanted.clear()  # whatever calls for it from here on is looked for again
            self._looked, seconds = self._now(), self._drawn(*_REGULAR_LOOKS)
            # Any change but of addresses and news would restart the trainer, which need not know of it yet.
            task = self._task.model_copy(update={"for_version": is_regular and self.needed is None})
            try:
                found = await self._tasks.run(task, SuccessorFound, _SECONDS)
            except ClientError as error:
                self.trouble, failures = error, failures + 1
                _log.warning(
                    "The run's newest manifest could not be fetched (attempt %d): %s", failures, error
                )
            else:
                failures = failures + 1 if self.is_superseded and not found.changed else 0
                self._take(found)
            if self.is_superseded:
                self._wanted.set()
                await asyncio.sleep(pause_after(failures, self._draw()))

    async def _is_wanted_within(self, seconds: float) -> bool:
        """Wait until a look is called for; false if it is not by then."""
        try:
            await asyncio.wait_for(self._wanted.wait(), seconds)
        except TimeoutError:
            return False
        return True

    def _drawn(self, least: float, most: float) -> float:
        return least + (most - least) * self._draw()

    def _take(self, found: SuccessorFound) -> None:
        before, self.needed = self.needed, update_needed(found.least_version)
        if found.changed:
            _log.info("The run has a newer manifest.")
            self.is_superseded, self.trouble = False, None
        if found.refreshed:
            self._refreshed()
        if found.changed or self.needed != before:
            self._come()
        elif self.is_superseded:
            self.trouble = ClientError(
                "The run's coordinator does not have the newest manifest yet.", "Idlebrush asks again soon."
            )
