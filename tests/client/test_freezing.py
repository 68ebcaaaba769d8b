"""Real processes are stopped at once, kept to their share of a core, and let go."""

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import psutil
import pytest

from client.freezing import SETTLING, Freezer, Share, cpu_seconds
from tests.waiting import wait_until

BUSY = "while True: pass"
Spawn = Callable[[str], int]


@pytest.fixture
def spawn() -> Iterator[Spawn]:
    started: list[subprocess.Popen[bytes]] = []

    def start(program: str) -> int:
        started.append(subprocess.Popen([sys.executable, "-c", program]))
        return started[-1].pid

    yield start
    for process in started:
        process.kill()
        process.wait()


def is_stopped(pid: int) -> bool:
    return psutil.Process(pid).status() == psutil.STATUS_STOPPED


def test_freezing_stops_the_computing_process_alone(spawn: Spawn) -> None:
    computing, other = spawn(BUSY), spawn(BUSY)
    freezer = Freezer(computing, lambda: [computing, other])
    freezer.freeze()
    wait_until(lambda: is_stopped(computing), "it goes on")
    assert not is_stopped(other)
    freezer.thaw()
    wait_until(lambda: not is_stopped(computing), "it stays stopped")


def test_settling_takes_no_more_than_its_share_of_a_core(spawn: Spawn) -> None:
    pids = [spawn(BUSY), spawn(BUSY)]
    wait_until(lambda: all(cpu_seconds(pid) > 0.05 for pid in pids), "they do not compute")
    freezer = Freezer(pids[0], lambda: pids)
    freezer.freeze()
    before, began = sum(map(cpu_seconds, pids)), time.monotonic()
    asyncio.run(freezer.settle(asyncio.Event(), seconds=4.0))
    used, took = sum(map(cpu_seconds, pids)) - before, time.monotonic() - began
    # two busy processes may be ahead by what they compute between two looks
    assert used <= SETTLING.share * took + 0.3
    assert used > 0.05, "they were let run"


def test_settling_ends_when_the_round_is_over(spawn: Spawn) -> None:
    pid = spawn(BUSY)
    freezer = Freezer(pid, lambda: [pid])

    async def settle() -> None:
        settled = asyncio.Event()
        asyncio.get_running_loop().call_later(0.2, settled.set)
        await asyncio.wait_for(freezer.settle(settled, seconds=600), 20)

    asyncio.run(settle())


def test_quiet_means_that_the_computing_process_stays_stopped(spawn: Spawn) -> None:
    computing, other = spawn(BUSY), spawn("import time; time.sleep(600)")
    freezer = Freezer(computing, lambda: [computing, other])

    async def keep() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(freezer.keep_quiet(), 1.0)

    freezer.freeze()
    asyncio.run(keep())
    assert is_stopped(computing)
    assert not is_stopped(other)
    freezer.thaw()
    wait_until(lambda: not is_stopped(computing), "it stays stopped")


def test_after_a_thaw_nobody_is_stopped_by_a_look_that_was_under_way(spawn: Spawn) -> None:
    pid = spawn(BUSY)
    sent: list[signal.Signals] = []
    # what it computes is always too much: every look would stop it
    computed = iter(range(1_000_000))
    freezer = Freezer(
        pid, lambda: [pid], cpu_seconds=lambda _: float(next(computed)), signal=lambda _, s: sent.append(s)
    )

    async def scenario() -> None:
        task = asyncio.create_task(freezer.settle(asyncio.Event(), seconds=600))
        while signal.SIGSTOP not in sent:
            await asyncio.sleep(0.01)
        freezer.thaw()
        sent.clear()
        await asyncio.sleep(0.2)
        assert signal.SIGSTOP not in sent
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(scenario())


def test_a_process_that_has_ended_is_no_problem(spawn: Spawn) -> None:
    pid = subprocess.Popen([sys.executable, "-c", ""])
    pid.wait()
    freezer = Freezer(pid.pid, lambda: [pid.pid])
    freezer.freeze()
    freezer.thaw()
    assert cpu_seconds(pid.pid) == 0.0


@pytest.mark.parametrize(
    ("used", "elapsed", "allowed"),
    [(0.0, 0.0, True), (0.1, 1.0, True), (0.12, 1.0, True), (0.13, 1.0, False), (1.0, 10.0, True)],
)
def test_the_share_counts_from_the_beginning(used: float, elapsed: float, allowed: bool) -> None:
    assert Share(0.1, tick=0.02).allows(used, elapsed) is allowed
