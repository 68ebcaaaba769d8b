"""Reads all of the machine, each thing at its own pace; what fails or hangs is unknown, and holds up nothing else.

`read` never raises for what is read, and takes a fraction of a second at most.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from client.machine.activity.watch import ActivityWatch
from client.machine.readings import Known, Reading, Readings, Unknown
from core.failure_series import FailureSeries

SurveyValues = tuple[Reading[Any], ...]
_log = logging.getLogger(__name__)
PATIENCE = 0.2
"""Seconds that a survey waits for the slowest probe; what comes later is in the next survey."""
_STALE_ROUNDS = 3
_STALE_SECONDS = 5.0


@dataclass(frozen=True)
class Probe:
    """One source of readings, which is read independently of the others."""

    name: str
    """Name for people, as the subject of a sentence."""
    fields: tuple[str, ...]
    """Fields of `Readings`, in the order of the values."""
    interval: Callable[[], float]
    """Seconds from the beginning of one reading to the next; 0: at every survey."""
    read: Callable[[], Awaitable[SurveyValues]]


def local_now() -> datetime:
    return datetime.now().astimezone()


class Survey:
    """Runs probes; to be used from one event loop."""

    def __init__(
        self,
        probes: Sequence[Probe],
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = local_now,
        patience: float = PATIENCE,
    ) -> None:
        self._paced = [_Paced(probe, clock) for probe in probes]
        self._clock = clock
        self._now = now
        self._patience = patience

    async def read(self) -> Readings:
        """Return the newest value of everything that is read."""
        moment = self._clock()
        running = [task for paced in self._paced if (task := paced.running(moment))]
        if running:
            await asyncio.wait(running, timeout=self._patience)
        moment = self._clock()
        found = {field: value for paced in self._paced for field, value in paced.values(moment).items()}
        return Readings(now=self._now(), **found)

    async def close(self) -> None:
        """Cancel the readings that are under way."""
        tasks = [task for paced in self._paced if (task := paced.task)]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


class _Paced:
    """A probe, its reading under way, and its last values."""

    def __init__(self, probe: Probe, clock: Callable[[], float]) -> None:
        self.task: asyncio.Task[SurveyValues] | None = None
        self._probe = probe
        name = probe.name[:1].lower() + probe.name[1:]
        self._failures = FailureSeries(_log, f"Reading {name}", clock)
        self._began = float("-inf")
        self._values: SurveyValues = ()

    def running(self, moment: float) -> asyncio.Task[SurveyValues] | None:
        """Begin where it is time to; None: nothing is under way."""
        if self.task is None and moment >= self._began + self._probe.interval():
            self._began = moment
            self.task = asyncio.ensure_future(self._probe.read())
        return self.task

    def values(self, moment: float) -> dict[str, Any]:
        """Return the newest values by their fields; empty before the first."""
        if self.task is not None and self.task.done():
            self._values = self._outcome(self.task)
            self.task = None
        limit = max(_STALE_SECONDS, _STALE_ROUNDS * self._probe.interval())
        if self.task is not None and moment > self._began + limit:
            seconds = f"{moment - self._began:.0f}"
            self._values = self._unknown(f"{self._probe.name} has not answered for {seconds} s.")
        return dict(zip(self._probe.fields, self._values, strict=bool(self._values)))

    def _outcome(self, task: asyncio.Task[SurveyValues]) -> SurveyValues:
        error = asyncio.CancelledError() if task.cancelled() else task.exception()
        if error is None:
            self._failures.succeeded()
            return task.result()
        self._failures.failed(error)
        return self._unknown(f"{self._probe.name} could not be read: {str(error) or type(error).__name__}.")

    def _unknown(self, why: str) -> SurveyValues:
        return (Unknown(why),) * len(self._probe.fields)


JUST_NOW = Known(0.0, "the first input")


@dataclass(frozen=True)
class ThisMachine:
    """A survey, and a watch for activity between two of them."""

    survey: Survey
    activity: ActivityWatch

    async def read(self) -> Readings:
        """Return all readings, without waiting for slow ones."""
        return await self.survey.read()

    async def until_active(self) -> Reading[float]:
        """Return at the first input after the call, or once no source works, with the idle time as it is known
        then.
        """
        await self.activity.until_active()
        return JUST_NOW if self.activity.has_source else await self.activity.idle()
