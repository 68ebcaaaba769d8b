"""The step of the set-up that is under way, one at a time, and what follows from its success or failure."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from client.api.errors import DownloadError, SetupError
from client.environment.stages import SetupStage
from client.service.context import Context
from client.service.environment.distribution import DistributionSetup
from client.service.environment.keeping import EnvironmentKeeper
from client.service.environment.planner import SetupPlanner, known_error
from client.service.environment.policy import SetupFailures, reason_to_hold
from client.service.environment.process import SetupProcess
from client.service.environment.trial import TrialWatch
from core.errors import CoreError
from core.tasks import end_tasks

_log = logging.getLogger(__name__)


class SetupWork:
    """The work of one daemon on the trainer's environment; all methods belong to the event loop."""

    def __init__(
        self,
        context: Context,
        process: SetupProcess,
        distribution: DistributionSetup | None,
        kept: EnvironmentKeeper,
        trial: TrialWatch,
        *,
        consider: Callable[[], None],
        draw: Callable[[], float],
    ) -> None:
        """Take up what earlier daemons have left; nothing is started yet.

        Args:
            context: State of the daemon.
            process: Plans, fetches and installs.
            distribution: The distribution in which environments are; None: they are on this system.
            kept: Gives the state that outlives the daemon.
            trial: Judges the environment in use.
            consider: Has the policy decide again, once a step has ended.
            draw: Random numbers, 0 to 1.
        """
        self._context, self._process, self._distribution = context, process, distribution
        self._kept, self._trial = kept, trial
        self._consider, self._draw = consider, draw
        self._step: asyncio.Task[None] | None = None
        self.planner = SetupPlanner(context, process, self._on_planned)
        """The newest plan, and what it leads to."""
        self.read_state()
        failure = self.state.failure
        is_given_up = self.state.stage is SetupStage.FAILED and not (failure and failure.is_passing)
        self.failures = SetupFailures(is_given_up=is_given_up)
        """Failures of steps and plans since the last success, or since the volunteer last asked."""

    @property
    def is_under_way(self) -> bool:
        """True while a step is done."""
        return self._step is not None

    @property
    def is_busy(self) -> bool:
        """True while a step is done, or a plan is made."""
        return self._step is not None or self.planner.is_planning

    def read_state(self) -> None:
        """Read the state of the environment again."""
        self.state = self._kept.state
        """State that outlives the daemon, as it was read last."""
        self.is_usable = self._context.python.is_there
        """True if there was an environment to train in then."""

    def forget_failures(self) -> None:
        """Begin to count failures anew: the set-up has succeeded, or the volunteer asks again."""
        self.failures, self.planner.problem = SetupFailures(), None

    async def end(self) -> None:
        """End what is under way, with its process."""
        await end_tasks([*self.planner.tasks, *([self._step] if self._step is not None else [])])

    # --- the steps ----------------------------------------------------------------------------------------------

    def make_distribution(self) -> None:
        """Begin to fetch and import the distribution."""
        self._begin(self._make_distribution())

    def turn_on_wsl(self) -> None:
        """Begin to ask an administrator to turn WSL on."""
        self._begin(self._turn_on_wsl())

    def update_wsl(self) -> asyncio.Task[None]:
        """Begin to update WSL, and return the task: its failure concerns who has asked, and holds nothing up."""
        return self._begin(self._update_wsl(), is_needed=False)

    def set_up(self) -> None:
        """Begin to set the environment up, or go on."""
        self._begin(self._set_up())

    def note_damage(self) -> None:
        """Begin to note that packages are missing in the environment, which cannot be taken back."""
        self._begin(self._note_damage())

    def take_back(self) -> None:
        """Begin to put the environment before this one back in use."""
        self._begin(self._trial.take_back())

    def keep_environment(self) -> None:
        """Begin to note that the environment has made an epoch, which ends its trial."""
        self._begin(self._trial.made_epoch())

    async def _make_distribution(self) -> None:
        assert self._distribution is not None
        await self._distribution.advance(lambda: self._process.fetch_distribution(hold_of(self._context)))
        if self._distribution.is_ready:
            self.planner.state = None  # it sees other things than this system
        else:
            self._await_restart()

    async def _turn_on_wsl(self) -> None:
        assert self._distribution is not None
        await self._distribution.turn_on()
        self._await_restart()

    async def _update_wsl(self) -> None:
        assert self._distribution is not None
        try:
            await self._distribution.update()
        except CoreError as error:
            self._context.notice(f"WSL could not be updated: {error}")
            raise
        finally:
            self._context.is_exchanging = False
        self._context.notice("WSL is updated.")

    def _await_restart(self) -> None:
        """Do nothing more by itself: a daemon after the restart of Windows does."""
        self.failures = SetupFailures(is_given_up=True)

    async def _set_up(self) -> None:
        await self._process.set_up(hold_of(self._context))
        self.read_state()
        self.forget_failures()
        self.planner.carried_out()
        self._trial.begin()
        if (run := self._context.run) is not None:
            run.training.retry()  # what was missing before may be there
        self._context.notice(f"What training needs is installed. {self.state.why}")

    async def _note_damage(self) -> None:
        await self._trial.note_damage()
        self.planner.state = None  # packages are needed again

    def _begin(self, step: Coroutine[Any, Any, None], *, is_needed: bool = True) -> asyncio.Task[None]:
        """Begin a step, and return its task; a failure of one that is needed holds the set-up up."""
        begun = self._step = asyncio.create_task(step)
        begun.add_done_callback(partial(self._on_done, is_needed=is_needed))
        self._context.changed()
        return begun

    # --- what follows -------------------------------------------------------------------------------------------

    def _on_done(self, step: asyncio.Task[None], *, is_needed: bool) -> None:
        self._step = None
        self.read_state()
        if not step.cancelled() and (error := step.exception()) is not None and is_needed:
            known = known_error(error)
            self._failed(known, is_passing=self._is_passing(known))
        self._context.changed()
        self._consider()

    def _on_planned(self, error: CoreError | None) -> None:
        if error is not None:
            self._not_planned(error)
        self._context.changed()
        self._consider()

    def _not_planned(self, error: CoreError) -> None:
        """Try again later where the network was the cause; else, once the volunteer asks.

        Where there is an environment to train in, nothing is urgent: the list is asked for again the next day.
        """
        is_passing = error.code == DownloadError.code
        if self.is_usable and not is_passing:
            _log.warning("The list of packages cannot be used: %s", error)
            self.planner.put_off()
        elif self._context.choices.wants_environment:
            self._failed(error, is_passing=is_passing)

    def _is_passing(self, error: CoreError) -> bool:
        """Return true if the network ended the set-up, or its process was killed or could not be started."""
        failure, distribution = self.state.failure, self._distribution
        if distribution is not None and error is distribution.problem:
            return error.code != SetupError.code
        if failure is not None and self.state.stage is SetupStage.FAILED:
            return failure.is_passing
        return error.code != SetupError.code

    def _failed(self, error: CoreError, *, is_passing: bool) -> None:
        """Try again later, or once the volunteer asks; of failures in a row that pass, only the first is told."""
        if self.failures.count == 0 or not is_passing:
            self._context.notice(f"What training needs could not be installed: {error}")
        now = self._context.now()
        self.failures = self.failures.after(is_passing=is_passing, now=now, draw=self._draw())


def hold_of(context: Context) -> str:
    """Return the sentence that says why the download waits in that state of the daemon; empty: it does not."""
    return reason_to_hold(
        is_paused=context.choices.setup_paused, codes=context.decision.codes, may_fetch=context.may_fetch
    )
