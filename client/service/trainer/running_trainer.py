"""Drives one trainer process: freezing, thawing, finishing, leaving, and the messages that it sends."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, auto
from typing import Any

from client.api.errors import RamLimitError
from client.api.messages import FROM_TRAINER, DropPictures, SetBudget, TrainerMessage, TrainerOrder
from client.hosts.host import HostedProcess, TrainerHost
from core.children.freezing import Freezer
from core.children.outcome import Outcome
from core.children.processes import HeldMemory
from core.children.program import Patience, Program
from core.children.supervisor import Supervisor
from core.memory.units import format_size
from core.messages.children import Admit
from core.messages.events import (
    Command,
    EpochCommitted,
    Finished,
    Joined,
    PictureOrder,
    Planned,
    Settled,
    Superseded,
    TrainingBudget,
)
from core.messages.lines import Message
from core.messages.reach import ReachChanged
from core.tasks import end_tasks

_log = logging.getLogger(__name__)
_SETTLING_LOOKS = 5
"""Looks, a minute apart, during which a trainer still takes what it will need."""
_GROWTH = 1.5
_LEAST_GROWTH = 512 << 20
_LOOKS_OVER = 2
"""Looks in a row at which more than is allowed is held, and which one peak does not make."""
_LOOKS_OF_A_LEAK = 60
"""Looks after which a new trainer is worth it: one that passes the limit earlier would do so again and again."""


class MemoryVerdict(Enum):
    """Consequence of the memory that a trainer holds."""

    FINE = auto()
    LEAKS = auto()  # a new trainer holds less
    TOO_LARGE = auto()  # a new trainer would soon hold more than is allowed again


@dataclass(frozen=True)
class Growth:
    """Memory that a trainer has held at the looks so far, in bytes."""

    looks: int = 0
    settled: int | None = None
    over: int = 0
    """Looks in a row, the last included, at which it held more than it was allowed."""
    verdict: MemoryVerdict = MemoryVerdict.FINE
    """Consequence of the last look."""

    def after(self, held: int, allowed: int | None = None) -> "Growth":
        """Return what follows from one more look, at which the trainer's processes held that much."""
        looks = self.looks + 1
        over = self.over + 1 if allowed is not None and held > allowed else 0
        settled = held if looks == _SETTLING_LOOKS else self.settled
        return Growth(looks, settled, over, self._verdict(held, over, looks))

    def _verdict(self, held: int, over: int, looks: int) -> MemoryVerdict:
        if over >= _LOOKS_OVER:
            return MemoryVerdict.LEAKS if looks > _LOOKS_OF_A_LEAK else MemoryVerdict.TOO_LARGE
        settled = self.settled
        has_grown = settled is not None and held > max(_GROWTH * settled, settled + _LEAST_GROWTH)
        return MemoryVerdict.LEAKS if has_grown else MemoryVerdict.FINE

    def sentence(self, held: int, allowed: int | None) -> str:
        """Return a sentence with the memory that the trainer held at the last look, and what it is compared with.

        That is ``allowed`` if it held more, or else the memory that it held when it had settled. ``held`` and
        ``allowed`` are in bytes.
        """
        taken = f"After {self.looks} minutes of training the trainer holds {format_size(held)} of RAM"
        if self.over:
            return f"{taken}, more than the {format_size(allowed or 0)} that ram-limit allows."
        return f"{taken}, {format_size(self.settled or 0)} when it had settled."


class RunningTrainer:
    """One trainer process; its orders are sent in the order in which they were given."""

    def __init__(
        self, program: Program, budget: TrainingBudget, patience: Patience | None, host: TrainerHost
    ) -> None:
        self._hosted = HostedProcess(host)
        self.supervisor: Supervisor[TrainerMessage] = self._hosted.supervisor(program, FROM_TRAINER, patience)
        self.id = secrets.token_hex(8)
        """Counts its messages in the contribution once."""
        self.started = datetime.now(UTC)
        self.joined: Joined | None = None
        self.planned: Planned | None = None
        self.growth = Growth()
        self.excess: RamLimitError | None = None
        """Error by which it has to end, if it holds more memory than the volunteer allows."""
        self.epochs = 0
        """Number of epochs that it has taken part in."""
        self.finished: Finished | None = None
        """Last message of a trainer that reported that it has nothing more to do."""
        self.is_finishing = False
        """True if it was ordered to end after its epoch, which no pause revokes."""
        self.superseded: Superseded | None = None
        """Set if the trainer ends because the run continues in another generation."""
        self.is_reached_otherwise = False
        """True if it ends because another way in which peers reach it asks for another start."""
        self._admitted: str | None = None
        self._budget = budget
        self._freezer: Freezer | None = None
        self._settled = asyncio.Event()
        self._pauses = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._governing: asyncio.Task[None] | None = None

    async def run(self, heard: Callable[[TrainerMessage], None]) -> Outcome:
        """Run the process until nothing of it is left; ``heard`` gets all its messages."""

        def hear(message: TrainerMessage) -> None:
            self._note(message)
            heard(message)

        try:
            return await self.supervisor.run(hear)
        finally:
            self.thaw()
            await end_tasks(self._tasks)
            if self._freezer is not None:
                self._freezer.close()

    @property
    def local_id(self) -> int | None:
        """Process id of the process that computes, once it is known; None if it is not one of this system."""
        return self._hosted.local_id(self.supervisor.child)

    async def memory_held(self) -> HeldMemory | None:
        """Return the RAM that its processes hold together; None before it has been started."""
        child = self._hosted.child
        return None if child is None else await child.memory_held()

    def send_budget(self, budget: TrainingBudget) -> None:
        """Send the trainer a new budget."""
        if budget != self._budget:
            self._budget = budget
            self._send(SetBudget(budget=budget))

    def admit(self, token: str) -> None:
        """Send the access token that is good from now on, unless the trainer has it already."""
        if token != self._admitted:
            self._admitted = token
            self._send(Admit(token=token))

    def draw(self, order: PictureOrder | None) -> None:
        """Order the trainer to draw those pictures between steps of training; None: to draw none."""
        self._send(order or DropPictures())

    def finish(self) -> None:
        """Complete the epoch, then end."""
        self.is_finishing = True
        self._send(TrainerOrder(command=Command.FINISH))

    def freeze(self, settled: Callable[[], None]) -> None:
        """Stop computing now; ``settled`` is called once what is left of a round is over and all is quiet."""
        if self._freezer is not None:
            self._freezer.freeze()
            self.supervisor.hold(True)
            self._settled.clear()
            self._pauses += 1
            self._send(TrainerOrder(command=Command.PAUSE, number=self._pauses))
            self._govern(self._settle(self._freezer, settled))

    def thaw(self) -> None:
        """Wake all processes of the trainer; calling it again does no harm."""
        self._govern_no_more()
        if self._freezer is not None:
            self._freezer.thaw()
            self.supervisor.hold(False)

    def go_on(self) -> None:
        """Thaw the processes, and order the trainer to compute."""
        self.thaw()
        self._send(TrainerOrder(command=Command.RESUME))

    def end(self) -> None:
        """End the trainer as it is: it computes no more, not even to leave."""
        self._govern_no_more()
        if self._freezer is not None:
            self._freezer.freeze()
        self._spawn(self.supervisor.stop(0.0))

    def leave(self, seconds: float, *, quietly: bool) -> None:
        """End in order within that time; ``quietly``: within a tenth of a core, as the user is at the computer."""
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
        hosted, computing = self._hosted.child, self.supervisor.child
        if self._freezer is None and hosted is not None and computing is not None:
            self._freezer = hosted.freezer(computing)
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
            case ReachChanged():
                self.is_reached_otherwise = True

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
