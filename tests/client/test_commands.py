"""Later commands supersede earlier ones, and an urgent one is seen anywhere in the trainer's queue."""

import threading
import time
from itertools import product

import pytest

from client.api.messages import TrainerOrder
from client.trainer import Commands, supersede
from core.messages.events import Command, TrainingBudget

PAUSE, RESUME, FINISH, STOP = Command.PAUSE, Command.RESUME, Command.FINISH, Command.STOP


def queue_of(*commands: Command) -> tuple[TrainerOrder, ...]:
    """Return the commands, numbered from 1, that stay in the queue if the trainer takes none."""
    queue: tuple[TrainerOrder, ...] = ()
    for number, command in enumerate(commands, start=1):
        queue = supersede(queue, TrainerOrder(command=command, number=number))
    return queue


@pytest.mark.parametrize(
    ("given", "left"),
    [
        ([PAUSE], [PAUSE]),
        ([PAUSE, PAUSE], [PAUSE]),
        ([PAUSE, RESUME], [RESUME]),
        ([RESUME, PAUSE], [PAUSE]),
        ([PAUSE, RESUME, PAUSE, RESUME], [RESUME]),
        ([PAUSE, STOP], [STOP]),
        ([FINISH, RESUME, STOP], [STOP]),
        ([STOP, PAUSE, RESUME, FINISH], [STOP]),
        ([FINISH, FINISH], [FINISH]),
        ([FINISH, PAUSE], [FINISH, PAUSE]),
        ([FINISH, PAUSE, RESUME], [FINISH, RESUME]),
        ([FINISH, RESUME, PAUSE], [FINISH, PAUSE]),
        ([PAUSE, FINISH], [PAUSE, FINISH]),
        ([FINISH, PAUSE, FINISH], [PAUSE, FINISH]),
    ],
)
def test_only_what_still_matters_is_kept(given: list[Command], left: list[Command]) -> None:
    assert [order.command for order in queue_of(*given)] == left


def test_the_pause_that_is_kept_is_the_newest() -> None:
    assert queue_of(PAUSE, RESUME, PAUSE) == (TrainerOrder(command=PAUSE, number=3),)


@pytest.mark.parametrize("is_paused", [False, True])
def test_what_is_kept_leads_where_all_would_have_led(is_paused: bool) -> None:
    for length in range(5):
        for given in product(Command, repeat=length):
            left = [order.command for order in queue_of(*given)]
            assert _after(left, is_paused) == _after(given, is_paused), given


def _after(commands: "tuple[Command, ...] | list[Command]", is_paused: bool) -> tuple[bool, bool, bool]:
    """Return the state of a loop that obeyed these one by one: it is paused, is to finish, has stopped."""
    finishes = False
    for command in commands:
        if command is STOP:
            return False, False, True
        is_paused = command is PAUSE
        finishes |= command is FINISH
    return is_paused, finishes, False


@pytest.mark.parametrize(
    ("given", "presses"),
    [
        ([], False),
        ([PAUSE], True),
        ([STOP], True),
        ([FINISH], False),
        ([RESUME], False),
        ([FINISH, PAUSE], True),
        ([RESUME, PAUSE], True),
        ([FINISH, RESUME, STOP], True),
        ([PAUSE, RESUME], False),
    ],
)
def test_an_order_to_pause_or_stop_presses_wherever_it_stands(given: list[Command], presses: bool) -> None:
    commands = Commands()
    for command in given:
        commands.put(command)
    assert commands.pressing() == presses


def test_the_number_of_a_pause_is_known_once_it_is_taken() -> None:
    commands = Commands()
    commands.put(PAUSE, 5)
    assert commands.pause_number == 0
    assert commands.poll() is PAUSE
    commands.put(RESUME, 6)
    assert commands.poll() is RESUME
    assert commands.pause_number == 5


@pytest.mark.parametrize("news", ["budget", "order"])
def test_a_new_budget_or_an_order_wakes_up_who_sleeps(news: str) -> None:
    commands, pressed = Commands(), []
    sleeper = threading.Thread(target=lambda: pressed.append(commands.pressing(600)), daemon=True)
    sleeper.start()
    deadline = time.monotonic() + 20
    while not commands.begun and time.monotonic() < deadline:
        time.sleep(0.01)
    if news == "budget":
        commands.budget = TrainingBudget(share=0.5)
    else:
        commands.put(STOP)
    sleeper.join(20)
    assert pressed == [news == "order"]
