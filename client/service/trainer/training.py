"""Keeps one run's trainer as it is wanted over all its lives: starts, freezes and thaws it, and restarts it.

`want` sets the goal; everything else follows from it and from the trainer's messages. Freezing happens within `want`
itself, before it returns.
"""

import asyncio
import logging
import random
import time
from collections.abc import Callable, Sequence

from client.api.errors import REPORT_THIS, ClientError, RamLimitError
from client.api.messages import TrainerMessage
from client.hosts.host import TrainerHost
from client.hosts.local import LocalHost
from client.policy.policy import Effect
from client.service.trainer.restarts import CrashBackoff, EndCause, fault_of
from client.service.trainer.running_trainer import MemoryVerdict, RunningTrainer
from client.service.trainer.state import (
    AT_ONCE,
    SECONDS_TO_LEAVE,
    ShutdownPolicy,
    State,
    StateEvent,
    is_alive,
    last_shutdown_policy,
    next_event,
    shutdown_policy,
    transition,
)
from core.children.outcome import Ending, Outcome
from core.children.program import Patience, Program
from core.errors import ChildError, CoreError
from core.messages.events import Joined, TrainingBudget

_log = logging.getLogger(__name__)


class Training:
    """Keeps one trainer as it is wanted; all methods belong to the event loop's thread."""

    def __init__(
        self,
        program: Callable[[], Program],
        total_epochs: int,
        heard: Callable[[RunningTrainer, TrainerMessage], None],
        changed: Callable[[], None],
        *,
        may_start: Callable[[], bool] = lambda: True,
        crashes: Sequence[float] = (),
        patience: Patience | None = None,
        host: TrainerHost | None = None,
        draw: Callable[[], float] = random.random,
    ) -> None:
        """Prepare a trainer; nothing is started yet.

        Args:
            program: Returns the program of the next trainer process.
            total_epochs: Epochs of the run.
            heard: Gets all messages of the trainer.
            changed: Called after every change of state.
            may_start: True if a new trainer process makes sense now; call `want` when that changes.
            crashes: Crashes that an earlier daemon saw, in seconds before now.
            patience: Time limits of the process.
            host: Where the process lives; None: this system.
            draw: Random numbers, 0 to 1.
        """
        self._program, self._total_epochs, self._may_start = program, total_epochs, may_start
        self._heard, self._changed, self._patience = heard, changed, patience
        self._host = host or LocalHost()
        self._backoff = CrashBackoff(crashes, time.monotonic, draw)
        self.state = State.IDLE
        self.trainer: RunningTrainer | None = None
        self.problem: ClientError | None = None
        """Error for which the trainer cannot be kept going, or for which the last one ended."""
        self.fault: EndCause | None = None
        """Cause of that end."""
        self.restarts = 0
        self.has_finished = False
        """True if the last trainer ended on order, after it had completed its epoch."""
        self._wanted, self._budget, self._at_once = Effect.LEAVE, TrainingBudget(), False
        self._living: asyncio.Task[None] | None = None
        self._waiting: asyncio.Task[None] | None = None
        self._is_closed = False

    # --- what the session asks for ------------------------------------------------------------------------------

    def want(self, effect: Effect, budget: TrainingBudget, *, at_once: bool = False) -> None:
        """Run, freeze or end the trainer as ``effect`` asks; ``at_once``: what it holds is needed now."""
        if self._is_closed:
            return
        hurries = at_once and not self._at_once
        self._wanted, self._budget, self._at_once = effect, budget, at_once
        if self.trainer is not None:
            self.trainer.send_budget(budget)
        if hurries and self.state is State.LEAVING and self.trainer is not None:
            _leave(self.trainer, AT_ONCE)
        event = next_event(self.state, effect)
        if event is not None and (event is not StateEvent.START or self._may_start()):
            self._do(event)

    def admit(self, token: str) -> None:
        """Give the trainer a new access token."""
        if self.trainer is not None:
            self.trainer.admit(token)

    def finish(self) -> None:
        """End the trainer once its epoch is complete."""
        if self.state is State.TRAINING and not self._is_closed:
            self._do(StateEvent.FINISH)

    def renew(self) -> None:
        """End the trainer in order; it starts again with the settings of that time if it is still wanted."""
        if is_alive(self.state) and self.state is not State.LEAVING:
            self._do(StateEvent.LEAVE)

    def watch_memory(self, held: int, allowed: int | None) -> None:
        """End, once the epoch is over, a trainer that leaks or holds too much; called about once a minute.

        Args:
            held: bytes of RAM that its processes hold.
            allowed: the most that the volunteer allows, in bytes; None: no limit.
        """
        if self.state is not State.TRAINING or self.trainer is None:
            return
        self.trainer.growth = growth = self.trainer.growth.after(held, allowed)
        match growth.verdict:
            case MemoryVerdict.LEAKS:
                _log.warning("%s It is started again after this epoch.", growth.sentence(held, allowed))
                self._do(StateEvent.FINISH)
            case MemoryVerdict.TOO_LARGE:
                self.trainer.excess = RamLimitError(
                    growth.sentence(held, allowed),
                    "Raise ram-limit in the preferences, or join a run with a smaller model.",
                )
                _log.warning("%s It ends after this epoch.", self.trainer.excess.what)
                self._do(StateEvent.FINISH)

    def retry(self) -> None:
        """Forget past crashes: the volunteer asks to try again."""
        self._backoff.forgive()
        self.problem = None
        self._wait_no_more()
        if not is_alive(self.state) and not self._is_closed:
            self._move(StateEvent.RESET)

    async def close(self, seconds: float = SECONDS_TO_LEAVE) -> None:
        """End the trainer in order if it can be done in that time, and start it no more."""
        self._wanted, self._is_closed = Effect.LEAVE, True
        self._wait_no_more()
        policy = last_shutdown_policy(self.state, seconds)
        if is_alive(self.state) and self.state is not State.LEAVING:
            self._move(StateEvent.LEAVE)
        if self.trainer is not None:
            _leave(self.trainer, policy)
        if self._living is not None:
            await asyncio.gather(self._living, return_exceptions=True)

    # --- what follows from it -----------------------------------------------------------------------------------

    def _do(self, event: StateEvent) -> None:
        """Change the state, carry out what that means, and notify."""
        before, self.state = self.state, transition(self.state, event)
        _log.info("Trainer: %s, %s -> %s.", event, before, self.state)
        trainer = self.trainer
        match event:
            case StateEvent.START:
                self._start()
            case StateEvent.FREEZE if trainer is not None:
                trainer.freeze(lambda: self._move(StateEvent.SETTLED))
            case StateEvent.THAW if trainer is not None:
                trainer.go_on()
            case StateEvent.FINISH if trainer is not None:
                trainer.finish()
            case StateEvent.LEAVE if trainer is not None:
                _leave(trainer, shutdown_policy(before, at_once=self._at_once))
        self._changed()

    def _move(self, event: StateEvent) -> None:
        self.state = transition(self.state, event)
        self._changed()

    def _start(self) -> None:
        self.has_finished = False
        self._backoff.begin()
        self.trainer = RunningTrainer(self._program(), self._budget, self._patience, self._host)
        self._living = asyncio.create_task(self._live(self.trainer))
        self._living.add_done_callback(self._on_mistake)

    async def _live(self, trainer: RunningTrainer) -> None:
        try:
            outcome = await trainer.run(lambda message: self._handle(trainer, message))
        except CoreError as error:
            self.trainer = None
            # a child that cannot be started wants for space, memory or processes
            fault = EndCause.SURROUNDINGS if isinstance(error, ChildError) else EndCause.CRASH
            self._end_badly(fault, ClientError.of(error))
            return
        self.trainer = None
        _log.info("Trainer: %s", outcome.error() if not outcome.in_order else "ended normally.")
        self._on_end(trainer, outcome)

    def _handle(self, trainer: RunningTrainer, message: TrainerMessage) -> None:
        if isinstance(message, Joined) and self.state is State.STARTING:
            self._move(StateEvent.JOINED)
        self._heard(trainer, message)

    # --- how it ends --------------------------------------------------------------------------------------------

    def _on_end(self, trainer: RunningTrainer, outcome: Outcome) -> None:
        if outcome.ending is Ending.STUCK:
            self._end_badly(EndCause.LASTING, ClientError.of(outcome.error()))
        elif outcome.in_order and trainer.finished and trainer.finished.epoch >= self._total_epochs:
            self._move(StateEvent.RUN_OVER)
        elif outcome.in_order and trainer.excess is not None and self.state is not State.LEAVING:
            self._end_badly(EndCause.LASTING, trainer.excess)
        elif self.state is State.LEAVING or (outcome.in_order and self._was_to_end(trainer)):
            self.has_finished = self.state is not State.LEAVING and trainer.is_finishing
            self._move(StateEvent.ENDED)
            self.want(self._wanted, self._budget, at_once=self._at_once)
        elif outcome.in_order:
            what = ClientError(
                "The trainer ended unexpectedly.", f"The log may give the reason: {outcome.log}."
            )
            self._end_badly(EndCause.CRASH, what)
        else:
            self._end_badly(fault_of(outcome), _error_of(outcome))

    def _was_to_end(self, trainer: RunningTrainer) -> bool:
        """Return true if the trainer was ordered to finish, or another has to take its place."""
        return trainer.is_finishing or trainer.superseded is not None or trainer.is_reached_otherwise

    def _end_badly(self, fault: EndCause, error: ClientError) -> None:
        self.problem, self.fault = error, fault
        if self.state is State.LEAVING and fault is not EndCause.LASTING:
            self._move(StateEvent.CRASHED)
            return
        seconds = self._backoff.pause_after(fault)
        restart = "not started again" if seconds is None else f"started again in {seconds:.0f} s"
        _log.warning("Trainer failed (%s): %s It is %s.", fault, error, restart)
        self.state = transition(self.state, StateEvent.CRASHED)
        if seconds is None:  # not even beside one that the system cannot end
            self.state = transition(self.state, StateEvent.GIVEN_UP)
        else:
            self._waiting = asyncio.create_task(self._back_off(seconds))
        self._changed()

    async def _back_off(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        self._waiting = None
        self.restarts += 1
        self._move(StateEvent.RETRY)
        self.want(self._wanted, self._budget, at_once=self._at_once)

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _on_mistake(self, living: asyncio.Task[None]) -> None:
        """End a trainer that failed by a mistake of this program, and show that to the volunteer."""
        if living.cancelled() or (error := living.exception()) is None:
            return
        _log.error("Driving a trainer went wrong.", exc_info=error)
        self.trainer = None
        if is_alive(self.state):
            self._end_badly(
                EndCause.LASTING,
                ClientError(f"Idlebrush made a mistake: {error!r}.", REPORT_THIS),
            )


def _leave(trainer: RunningTrainer, policy: ShutdownPolicy | None) -> None:
    if policy is None:
        trainer.end()
    else:
        trainer.leave(policy.seconds, quietly=policy.quietly)


def _error_of(outcome: Outcome) -> ClientError:
    """Return the error of a trainer's end, with the code that the trainer gave."""
    error = ClientError.of(outcome.error())
    if outcome.ending is Ending.FAILED and outcome.failure is not None:
        error.code = outcome.failure.code
    return error
