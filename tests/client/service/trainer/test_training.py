"""One trainer over its lives, with real processes that compute nothing worth keeping."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from client.api.messages import TrainerMessage
from client.policy.policy import Effect
from client.service.trainer.restarts import MOST_CRASHES, EndCause
from client.service.trainer.running_trainer import RunningTrainer
from client.service.trainer.state import State
from client.service.trainer.training import Training
from core.children.program import Program
from core.messages.events import Joined, TrainingBudget
from tests.client.stand_ins.trainer import TOTAL_EPOCHS, Deed
from tests.processes.making_programs import MakeProgram
from tests.waiting import AT_ONCE, eventually

RUN = Effect.RUN
BUDGET = TrainingBudget()


@dataclass
class TrainingScene:
    """A training whose next lives do what `deeds` say, the last of them for ever."""

    make_program: MakeProgram
    deeds: list[Deed]
    crashes: tuple[float, ...] = ()
    """Times of crashes of an earlier daemon's trainers, in seconds before now."""
    may_start: bool = True
    trips: bool = False
    """True if the listener raises an error when it hears that the trainer has joined."""
    heard: list[TrainerMessage] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    finishes: list[bool] = field(default_factory=list)
    """One value for each end: true if the trainer had been told to finish and had finished."""

    def __post_init__(self) -> None:
        self.training = Training(
            lambda: self.make_program(self.deeds.pop(0) if len(self.deeds) > 1 else self.deeds[0]),
            TOTAL_EPOCHS,
            self._hear,
            self._note,
            may_start=lambda: self.may_start,
            crashes=self.crashes,
            draw=lambda: 0.0,
        )

    def _hear(self, _life: RunningTrainer, message: TrainerMessage) -> None:
        self.heard.append(message)
        if self.trips and isinstance(message, Joined):
            raise LookupError("nobody thought of this")

    def _note(self) -> None:
        self.states.append(self.training.state)
        if self.training.state is State.IDLE:
            self.finishes.append(self.training.has_finished)

    async def reach(self, *states: State) -> None:
        await eventually(lambda: self.training.state in states, f"it is never {states}", 30)

    @property
    def child(self) -> psutil.Process:
        assert self.training.trainer is not None
        assert self.training.trainer.supervisor.child is not None
        return psutil.Process(self.training.trainer.supervisor.child)


@asynccontextmanager
async def scene(make_program: MakeProgram, *deeds: Deed, **settings: Any) -> AsyncIterator[TrainingScene]:
    made = TrainingScene(make_program, list(deeds), **settings)
    try:
        yield made
    finally:
        await made.training.close(5.0)


def play(script: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(90):
            await script()

    asyncio.run(bounded())


def status(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.NoSuchProcess):
        return str(process.status())
    return "gone"


def test_a_pause_stops_the_process_before_the_word_is_out(make_program: MakeProgram) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.COMPUTE) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.TRAINING)
            child = made.child
            made.training.want(Effect.PAUSE, BUDGET)
            # the kernel stops each of its threads at the next tick of their clocks
            await eventually(
                lambda: status(child) == psutil.STATUS_STOPPED or made.training.state is State.FROZEN,
                "it goes on",
            )
            await made.reach(State.FROZEN)
            await eventually(lambda: status(child) == psutil.STATUS_STOPPED, "it goes on")
            made.training.want(RUN, BUDGET)
            await made.reach(State.TRAINING)
            await eventually(lambda: status(child) == psutil.STATUS_RUNNING, "it stays stopped")
        assert status(child) == "gone"

    play(script)


def test_one_that_is_frozen_is_not_taken_for_hung_and_can_leave_in_order(make_program: MakeProgram) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.COMPUTE) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.TRAINING)
            made.training.want(Effect.PAUSE, BUDGET)
            await made.reach(State.FROZEN)
            made.training.want(Effect.LEAVE, BUDGET)
            await made.reach(State.IDLE)
            assert made.training.problem is None
            assert State.BACKING_OFF not in made.states

    play(script)


def test_one_that_is_frozen_is_not_woken_up_where_its_memory_is_needed(make_program: MakeProgram) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.COMPUTE) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.TRAINING)
            child = made.child
            made.training.want(Effect.PAUSE, BUDGET)
            await made.reach(State.FROZEN)
            await eventually(lambda: status(child) == psutil.STATUS_STOPPED, "it goes on")
            made.training.want(Effect.LEAVE, BUDGET, at_once=True)
            assert status(child) == psutil.STATUS_STOPPED
            await made.reach(State.IDLE)
            assert status(child) == "gone"

    play(script)


def test_one_that_still_loads_is_ended_by_a_pause(make_program: MakeProgram) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.LOAD) as made:
            made.training.want(RUN, BUDGET)
            await eventually(
                lambda: made.training.trainer is not None and bool(made.training.trainer.supervisor.child),
                "nothing starts",
            )
            child = made.child
            made.training.want(Effect.PAUSE, BUDGET)
            await made.reach(State.IDLE)
            assert status(child) == "gone"
            assert made.training.problem is None

    play(script)


def test_memory_that_is_needed_now_is_given_back_by_one_that_does_not_listen(
    make_program: MakeProgram,
) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.IGNORE_STOP) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.TRAINING)
            began = time.monotonic()
            made.training.want(Effect.LEAVE, BUDGET, at_once=True)
            await made.reach(State.IDLE)
            assert time.monotonic() - began < AT_ONCE, "it was let leave in order"

    play(script)


def test_one_that_leaves_slowly_is_hurried_once_its_memory_is_needed(make_program: MakeProgram) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.IGNORE_STOP) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.TRAINING)
            made.training.want(Effect.LEAVE, BUDGET)
            assert made.training.state is State.LEAVING
            began = time.monotonic()
            made.training.want(Effect.LEAVE, BUDGET, at_once=True)
            await made.reach(State.IDLE)
            assert time.monotonic() - began < AT_ONCE

    play(script)


def test_after_a_crash_it_starts_again(make_program: MakeProgram) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.CRASH, Deed.COMPUTE) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.BACKING_OFF)
            assert made.training.problem is not None
            assert "SIGSEGV" in made.training.problem.what
            await made.reach(State.TRAINING)
            assert made.training.restarts == 1

    play(script)


def test_one_that_cannot_do_better_the_next_time_is_given_up_and_tried_again_when_asked(
    make_program: MakeProgram,
) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.REFUSE, Deed.COMPUTE) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.FAILED)
            made.training.want(RUN, BUDGET)
            assert made.training.state is State.FAILED
            made.training.retry()
            made.training.want(RUN, BUDGET)
            await made.reach(State.TRAINING)

    play(script)


def test_the_end_of_the_run_is_the_end(make_program: MakeProgram) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.COMPLETE) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.COMPLETE)
            made.training.want(RUN, BUDGET)
            assert made.training.state is State.COMPLETE

    play(script)


def test_one_that_leaks_is_renewed(make_program: MakeProgram) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.COMPUTE) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.TRAINING)
            first = made.child.pid
            for held in (1 << 30,) * 5:
                made.training.watch_memory(held, None)
            assert made.states.count(State.FINISHING) == 0
            made.training.watch_memory(3 << 30, None)
            assert made.states.count(State.FINISHING) == 1
            await made.reach(State.TRAINING)
            assert made.child.pid != first
            assert made.training.restarts == 0

    play(script)


def test_one_that_soon_holds_more_than_is_allowed_ends_and_says_so(
    make_program: MakeProgram, caplog: pytest.LogCaptureFixture
) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.COMPUTE) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.TRAINING)
            made.training.watch_memory(3 << 30, 2 << 30)
            assert made.states.count(State.FINISHING) == 0, "a peak"
            made.training.watch_memory(3 << 30, 2 << 30)
            await made.reach(State.FAILED)
            problem = made.training.problem
            assert problem is not None
            assert problem.code == "ram_limit"
            assert "3 GiB of RAM" in problem.what
            assert "2 GiB that ram-limit allows" in problem.what
            assert problem.what in caplog.text
            made.training.retry()
            made.training.want(RUN, BUDGET)
            await made.reach(State.TRAINING)

    play(script)


@pytest.mark.parametrize("effect", [Effect.PAUSE, Effect.LEAVE])
def test_nothing_starts_while_it_is_not_wanted(make_program: MakeProgram, effect: Effect) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.COMPUTE) as made:
            made.training.want(effect, BUDGET)
            assert made.training.state is State.IDLE
            assert made.training.trainer is None

    play(script)


def test_wants_that_change_faster_than_processes_end_in_what_was_wanted_last(
    make_program: MakeProgram,
) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.COMPUTE) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.TRAINING)
            for _ in range(50):
                for effect in (Effect.PAUSE, Effect.RUN):
                    made.training.want(effect, BUDGET)
                    await asyncio.sleep(0)
            child = made.child
            await eventually(lambda: status(child) == psutil.STATUS_RUNNING, "it stays stopped")
            made.training.want(Effect.PAUSE, BUDGET)
            await made.reach(State.FROZEN)
            made.training.want(Effect.LEAVE, BUDGET)
            made.training.want(RUN, BUDGET)
            await eventually(lambda: status(child) == "gone", "it does not end")
            await made.reach(State.TRAINING)

    play(script)


def test_one_that_is_being_closed_is_not_brought_back_by_whoever_wants_it(make_program: MakeProgram) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.IGNORE_STOP) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.TRAINING)
            closing = asyncio.create_task(made.training.close(1.0))
            await made.reach(State.LEAVING)
            made.training.want(RUN, BUDGET)
            await closing
            made.training.want(RUN, BUDGET)
            assert made.training.state is State.IDLE

    play(script)


BY_WHICH_IT_WOULD_BE_GIVEN_UP = (1.0,) * 10


def test_a_trainer_that_the_swarm_cannot_take_is_tried_again_for_ever(
    make_program: MakeProgram, caplog: pytest.LogCaptureFixture
) -> None:
    async def script() -> None:
        async with scene(
            make_program, Deed.FAIL, Deed.COMPUTE, crashes=BY_WHICH_IT_WOULD_BE_GIVEN_UP
        ) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.BACKING_OFF)
            assert made.training.problem is not None
            assert made.training.problem.what == "No peer answers."
            assert made.training.fault is EndCause.SURROUNDINGS
            assert "No peer answers." in caplog.text, "the log names the cause"
            await made.reach(State.TRAINING)

    play(script)


def test_a_trainer_that_the_system_cannot_start_is_tried_again_for_ever(
    make_program: MakeProgram, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()

    def without_a_log(deed: Deed) -> Program:
        return replace(make_program(deed), log=tmp_path / "file" / "log")

    async def script() -> None:
        async with scene(without_a_log, Deed.COMPUTE, crashes=BY_WHICH_IT_WOULD_BE_GIVEN_UP) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.BACKING_OFF)
            assert made.training.problem is not None
            assert "cannot be started" in made.training.problem.what
            assert State.FAILED not in made.states

    play(script)


def test_a_loop_of_crashes_is_given_up_with_the_reason(make_program: MakeProgram) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.CRASH, crashes=(1.0,) * (MOST_CRASHES - 1)) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.FAILED)
            assert made.training.problem is not None
            assert "SIGSEGV" in made.training.problem.what

    play(script)


def test_one_that_ends_without_having_been_asked_to_is_not_started_at_once(make_program: MakeProgram) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.FINISH) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.BACKING_OFF)
            assert not made.training.has_finished

    play(script)


def test_one_that_was_ordered_to_finish_says_so_at_its_end_alone(make_program: MakeProgram) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.COMPUTE) as made:
            for end in (made.training.finish, made.training.renew):
                made.training.want(RUN, BUDGET)
                await made.reach(State.TRAINING)
                end()
                await made.reach(State.STARTING)
            assert made.finishes == [True, False]

    play(script)


def test_one_that_was_paused_after_an_order_to_finish_ends_by_that_order(
    make_program: MakeProgram,
) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.COMPUTE) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.TRAINING)
            made.training.finish()
            made.training.want(Effect.PAUSE, BUDGET)
            await made.reach(State.FROZEN, State.IDLE, State.BACKING_OFF)
            made.training.want(RUN, BUDGET)
            await made.reach(State.STARTING, State.BACKING_OFF)
            assert made.finishes == [True]
            assert made.training.problem is None

    play(script)


def test_asking_to_try_again_ends_the_wait_before_another_start(make_program: MakeProgram) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.CRASH, Deed.UNTIL_STOPPED) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.BACKING_OFF)
            made.training.retry()
            made.training.want(RUN, BUDGET)
            await made.reach(State.TRAINING)
            child = made.child
            await asyncio.sleep(3)  # longer than the wait that was under way
            assert made.training.state is State.TRAINING
            assert made.child == child
            assert made.training.restarts == 0

    play(script)


def test_once_it_is_closed_no_order_starts_it_again(make_program: MakeProgram) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.COMPUTE) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.TRAINING)
            closing = asyncio.create_task(made.training.close(10.0))
            while not closing.done():
                made.training.want(RUN, BUDGET)
                made.training.retry()
                await asyncio.sleep(0.01)
            assert made.training.state is State.IDLE
            assert made.training.trainer is None

    play(script)


def test_a_mistake_of_ours_ends_the_trainer_and_is_reported(make_program: MakeProgram) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.COMPUTE, trips=True) as made:
            made.training.want(RUN, BUDGET)
            await made.reach(State.FAILED)
            assert made.training.trainer is None
            assert made.training.problem is not None
            assert "nobody thought of this" in made.training.problem.what

    play(script)


def test_nothing_starts_before_it_may(make_program: MakeProgram) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.COMPUTE, may_start=False) as made:
            made.training.want(RUN, BUDGET)
            assert made.training.state is State.IDLE
            made.may_start = True
            made.training.want(RUN, BUDGET)
            await made.reach(State.TRAINING)

    play(script)


def test_a_run_that_was_taken_back_is_no_crash_and_waits_for_its_new_manifest(
    make_program: MakeProgram,
) -> None:
    async def script() -> None:
        async with scene(make_program, Deed.TAKEN_BACK, Deed.COMPUTE) as made:
            made.training.want(RUN, BUDGET)
            made.may_start = False
            await made.reach(State.IDLE)
            assert made.training.problem is None
            assert not made.training.has_finished
            made.may_start = True
            made.training.want(RUN, BUDGET)
            await made.reach(State.TRAINING)
            assert State.BACKING_OFF not in made.states

    play(script)


def test_one_that_is_reached_in_another_way_is_no_crash_and_is_started_again_at_once(
    make_program: MakeProgram,
) -> None:
    async def script() -> None:
        async with scene(
            make_program, Deed.REACHED_OTHERWISE, Deed.COMPUTE, crashes=BY_WHICH_IT_WOULD_BE_GIVEN_UP
        ) as made:
            made.training.want(RUN, BUDGET)
            await eventually(lambda: made.states.count(State.TRAINING) == 2, "it is not started again", 30)
            assert made.finishes == [False]
            assert made.training.problem is None
            assert State.BACKING_OFF not in made.states

    play(script)
