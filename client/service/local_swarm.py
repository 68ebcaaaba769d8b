"""Keeps the swarm on this computer running while its run is looked at or trained, in a process behind the guard.

Its coordinator goes on while training is paused; its second trainer keeps to the same policy as the daemon's own.
When that has to leave, all of the swarm does, and gives its memory back.
"""

import asyncio
import logging
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from client.api.candidate import CandidateStage, CandidateView
from client.api.errors import ClientError, FolderError, FolderInUse, JoinError
from client.api.protocol import ProblemView
from client.api.runs import LOCAL_SWARM, LocalSwarmStage, LocalSwarmView, SwarmObstacle
from client.demo.messages import (
    FROM_LOCAL_SWARM,
    LocalSwarmMessage,
    LocalSwarmNow,
    StartLocalSwarm,
    SwarmLimits,
)
from client.joining.allowed import ResourceLimits
from client.joining.embedded import embedded_run
from client.joining.run_card import MANIFEST, RunCard
from client.joining.tasks import FetchedRun, FetchRun
from client.policy.policy import Effect
from client.service.context import Context
from client.service.swarm_conditions import SENTENCES, limits_of, obstacle
from client.service.trainer.launching import visible
from client.service.trainer.restarts import EndCause, fault_of
from core.children import logs
from core.children.keeper import Keeper, at_once
from core.children.outcome import Outcome
from core.children.priority import waiting_threads
from core.children.program import Program
from core.errors import CoreError
from core.messages.children import Failed, Hello
from core.storage import moving
from core.storage.file_lock import alone
from core.tasks import end_tasks

_log = logging.getLogger(__name__)
_SECONDS_TO_ENTER = 120.0
_SECONDS_TO_RENEW = 60.0
_SECONDS_TO_CLOSE = 10.0
_NICENESS = 5
"""Niceness of the coordinator; at idle priority its website would not answer while all cores train."""


def _again(outcome: Outcome, ends: int) -> float | None:
    """Return the seconds until the process is started again; None where the next life would end as this one did."""
    is_of_folder = outcome.failure is not None and outcome.failure.code == FolderError.code
    return None if is_of_folder or fault_of(outcome) is EndCause.LASTING else at_once(outcome, ends)


class LocalSwarm:
    """The swarm of this computer alone; all methods belong to the event loop's thread."""

    def __init__(
        self,
        context: Context,
        renewed: Callable[[Path], None],
        consider: Callable[[], None],
        cores: int | None = None,
    ) -> None:
        """Prepare without a process.

        Args:
            context: State of the daemon.
            renewed: Called with the folder of the joined run once another manifest of this swarm is in it.
            consider: Has the policy decide again, whereupon a trainer may start.
            cores: Processor cores of this computer; None: as the system counts them.
        """
        self._context, self._renewed, self._consider = context, renewed, consider
        self._cores = cores or os.cpu_count() or 1
        self._keeper: Keeper[LocalSwarmMessage] | None = None
        self._stopping: asyncio.Task[None] | None = None
        self._now = LocalSwarmNow()
        self._problem: ProblemView | None = None
        self._failure: Failed | None = None
        """Error by which the last process ended, as it said."""
        self._told: SwarmLimits | None = None
        """Limits that the process keeps to; None: it has to be told."""
        self._tasks: list[asyncio.Future[None]] = []
        self._moved = asyncio.Condition()
        self._digest: str | None = None
        """Digest of its run; empty: there is none; None: it was not read yet."""
        self._is_closed = self._is_removed = False

    @property
    def view(self) -> LocalSwarmView:
        return LocalSwarmView(
            stage=self._stage,
            digest=self.digest,
            web=self._now.web,
            is_kept=self._folder.exists(),
            obstacle=None if self._keeper is not None else self._obstacle(),
            problem=self._problem,
        )

    @property
    def digest(self) -> str:
        """Digest of the training part of its run; empty if there is none."""
        if self._digest is None:
            try:
                self._digest = RunCard.load(self._run).digest
            except JoinError:
                self._digest = ""
        return self._digest

    @property
    def is_trained(self) -> bool:
        """True if its run is the joined one, whose traffic then never leaves this computer."""
        run = self._context.run
        return run is not None and run.card.digest == self.digest

    @property
    def is_running(self) -> bool:
        """True while a process of it lives, which runs in the trainer's environment."""
        return self._keeper is not None or self._stopping is not None

    @property
    def local_child(self) -> int | None:
        """Id of its process on this system, from which all of its others descend; None: there is none."""
        return self._keeper.child if self._keeper is not None else None

    async def enter(self) -> Path:
        """Return the manifest of its run once the swarm can be entered; start it where it does not run.

        Raises:
            JoinError: This computer cannot have a swarm, or it does not get ready.
        """
        if self._stopping is not None:
            await asyncio.wait({self._stopping})
        if self._keeper is None:
            if (found := self._obstacle()) is not None:
                raise JoinError(SENTENCES[found], "Join the run without a swarm: choose `embedded`.")
            self._start()
        try:
            async with asyncio.timeout(_SECONDS_TO_ENTER):
                return await self._manifest()
        except TimeoutError as error:
            raise JoinError(
                "The swarm on this computer did not get ready in two minutes.",
                "Try again, and look into its log: `idlebrush logs`.",
            ) from error

    def may_start_trainer(self, digest: str) -> bool:
        """Return true unless the run of that ``digest`` is the swarm's, and the swarm cannot be entered yet.

        The daemon's trainer would begin anew, and the swarm's own would follow it.
        """
        return digest != self.digest or self._now.manifest is not None

    def look(self, candidate: CandidateView | None, *, makes_way: bool = False) -> None:
        """Start or end the swarm as its run is trained or looked at, and pass on what training may do now.

        ``makes_way`` is true while another environment waits to be put in place, in which nothing may run then.
        """
        leaves = self._context.decision.effect >= Effect.LEAVE  # to give its memory back
        is_needed = self._is_looked_at(candidate) or (self.is_trained and not leaves)
        if self._keeper is not None and (makes_way or not is_needed):
            _log.info(
                "The swarm on this computer ends: %s.", "it makes way" if makes_way else "it is not needed"
            )
            self._begin(self._stop())
        elif is_needed and not makes_way and self._may_start:
            self._start()
        self._pass_on()

    def retry(self) -> None:
        """Start it again at the next look, though it ended by an error."""
        self._problem = None

    async def require_removable(self) -> None:
        """Stop it until `remove` is done; raise FolderInUse if another process serves its folder."""
        self._is_removed = True
        await self._stop()
        try:
            await asyncio.to_thread(_try_lock, self._folder)
        except BlockingIOError as error:
            self._is_removed = False
            raise FolderInUse(
                "The swarm on this computer is served by `idlebrush demo` in a terminal.", "End that first."
            ) from error

    async def remove(self) -> None:
        """Remove its folder, after `require_removable`; ClientError if that is not possible."""
        try:
            await asyncio.to_thread(_remove, self._folder)
        except OSError as error:
            raise ClientError(
                f"{self._folder} cannot be removed: {error.strerror or error}.",
                "Close what uses its files, and try again.",
            ) from error
        finally:
            self._is_removed = False
        self._digest, self._problem = "", None
        self._context.changed()

    async def close(self) -> None:
        """End its processes for good; its files stay."""
        self._is_closed = True
        await self._stop()
        await end_tasks(self._tasks)

    # --- when it runs -------------------------------------------------------------------------------------------

    @property
    def _may_start(self) -> bool:
        is_possible = self._obstacle() not in (SwarmObstacle.SYSTEM, SwarmObstacle.PACKAGES)
        is_wanted = not (self._is_closed or self._is_removed)
        return not self.is_running and self._problem is None and is_possible and is_wanted

    @staticmethod
    def _is_looked_at(candidate: CandidateView | None) -> bool:
        is_over = (CandidateStage.FAILED, CandidateStage.JOINED)
        return candidate is not None and candidate.location == LOCAL_SWARM and candidate.stage not in is_over

    def _obstacle(self) -> SwarmObstacle | None:
        context = self._context
        has_packages = context.python.is_there and not context.is_exchanging
        is_local = context.modules.trainer_host.shares_process_ids
        return obstacle(context.readings, self._cores, is_local=is_local, has_packages=has_packages)

    # --- its process --------------------------------------------------------------------------------------------

    def _start(self) -> None:
        self._problem, self._failure, self._told, self._now = None, None, None, LocalSwarmNow()
        keeper: Keeper[LocalSwarmMessage] = Keeper(
            self._program,
            FROM_LOCAL_SWARM,
            lambda message: self._hear(message) if self._keeper is keeper else None,
            lambda outcome, again: self._lost(outcome) if self._keeper is keeper else None,
            _again,
        )
        self._keeper = keeper
        _log.info("The swarm on this computer starts.")
        self._begin(self._keep(keeper))

    async def _keep(self, keeper: Keeper[LocalSwarmMessage]) -> None:
        try:
            await keeper.run()
        except CoreError as error:
            code = self._failure.code if self._failure is not None else error.code
            self._problem = ProblemView(code=code, what=error.what, remedy=error.remedy)
            self._context.notice(f"The swarm on this computer has ended: {error}")
        if self._keeper is keeper:
            self._keeper = None
            self._now = LocalSwarmNow()
        await self._alter()

    async def _stop(self) -> None:
        """Return once no process of it is left, whoever has begun to stop it."""
        if self._keeper is not None:
            keeper, self._keeper, self._now = self._keeper, None, LocalSwarmNow()
            self._stopping = asyncio.ensure_future(keeper.stop(_SECONDS_TO_CLOSE))
        if self._stopping is not None:
            stopping = self._stopping
            await asyncio.wait({stopping})
            if self._stopping is stopping:
                self._stopping = None
            await self._alter()

    def _program(self) -> Program:
        context = self._context
        log = context.paths.log("swarm")
        logs.rotate(log)
        start = StartLocalSwarm(
            folder=self._folder,
            embedded=context.modules.embedded or embedded_run(),
            is_idle=context.modules.is_idle,
            limits=limits_of(context.decision),
        )
        # The GPU, if there is one, is the daemon's own trainer's.
        environment = {**visible(None), **waiting_threads(1), **context.modules.environment}
        return Program(
            "swarm on this computer",
            context.modules.local_swarm,
            start,
            log,
            niceness=_NICENESS,
            interpreter=context.interpreter(),
            environment=environment,
        )

    def _hear(self, message: LocalSwarmMessage) -> None:
        if isinstance(message, Hello):
            self._told = None  # what was decided while it started has not reached it
            self._pass_on()
        elif isinstance(message, LocalSwarmNow):
            for text in message.notices:
                if text not in self._now.notices:
                    self._context.notice(f"The swarm on this computer: {text}")
            has_opened = message.manifest is not None and self._now.manifest is None
            self._now, self._digest = message, self._digest or None
            if has_opened and self.is_trained:
                self._begin(self._renew())
                self._consider()
            self._begin(self._alter())

    def _lost(self, outcome: Outcome) -> None:
        _log.warning("The swarm on this computer: %s", outcome.sentence())
        self._now, self._failure = LocalSwarmNow(), outcome.failure

    def _pass_on(self) -> None:
        limits = limits_of(self._context.decision)
        if self._keeper is not None and limits != self._told:
            self._told = limits
            self._begin(self._keeper.send(limits))

    async def _renew(self) -> None:
        """Give the joined run the swarm's newest manifest: its addresses may be others than in an earlier life."""
        context, run = self._context, self._context.run
        if run is None or _bytes_of(self._run) == (before := _bytes_of(run.folder)):
            return
        task = FetchRun(
            location=str(self._run / MANIFEST),
            key=run.card.fingerprint,
            paths=context.paths,
            allowed=ResourceLimits.of(context.preferences),
            digest=run.card.digest,
        )
        try:
            await context.tasks.run(task, FetchedRun, _SECONDS_TO_RENEW)
        except ClientError as error:
            context.notice(f"The swarm on this computer has moved, and cannot be followed: {error}")
        if _bytes_of(run.folder) != before:
            self._renewed(run.folder)

    # --- small things -------------------------------------------------------------------------------------------

    @property
    def _folder(self) -> Path:
        return self._context.paths.swarm

    @property
    def _run(self) -> Path:
        return self._folder / "run"

    @property
    def _stage(self) -> LocalSwarmStage:
        if self._keeper is None:
            return LocalSwarmStage.OFF if self._problem is None else LocalSwarmStage.FAILED
        if self._now.is_shared:
            return LocalSwarmStage.SHARED
        return LocalSwarmStage.STARTING if self._now.manifest is None else LocalSwarmStage.SERVING

    async def _manifest(self) -> Path:
        async with self._moved:
            await self._moved.wait_for(lambda: self._now.manifest is not None or self._keeper is None)
        if self._now.manifest is None:
            problem = self._problem
            raise JoinError(
                problem.what if problem else "The swarm on this computer has ended.",
                problem.remedy if problem else "Try again.",
            )
        return self._run / MANIFEST

    async def _alter(self) -> None:
        async with self._moved:
            self._moved.notify_all()
        self._context.changed()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._tasks = [task for task in self._tasks if not task.done()]
        self._tasks.append(asyncio.ensure_future(work))


def _bytes_of(run: Path) -> bytes:
    """Return the manifest in the folder of a run; empty if it cannot be read."""
    try:
        return (run / MANIFEST).read_bytes()
    except OSError:
        return b""


def _try_lock(folder: Path) -> None:
    """Raise BlockingIOError if another process serves a swarm in ``folder``."""
    if folder.exists():
        with alone(folder / ".lock"):
            pass


def _remove(folder: Path) -> None:
    """Remove a swarm's folder; it is renamed first, so that no process finds half of it."""
    aside = folder.with_name(f"{folder.name}.removed")
    if folder.exists():
        with alone(folder / ".lock"):
            if aside.exists():
                moving.remove_folder(aside)
            moving.rename(folder, aside)
    if aside.exists():
        moving.remove_folder(aside)
