"""Keeps this installation up to date: decides when newer versions are looked for, fetched, installed and rolled back.

The daemon that installs a version ends; `client.updates.handover` starts the new one. That one, which runs this as
well, judges whether training works, and else has itself rolled back.
"""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from client.api.errors import REPORT_THIS, UpdateError
from client.api.updates import CheckForUpdate, InstallUpdate, PutOffUpdate, ShowNews, UpdateView
from client.installed import Installation
from client.service.context import Context
from client.service.updates.steps import UpdateSteps, UpdateTimes
from client.service.updates.trial import TrialClock, training_works
from client.service.updates.wording import news_of, require_installable, sentence_of, view_of
from client.tasks import TaskRunner
from client.updates.daemons import DaemonProcess
from client.updates.deciding import (
    PUT_OFF,
    TrialVerdict,
    hold_fetch,
    hold_installation,
    hold_look,
    hold_of,
    judge_trial,
)
from client.updates.offers import SOURCE_FILE
from client.updates.stages import UNDER_WAY, UpdateEvent, UpdateStage, problem_of, recovered
from client.updates.trees import InstalledTrees, ReplacedTree

_log = logging.getLogger(__name__)

_LOST = UpdateError("The new version did not stay in use, so the one before it runs again.", REPORT_THIS)
_UNTAKEN = UpdateError(
    "Training does not work since Idlebrush was updated.",
    f"Install the version before it by hand. {REPORT_THIS}",
)
_SWITCHING = (UpdateStage.HANDING_OVER, UpdateStage.ON_TRIAL, UpdateStage.TAKING_BACK)
"""Stages in which a killed process may have left the link wrong; in others, who installed by hand has moved it."""
_UNUSED = UpdateError(
    "This installation does not look for updates by itself.",
    "Update it in the way in which you installed it; a clone of the source by `git pull`.",
)


@dataclass(frozen=True)
class UpdateCalls:
    """The calls by which updates change the daemon."""

    is_busy: Callable[[], bool]
    """Returns true if a person waits for something that the daemon does."""
    hand_over: Callable[[], None]
    """Starts the process that hands over; raises UpdateError."""
    take_back: Callable[[str], None]
    """Starts what puts the version of that number in use again; raises UpdateError."""
    install: Callable[[Path], DaemonProcess]
    """Starts an installer that ends this daemon and replaces the installation; raises UpdateError."""
    quit: Callable[[], None]
    """Ends the daemon in order."""


class Updates:
    """The updates of one daemon; in a clone of the source, and where no repository is known, it does nothing."""

    def __init__(
        self,
        context: Context,
        installation: Installation | None,
        version: str,
        calls: UpdateCalls,
        times: UpdateTimes = UpdateTimes(),  # noqa: B008 - frozen
        tasks: TaskRunner | None = None,
        draw: Callable[[], float] = random.random,
        root: Path = Path("/"),
    ) -> None:
        """Take up what earlier daemons have left; nothing is started yet.

        Args:
            context: State of the daemon.
            installation: This installation; None: a clone.
            version: Version of this daemon.
            calls: Calls by which it changes the daemon.
            times: Times between its turns.
            tasks: Runs the tasks; None: as the context's.
            draw: Random numbers, 0 to 1.
            root: Root folder of the system, whose package manager may know a repository.
        """
        self._context, self._version, self._calls, self._times = context, version, calls, times
        self._jitter, self._installation = draw(), installation
        self._trees = InstalledTrees.of(installation) if installation else None
        self._replaced = ReplacedTree.of(installation) if installation else None
        self._steps: UpdateSteps | None = None
        if installation is not None and (installation.tree / SOURCE_FILE).exists():
            runner = tasks or context.tasks
            self._steps = UpdateSteps(context, installation, calls.is_busy, times, runner, root)
        self._trial = TrialClock(context)
        self._woken = asyncio.Event()
        self._asked: asyncio.Future[None] | None = None

    # --- what the daemon asks -----------------------------------------------------------------------------------

    @property
    def view(self) -> UpdateView | None:
        """The view for snapshots; None where no updates are looked for."""
        if (steps := self._steps) is None:
            return None
        program = str(self._trees.program) if self._trees else ""
        hold = hold_of(steps.state, steps.situation)
        return view_of(steps.state, hold, steps.progress, is_looking=steps.is_looking, program=program)

    async def live(self) -> None:
        """Do what is due, until cancelled."""
        if (steps := self._steps) is None:
            return
        await self._begin(steps)
        while True:
            await self._turn(steps)
            with suppress(TimeoutError):
                async with asyncio.timeout(self._times.between_turns):
                    await self._woken.wait()
            self._woken.clear()

    # --- what front ends ask for --------------------------------------------------------------------------------

    @property
    def by_kind(self) -> dict[type[Any], Callable[[Any], Awaitable[str]]]:
        """The functions that answer requests about updates, by the kind of request."""
        return {
            CheckForUpdate: lambda request: self.check(),
            InstallUpdate: lambda request: self.install(),
            PutOffUpdate: lambda request: self.put_off(),
            ShowNews: lambda request: self.news(request.language),
        }

    async def check(self) -> str:
        """Ask the repository now; return a sentence.

        Raises:
            UpdateError: There is none, or it must not be asked now.
        """
        steps = self._used
        if steps.state.stage in UNDER_WAY:
            return self._sentence(steps)
        if steps.situation.is_metered:
            raise UpdateError("The network connection is metered.", "Look again on another connection.")
        if self._asked is None:
            self._asked = asyncio.get_running_loop().create_future()
        self._woken.set()
        await asyncio.shield(self._asked)
        return self._sentence(steps)

    async def install(self) -> str:
        """Install the newer version as soon as possible, though training runs; return a sentence.

        Raises:
            UpdateError: There is none that this installation can install.
        """
        steps = self._used
        state = steps.state
        require_installable(state, hold_of(state, steps.situation), self._version)
        wanted = {"is_wanted": True, "not_before": None, "problem": None}
        steps.save(state.with_fresh_attempts().model_copy(update=wanted))
        self._woken.set()
        version = state.offer.version if state.offer else ""
        return f"Idlebrush {version} is installed as soon as it is here."

    async def put_off(self) -> str:
        """Install the newer version tomorrow at the earliest; return a sentence."""
        steps, later = self._used, self._context.now() + PUT_OFF
        steps.save(steps.state.model_copy(update={"is_wanted": False, "not_before": later}))
        return "The update waits until tomorrow."

    async def news(self, language: str) -> str:
        """Return the text of what is new, in that language or else in English; UpdateError if there is none."""
        return news_of(self._used.state, language)

    @property
    def _used(self) -> UpdateSteps:
        """The steps; UpdateError where this installation has none."""
        if self._steps is None:
            raise _UNUSED
        return self._steps

    def _sentence(self, steps: UpdateSteps) -> str:
        return sentence_of(steps.state, hold_of(steps.state, steps.situation), self._version)

    # --- turns --------------------------------------------------------------------------------------------------

    async def _begin(self, steps: UpdateSteps) -> None:
        """Wait for a hand-over to end, and complete or give up what a killed process left."""
        while steps.kept.is_handing_over:
            await asyncio.sleep(self._times.between_polls)
        before = steps.kept.state
        state = recovered(before, self._version, _LOST, self._context.now())
        if before.stage in _SWITCHING:
            await asyncio.to_thread(self._use_own_tree)
        steps.save(state)
        await self._clear_up_if_rejected(steps)
        if state.stage is UpdateStage.ON_TRIAL:
            self._trial.begin(state)
            await asyncio.to_thread(steps.kept.forget_packages)  # the tree before it is kept, not the package
            if not before.trial_seconds:
                self._context.notice(f"Idlebrush was updated to version {self._version}.")

    def _use_own_tree(self) -> None:
        """Make the link lead to the tree of this daemon: a hand-over or rolling back was killed before it did."""
        trees, installation = self._trees, self._installation
        if trees is None or installation is None or trees.used == installation.tree.name:
            return
        try:
            if trees.tree(self._version) == installation.tree:
                trees.use(self._version)
        except (OSError, ValueError) as error:
            _log.warning("The link to the version in use cannot be put right: %s", error)

    async def _turn(self, steps: UpdateSteps) -> None:
        """Do the next step, if there is one and nothing stands against it."""
        if steps.state.stage is UpdateStage.ON_TRIAL:
            await self._judge(steps)
        if self._asked is not None or hold_look(steps.state, steps.situation, self._jitter) is None:
            await self._look(steps)
        if steps.is_put_off:
            return
        state = steps.state
        if state.stage is UpdateStage.OFFERED and state.offer is not None:
            await self._fetch_if_allowed(steps)
        if steps.state.stage is UpdateStage.FETCHED:
            await self._install_if_allowed(steps)

    async def _look(self, steps: UpdateSteps) -> None:
        asked, self._asked = self._asked, None
        try:
            await steps.look()
        finally:
            if asked is not None and not asked.done():
                asked.set_result(None)

    async def _fetch_if_allowed(self, steps: UpdateSteps) -> None:
        offer = steps.state.offer
        if offer is not None and hold_fetch(steps.state, offer, steps.situation) is None:
            await steps.fetch()

    async def _install_if_allowed(self, steps: UpdateSteps) -> None:
        if hold_installation(steps.state, steps.situation) is not None:
            return
        if not await steps.lay_out():
            await self._clear_up_if_rejected(steps)
            return
        if hold_installation(steps.state, steps.situation) is not None:  # since a moment ago
            steps.save(steps.state.after(UpdateEvent.LOST))
            return
        steps.save(
            steps.state.after(
                UpdateEvent.UNPACKED,
                previous=self._version,
                worked_before=training_works(self._context),
                problem=None,
            )
        )
        await self._leave_to(steps)

    async def _leave_to(self, steps: UpdateSteps) -> None:
        """Start what replaces this daemon, and end.

        An installer ends the daemon itself, after its check of the new version, and then starts what it found.
        """
        try:
            if self._trees is not None:
                await self._start_process(steps, self._calls.hand_over)
            elif steps.package is not None:
                await self._wait_for_installer(steps.package)
        except UpdateError as error:
            steps.lose(error)
            await self._clear_up_if_rejected(steps)
            return
        _log.info("This daemon ends for the new version.")
        self._calls.quit()

    async def _wait_for_installer(self, package: Path) -> None:
        """Return once the installer has ended well; raise UpdateError if it ended otherwise, or does not start."""
        installer = self._calls.install(package)
        while (status := installer.poll()) is None:
            await asyncio.sleep(self._times.between_polls)
        if status != 0:
            raise UpdateError(
                f"The installer of the new version ended with the exit status {status} and changed nothing.",
                "It is tried again later; setup.log beside the other logs has the reason.",
            )

    async def _start_process(self, steps: UpdateSteps, start: Callable[[], None]) -> None:
        """Return once the process that ``start`` starts keeps other daemons out; raise UpdateError if it does not.

        Windows' installer does not have to: it ends the daemon that it finds.
        """
        start()
        if self._trees is None:
            return
        try:
            async with asyncio.timeout(self._times.handover):
                while not steps.kept.is_handing_over:
                    await asyncio.sleep(self._times.between_polls)
        except TimeoutError:
            raise UpdateError(
                "The process that hands over to the other version did not start.", "It is tried again later."
            ) from None

    # --- trial --------------------------------------------------------------------------------------------------

    async def _judge(self, steps: UpdateSteps) -> None:
        facts = self._trial.facts()
        steps.save(self._trial.noted(steps.state))
        match judge_trial(facts):
            case TrialVerdict.HEALTHY:
                _log.info("Version %s works.", self._version)
                steps.save(steps.state.after(UpdateEvent.HEALTHY, problem=None))
                await asyncio.to_thread(self._remove_others, steps)
            case TrialVerdict.UNHEALTHY if not self._keeps(steps.state.previous):
                self._context.notice(str(_UNTAKEN))
                steps.save(steps.state.after(UpdateEvent.HEALTHY, problem=problem_of(_UNTAKEN)))
            case TrialVerdict.UNHEALTHY:
                await self._take_back(steps)

    def _keeps(self, previous: str) -> bool:
        """Return true if the version ``previous``, empty for none, can be put in use again."""
        is_kept = self._trees is not None or (self._replaced is not None and self._replaced.is_there)
        return bool(previous) and is_kept

    async def _take_back(self, steps: UpdateSteps) -> None:
        what = f"Version {self._version} was rolled back, because training did not work in it."
        error = UpdateError(what, REPORT_THIS)
        _log.error("%s", what)
        before = steps.state
        steps.save(before.unhealthy(error))
        try:
            await self._start_process(steps, lambda: self._calls.take_back(before.previous))
        except UpdateError as failure:
            _log.error("The version before cannot be put in use: %s", failure)
            steps.save(before)
            return
        self._calls.quit()

    async def _clear_up_if_rejected(self, steps: UpdateSteps) -> None:
        if steps.state.stage is UpdateStage.REJECTED:
            await asyncio.to_thread(self._remove_others, steps)

    def _remove_others(self, steps: UpdateSteps) -> None:
        """Remove packages, and the trees of other versions."""
        try:
            steps.kept.forget_packages()
            if self._trees is not None:
                self._trees.remove_others(self._version)
            if self._replaced is not None:
                self._replaced.remove()
        except OSError as error:
            _log.warning("What earlier versions left cannot be removed: %s", error)
