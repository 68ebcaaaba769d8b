"""One life of a trainer process: frozen and thawed, told to finish or to leave, and what it has said so far."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from typing import Any

from client.api.messages import (
    FROM_TRAINER,
    Budget,
    DrawPictures,
    DropPictures,
    EpochCommitted,
    Finished,
    Joined,
    Order,
    Planned,
    SetBudget,
    Settled,
    Superseded,
    TrainerMessage,
)
from client.service.freezing import Freezer
from client.service.leak import Growth
from core.children.outcome import Outcome
from core.children.program import Patience, Program
from core.children.supervisor import Supervisor
from core.events import Command
from core.lines import Message
from core.messages import Admit

_log = logging.getLogger(__name__)


class Life:
    """What is asked of it is done in the order in which it was asked."""

    def __init__(self, program: Program, budget: Budget, patience: Patience | None) -> None:
        self.supervisor: Supervisor[TrainerMessage] = Supervisor(program, FROM_TRAINER, patience)
        self.id = secrets.token_hex(8)
        """Counts its messages in the contribution once."""
        self.started = datetime.now(UTC)
        self.joined: Joined | None = None
        self.planned: Planned | None = None
        self.growth = Growth()
        self.epochs = 0
        """That it has taken part in."""
        self.finished: Finished | None = None
        """What it said last, if it said that it has nothing more to do."""
        self.is_finishing = False
        """Whether it was told to end after its epoch, which no pause makes it forget."""
        self.superseded: Superseded | None = None
        """That it ends because the run goes on in another generation."""
        self._admitted: str | None = None
        self._budget = budget
        self._freezer: Freezer | None = None
        self._settled = asyncio.Event()
        self._pauses = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._governing: asyncio.Task[None] | None = None

    async def run(self, heard: Callable[[TrainerMessage], None]) -> Outcome:
        """Until nothing of it is left; ``heard`` gets all that it says."""

        def hear(message: TrainerMessage) -> None:
            self._note(message)
            heard(message)

        try:
            return await self.supervisor.run(hear)
        finally:
            self.thaw()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            if self._freezer is not None:
                self._freezer.close()

    def tell(self, budget: Budget) -> None:
        """What it may take from now on."""
        if budget != self._budget:
            self._budget = budget
            self._send(SetBudget(budget=budget))

    def admit(self, token: str) -> None:
        """The access token that is good from now on."""
        if token != self._admitted:
            self._admitted = token
            self._send(Admit(token=token))

    def draw(self, order: DrawPictures | None) -> None:
        """Draw those pictures between steps of training, or none any more."""
        self._send(order or DropPictures())

    def finish(self) -> None:
        """Complete the epoch, then end."""
        self.is_finishing = True
        self._send(Order(command=Command.FINISH))

    def freeze(self, settled: Callable[[], None]) -> None:
        """Stop computing now; ``settled`` is called once what is left of a round is over and all is quiet."""
        if self._freezer is not None:
            self._freezer.freeze()
            self.supervisor.hold(True)
            self._settled.clear()
            self._pauses += 1
            self._send(Order(command=Command.PAUSE, number=self._pauses))
            self._govern(self._settle(self._freezer, settled))

    def thaw(self) -> None:
        """Let all of its processes run, as often as it is called."""
        self._govern_no_more()
        if self._freezer is not None:
            self._freezer.thaw()
            self.supervisor.hold(False)

    def go_on(self) -> None:
        """Thaw, and compute."""
        self.thaw()
        self._send(Order(command=Command.RESUME))

    def end(self) -> None:
        """End it as it is: from now on it computes no more, not even to leave."""
        self._govern_no_more()
        if self._freezer is not None:
            self._freezer.freeze()
        self._spawn(self.supervisor.stop(0.0))

    def leave(self, seconds: float, *, quietly: bool) -> None:
        """End in order within that time, ``quietly``: within a tenth of a core, as somebody uses the computer."""
        if self._freezer is not None and quietly:
            self._freezer.freeze()
            self.supervisor.hold(True)
            self._govern(self._freezer.leave_quietly())
        else:
            self.thaw()
        self._spawn(self.supervisor.stop(seconds))

    async def _settle(self, freezer: Freezer, settled: Callable[[], None]) -> None:
        await freezer.settle(self._settled)
        settled()
        await freezer.keep_quiet()

    def _note(self, message: TrainerMessage) -> None:
        if self._freezer is None and self.supervisor.child is not None:
            self._freezer = Freezer(self.supervisor.child, lambda: self.supervisor.family)
        match message:
            case Joined():
                self.joined = message
            case Planned():
                self.planned = message
            case Settled() if message.number == self._pauses:  # not of a pause before this one
                self._settled.set()
            case EpochCommitted():
                self.epochs += 1
            case Finished():
                self.finished = message
            case Superseded():
                self.superseded = message

    def _send(self, message: Message) -> None:
        self._spawn(self.supervisor.send(message))

    def _govern(self, work: Coroutine[Any, Any, None]) -> None:
        self._govern_no_more()
        self._governing = self._spawn(work)

    def _govern_no_more(self) -> None:
        if self._governing is not None:
            self._governing.cancel()
            self._governing = None

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._on_done)
        return task

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            _log.error("What was asked of a trainer was not done.", exc_info=error)
