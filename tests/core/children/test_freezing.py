"""Real processes are stopped at once, kept to their share of a core, and let go."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import psutil
import pytest

from core.children.freezing import SETTLING, LocalFreezer, Share
from core.children.handles import Handles
from core.children.processes import cpu_seconds
from tests.waiting import eventually, wait_until

pytestmark = pytest.mark.posix
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


class RecordedStops(Handles):
    """Handles that count what they stop, and report the processor time that they are given."""

    def __init__(self, cpu_seconds: Callable[[int], float] = cpu_seconds) -> None:
        super().__init__()
        self.stops = 0
        self._cpu_seconds = cpu_seconds

    def stop(self, pid: int) -> None:
        self.stops += 1
        super().stop(pid)

    def cpu_seconds(self, pid: int) -> float:
        return self._cpu_seconds(pid)


def open_files() -> int:
    return psutil.Process().num_fds()


def is_stopped(pid: int) -> bool:
    return psutil.Process(pid).status() == psutil.STATUS_STOPPED


def test_freezing_stops_the_computing_process_alone(spawn: Spawn) -> None:
    computing, other = spawn(BUSY), spawn(BUSY)
    freezer = LocalFreezer(computing, lambda: [computing, other])
    freezer.freeze()
    wait_until(lambda: is_stopped(computing), "it goes on")
    assert not is_stopped(other)
    freezer.thaw()
    wait_until(lambda: not is_stopped(computing), "it stays stopped")


def test_settling_takes_no_more_than_its_share_of_a_core(spawn: Spawn) -> None:
    pids = [spawn(BUSY), spawn(BUSY)]
    wait_until(lambda: all(cpu_seconds(pid) > 0.05 for pid in pids), "they do not compute")
    freezer = LocalFreezer(pids[0], lambda: pids)
    freezer.freeze()
    before, began = sum(map(cpu_seconds, pids)), time.monotonic()
    asyncio.run(freezer.settle(asyncio.Event(), seconds=4.0))
    used, took = sum(map(cpu_seconds, pids)) - before, time.monotonic() - began
    # two busy processes may be ahead by what they compute between two looks
    assert used <= SETTLING.share * took + 0.3
    assert used > 0.05, "they were let run"


def test_whoever_comes_back_has_the_machine_at_first(spawn: Spawn) -> None:
    pids = [spawn(BUSY), spawn(BUSY)]
    now = 0.0
    freezer = LocalFreezer(pids[0], lambda: pids, clock=lambda: now)

    async def scenario() -> None:
        nonlocal now
        freezer.freeze()
        settling = asyncio.create_task(freezer.settle(asyncio.Event(), seconds=600))
        await eventually(lambda: all(map(is_stopped, pids)), "they go on")
        now = 0.9 * SETTLING.rest
        await asyncio.sleep(5 * SETTLING.tick)
        assert all(map(is_stopped, pids))
        now = 1.1 * SETTLING.rest
        await eventually(lambda: not any(map(is_stopped, pids)), "they are never let run")
        settling.cancel()
        await asyncio.gather(settling, return_exceptions=True)

    asyncio.run(scenario())


def test_settling_ends_when_the_round_is_over(spawn: Spawn) -> None:
    pid = spawn(BUSY)
    freezer = LocalFreezer(pid, lambda: [pid])

    async def settle() -> None:
        settled = asyncio.Event()
        asyncio.get_running_loop().call_later(0.2, settled.set)
        await asyncio.wait_for(freezer.settle(settled, seconds=600), 20)

    asyncio.run(settle())


def test_quiet_means_that_the_computing_process_stays_stopped(spawn: Spawn) -> None:
    computing, other = spawn(BUSY), spawn("import time; time.sleep(600)")
    freezer = LocalFreezer(computing, lambda: [computing, other])

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
    # what it computes is always too much: every look would stop it
    computed = iter(range(1_000_000))
    handles = RecordedStops(lambda _: float(next(computed)))
    freezer = LocalFreezer(pid, lambda: [pid], handles=handles)

    async def scenario() -> None:
        task = asyncio.create_task(freezer.settle(asyncio.Event(), seconds=600))
        await eventually(lambda: handles.stops > 0, "it is not stopped")
        freezer.thaw()
        handles.stops = 0
        await asyncio.sleep(0.2)
        assert not handles.stops
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(scenario())


def test_a_process_that_has_ended_is_no_problem(spawn: Spawn) -> None:
    pid = subprocess.Popen([sys.executable, "-c", ""])
    pid.wait()
    freezer = LocalFreezer(pid.pid, lambda: [pid.pid])
    freezer.freeze()
    freezer.thaw()
    assert cpu_seconds(pid.pid) == 0.0


def test_leaving_quietly_lets_even_the_computing_process_have_its_share(spawn: Spawn) -> None:
    pids = [spawn(BUSY), spawn(BUSY)]
    wait_until(lambda: all(cpu_seconds(pid) > 0.05 for pid in pids), "they do not compute")
    freezer = LocalFreezer(pids[0], lambda: pids)
    freezer.freeze()
    before, began = list(map(cpu_seconds, pids)), time.monotonic()

    async def leave() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(freezer.leave_quietly(), 3.0)

    asyncio.run(leave())
    used, took = (
        [cpu_seconds(pid) - had for pid, had in zip(pids, before, strict=True)],
        time.monotonic() - began,
    )
    assert sum(used) <= SETTLING.share * took + 0.3
    assert min(used) > 0.02, "both were let run"


def test_a_process_that_is_started_meanwhile_is_governed_too(spawn: Spawn) -> None:
    pids = [spawn(BUSY)]
    freezer = LocalFreezer(pids[0], lambda: list(pids))

    async def scenario() -> None:
        settling = asyncio.create_task(freezer.settle(asyncio.Event(), seconds=600))
        await asyncio.sleep(0)
        pids.append(spawn(BUSY))
        await eventually(lambda: is_stopped(pids[1]), "it goes on")
        settling.cancel()
        await asyncio.gather(settling, return_exceptions=True)

    asyncio.run(scenario())


def test_a_process_that_is_missing_in_one_look_is_not_left_stopped(spawn: Spawn) -> None:
    computing, other = spawn(BUSY), spawn(BUSY)
    looks: list[list[int]] = []
    seen = [computing, other]

    def look() -> list[int]:
        looks.append(list(seen))
        return looks[-1]

    freezer = LocalFreezer(computing, look)

    async def scenario() -> None:
        settling = asyncio.create_task(freezer.settle(asyncio.Event(), seconds=600))
        await eventually(lambda: is_stopped(other), "it goes on")
        seen.remove(other)
        await eventually(lambda: [computing] in looks, "nobody looks again")
        settling.cancel()
        await asyncio.gather(settling, return_exceptions=True)

    asyncio.run(scenario())
    freezer.thaw()
    wait_until(lambda: not is_stopped(other), "it stays stopped")


def test_who_is_not_of_the_family_any_more_once_it_is_held_is_left_alone(spawn: Spawn) -> None:
    computing, stranger = spawn(BUSY), spawn(BUSY)
    looks = iter([[computing, stranger]])
    handles = RecordedStops()
    freezer = LocalFreezer(computing, lambda: next(looks, [computing]), handles=handles)
    asyncio.run(freezer.settle(asyncio.Event(), seconds=0.5))
    assert not is_stopped(stranger)
    assert set(handles.pids) == {computing}


def test_nothing_is_held_of_a_trainer_that_has_ended(spawn: Spawn) -> None:
    before = open_files()
    ended = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(3)]
    pids = [process.pid for process in ended]
    freezer = LocalFreezer(pids[0], lambda: pids)
    asyncio.run(freezer.settle(asyncio.Event(), seconds=0.1))
    assert open_files() == before + 3
    for process in ended:
        process.kill()
        process.wait()
    freezer.thaw()
    assert open_files() == before


def test_closing_lets_go_of_those_that_are_still_there(spawn: Spawn) -> None:
    before = open_files()
    freezer = LocalFreezer(spawn(BUSY), lambda: [])
    assert open_files() == before + 1
    freezer.close()
    freezer.close()
    assert open_files() == before


@pytest.mark.parametrize(
    ("before", "used", "elapsed", "saved"),
    [
        (0.02, 0.0, 0.0, 0.02),
        (0.02, 0.1, 1.0, 0.02),
        (0.02, 0.13, 1.0, -0.01),
        (-0.01, 0.0, 0.2, 0.01),
        (0.02, 0.0, 8 * 3600.0, 0.02),  # what is not used is lost
        (0.02, 30.0, 1.0, -29.88),  # what was taken too much is not
    ],
)
def test_what_is_saved_up_is_bounded(before: float, used: float, elapsed: float, saved: float) -> None:
    assert Share(0.1, tick=0.02, burst=0.02).saved(before, used, elapsed) == pytest.approx(saved)
