"""Keeps the trainer's environment as the volunteer wants it: plans it, sets it up, and tries again where that helps.

What takes long is a process of its own or a thread. A daemon that is started later continues where this one was.
"""

import asyncio
import random
from collections.abc import Callable

from client.api.environment import EnvironmentView, SetupPlanView
from client.api.errors import SetupError
from client.environment.stages import RUNNING, SetupStage
from client.machine.readings import NOT_READ
from client.service.context import Context
from client.service.environment.distribution import DistributionSetup
from client.service.environment.keeping import keeper_of
from client.service.environment.policy import SetupAction, SetupFacts, next_action
from client.service.environment.process import SetupProcess
from client.service.environment.trial import TrialWatch
from client.service.environment.view import SetupSituation, view_of
from client.service.environment.work import SetupWork, hold_of


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
        self._consider, self._is_closed = consider, False
        self._distribution = DistributionSetup(context, context.wsl) if context.wsl else None
        self._kept = keeper_of(
            context, None if self._distribution is None else lambda: not self._lacks_distribution
        )
        self._process = SetupProcess(context, consider, self._distribution)
        self.trial = TrialWatch(context, self._kept, self._is_in_use)
        self._work = SetupWork(
            context, self._process, self._distribution, self._kept, self.trial, consider=consider, draw=draw
        )

    # --- what the daemon asks -----------------------------------------------------------------------------------

    @property
    def may_start(self) -> bool:
        """True if a trainer can be started now: there is an environment, and it is not being exchanged."""
        is_exchanged = self._process.is_placing or bool(self.trial.fault) or self._lacks_distribution
        return self._context.python.is_there and not is_exchanged

    @property
    def is_waiting_for_all(self) -> bool:
        """True while whatever computes has to end, so that an environment can be put in place or taken back."""
        return self._process.is_placing or self._updates_wsl or bool(self.trial.fault)

    @property
    def is_fetching(self) -> bool:
        """True if a set-up may be using the connection now."""
        progress = self._process.progress
        return progress is not None and progress.stage is SetupStage.FETCHING and not progress.waiting

    @property
    def is_installing(self) -> bool:
        """True while an update of Idlebrush waits: from a download's end to its use, and while WSL is updated."""
        progress = self._process.progress
        stage = progress.stage if progress is not None else self._work.state.stage
        is_set_up = stage in RUNNING and stage is not SetupStage.FETCHING
        return self._work.is_under_way and (is_set_up or self._updates_wsl)

    @property
    def needs_looks(self) -> bool:
        """True if the machine has to be looked at often, as a download must stop on a metered line."""
        is_settled = self._work.state.stage in (SetupStage.READY, SetupStage.ON_TRIAL)
        return self._is_used and (
            self._work.is_busy or (self._context.choices.wants_environment and not is_settled)
        )

    @property
    def view(self) -> EnvironmentView | None:
        """The view for snapshots; None where no environment is used."""
        if not self._is_used:
            return None
        choices = self._context.choices
        return view_of(
            SetupSituation(
                state=self._work.state,
                is_usable=self._work.is_usable,
                is_wanted=choices.wants_environment,
                is_paused=choices.setup_paused,
                hold=hold_of(self._context),
                is_working=self._work.is_under_way,
                is_planning=self._work.planner.is_planning,
                progress=self._process.progress,
                retry_at=self._work.failures.retry_at,
                problem=self._work.planner.problem
                or (self._distribution.problem if self._distribution else None),
                plan=self._work.planner.view,
                wsl=self._distribution.view if self._distribution else None,
            )
        )

    def look(self) -> None:
        """Do what is due; called whenever the policy has decided."""
        if not self._is_used or self._is_closed:
            return
        if not self._work.is_under_way and self._work.is_usable != self._context.python.is_there:
            self._work.planner.state = None  # another program has removed it, or put it there
            self._work.read_state()
        self.trial.look()
        if self._work.is_under_way:
            self._process.follow(hold_of(self._context))
            self._make_way()
        elif self.trial.fault:
            self._take_back()
        elif self.trial.is_damaged:
            self._work.note_damage()
        elif self._knows_machine:
            match next_action(self._facts()):
                case SetupAction.MAKE_DISTRIBUTION:
                    self._work.make_distribution()
                case SetupAction.PLAN:
                    self._work.planner.begin()
                case SetupAction.SET_UP:
                    self._work.set_up()

    def made_epoch(self) -> None:
        """Keep the environment that is on trial, as a trainer has made an epoch in it."""
        if self._is_used and self._work.state.stage is SetupStage.ON_TRIAL and not self._work.is_under_way:
            self._work.keep_environment()

    # --- what front ends ask for --------------------------------------------------------------------------------

    async def plan(self) -> SetupPlanView:
        """Return the plan by the newest list of packages; raise ClientError if it cannot be had."""
        self._require_use()
        if self._work.is_under_way and self._work.planner.view is not None:
            return self._work.planner.view
        if self._context.may_fetch == 0:
            raise SetupError(
                f"The list of packages is not fetched. {hold_of(self._context)}",
                "Try again once your limits allow it.",
            )
        return await asyncio.shield(self._work.planner.begin())

    def begin(self) -> str:
        """Set the environment up, or try again; return a sentence."""
        self._require_use()
        if self._distribution is not None and not self._work.is_busy:
            self._distribution.again()
        self._want()
        self._consider()
        return "Idlebrush installs what training needs, within your limits."

    def turn_on_wsl(self) -> str:
        """Turn WSL on with an administrator's consent, and return a sentence; SetupError unless it is turned off."""
        self._distribution_at_rest("There is nothing to turn on now.").require_off()
        self._want()
        self._work.turn_on_wsl()
        return "Windows asks an administrator to agree."

    async def restart_windows(self) -> str:
        """Restart Windows, and return a sentence; SetupError unless the set-up waits for that, or Windows refuses."""
        await self._distribution_at_rest("Windows does not have to restart.").restart()
        return "Windows restarts."

    async def restart_into_firmware(self) -> str:
        """Restart into the firmware's settings, and return a sentence.

        Raises:
            SetupError: Nothing has to be changed there, no administrator agrees, or the firmware does not offer it.
        """
        await self._distribution_at_rest(
            "The firmware's settings are not needed now."
        ).restart_into_firmware()
        return "The computer restarts into its firmware's settings."

    async def update_wsl(self) -> str:
        """Update WSL once nothing computes in it, and return a sentence; SetupError if that fails.

        The update continues if nobody waits for it any more.
        """
        distribution = self._distribution_at_rest("WSL is not updated now.")
        if self._work.planner.is_planning:  # in the distribution, which the update ends
            raise SetupError("The list of packages is being fetched.", "Update WSL in a moment.")
        distribution.announce_update()
        update = self._work.update_wsl()
        self._consider()
        await asyncio.shield(update)
        return "WSL is updated."

    def _distribution_at_rest(self, otherwise: str) -> DistributionSetup:
        """Return the distribution; SetupError by the sentence ``otherwise`` if there is none, or it is worked on."""
        if self._distribution is None or self._work.is_under_way:
            raise SetupError(otherwise, "See `idlebrush setup` for what is done.")
        return self._distribution

    def _want(self) -> None:
        self._context.choices.want_environment(True)
        self._work.forget_failures()
        self._work.planner.want()

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
        await self._work.end()
        await self._kept.cancel()
        self._work.forget_failures()
        self._work.read_state()
        self._context.changed()
        return "The set-up was cancelled, and what it had fetched was removed."

    async def close(self) -> None:
        """End what is under way, with its process; the next daemon continues."""
        self._is_closed = True
        await self._work.end()

    # --- what makes way for it ----------------------------------------------------------------------------------

    def _make_way(self) -> None:
        """End the trainer in order once an environment waits to be put in place, or WSL to be updated; do so then."""
        if not (self._process.is_placing or self._updates_wsl):
            return
        run = self._context.run
        if run is not None and run.alive:
            run.training.renew()  # it is not started before this is over
        elif not self._is_in_use():
            self._give_way()

    def _give_way(self) -> None:
        """Order that the environment is put in place, or WSL updated, as nothing computes."""
        if self._process.is_placing:
            self._process.place()
        elif self._distribution is not None:
            self._context.is_exchanging = True
            self._distribution.release()

    def _take_back(self) -> None:
        run = self._context.run
        if run is not None and run.alive:
            run.training.renew()
        elif self.trial.may_take_back:
            self._work.take_back()

    # --- what is known ------------------------------------------------------------------------------------------

    def _facts(self) -> SetupFacts:
        now = self._context.now()
        return SetupFacts(
            is_wanted=self._context.choices.wants_environment,
            is_busy=self._work.is_busy,
            stage=self._work.state.stage,
            is_held=bool(hold_of(self._context)),
            is_put_off=self._work.failures.is_put_off(now),
            is_given_up=self._work.failures.is_given_up,
            plan=self._work.planner.state,
            now=now,
            gpus=self._work.planner.gpus,
            lacks_distribution=self._lacks_distribution,
        )

    @property
    def _is_used(self) -> bool:
        return not self._context.python.is_own

    @property
    def _lacks_distribution(self) -> bool:
        return self._distribution is not None and not self._distribution.is_ready

    @property
    def _updates_wsl(self) -> bool:
        return self._distribution is not None and self._distribution.is_updating

    @property
    def _knows_machine(self) -> bool:
        """True once it is known whether the line is metered, and which GPUs there are."""
        readings = self._context.readings
        return NOT_READ not in (readings.metered, readings.gpus)

    def _is_in_use(self) -> bool:
        run = self._context.run
        return (run is not None and run.training.trainer is not None) or self._others_compute()

    def _require_use(self) -> None:
        if not self._is_used:
            raise SetupError(
                "Nothing has to be installed: what training needs is installed beside the app.",
                "Join a run with `idlebrush join`.",
            )
