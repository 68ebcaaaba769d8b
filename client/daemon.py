"""The daemon, `python -m client.daemon`: composition root of the process that supervises a volunteer's trainer.

It is light, and stays so: no torch, no Qt, nothing that talks to the network. It ends in order on SIGTERM, SIGINT
or a front end's word; after anything else the guards leave nothing of what it started.
"""

import asyncio
import itertools
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from client import core_dumps
from client.account.account import Account
from client.account.credentials import CredentialsFile
from client.account.errands import HubSettings
from client.account.safekeeping import Safekeeping
from client.api.errors import AlreadyRunning
from client.autostart.interface import LoginCommand
from client.autostart.system import autostart
from client.contribution.database import checkpoint
from client.contribution.stats import Contribution
from client.errands import Errands
from client.machine.activity.choice import candidates
from client.machine.activity.watch import ActivityWatch
from client.machine.bus import buses
from client.machine.graphics import Own
from client.machine.here import ThisMachine
from client.machine.nvml import Nvml
from client.machine.probes import Parts, survey_of
from client.paths import Paths
from client.service.bounded import bounded
from client.service.control import Control
from client.service.launching import Modules
from client.service.lock import DaemonLock
from client.service.orders import Orders
from client.service.session import Session
from client.service.snapshots import snapshot_of
from client.service.state import State
from core import logs
from core.errors import CoreError

REFUSED = 2
"""Exit status of a daemon that says why it cannot start."""
_HOUSE_EVERY = 60.0
_TURNS_TO_CHECKPOINT = 15

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Surroundings:
    """What a daemon finds around it; tests put other things there."""

    paths: Paths
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    modules: Modules = field(default_factory=Modules)
    nvml: Nvml = field(default_factory=Nvml)
    seconds_to_close: float = 20.0
    """For the trainer to leave in order when the daemon ends."""


class Daemon:
    """All parts of one daemon, wired."""

    def __init__(self, surroundings: Surroundings) -> None:
        self._surroundings = surroundings
        self._started = datetime.now(UTC)
        self._version = version("idlebrush")
        self._quit = asyncio.Event()
        self._control: Control | None = None
        self._early_notices: list[str] = []

    async def run(self) -> None:
        """Until told to quit; whoever calls holds the lock."""
        paths, environment = self._surroundings.paths, self._surroundings.environment
        async with AsyncExitStack() as stack:
            machine = await stack.enter_async_context(self._machine())
            contribution = Contribution(paths.stats, lambda error: self._notice(str(error)))
            login = autostart(LoginCommand.of_client(environment=environment), environment)
            session = self._session = Session(
                paths, machine, contribution, self._publish, self._surroundings.modules, login, hub=self._hub
            )
            for text in self._early_notices:
                session.notice(text)
            session.open()
            account = self._account()
            control = Control(
                paths.socket,
                Orders(session, account, self._quit).handle,
                lambda: bounded(snapshot_of(session, account, self._version, self._started)),
            )
            await control.start()
            stack.push_async_callback(control.close)
            self._control = control
            self._obey_signals()
            _log.info("Daemon %s started as process %d.", self._version, os.getpid())
            await self._work(session, account)
        _log.info("Daemon ended.")

    async def _work(self, session: Session, account: Account) -> None:
        """Until told to quit, or until the session cannot go on; without an account it trains all the same."""
        beside = [asyncio.create_task(account.run()), asyncio.create_task(self._keep_house())]
        for task in beside:
            task.add_done_callback(_tell_of_mistake)
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
            work: list[asyncio.Task[Any]] = [*beside, *ends]
            for item in work:
                item.cancel()
            await asyncio.gather(*work, return_exceptions=True)
            await session.close(self._surroundings.seconds_to_close)

    @asynccontextmanager
    async def _machine(self) -> AsyncIterator[ThisMachine]:
        environment, paths = self._surroundings.environment, self._surroundings.paths
        async with AsyncExitStack() as stack:
            system, session = await stack.enter_async_context(buses(environment))
            activity = ActivityWatch(lambda: candidates(environment, session, system))
            stack.push_async_callback(activity.close)
            parts = Parts(
                idle=activity.idle,
                system=system,
                session=session,
                nvml=self._surroundings.nvml,
                environment=environment,
                roots=self._own_processes,
                own=self._own_gpu,
                exclusive=self._exclusive,
                runs=paths.data,
            )
            yield ThisMachine(await stack.enter_async_context(survey_of(parts)), activity)

    @property
    def _hub(self) -> HubSettings:
        return HubSettings.of_environment(self._surroundings.environment)

    def _account(self) -> Account:
        paths = self._surroundings.paths
        hub = self._hub
        errands = Errands(paths.log("errands"))
        note, file = paths.account, CredentialsFile(paths.credentials)
        return Account(errands, hub, Safekeeping(errands, hub.endpoint, note, file), self._publish)

    # --- what the survey asks -----------------------------------------------------------------------------------

    _session: Session | None = None

    def _own_processes(self) -> Collection[int]:
        life = self._session.run.training.life if self._session and self._session.run else None
        child = life.supervisor.child if life else None
        generator = self._session.pictures.child if self._session else None
        return [os.getpid(), *(pid for pid in (child, generator) if pid)]

    def _own_gpu(self) -> Own:
        session = self._session
        if session is None or session.run is None or session.run.gpu is None:
            return Own()
        training = session.run.training
        life = training.life
        computing = training.state in (State.STARTING, State.TRAINING, State.FINISHING)
        memory = life.planned.gpu_bytes if life and life.planned else 0
        return Own(gpu=session.run.gpu, computing=computing, memory=memory)

    def _exclusive(self) -> Collection[str]:
        return self._session.preferences.exclusive_applications if self._session else ()

    # --- small things -------------------------------------------------------------------------------------------

    def _notice(self, text: str) -> None:
        if self._session is None:
            self._early_notices.append(text)
        else:
            self._session.notice(text)

    def _publish(self) -> None:
        if self._control is not None:
            self._control.publish()

    def _obey_signals(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, self._quit.set)
        # a terminal that is closed takes nothing along: the daemon outlives its front ends
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    async def _keep_house(self) -> None:
        """Keep logs short, and the record of the contribution in one file."""
        paths = self._surroundings.paths
        for turn in itertools.count():
            for name in ("trainer", "generator", "errands", "daemon-start", "trial", "doctor"):
                logs.bound(paths.log(name))
            if turn % _TURNS_TO_CHECKPOINT == _TURNS_TO_CHECKPOINT - 1:
                await asyncio.to_thread(checkpoint, paths.stats)
            await asyncio.sleep(_HOUSE_EVERY)


def main(surroundings: Surroundings | None = None) -> int:
    """Be the daemon; the exit status says whether it could be."""
    core_dumps.forbid()
    try:
        surroundings = surroundings or Surroundings(Paths.of_user())
        surroundings.paths.prepare()
        with DaemonLock(surroundings.paths.lock, surroundings.paths.socket):
            _keep_log(surroundings.paths)
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


def _tell_of_mistake(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        _log.error("A part of the daemon ended by an error that it did not expect.", exc_info=error)


async def _run(surroundings: Surroundings) -> None:
    await Daemon(surroundings).run()


def _keep_log(paths: Paths) -> None:
    root = logging.getLogger()
    root.addHandler(logs.OwnLog(paths.log("daemon")))
    root.setLevel(logging.INFO)


if __name__ == "__main__":
    sys.exit(main())
