"""kill -9 of command, guard or trainer, running or frozen, leaves no process of a trainer in a real swarm."""

import os
import signal
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest

from tests.processes.process_tree import ProcessTree, started
from tests.processes.shared_memory import maker, segments

Victim = Callable[[ProcessTree], int]
Freeze = Callable[[ProcessTree, int], None]
SECONDS_TO_VANISH = 10.0


@pytest.fixture
def shared_before() -> set[Path]:
    """Shared memory of torch's that killed processes with the same ids may have left long ago."""
    return segments()


@pytest.fixture
def tree(tmp_path: Path, shared_before: set[Path]) -> Iterator[ProcessTree]:
    with started(Path(__file__).with_name("stand_in_command.py"), tmp_path) as tree:
        tree.wait_for("joined")
        yield tree


def _command(tree: ProcessTree) -> int:
    return tree.process.pid


def _guard(tree: ProcessTree) -> int:
    return tree.running("core.children.guard")[0]


def _trainer(tree: ProcessTree) -> int:
    return tree.running("tests.client.stand_ins.trainer")[0]


def _nothing(tree: ProcessTree, victim: int) -> None:
    pass


def _victim(tree: ProcessTree, victim: int) -> None:
    os.kill(victim, signal.SIGSTOP)


def _victim_and_all_below_the_command(tree: ProcessTree, victim: int) -> None:
    for pid in {victim} | tree.alive() - {tree.process.pid}:
        os.kill(pid, signal.SIGSTOP)


VICTIMS = (_command, _guard, _trainer)
FREEZES = (_nothing, _victim, _victim_and_all_below_the_command)
CHOSEN: set[tuple[Victim, Freeze]] = {
    (_command, _victim_and_all_below_the_command),  # the kernel wakes up the guard, which sweeps
    # what is not tied, and cannot end by itself, is found by its mark
    (_guard, _victim_and_all_below_the_command),
    (_trainer, _nothing),  # the guard sweeps
}
"""Every victim once, by the cleanup mechanisms that need most; the others of the nine cases are exhaustive."""
CASES = [
    pytest.param(*case, marks=() if case in CHOSEN else pytest.mark.exhaustive)
    for case in product(VICTIMS, FREEZES)
]


@pytest.mark.parametrize(("victim", "freeze"), CASES)
def test_kill_leaves_no_process(
    tree: ProcessTree, shared_before: set[Path], victim: Victim, freeze: Freeze
) -> None:
    before = tree.alive()
    assert len(before) >= 6, "command, guard, trainer, DHT, p2pd, averager"
    pid = victim(tree)
    freeze(tree, pid)
    os.kill(pid, signal.SIGKILL)
    assert tree.vanishes(before, SECONDS_TO_VANISH), tree.describe()
    if victim is not _guard:  # whose death leaves that to torch, which takes its time
        assert not [segment for segment in segments() - shared_before if maker(segment) in before]
