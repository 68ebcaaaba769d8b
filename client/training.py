"""One run's trainer over all its lives: started, frozen and thawed at a word, and started again after crashes.

`want` says what is to be; everything else follows from it and from what the trainer says. Freezing happens within
`want` itself, before it returns.
"""

import asyncio
import random
import secrets
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from client.api.errors import ClientError
from client.api.messages import (
    FROM_TRAINER,
    Budget,
    Finished,
    Joined,
    Order,
    Planned,
    SetBudget,
    Settled,
    TrainerMessage,
)
from client.freezing import Freezer
from client.leak import Growth
from client.outcome import Ending, Outcome
from client.policy import Effect
from client.restarts import pause_before_restart
from client.state import Event, State, is_alive, next_event, transition
from client.supervisor import Patience, Program, Supervisor
from core.errors import CoreError
from core.events import Command
from core.lines import Message

SECONDS_TO_LEAVE = 20.0
"""For a trainer to end its round, save and leave, at the lowest priority."""
SECONDS_TO_VANISH = 1.0
"""For the same where somebody needs the memory now."""
_WORTH_TRYING = ("swarm", "memory")
"""Codes of errors that another time may not happen."""


@dataclass
class Life:
    """One life of a trainer process."""

    supervisor: Supervisor[TrainerMessage]
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    """Counts its messages in the contribution once."""
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    budget: Budget = field(default_factory=Budget)
    """What it was told last."""
    joined: Joined | None = None
    planned: Planned | None = None
    growth: Growth = field(default_factory=Growth)
    settled: asyncio.Event = field(default_factory=asyncio.Event)
    freezer: Freezer | None = None
    is_over: bool = False
    """Whether it said that there is nothing left to train."""


class Training:
    """Keeps one trainer as it is wanted; all methods belong to the event loop's thread."""

    def __init__(
        self,
        program: Callable[[Budget], Program],
        total_epochs: int,
        heard: Callable[[Life, TrainerMessage], None],
        changed: Callable[[], None],
        *,
        crashes: Sequence[float] = (),
        patience: Patience | None = None,
        clock: Callable[[], float] = time.monotonic,
        draw: Callable[[], float] = random.random,
    ) -> None:
        """``program`` is what runs in the next life.

        ``heard`` gets all that it says; ``changed`` is called after every change of state. ``crashes`` are those that
        an earlier daemon saw, in seconds before now.
        """
        self._program, self._total_epochs = program, total_epochs
        self._heard, self._changed, self._patience = heard, changed, patience
        self._clock, self._draw = clock, draw
        self.state = State.IDLE
        self.life: Life | None = None
        self.problem: ClientError | None = None
        """Why it cannot be kept going, or what the last crash was."""
        self.restarts = 0
        self._wanted, self._budget = Effect.LEAVE, Budget()
        self._crashes = [clock() - ago for ago in crashes]
        self._tasks: set[asyncio.Task[None]] = set()
        self._pausing: asyncio.Task[None] | None = None
        self._seconds_to_leave = SECONDS_TO_LEAVE
        self._is_closed = False

    # --- what the session asks for ------------------------------------------------------------------------------

    def want(self, effect: Effect, budget: Budget, *, at_once: bool = False) -> None:
        """Have the trainer run, be frozen, or be gone; ``at_once``: what it holds is needed now."""
        if self._is_closed:
            return
        self._wanted, self._budget = effect, budget
        if at_once and effect is Effect.LEAVE:
            self._hurry()
        self._tell_budget()
        event = next_event(self.state, effect)
        if event is not None:
            self._do(event)

    def finish(self) -> None:
        """Let it complete the epoch, and end."""
        if self.state is State.TRAINING:
            self._do(Event.FINISH)

    def renew(self) -> None:
        """End it in order; if it is still wanted then, it starts with what holds by then."""
        if is_alive(self.state) and self.state is not State.LEAVING:
            self._do(Event.LEAVE)

    def watch_memory(self, held: int, allowed: int | None) -> None:
        """Renew, once the epoch is over, a trainer that leaks; called about once a minute with what it holds."""
        if self.state is not State.TRAINING or self.life is None:
            return
        self.life.growth = self.life.growth.after(held)
        if self.life.growth.is_leak(held, allowed):
            self._do(Event.FINISH)

    def retry(self) -> None:
        """Forget past crashes: the volunteer asks to try again."""
        self._crashes.clear()
        self.problem = None
        if not is_alive(self.state):
            self._move(Event.RESET)

    async def close(self, seconds: float = SECONDS_TO_LEAVE) -> None:
        """End the trainer in order if it can be done in that time, and start it no more."""
        self._wanted, self._seconds_to_leave = Effect.LEAVE, seconds
        self._is_closed = True
        if is_alive(self.state) and self.state is not State.LEAVING:
            self._do(Event.LEAVE)
        while self._tasks:
            waiting = [task for task in self._tasks if task.get_name() == "back-off"]
            for task in waiting:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- what follows from it -----------------------------------------------------------------------------------

    def _do(self, event: Event) -> None:
        actions = {
            Event.START: self._start,
            Event.FREEZE: self._freeze,
            Event.THAW: self._thaw,
            Event.FINISH: lambda: self._order(Command.FINISH),
            Event.LEAVE: self._leave,
        }
        leaving_from = self.state
        self._move(event)
        if event is Event.LEAVE and leaving_from is State.STARTING:
            self._seconds_to_leave = 0.0  # it has nothing to lose, and may be deep in something
        actions[event]()

    def _move(self, event: Event) -> None:
        self.state = transition(self.state, event)
        self._changed()

    def _start(self) -> None:
        self._seconds_to_leave = SECONDS_TO_LEAVE
        self.life = Life(
            Supervisor(self._program(self._budget), FROM_TRAINER, self._patience), budget=self._budget
        )
        self._spawn(self._live(self.life), "life")

    async def _live(self, life: Life) -> None:
        try:
            outcome = await life.supervisor.run(lambda message: self._hear(life, message))
        except CoreError as error:
            self._end_pause()
            self._crash(error.what, error.remedy, worth_trying=True)
            return
        self._end_pause()
        self._on_end(life, outcome)

    def _hear(self, life: Life, message: TrainerMessage) -> None:
        if life.freezer is None and life.supervisor.child is not None:
            life.freezer = Freezer(life.supervisor.child, lambda: life.supervisor.family)
        match message:
            case Joined():
                life.joined = message
                if self.state is State.STARTING:
                    self._move(Event.JOINED)
            case Planned():
                life.planned = message
            case Settled():
                life.settled.set()
            case Finished() if message.epoch >= self._total_epochs:
                life.is_over = True
        self._heard(life, message)

    def _freeze(self) -> None:
        """Stop computing now; what is left of a round settles in a task."""
        life = self._living
        if life.freezer is None:
            return
        life.freezer.freeze()
        life.supervisor.hold(True)
        life.settled.clear()
        self._order(Command.PAUSE)
        self._pausing = self._spawn(self._pause(life, life.freezer), "pause")

    async def _pause(self, life: Life, freezer: Freezer) -> None:
        await freezer.settle(life.settled)
        self._move(Event.SETTLED)
        await freezer.keep_quiet()

    def _thaw(self) -> None:
        self._end_pause()
        self._order(Command.RESUME)

    def _leave(self) -> None:
        life = self._living
        if self._seconds_to_leave and life.freezer:
            self._end_pause()
        self._spawn(life.supervisor.stop(self._seconds_to_leave), "leaving")

    def _hurry(self) -> None:
        """Have a trainer that is about to leave, or is told to now, leave within a moment."""
        self._seconds_to_leave = SECONDS_TO_VANISH
        if self.state is State.LEAVING:
            self._spawn(self._living.supervisor.stop(self._seconds_to_leave), "leaving")

    def _end_pause(self) -> None:
        """Let all of the trainer's processes run again."""
        if self._pausing:
            self._pausing.cancel()
            self._pausing = None
        if self.life and self.life.freezer:
            self.life.freezer.thaw()
            self.life.supervisor.hold(False)

    # --- how it ends --------------------------------------------------------------------------------------------

    def _on_end(self, life: Life, outcome: Outcome) -> None:
        self.life = None
        if life.is_over and outcome.in_order:
            self._move(Event.RUN_OVER)
        elif outcome.in_order or self.state is State.LEAVING:
            self._move(Event.ENDED)
            self.want(self._wanted, self._budget)
        else:
            error = outcome.error()
            code = outcome.failure.code if outcome.ending is Ending.FAILED and outcome.failure else None
            hopeless = outcome.ending is Ending.GARBLED or (code is not None and code not in _WORTH_TRYING)
            self._crash(error.what, error.remedy, worth_trying=not hopeless)

    def _crash(self, what: str, remedy: str, *, worth_trying: bool) -> None:
        self.life, now = None, self._clock()
        self._crashes.append(now)
        self.problem = ClientError(what, remedy)
        self._move(Event.CRASHED)
        seconds = pause_before_restart(self._crashes, now, self._draw()) if worth_trying else None
        if seconds is None:
            self._move(Event.GIVEN_UP)
        elif self.state is State.BACKING_OFF:
            self._spawn(self._back_off(seconds), "back-off")

    async def _back_off(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        self.restarts += 1
        self._move(Event.RETRY)
        self.want(self._wanted, self._budget)

    # --- small things -------------------------------------------------------------------------------------------

    @property
    def _living(self) -> Life:
        assert self.life is not None
        return self.life

    def _tell_budget(self) -> None:
        if self.life and self.life.budget != self._budget:
            self.life.budget = self._budget
            self._send(SetBudget(budget=self._budget))

    def _order(self, command: Command) -> None:
        self._send(Order(command=command))

    def _send(self, message: Message) -> None:
        self._spawn(self._living.supervisor.send(message), "order")

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
