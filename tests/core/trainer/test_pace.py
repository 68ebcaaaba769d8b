"""The pace stands still between sublayers when told to, gives way for its share, and keeps account of its time."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
import torch

from client.trainer import Commands
from core.messages.events import Command, TrainingBudget
from core.model.micro_steps import MicroSteps
from core.model.techniques import Techniques
from core.model.transformer import Transformer
from core.trainer.pace import Abandoned, Pace, Together
from tests.swarms.tiny_run import MODEL

TEXT = torch.ones(2, MODEL.text_length, dtype=torch.long)
CODES = torch.zeros(2, MODEL.image_length, dtype=torch.long)


@dataclass
class Standing:
    """A peer that records the calls of the loop."""

    calls: list[str] = field(default_factory=list)
    settled: bool = True

    def stand_back(self) -> None:
        self.calls.append("back")

    def come_back(self) -> None:
        self.calls.append("here")


class OneByOne(Commands):
    """Commands of which one more arrives each time that a paused loop waits for one."""

    def __init__(self, *then: Command, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self.then = list(then)

    def wait(self, seconds: float) -> Command | None:
        if seconds:
            self.put(self.then.pop(0), self.pause_number + 1)
        return super().wait(0.0)


class SlowCommands(OneByOne):
    """Commands whose waits take no time but count as taken."""

    def __init__(self) -> None:
        self.time = 0.0
        self.slept: list[float] = []
        self.longest_silence = 0.0
        self.changes: tuple[float, TrainingBudget] | None = None
        """Seconds of sleep after which the budget changes, and the new budget."""
        super().__init__(clock=lambda: self.time)

    def pressing(self, seconds: float = 0.0) -> bool:
        self.longest_silence = max(self.longest_silence, self.idle_seconds())
        pressed = super().pressing()
        if seconds and not pressed:
            self.slept.append(seconds)
            self.time += seconds
        if self.changes and sum(self.slept) >= self.changes[0]:
            self.budget = self.changes[1]
        return pressed


def steps(pace: Pace) -> MicroSteps:
    model = Transformer(MODEL, torch.Generator().manual_seed(0), Techniques(2))
    return MicroSteps(model, [], between=pace.between)


def test_nothing_is_lost_by_a_pause_within_a_micro_step() -> None:
    commands, standing, settled = Commands(), Standing(), threading.Event()
    pace = Pace(commands, standing, settled.set)
    untouched = steps(Pace(Commands(), Standing(), settled.set))
    paused = steps(pace)
    losses: list[float] = []
    commands.put(Command.PAUSE)
    thread = threading.Thread(target=lambda: losses.append(paused.add_gradients(TEXT, CODES)))
    thread.start()
    assert settled.wait(30), "the pause was noticed within the micro-step"
    assert thread.is_alive()
    assert standing.calls == ["back"]
    commands.put(Command.RESUME)
    thread.join(30)
    assert losses == [untouched.add_gradients(TEXT, CODES)]
    assert standing.calls == ["back", "here"]
    pairs = zip(gradients(paused), gradients(untouched), strict=True)
    assert all(torch.equal(one, other) for one, other in pairs)


def gradients(of: MicroSteps) -> list[torch.Tensor]:
    return [item.grad for item in of._model.parameters() if item.grad is not None]


@pytest.mark.parametrize(
    ("at_once", "later"),
    [([Command.STOP], []), ([Command.PAUSE], [Command.STOP]), ([Command.FINISH, Command.STOP], [])],
)
def test_an_order_to_stop_abandons_the_micro_step_and_is_heard_by_the_loop(
    at_once: list[Command], later: list[Command]
) -> None:
    commands, pace = _with_orders(*at_once)
    commands.then = later
    with pytest.raises(Abandoned), pace.micro_step():
        steps(pace).add_gradients(TEXT, CODES)
    assert pace.next_command() is Command.STOP
    assert pace.micro_steps == 0
    assert commands.poll() is None


def test_an_order_to_finish_waits_for_the_end_of_the_micro_step() -> None:
    commands, pace = _with_orders(Command.PAUSE)
    commands.then = [Command.FINISH]
    steps(pace).add_gradients(TEXT, CODES)
    assert pace.next_command() is Command.FINISH


def test_an_order_to_finish_is_kept_over_a_pause_that_comes_after_it() -> None:
    commands, pace = _with_orders(Command.FINISH, Command.PAUSE)
    commands.then = [Command.RESUME]
    steps(pace).add_gradients(TEXT, CODES)
    assert not commands.then, "the pause began within the micro-step"
    assert pace.next_command() is Command.FINISH
    assert pace.next_command() is None


@pytest.mark.parametrize(
    ("later", "heard", "expected"),
    [
        ([Command.RESUME], None, ["back", "here"]),
        ([Command.PAUSE, Command.RESUME], None, ["back", "here"]),
        ([Command.FINISH], Command.FINISH, ["back", "here"]),
        ([Command.STOP], Command.STOP, ["back"]),
        ([Command.PAUSE, Command.STOP], Command.STOP, ["back"]),
    ],
)
def test_a_pause_ends_with_what_comes_next_and_who_leaves_does_not_come_back(
    later: list[Command], heard: Command | None, expected: list[str]
) -> None:
    standing, commands = Standing(), OneByOne(*later)
    commands.put(Command.PAUSE)
    assert Pace(commands, standing, lambda: None).next_command() is heard
    assert standing.calls == expected


def test_several_stand_still_as_one() -> None:
    members = Standing(), Standing()
    together = Together(*members)
    together.stand_back()
    together.come_back()
    assert [member.calls for member in members] == [["back", "here"]] * 2
    assert together.settled
    members[1].settled = False
    assert not together.settled


def test_every_order_to_pause_gets_an_answer_with_its_number() -> None:
    commands, answers = OneByOne(Command.PAUSE, Command.RESUME), []
    commands.put(Command.PAUSE, 7)
    Pace(commands, Standing(), lambda: answers.append(commands.pause_number)).next_command()
    assert answers == [7, 8]


def test_it_settles_only_once_the_round_under_way_is_over() -> None:
    standing = Standing(settled=False)
    commands, heard = Commands(), threading.Event()
    pace = Pace(commands, standing, heard.set)
    commands.put(Command.PAUSE)
    thread = threading.Thread(target=pace.next_command)
    thread.start()
    assert not heard.wait(0.5)
    standing.settled = True
    assert heard.wait(30)
    commands.put(Command.RESUME)
    thread.join(30)


@pytest.mark.parametrize(("share", "slept"), [(1.0, 0.0), (0.5, 4.0), (0.25, 12.0), (0.8, 1.0)])
def test_it_sleeps_for_what_is_not_its_share(share: float, slept: float) -> None:
    commands = SlowCommands()
    commands.budget = TrainingBudget(share=share)
    pace = Pace(commands, Standing(), lambda: None, clock=lambda: commands.time)
    with pace.micro_step():
        for _ in range(4):
            commands.time += 1.0
            pace.between()
    assert sum(commands.slept) == pytest.approx(slept)
    assert pace.compute_seconds == pytest.approx(4.0)
    assert pace.micro_steps == 1


def test_what_is_done_beside_micro_steps_is_slept_for_and_is_no_contribution() -> None:
    commands = SlowCommands()
    commands.budget = TrainingBudget(share=0.25)
    pace = Pace(commands, Standing(), lambda: None, clock=lambda: commands.time)
    with pace.beside():
        commands.time += 0.2
    assert sum(commands.slept) == pytest.approx(0.6)
    assert (pace.compute_seconds, pace.micro_steps) == (0.0, 0)


def test_on_a_gpu_it_sleeps_once_the_queue_is_done_and_bounds_the_queue_between_sublayers() -> None:
    commands, asked = SlowCommands(), []

    class RecordedQueue:
        def bound(self) -> None:
            asked.append("bound")

        def drain(self) -> None:
            asked.append("drain")

    commands.budget = TrainingBudget(share=0.5)
    pace = Pace(commands, Standing(), lambda: None, RecordedQueue(), clock=lambda: commands.time)
    with pace.micro_step():
        commands.time += 1.0
        pace.between()
        assert not commands.slept
    assert commands.slept == [pytest.approx(1.0)]
    commands.put(Command.PAUSE)
    commands.then = [Command.RESUME]
    pace.next_command()
    assert asked == ["bound", "drain"]


def test_short_debts_are_not_slept_one_by_one() -> None:
    commands = SlowCommands()
    commands.budget = TrainingBudget(share=0.5)
    pace = Pace(commands, Standing(), lambda: None, clock=lambda: commands.time)
    with pace.micro_step():
        for _ in range(10):
            commands.time += 0.01
            pace.between()
    assert len(commands.slept) <= 4
    assert sum(commands.slept) == pytest.approx(0.1, abs=0.03)


def test_a_long_sleep_is_one_of_short_naps_that_are_signs_of_life_and_has_an_end() -> None:
    commands = SlowCommands()
    commands.budget = TrainingBudget(share=0.01)
    pace = Pace(commands, Standing(), lambda: None, clock=lambda: commands.time)
    with pace.micro_step():
        commands.time += 10.0
    assert max(commands.slept) <= 1.0
    assert commands.longest_silence <= 10.0
    assert sum(commands.slept) == pytest.approx(60.0)


@pytest.mark.parametrize(("later", "slept"), [(1.0, 5.0), (0.5, 9.0), (0.05, 60.0)])
def test_a_new_share_counts_for_the_sleep_under_way(later: float, slept: float) -> None:
    commands = SlowCommands()
    commands.budget = TrainingBudget(share=0.3)
    commands.changes = (5.0, TrainingBudget(share=later))
    pace = Pace(commands, Standing(), lambda: None, clock=lambda: commands.time)
    with pace.micro_step():
        commands.time += 9.0
    assert sum(commands.slept) == pytest.approx(slept)


def _with_orders(*orders: Command) -> tuple[OneByOne, Pace]:
    commands = OneByOne()
    for order in orders:
        commands.put(order)
    return commands, Pace(commands, Standing(), lambda: None)
