"""Carries out the steps of an update, each as a task in a process of its own, and keeps the record of them."""

import asyncio
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from client.api.errors import BrokenVersion, ClientError, StateError, UpdateError
from client.api.messages import Traffic
from client.contribution.stats import TrainedRun
from client.installed import Installation
from client.joining.tasks import FilesFetched
from client.machine.readings import Known
from client.policy.policy import Effect
from client.service.context import Context
from client.tasks import TaskRunner
from client.updates.deciding import UpdateSituation, hold_fetch
from client.updates.kept import KeptUpdate
from client.updates.stages import UpdateEvent, UpdateState, problem_of
from client.updates.system_repository import has_repository
from client.updates.tasks import (
    FetchUpdate,
    LayOutUpdate,
    LookForUpdate,
    UpdateFetched,
    UpdateFound,
    UpdateLaidOut,
)
from core.tasks import end_tasks

_log = logging.getLogger(__name__)

PACKAGES = TrainedRun("updates", "updates of Idlebrush")
"""Name under which the contribution counts the traffic, which belongs to no run."""
_LOOK_SECONDS = 180.0
_LAY_OUT_SECONDS = 1_800.0
_GONE = UpdateError(
    "The package of the new version was removed from this computer.",
    "If a virus scanner did that, install the new version by hand.",
)


@dataclass(frozen=True)
class UpdateTimes:
    """Times of the daemon's part."""

    between_turns: float = 30.0
    """Seconds between two decisions."""
    between_polls: float = 0.5
    """Seconds between two looks at what is under way."""
    handover: float = 60.0
    """Seconds for the process that hands over to begin."""


class UpdateSteps:
    """The steps of one daemon, one at a time."""

    def __init__(
        self,
        context: Context,
        installation: Installation,
        is_busy: Callable[[], bool],
        times: UpdateTimes,
        tasks: TaskRunner,
        root: Path,
    ) -> None:
        """Take up the record that earlier daemons have left.

        Args:
            context: State of the daemon.
            installation: This installation.
            is_busy: Returns true if a person waits for something that the daemon does.
            times: Times between looks and attempts.
            tasks: Runs the tasks.
            root: Root folder of the system.
        """
        self._tasks = tasks
        self._context, self._installation, self._is_busy, self._times = context, installation, is_busy, times
        self._root = root
        self._has_repository = has_repository(installation.channel, root)
        self.kept = KeptUpdate(context.paths.updates)
        self.state = self.kept.state
        """Record of updates."""
        self.progress: FilesFetched | None = None
        """Progress of the download; None: none is under way."""
        self.is_looking = False
        """True while the repository is asked."""

    @property
    def situation(self) -> UpdateSituation:
        """Inputs of the decisions, as of now."""
        context, run = self._context, self._context.run
        on_battery, metered = context.readings.on_battery, context.readings.metered
        return UpdateSituation(
            now=context.now(),
            is_on=context.preferences.updates,
            is_of_system=self._installation.is_of_system,
            has_repository=self._has_repository,
            allowance=context.may_fetch,
            is_metered=isinstance(metered, Known) and metered.value and context.preferences.metered_pause,
            on_battery=isinstance(on_battery, Known) and on_battery.value,
            is_training=run is not None and run.alive and context.decision.effect < Effect.PAUSE,
            is_busy=self._is_busy(),
        )

    @property
    def is_put_off(self) -> bool:
        """True if the next step waits after one that failed."""
        return self.state.is_put_off(self._context.now())

    def save(self, state: UpdateState) -> None:
        """Keep the record, in memory at least: on a full disk a later daemon does a step again."""
        if state == self.state:
            return
        if state.stage is not self.state.stage:
            _log.info("Updates: %s, was %s.", state.stage, self.state.stage)
        self.state = state
        try:
            self.kept.save(state)
        except StateError as error:
            _log.warning("%s", error)
        self._context.changed()

    async def look(self) -> None:
        """Ask the repository for a newer version."""
        self.is_looking = True
        self._has_repository = has_repository(self._installation.channel, self._root)
        self._context.changed()
        task = LookForUpdate(paths=self._context.paths, installation=self._installation)
        state: UpdateState | None = None
        try:
            found = await self._tasks.run(task, UpdateFound, _LOOK_SECONDS, passed=self._counting())
            state = self.state.found(found.offer)  # as it is by now: front ends may have changed it meanwhile
        except ClientError as error:
            _log.warning("No update can be looked for: %s", error)
            state = self.state.model_copy(update={"problem": problem_of(error)})
        finally:
            self.is_looking = False
            self.save((state or self.state).model_copy(update={"looked": self._context.now()}))

    async def fetch(self) -> None:
        """Fetch the offered package, for as long as nothing stands against it."""
        offer = self.state.offer
        assert offer is not None, "it is offered"
        self.save(self.state.after(UpdateEvent.FETCH, problem=None))
        task = FetchUpdate(
            paths=self._context.paths,
            installation=self._installation,
            offer=offer,
            download=self._context.budget_beside_trainer.download,
        )
        fetching = asyncio.create_task(
            self._tasks.run(task, UpdateFetched, None, fetched=self._fetched, passed=self._counting())
        )
        try:
            while not fetching.done() and hold_fetch(self.state, offer, self.situation) is None:
                await asyncio.wait({fetching}, timeout=self._times.between_polls)
            if fetching.done():
                self._end(UpdateEvent.FETCHED, fetching.result)
            else:  # what was fetched is kept
                self.save(self.state.after(UpdateEvent.LOST))
        finally:
            self.progress = None
            await end_tasks([fetching])

    async def lay_out(self) -> bool:
        """Lay the fetched version out beside this one, and check it; return true if it is ready to be started."""
        offer, package = self.state.offer, self.package
        assert offer is not None, "it was fetched"
        if package is None or not package.exists():
            self.lose(_GONE)
            return False
        self.save(self.state.after(UpdateEvent.UNPACK, problem=None))
        task = LayOutUpdate(paths=self._context.paths, installation=self._installation, offer=offer)
        try:
            await self._tasks.run(task, UpdateLaidOut, _LAY_OUT_SECONDS)
        except BrokenVersion as error:
            _log.error("Version %s is not installed: %s", offer.version, error)
            self.save(self.state.broken(error))
        except ClientError as error:
            self._fail(error)
        else:
            return True
        return False

    def lose(self, error: ClientError) -> None:
        """Save that a hand-over came to nothing, or that the package is gone; the third time, it is given up."""
        _log.warning("The update waits: %s", error)
        self.save(self.state.lost(error, self._context.now()))

    def _fail(self, error: ClientError) -> None:
        """Save that a download or unpacking failed for now."""
        _log.warning("The update waits: %s", error)
        self.save(self.state.failed(UpdateEvent.FAILED, error, self._context.now()))

    @property
    def package(self) -> Path | None:
        """Path of the offered package, which may not be here yet."""
        return self.kept.package(self.state)

    def _end(self, done: UpdateEvent, result: Callable[[], object]) -> None:
        try:
            result()
        except ClientError as error:
            self._fail(error)
        else:
            self.save(self.state.after(done, problem=None))

    def _counting(self) -> Callable[[Traffic], None]:
        context, life = self._context, secrets.token_hex(8)
        return lambda traffic: context.accounting.contribution.heard(PACKAGES, life, traffic, context.now())

    def _fetched(self, progress: FilesFetched) -> None:
        self.progress = progress
        self._context.changed()
