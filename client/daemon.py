"""The daemon, `python -m client.daemon`: composition root of the process that supervises a volunteer's trainer.

It is light, and stays so: no torch, no Qt, nothing that talks to the network. It ends in order on SIGTERM, SIGINT
or a front end's request; after anything else the guards leave nothing of what it started.
"""

import asyncio
import itertools
import logging
import os
import sys
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from typing import Any

from client import core_dumps
from client.account.account import Account
from client.account.credentials import CredentialsFile
from client.account.safekeeping import Safekeeping
from client.account.tasks import HubSettings
from client.api.errors import AlreadyRunning
from client.api.snapshot import Snapshot
from client.autostart.interface import LoginCommand
from client.autostart.system import autostart
from client.contribution.database import checkpoint
from client.contribution.stats import Contribution
from client.environment.interpreter import TrainerPython
from client.environment.source import EnvironmentSource, source_of
from client.hosts.wsl.setup import WslSetupSources
from client.installed import Installation, read_installation
from client.machine.activity.watch import ActivityWatch
from client.machine.gpu.graphics import Own
from client.machine.gpu.limits import GpuLimits
from client.machine.gpu.nvml import Nvml
from client.machine.probes import ProbeParts, survey_of
from client.machine.survey import ThisMachine
from client.machine.systems.sources import system_sources
from client.machine.wake_lock.lock import wake_lock_of
from client.paths import Paths
from client.service.channel.bounded import bounded
from client.service.channel.control import Control
from client.service.channel.lock import DaemonLock
from client.service.channel.orders import Orders, SessionCalls
from client.service.channel.snapshots import snapshot_of
from client.service.context import Context
from client.service.kept.accounting import MEMORY_EVERY
from client.service.power.care import MachineControls
from client.service.remote.controlled import RemoteCalls
from client.service.remote.remote import RemoteControl, RemoteSettings
from client.service.service_notices import READY, STOPPING, notify
from client.service.session import Session
from client.service.trainer.launching import ChildModules
from client.service.trainer.run import ActiveRun
from client.service.trainer.state import State
from client.service.updates.steps import UpdateTimes
from client.service.updates.updates import UpdateCalls, Updates
from client.tasks import TaskRunner
from client.updates.handover import give_way, start_handover, start_installer, start_taking_back
from core.children import logs
from core.children.containment import tie_children
from core.ending_signals import call_at_ending_signals
from core.errors import CoreError
from core.tasks import end_tasks

REFUSED = 2
"""Exit status of a daemon that cannot start and prints why."""
_HOUSE_EVERY = 60.0
_TURNS_TO_CHECKPOINT = 15
_COMPUTING = (State.STARTING, State.TRAINING, State.FINISHING)

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class DaemonEnvironment:
    """Environment of a daemon; tests replace parts of it."""

    paths: Paths
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    modules: ChildModules = field(default_factory=ChildModules)
    nvml: Nvml = field(default_factory=Nvml)
    python: TrainerPython | None = None
    """Python of the processes that compute; None: as the installed packages ask for."""
    wsl: WslSetupSources | None = None
    """Sources of the setup of the distribution in which that Python is; None: those of this system."""
    source: Callable[[], EnvironmentSource] = lambda: source_of(read_installation())
    """Returns where the list of the trainer's packages comes from; raises SetupError if that is not known."""
    seconds_to_close: float = 20.0
    """Seconds for the trainer to leave in order when the daemon ends."""
    seconds_between_memory_looks: float = MEMORY_EVERY.total_seconds()
    """Seconds between two looks at the memory that the trainer holds."""
    installation: Installation | None = field(default_factory=read_installation)
    """This installation; None: a clone of the source."""
    update_times: UpdateTimes = UpdateTimes()  # noqa: RUF009 - frozen
    remote: RemoteSettings = field(default_factory=RemoteSettings)
    """Limits, patience and name of remote control."""


class Daemon:
    """All parts of one daemon, wired."""

    def __init__(self, surroundings: DaemonEnvironment) -> None:
        self._surroundings = surroundings
        self._started = datetime.now(UTC)
        self._version = version("idlebrush")
        self._quit = asyncio.Event()
        self._control: Control | None = None
        self._remote: RemoteControl | None = None
        self._early_notices: list[str] = []

    async def run(self) -> None:
        """Run until asked to quit; the caller holds the lock."""
        paths, environment = self._surroundings.paths, self._surroundings.environment
        async with AsyncExitStack() as stack:
            machine = await stack.enter_async_context(self._machine())
            contribution = Contribution(paths.stats, lambda error: self._notice(str(error)))
            login = autostart(LoginCommand.of_client(environment=environment), environment)
            python = self._surroundings.python or TrainerPython.of_user(paths)
            context = self._context = Context(
                paths,
                machine,
                contribution,
                self._publish,
                self._surroundings.modules,
                login,
                python,
                self._surroundings.source,
                hub=self._hub,
                wsl=self._wsl if python.inside is not None else None,
                memory_every=timedelta(seconds=self._surroundings.seconds_between_memory_looks),
                controls=MachineControls(
                    wake_lock_of(environment),
                    GpuLimits(self._surroundings.nvml.another(), paths.gpu_settings),
                ),
            )
            for text in self._early_notices:
                context.notice(text)
            session = self._session = Session(context)
            session.open()
            account = self._account()
            updates = self._updates(context, session, account)
            remote = self._remote = RemoteControl(context, self._surroundings.remote)

            def consider() -> None:
                session.consider()
                remote.follow()

            def snapshot() -> Snapshot:
                of_process = (self._version, self._started)
                return bounded(
                    snapshot_of(context, session.parts, account, updates.view, remote.view, of_process)
                )

            calls = SessionCalls(consider, session.join, session.leave)
            orders = Orders(
                context, session.parts, calls, account, {**updates.by_kind, **remote.by_kind}, self._quit
            )
            control = Control(paths.socket, orders.handle, snapshot)
            calls_of_others = RemoteCalls(orders.handle, snapshot)
            await control.start()
            stack.push_async_callback(control.close)
            self._control = control
            self._obey_signals()
            _log.info("Daemon %s started as process %d.", self._version, os.getpid())
            notify(environment, READY)
            await self._work(session, account.run(), updates.live(), remote.live(calls_of_others))
        _log.info("Daemon ended.")

    async def _work(self, session: Session, *others: Coroutine[Any, Any, None]) -> None:
        """Work until asked to quit, or until the session fails; failures of the ``others`` do not stop training."""
        beside = [asyncio.create_task(work) for work in (*others, self._keep_house())]
        for task in beside:
            task.add_done_callback(_log_mistake)
        ends: set[asyncio.Task[Any]] = {
            asyncio.create_task(session.live()),
            asyncio.create_task(self._quit.wait()),
        }
        try:
            done, _ = await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            for end in done:
                end.result()
        finally:
            self._quit.set()
            notify(self._surroundings.environment, STOPPING)
            await end_tasks([*beside, *ends])
            await session.close(self._surroundings.seconds_to_close)

    @asynccontextmanager
    async def _machine(self) -> AsyncIterator[ThisMachine]:
        environment, paths = self._surroundings.environment, self._surroundings.paths
        async with AsyncExitStack() as stack:
            system = await stack.enter_async_context(system_sources(environment))
            activity = ActivityWatch(system.activity)
            stack.push_async_callback(activity.close)
            parts = ProbeParts(
                idle=activity.idle,
                system=system,
                nvml=self._surroundings.nvml,
                roots=self._own_processes,
                own=self._own_gpu,
                exclusive=self._exclusive,
                holds_heat=self._holds_heat,
                runs=paths.data,
                computes_in_guest=self._computes_in_guest,
            )
            yield ThisMachine(await stack.enter_async_context(survey_of(parts)), activity)

    @property
    def _wsl(self) -> WslSetupSources:
        if self._surroundings.wsl is not None:
            return self._surroundings.wsl
        from client.hosts.wsl.windows import setup_sources  # daemons elsewhere do without

        return setup_sources(self._surroundings.paths)

    @property
    def _hub(self) -> HubSettings:
        return HubSettings.of_environment(self._surroundings.environment)

    def _account(self) -> Account:
        paths = self._surroundings.paths
        hub = self._hub
        tasks = TaskRunner(paths.log("tasks"))
        note, file = paths.account, CredentialsFile(paths.credentials)
        return Account(tasks, hub, Safekeeping(tasks, hub.endpoint, note, file), self._publish)

    def _updates(self, context: Context, session: Session, account: Account) -> Updates:
        surroundings = self._surroundings

        def is_busy() -> bool:
            is_signing_in = account.sign_in_view is not None or context.members.is_entering
            return is_signing_in or session.parts.are_waited_for or session.parts.environment.is_installing

        calls = UpdateCalls(
            is_busy,
            lambda: start_handover(surroundings.paths, surroundings.environment),
            lambda version: start_taking_back(
                surroundings.paths, surroundings.environment, surroundings.installation, version
            ),
            start_installer,
            self._quit.set,
        )
        return Updates(context, surroundings.installation, self._version, calls, surroundings.update_times)

    # --- what the survey asks -----------------------------------------------------------------------------------

    _context: Context | None = None
    _session: Session | None = None

    @property
    def _run(self) -> ActiveRun | None:
        return self._context.run if self._context else None

    def _own_processes(self) -> Collection[int]:
        trainer = self._run.training.trainer if self._run else None
        child = trainer.local_id if trainer else None
        parts = self._session.parts if self._session else None
        others = (parts.pictures.local_child, parts.local_swarm.local_child) if parts else ()
        return [os.getpid(), *(pid for pid in (child, *others) if pid)]

    def _computes_in_guest(self) -> bool:
        """Return true while trainer, generator or set-up compute in a distribution; a frozen trainer does not."""
        if self._context is None or self._context.modules.trainer_host.shares_process_ids:
            return False
        run, session = self._run, self._session
        trains = run is not None and run.training.state in _COMPUTING
        parts = session.parts if session else None
        return trains or (
            parts is not None and (parts.pictures.child is not None or parts.environment.is_installing)
        )

    def _own_gpu(self) -> Own:
        run = self._run
        if run is None or run.gpu is None:
            return Own()
        trainer = run.training.trainer
        computing = run.training.state in _COMPUTING
        memory = trainer.planned.gpu_bytes if trainer and trainer.planned else 0
        return Own(gpu=run.gpu, computing=computing, memory=memory)

    def _exclusive(self) -> Collection[str]:
        return self._context.preferences.exclusive_applications if self._context else ()

    def _holds_heat(self) -> bool:
        return self._context is not None and self._context.preferences.cpu_target_temperature is not None

    # --- small things -------------------------------------------------------------------------------------------

    def _notice(self, text: str) -> None:
        if self._context is None:
            self._early_notices.append(text)
        else:
            self._context.notice(text)

    def _publish(self) -> None:
        if self._control is not None:
            self._control.publish()
        if self._remote is not None:
            self._remote.publish()

    def _obey_signals(self) -> None:
        # a terminal that is closed takes nothing along: the daemon outlives its front ends
        call_at_ending_signals(self._quit.set, outlives_terminal=True)

    async def _keep_house(self) -> None:
        """Keep logs short, and the record of the contribution in one file."""
        paths = self._surroundings.paths
        for turn in itertools.count():
            for name in (
                "trainer",
                "generator",
                "swarm",
                "tasks",
                "daemon-start",
                "benchmark",
                "doctor",
                "update",
            ):
                logs.bound(paths.log(name))
            if turn % _TURNS_TO_CHECKPOINT == _TURNS_TO_CHECKPOINT - 1:
                await asyncio.to_thread(checkpoint, paths.stats)
            await asyncio.sleep(_HOUSE_EVERY)


def main(surroundings: DaemonEnvironment | None = None) -> int:
    """Run the daemon; returns its exit status."""
    core_dumps.forbid()
    try:
        surroundings = surroundings or DaemonEnvironment(Paths.of_user())
        surroundings.paths.prepare()
        installation = surroundings.installation
        give_way(surroundings.paths, surroundings.environment, version("idlebrush"), installation)
        with DaemonLock(surroundings.paths.lock, surroundings.paths.socket):
            _keep_log(surroundings.paths, surroundings.environment)
            _tie_children()
            asyncio.run(_run(surroundings))
    except AlreadyRunning as error:
        print(error, file=sys.stderr)
        return AlreadyRunning.STATUS
    except CoreError as error:
        _log.error("%s", error)
        print(error, file=sys.stderr)
        return REFUSED
    except Exception as error:  # the top of the process: whatever it is belongs in the log
        _log.exception("The daemon ended by an error that it did not expect.")
        if not isinstance(error, OSError):
            raise
        print(f"{error}. See that the disk has space and its folders can be used.", file=sys.stderr)
        return REFUSED
    return 0


def _tie_children() -> None:
    try:
        tie_children()
    except OSError as error:
        _log.warning("What this daemon starts may outlive it if it is killed: %s", error)


def _log_mistake(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        _log.error("A part of the daemon ended by an error that it did not expect.", exc_info=error)


async def _run(surroundings: DaemonEnvironment) -> None:
    await Daemon(surroundings).run()


def _keep_log(paths: Paths, environment: Mapping[str, str]) -> None:
    root = logging.getLogger()
    root.addHandler(logs.OwnLog(paths.log("daemon")))
    if logs.TO_STDERR in environment:
        root.addHandler(logs.on_stderr())
    root.setLevel(logging.INFO)  # libraries say too much below it
    for package in ("client", "core"):
        logging.getLogger(package).setLevel(logs.level())


if __name__ == "__main__":
    sys.exit(main())
