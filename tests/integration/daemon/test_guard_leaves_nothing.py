"""kill -9 of command, guard or trainer, running or frozen, leaves no process of a trainer in a real swarm."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.process_tree import ProcessTree, started

SECONDS_TO_VANISH = 10.0


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[ProcessTree]:
    with started(Path(__file__).with_name("stand_in_command.py"), tmp_path) as tree:
        tree.wait_for("joined")
        yield tree


def _command(tree: ProcessTree) -> int:
    return tree.process.pid


def _guard(tree: ProcessTree) -> int:
    return tree.running("core.children.guard")[0]


def _trainer(tree: ProcessTree) -> int:
    return tree.running("tests.client.stand_in_trainer")[0]


def _nothing(tree: ProcessTree, victim: int) -> None:
    pass


def _victim(tree: ProcessTree, victim: int) -> None:
    os.kill(victim, signal.SIGSTOP)


def _victim_and_all_below_the_command(tree: ProcessTree, victim: int) -> None:
    for pid in {victim} | tree.alive() - {tree.process.pid}:
        os.kill(pid, signal.SIGSTOP)


@pytest.mark.parametrize("freeze", [_nothing, _victim, _victim_and_all_below_the_command])
@pytest.mark.parametrize("victim", [_command, _guard, _trainer])
def test_kill_leaves_no_process(
    tree: ProcessTree, victim: Callable[[ProcessTree], int], freeze: Callable[[ProcessTree, int], None]
) -> None:
    before = tree.alive()
    assert len(before) >= 6, "command, guard, trainer, DHT, p2pd, averager"
    pid = victim(tree)
    freeze(tree, pid)
    os.kill(pid, signal.SIGKILL)
    assert tree.vanishes(before, SECONDS_TO_VANISH), tree.describe()
    if victim is not _guard:  # whose death leaves that to torch, which takes its time
        assert not [segment for pid in before for segment in Path("/dev/shm").glob(f"torch_{pid}_*")]
