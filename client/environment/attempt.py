"""Carries out the tasks about the environment, in a process of its own: `client.task` alone loads this.

A second thread obeys orders meanwhile. The end of the input ends the set-up; the next one continues where it was.
"""

import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from client.api.environment import SetupPlanView
from client.api.errors import REPORT_THIS, SetupError
from client.api.messages import Traffic
from client.environment.distribution import DistributionFetcher, distribution_for, facts_within, missing_of
from client.environment.installation import WheelInstaller
from client.environment.kept_setup import KeptSetup, disk_error
from client.environment.lock_file import MAX_LOCK_BYTES, EnvironmentLock, require_current
from client.environment.machine_facts import MachineFacts, read_facts
from client.environment.places import EnvironmentPlaces
from client.environment.programs import ProgramRunner
from client.environment.progress import SetupProgress, SetupReporter
from client.environment.setup import WORDING, Setup, SetupPlan, Tools, open_lock
from client.environment.smoke_test import SmokeTest
from client.environment.tasks import (
    SETUP_ORDERS,
    AnyEnvironmentTask,
    ChangeEnvironment,
    DistributionFetched,
    EnvironmentAnswer,
    EnvironmentChange,
    EnvironmentChanged,
    EnvironmentPlanned,
    EnvironmentReady,
    FetchDistribution,
    FetchingTask,
    PlaceEnvironment,
    PlanEnvironment,
    ReadyToPlace,
    SetUpEnvironment,
)
from client.fetching.control import FetchControl, FetchOrder, HoldFetch
from client.fetching.web_client import WebClient, Wording
from core.messages.lines import Channel, LineError
from core.network.pause_token import Ended
from core.storage.files import read_bounded, write_atomically
from core.swarm.bandwidth import Line

_LIST = Wording("the list of packages", REPORT_THIS, WORDING.refrain)
_POLL = 0.2
"""Seconds between two looks at whether the input has ended."""


def carry_out(task: AnyEnvironmentTask, channel: Channel) -> EnvironmentAnswer:
    """Return the answer to a task; raise CoreError where there is none."""
    places = EnvironmentPlaces(Path(task.inside) if task.inside else task.root, task.root)
    kept = KeptSetup(places)
    try:
        if isinstance(task, ChangeEnvironment):
            return _change(task, kept)
        return _fetch(task, EnvironmentAttempt(task, kept, channel))
    finally:
        try:
            places.show()
        except OSError as error:
            raise disk_error(error, places) from error


def _fetch(
    task: PlanEnvironment | FetchDistribution | SetUpEnvironment, attempt: "EnvironmentAttempt"
) -> EnvironmentAnswer:
    try:
        match task:
            case PlanEnvironment():
                return attempt.plan(lacks_distribution=task.lacks_distribution)
            case FetchDistribution():
                return attempt.fetch_distribution(task.hold)
            case SetUpEnvironment():
                return attempt.set_up(task.hold)
    finally:
        attempt.report_traffic()


def _change(task: ChangeEnvironment, kept: KeptSetup) -> EnvironmentChanged:
    match task.change:
        case EnvironmentChange.MADE_EPOCH:
            kept.made_epoch()
        case EnvironmentChange.NOTE_DAMAGE:
            kept.note_damage()
        case EnvironmentChange.TAKE_BACK:
            kept.take_back(task.why)
        case EnvironmentChange.CANCEL:
            kept.cancel()
    return EnvironmentChanged()


class EnvironmentAttempt:
    """One task at work that fetches."""

    def __init__(self, task: FetchingTask, kept: KeptSetup, channel: Channel) -> None:
        self._task, self._kept, self._channel = task, kept, channel
        self._line = Line(download=task.download)
        self._reporter = SetupReporter(self._report)
        self._control = FetchControl(self._line, self._reporter.on_hold)
        self._may_place = threading.Event()

    def plan(self, *, lacks_distribution: bool) -> EnvironmentPlanned:
        """Fetch the list, and plan by it; with ``lacks_distribution``, for the distribution that the list names."""
        lock = self._newest_list()
        if not lacks_distribution:
            plan = self._setup(lock).plan()
            return EnvironmentPlanned(plan=view_of(plan, lock), was_taken_back=plan.was_taken_back)
        facts = read_facts()
        chosen = distribution_for(lock, facts)
        plan = self._setup(lock, lambda: facts_within(chosen, facts)).plan()
        missing = missing_of(chosen, self._kept.places)
        disk = plan.disk + missing + chosen.unpacked
        view = view_of(replace(plan, download=plan.download + missing, disk=disk), lock)
        return EnvironmentPlanned(plan=view, was_taken_back=plan.was_taken_back)

    def fetch_distribution(self, hold: str) -> DistributionFetched:
        """Fetch the list, and the distribution that it names; ``hold`` as for `set_up`."""
        with self._obeying(hold):
            places, chosen = self._kept.places, distribution_for(self._newest_list(), read_facts())
            fetcher = DistributionFetcher(places, self._control, self._reporter)
            return DistributionFetched(archive=fetcher.fetch(chosen))

    def _newest_list(self) -> EnvironmentLock:
        """Fetch the list, and keep it if it is good.

        A list that expires afterwards is still used up to the end of the set-up that was begun by it.
        """
        with WebClient.through(self._line, _LIST) as web:
            text = web.document(self._task.source.address, MAX_LOCK_BYTES)
        lock = open_lock(text, self._task.source.key, self._kept, self._newest_serial)
        require_current(lock, datetime.now(UTC))
        place = self._kept.places.list
        try:
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_atomically(place, text)
        except OSError as error:
            raise SetupError(
                f"The list of packages cannot be saved: {error.strerror or error}.",
                f"See that the disk has space, and that you may write to {place.parent}.",
            ) from error
        return lock

    def set_up(self, hold: str) -> EnvironmentReady:
        """Set up by the list that is kept; ``hold`` says why the download waits from the beginning."""
        with self._obeying(hold):
            return EnvironmentReady(stage=self._setup(self._kept_list()).run().stage)

    @contextmanager
    def _obeying(self, hold: str) -> Iterator[None]:
        """Obey orders within the context; the end of the input ends it with SetupError."""
        if hold:
            self._control.obey(HoldFetch(why=hold))
        threading.Thread(target=self._follow, name="orders", daemon=True).start()
        try:
            yield
        except Ended as error:
            raise SetupError(
                "The set-up was interrupted.", "It continues where it was, at the next start."
            ) from error

    def report_traffic(self) -> None:
        """Report the bytes received so far."""
        self._channel.send(Traffic(bytes_received=self._line.received))

    def _report(self, progress: SetupProgress) -> None:
        self._channel.send(progress)
        self.report_traffic()

    def _follow(self) -> None:
        try:
            self._control.follow(self._next_order)
        except LineError:  # ends the set-up as well
            return

    def _next_order(self) -> FetchOrder | None:
        while isinstance(order := self._channel.receive(SETUP_ORDERS), PlaceEnvironment):
            self._may_place.set()
        return order

    def _await_trainer(self) -> None:
        self._channel.send(ReadyToPlace())
        while not self._may_place.wait(_POLL):
            self._control.check()

    @property
    def _newest_serial(self) -> int:
        """Serial number of the list that is kept; 0: there is none that is good."""
        try:
            return self._kept_list().serial
        except SetupError:
            return 0

    def _kept_list(self) -> EnvironmentLock:
        file = self._kept.places.list
        try:
            text = read_bounded(file, MAX_LOCK_BYTES)
        except (OSError, ValueError) as error:
            raise SetupError(
                f"The list of packages is not in {file}.", "Begin again, which fetches it."
            ) from error
        return open_lock(text, self._task.source.key, self._kept)

    def _setup(self, lock: EnvironmentLock, facts: Callable[[], MachineFacts] = read_facts) -> Setup:
        places = self._kept.places
        programs = ProgramRunner(places.log, places.temporary, check=self._control.check)
        tools = Tools(
            control=self._control,
            installation=WheelInstaller(programs, uv=uv_beside(Path(sys.executable))),
            smoke=SmokeTest(programs),
            reporter=self._reporter,
            facts=facts,
            await_trainer=self._await_trainer,
        )
        return Setup(self._kept, lock, tools)


def uv_beside(python: Path, which: Callable[..., str | None] = shutil.which) -> Path | None:
    """Return the program of uv in the folder of a Python; None: pip installs."""
    found = which("uv", path=str(python.parent))
    return Path(found) if found else None


def view_of(plan: SetupPlan, lock: EnvironmentLock) -> SetupPlanView:
    """Return a plan as front ends draw it."""
    choice = plan.choice
    return SetupPlanView(
        is_needed=plan.is_needed,
        variant=choice.variant.name,
        title=choice.variant.title,
        why=choice.text,
        is_fallback=choice.is_fallback,
        download_bytes=plan.download,
        disk_bytes=plan.disk,
        remark=lock.remark or "",
    )
