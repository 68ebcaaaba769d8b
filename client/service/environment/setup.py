"""Keeps the trainer's environment as the volunteer wants it: plans it, sets it up, and tries again where that helps.

What takes long is a process of its own or a thread. A daemon that is started later continues where this one was.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine
from typing import Any

from client.api.environment import EnvironmentView, SetupPlanView
from client.api.errors import DownloadError, SetupError
from client.environment.stages import RUNNING, SetupStage
from client.machine.readings import NOT_READ
from client.service.context import Context
from client.service.environment.distribution import DistributionSetup
from client.service.environment.keeping import keeper_of
from client.service.environment.planner import SetupPlanner, known_error
from client.service.environment.policy import (
    SetupAction,
    SetupFacts,
    SetupFailures,
    next_action,
    reason_to_hold,
)
from client.service.environment.process import SetupProcess
from client.service.environment.trial import TrialWatch
from client.service.environment.view import SetupSituation, view_of
from core.errors import CoreError
from core.tasks import end_tasks

_log = logging.getLogger(__name__)


class EnvironmentSetup:
    """The set-up of one daemon; where the trainer's packages are installed beside the app, it does nothing."""

    def __init__(
        self,
        context: Context,
        others_compute: Callable[[], bool],
        consider: Callable[[], None],
        draw: Callable[[], float] = random.random,
    ) -> None:
        """Take up what earlier daemons have left; nothing is started yet.

        Args:
            context: State of the daemon.
            others_compute: True if a process other than the trainer runs in the environment.
            consider: Has the policy decide again, which also calls `look`.
            draw: Random numbers, 0 to 1.
        """
        self._context, self._others_compute = context, others_compute
        self._consider, self._draw, self._is_closed = consider, draw, False
        self._distribution = DistributionSetup(context, context.wsl) if context.wsl else None
        self._kept = keeper_of(
            context, None if self._distribution is None else lambda: not self._lacks_distribution
        )
        self._process = SetupProcess(context, consider, self._distribution)
        self.trial = TrialWatch(context, self._kept, self._is_in_use)
        self._work: asyncio.Task[None] | None = None
        self._planner = SetupPlanner(context, self._process, self._on_planned)
        self._read_state()
        failure = self._state.failure
        is_given_up = self._state.stage is SetupStage.FAILED and not (failure and failure.is_passing)
        self._failures = SetupFailures(is_given_up=is_given_up)

    # --- what the daemon asks -----------------------------------------------------------------------------------

    @property
    def may_start(self) -> bool:
        """True if a trainer can be started now: there is an environment, and it is not being exchanged."""
        is_exchanged = self._process.is_placing or bool(self.trial.fault) or self._lacks_distribution
        return self._context.python.is_there and not is_exchanged

    @property
    def is_fetching(self) -> bool:
        """True if a set-up may be using the connection now."""
        progress = self._process.progress
        return progress is not None and progress.stage is SetupStage.FETCHING and not progress.waiting

    @property
    def is_installing(self) -> bool:
        """True from the download's end until the packages are in use: an update of Idlebrush waits for that."""
        progress = self._process.progress
        stage = progress.stage if progress is not None else self._state.stage
        return self._work is not None and stage in RUNNING and stage is not SetupStage.FETCHING

    @property
    def needs_looks(self) -> bool:
        """True if the machine has to be looked at often, as a download must stop on a metered line."""
        is_settled = self._state.stage in (SetupStage.READY, SetupStage.ON_TRIAL)
        return self._is_used and (
            self._is_busy or (self._context.choices.wants_environment and not is_settled)
        )

    @property
    def view(self) -> EnvironmentView | None:
        """The view for snapshots; None where no environment is used."""
        if not self._is_used:
            return None
        choices = self._context.choices
        return view_of(
            SetupSituation(
                state=self._state,
                is_usable=self._is_usable,
                is_wanted=choices.wants_environment,
                is_paused=choices.setup_paused,
                hold=self._hold,
                is_working=self._work is not None,
                is_planning=self._planner.is_planning,
                progress=self._process.progress,
                retry_at=self._failures.retry_at,
                problem=self._planner.problem or (self._distribution.problem if self._distribution else None),
                plan=self._planner.view,
                wsl=self._distribution.view if self._distribution else None,
            )
        )

    def look(self) -> None:
        """Do what is due; called whenever the policy has decided."""
        if not self._is_used or self._is_closed:
            return
        if self._work is None and self._is_usable != self._context.python.is_there:
            self._planner.state = None  # another program has removed it, or put it there
            self._read_state()
        self.trial.look()
        if self._work is not None:
            self._process.follow(self._hold)
            self._make_way()
        elif self.trial.fault:
            self._take_back()
        elif self.trial.is_damaged:
            self._begin(self._note_damage())
        elif self._knows_machine:
            match next_action(self._facts()):
                case SetupAction.MAKE_DISTRIBUTION:
                    self._begin(self._make_distribution())
                case SetupAction.PLAN:
                    self._planner.begin()
                case SetupAction.SET_UP:
                    self._begin(self._set_up())

    def made_epoch(self) -> None:
        """Keep the environment that is on trial, as a trainer has made an epoch in it."""
        if self._is_used and self._state.stage is SetupStage.ON_TRIAL and self._work is None:
            self._begin(self.trial.made_epoch())

    # --- what front ends ask for --------------------------------------------------------------------------------

    async def plan(self) -> SetupPlanView:
        """Return the plan by the newest list of packages; raise ClientError if it cannot be had."""
        self._require_use()
        if self._work is not None and self._planner.view is not None:
            return self._planner.view
        if self._context.may_fetch == 0:
            raise SetupError(
                f"The list of packages is not fetched. {self._hold}", "Try again once your limits allow it."
            )
        return await asyncio.shield(self._planner.begin())

    def begin(self) -> str:
        """Set the environment up, or try again; return a sentence."""
        self._require_use()
        if self._distribution is not None and not self._is_busy:
            self._distribution.again()
        self._want()
        self._consider()
        return "Idlebrush installs what training needs, within your limits."

    def turn_on_wsl(self) -> str:
        """Turn WSL on with an administrator's consent, and return a sentence; SetupError unless it is turned off."""
        if self._distribution is None or self._work is not None:
            raise SetupError("There is nothing to turn on now.", "See `idlebrush setup` for what is done.")
        self._distribution.require_off()
        self._want()
        self._begin(self._turn_on(self._distribution))
        return "Windows asks an administrator to agree."

    def _want(self) -> None:
        self._context.choices.want_environment(True)
        self._forget_failures()
        self._planner.want()

    def pause(self, is_paused: bool) -> str:
        """Pause the download, or resume it; return a sentence."""
        self._require_use()
        if not self._context.choices.wants_environment:
            raise SetupError("No set-up is under way.", "Begin one with `idlebrush setup`, or in the app.")
        self._context.choices.pause_setup(is_paused)
        self._consider()
        self._context.changed()
        return "The set-up is paused." if is_paused else "The set-up continues."

    async def cancel(self) -> str:
        """Give the set-up up, and remove what it has fetched; return a sentence."""
        self._require_use()
        self._context.choices.want_environment(False)
        await self._end_work()
        await self._kept.cancel()
        self._forget_failures()
        self._read_state()
        self._context.changed()
        return "The set-up was cancelled, and what it had fetched was removed."

    async def close(self) -> None:
        """End what is under way, with its process; the next daemon continues."""
        self._is_closed = True
        await self._end_work()

    # --- the work -----------------------------------------------------------------------------------------------

    async def _make_distribution(self) -> None:
        assert self._distribution is not None
        await self._distribution.advance(lambda: self._process.fetch_distribution(self._hold))
        if self._distribution.is_ready:
            self._planner.state = None  # it sees other things than this system
        else:
            self._await_restart()

    async def _turn_on(self, distribution: DistributionSetup) -> None:
        await distribution.turn_on()
        self._await_restart()

    def _await_restart(self) -> None:
        """Do nothing more by itself: a daemon after the restart of Windows does."""
        self._failures = SetupFailures(is_given_up=True)

    async def _set_up(self) -> None:
        await self._process.set_up(self._hold)
        self._read_state()
        self._forget_failures()
        self._planner.carried_out()
        self.trial.begin()
        if (run := self._context.run) is not None:
            run.training.retry()  # what was missing before may be there
        self._context.notice(f"What training needs is installed. {self._state.why}")

    async def _note_damage(self) -> None:
        await self.trial.note_damage()
        self._planner.state = None  # packages are needed again

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
        if self._is_usable and not is_passing:
            _log.warning("The list of packages cannot be used: %s", error)
            self._planner.put_off()
        elif self._context.choices.wants_environment:
            self._failed(error, is_passing=is_passing)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._work = asyncio.create_task(work)
        self._work.add_done_callback(self._on_worked)
        self._context.changed()

    def _on_worked(self, work: asyncio.Task[None]) -> None:
        self._work = None
        self._read_state()
        if not work.cancelled() and (error := work.exception()) is not None:
            known = known_error(error)
            self._failed(known, is_passing=self._is_passing(known))
        self._context.changed()
        self._consider()

    def _is_passing(self, error: CoreError) -> bool:
        """Return true if the network ended the set-up, or its process was killed or could not be started."""
        failure, distribution = self._state.failure, self._distribution
        if distribution is not None and error is distribution.problem:
            return error.code != SetupError.code
        if failure is not None and self._state.stage is SetupStage.FAILED:
            return failure.is_passing
        return error.code != SetupError.code

    def _failed(self, error: CoreError, *, is_passing: bool) -> None:
        """Try again later, or once the volunteer asks; of failures in a row that pass, only the first is told."""
        if self._failures.count == 0 or not is_passing:
            self._context.notice(f"What training needs could not be installed: {error}")
        now = self._context.now()
        self._failures = self._failures.after(is_passing=is_passing, now=now, draw=self._draw())

    def _make_way(self) -> None:
        """End the trainer in order once the environment waits to be put in place, and have it placed then."""
        if not self._process.is_placing:
            return
        run = self._context.run
        if run is not None and run.alive:
            run.training.renew()  # it is not started before the environment is in place
        elif not self._is_in_use():
            self._process.place()

    def _take_back(self) -> None:
        run = self._context.run
        if run is not None and run.alive:
            run.training.renew()
        elif self.trial.may_take_back:
            self._begin(self.trial.take_back())

    async def _end_work(self) -> None:
        await end_tasks([*self._planner.tasks, *([self._work] if self._work is not None else [])])

    # --- what is known ------------------------------------------------------------------------------------------

    def _facts(self) -> SetupFacts:
        now = self._context.now()
        return SetupFacts(
            is_wanted=self._context.choices.wants_environment,
            is_busy=self._is_busy,
            stage=self._state.stage,
            is_held=bool(self._hold),
            is_put_off=self._failures.is_put_off(now),
            is_given_up=self._failures.is_given_up,
            plan=self._planner.state,
            now=now,
            gpus=self._planner.gpus,
            lacks_distribution=self._lacks_distribution,
        )

    @property
    def _is_used(self) -> bool:
        return not self._context.python.is_own

    @property
    def _lacks_distribution(self) -> bool:
        return self._distribution is not None and not self._distribution.is_ready

    @property
    def _is_busy(self) -> bool:
        return self._work is not None or self._planner.is_planning

    @property
    def _hold(self) -> str:
        context = self._context
        return reason_to_hold(
            is_paused=context.choices.setup_paused, codes=context.decision.codes, may_fetch=context.may_fetch
        )

    @property
    def _knows_machine(self) -> bool:
        """True once it is known whether the line is metered, and which GPUs there are."""
        readings = self._context.readings
        return NOT_READ not in (readings.metered, readings.gpus)

    def _is_in_use(self) -> bool:
        run = self._context.run
        return (run is not None and run.training.trainer is not None) or self._others_compute()

    def _read_state(self) -> None:
        self._state = self._kept.state
        self._is_usable = self._context.python.is_there

    def _forget_failures(self) -> None:
        self._failures, self._planner.problem = SetupFailures(), None

    def _require_use(self) -> None:
        if not self._is_used:
            raise SetupError(
                "Nothing has to be installed: what training needs is installed beside the app.",
                "Join a run with `idlebrush join`.",
            )
