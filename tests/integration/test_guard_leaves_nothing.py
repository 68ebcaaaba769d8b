"""kill -9 of command, guard or trainer, running or frozen, leaves no process of a trainer in a real swarm."""

import os
import select
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from client import processes

TEST_MARK = "IDLEBRUSH_TEST"
SECONDS_TO_VANISH = 10.0


@dataclass(frozen=True)
class Tree:
    """A command with all that is below it."""

    mark: str
    command: subprocess.Popen[str]
    trainer: int

    @property
    def guard(self) -> int:
        return next(process.parent for process in processes.running() if process.pid == self.trainer)

    def alive(self) -> set[int]:
        return {process.pid for process in processes.marked(TEST_MARK, self.mark)}

    def end(self) -> None:
        for pid in self.alive():
            processes.kill(pid)
        self.command.wait()
        assert self.command.stdout
        self.command.stdout.close()


@pytest.fixture
def tree(tmp_path: Path) -> Iterator[Tree]:
    mark = uuid.uuid4().hex
    command = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("stand_in_command.py"), tmp_path],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, TEST_MARK: mark},
    )
    assert command.stdout
    trainer = int(command.stdout.readline())
    tree = Tree(mark, command, trainer)
    try:
        assert command.stdout.readline() == "joined\n", (tmp_path / "log").read_text()
        yield tree
    finally:
        tree.end()


def _command(tree: Tree) -> int:
    return tree.command.pid


def _guard(tree: Tree) -> int:
    return tree.guard


def _trainer(tree: Tree) -> int:
    return tree.trainer


def _nothing(tree: Tree, victim: int) -> None:
    pass


def _victim(tree: Tree, victim: int) -> None:
    os.kill(victim, signal.SIGSTOP)


def _victim_and_all_below_the_command(tree: Tree, victim: int) -> None:
    for pid in {victim} | tree.alive() - {tree.command.pid}:
        os.kill(pid, signal.SIGSTOP)


@pytest.mark.parametrize("freeze", [_nothing, _victim, _victim_and_all_below_the_command])
@pytest.mark.parametrize("victim", [_command, _guard, _trainer])
def test_kill_leaves_no_process(
    tree: Tree, victim: Callable[[Tree], int], freeze: Callable[[Tree, int], None]
) -> None:
    before = tree.alive()
    assert len(before) >= 6, "command, guard, trainer, DHT, p2pd, averager"
    freeze(tree, victim(tree))
    os.kill(victim(tree), signal.SIGKILL)
    assert _vanished(before, SECONDS_TO_VANISH), _describe(tree.alive())
    assert not tree.alive(), _describe(tree.alive())


def _vanished(pids: set[int], seconds: float) -> bool:
    """Whether all of them end within that time."""
    for pid in pids:
        try:
            watched = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        ended, _, _ = select.select([watched], [], [], seconds)
        os.close(watched)
        if not ended:
            return False
    return True


def _describe(pids: set[int]) -> str:
    return "\n".join(Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")[:150] for pid in pids)
