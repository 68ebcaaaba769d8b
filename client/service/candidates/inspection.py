"""Inspects candidate runs in processes of their own, which end with their task."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path

from client.api.candidate import CandidateView
from client.api.messages import Traffic
from client.api.runs import LOCAL_SWARM
from client.contribution.stats import TrainedRun
from client.joining.benchmark import BenchmarkSettings, SpeedMeasurement, measure_speed
from client.joining.tasks import FetchedRun, FetchRun, FilesFetched, InspectedRun, LookUp
from client.service.context import Context
from client.tasks import TaskRunner
from core.children import logs
from core.run.rules import TrainingRules

_LOOK_UP_SECONDS = 600.0
"""Files of gigabytes may be here already, and are checked."""
_POLL = 0.1


class ProcessInspectors:
    """The `client.service.candidates.candidate.Inspectors` of a running daemon."""

    def __init__(
        self,
        context: Context,
        tasks: TaskRunner,
        train: Callable[[Path], Awaitable[object]],
        enter_local_swarm: Callable[[], Awaitable[Path]],
    ) -> None:
        """Prepare to inspect runs.

        Args:
            context: State of the daemon.
            tasks: Runs the processes that look runs up, and fetch them.
            train: Joins the run in a folder.
            enter_local_swarm: Returns the manifest of the swarm on this computer once that can be entered.
        """
        self._context, self._tasks, self._train = context, tasks, train
        self._enter_local_swarm = enter_local_swarm

    async def look_up(self, location: str, key: str | None) -> InspectedRun:
        context, run = self._context, self._context.run
        task = LookUp(
            location=await self._place(location),
            key=key,
            paths=context.paths,
            allowed=context.limits,
            hub=self._context.hub,
            held_gpu=context.held_gpu,
            held_ram=run.ram(context.accounting.memory_held) if run else 0,
        )
        offered = await self._tasks.run(task, InspectedRun, _LOOK_UP_SECONDS)
        if offered.view.gate is not None:
            context.members.recall(offered.view.digest)
        return offered.model_copy(update={"view": offered.view.model_copy(update={"location": location})})

    async def measure_speed(
        self, training: TrainingRules, seconds: float, show: Callable[[SpeedMeasurement], None]
    ) -> None:
        """Measure the run once the trainer, which the policy makes leave meanwhile, has released its memory.

        An exchange of the environment, which has begun by then, is waited for as well.
        """
        context = self._context
        while context.is_exchanging or (context.run is not None and context.run.training.trainer is not None):
            await asyncio.sleep(_POLL)
        log, modules = context.paths.log("benchmark"), context.modules
        logs.rotate(log)
        settings = BenchmarkSettings(
            context.limits,
            seconds,
            log,
            modules.benchmark,
            modules.environment,
            modules.is_idle,
            context.interpreter(),
            modules.trainer_host,
        )
        await measure_speed(training, settings, show)

    async def fetch_run(
        self, seen: CandidateView, training: TrainingRules, fetched: Callable[[FilesFetched], None]
    ) -> Path:
        rate = self._context.budget_beside_trainer.download
        task = FetchRun(
            location=await self._place(seen.location),
            key=seen.fingerprint,
            paths=self._context.paths,
            allowed=self._context.limits.model_copy(update={"download": rate}),
            digest=seen.digest,
        )
        run, life = TrainedRun(seen.digest, training.name), secrets.token_hex(8)

        def count(traffic: Traffic) -> None:
            self._context.accounting.contribution.heard(run, life, traffic, self._context.now())

        return (await self._tasks.run(task, FetchedRun, None, fetched=fetched, passed=count)).folder

    async def _place(self, location: str) -> str:
        """Return where the run of a ``location`` lies, for the processes that know no name of this daemon's."""
        return str(await self._enter_local_swarm()) if location == LOCAL_SWARM else location

    async def train(self, folder: Path) -> None:
        await self._train(folder)

    def is_member(self, digest: str) -> bool:
        return self._context.members.is_member(digest)
