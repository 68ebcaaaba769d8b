"""Load by others: the arithmetic, and with real processes."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil
import pytest

from client.machine.processes import OurProcesses, ProcessTable
from client.machine.readings import Known, Reading, Unknown
from client.machine.sensors.load import CpuSample, CpuSampler, Load, share_of_others
from core.children.processes import Process
from tests.waiting import wait_until

START = CpuSample(busy=100, idle=1000, ours=50)
BURN = "while True: pass"


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (CpuSample(busy=100, idle=1010, ours=50), 0.0),
        (CpuSample(busy=110, idle=1000, ours=50), 1.0),
        (CpuSample(busy=110, idle=1000, ours=60), 0.0),
        (CpuSample(busy=108, idle=1002, ours=53), 0.5),
        # Read a little apart, or a process of ours that is not collected yet.
        (CpuSample(busy=105, idle=1005, ours=56), 0.0),
        (CpuSample(busy=105, idle=1005, ours=20), 0.5),
        (CpuSample(busy=100, idle=1000, ours=50), None),
        (CpuSample(busy=90, idle=1000, ours=50), None),
    ],
)
def test_others_use_what_is_busy_and_not_ours(after: CpuSample, expected: float | None) -> None:
    assert share_of_others(START, after) == expected


def known(reading: Reading[float]) -> float:
    assert isinstance(reading, Known)
    return reading.value


class World:
    """A clock, a table of processes and their samples."""

    def __init__(self) -> None:
        self.now = 100.0
        self.roots = {1}
        self.rows = [Process(2, parent=1, session=1)]
        self.scans = 0
        self.busy = 0.0
        self.asked: frozenset[int] = frozenset()
        self.table = ProcessTable(lambda: self.now, self.scan)
        self.computes_in_guest = False
        self.ours = OurProcesses(
            lambda: self.roots,
            self.table,
            lambda: self.now,
            own=50,
            computes_in_guest=lambda: self.computes_in_guest,
        )
        self.load = Load(self.ours, lambda: self.now, self.sample)

    def scan(self) -> list[Process]:
        self.scans += 1
        return self.rows

    def sample(self, ours: frozenset[int]) -> CpuSample:
        self.asked = ours
        return CpuSample(busy=self.busy, idle=self.now - self.busy, ours=0)

    def pass_time(self, seconds: float, busy: float = 0.0) -> None:
        self.now += seconds
        self.busy += seconds * busy


def test_load_is_known_from_the_second_reading_on() -> None:
    world = World()
    assert isinstance(world.load.read(), Unknown)
    world.pass_time(0.1)
    assert isinstance(world.load.read(), Unknown), "too soon"
    world.pass_time(1, busy=0.5)
    assert known(world.load.read()) == pytest.approx(0.5 / 1.1)


def test_load_is_averaged_over_the_last_seconds() -> None:
    world = World()
    seen = []
    for busy in (0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0):
        world.pass_time(1, busy)
        seen.append(world.load.read())
    assert isinstance(seen.pop(0), Unknown)
    assert [round(known(reading), 3) for reading in seen] == [0, 0, 0, 0, 0, 0.2, 0.4, 0.6, 0.8, 1, 1, 0.8]


def test_the_table_is_not_scanned_more_often_than_every_ten_seconds() -> None:
    world = World()
    for _ in range(300):
        world.roots = {1, world.scans}
        world.load.read()
        world.ours.members()
        world.pass_time(0.1)
    assert world.scans == 3


def test_children_of_ours_are_ours() -> None:
    world = World()
    world.rows = [Process(2, 1, 1), Process(3, 2, 1), Process(4, 3, 9), Process(5, 99, 1)]
    world.load.read()
    assert world.asked == {1, 2, 3, 4, 50}


@pytest.mark.parametrize("name", ["vmmemWSL", "vmmem", "Vmmem.exe"])
def test_the_virtual_machine_of_wsl_is_ours_while_our_trainer_computes_in_it(name: str) -> None:
    world = World()
    world.roots = set()
    world.rows = [Process(8, 1, 0, name), Process(9, 1, 0, "vmware.exe")]
    world.load.read()
    assert world.asked == {50}, "what another distribution computes"
    world.computes_in_guest = True
    for _ in range(2):
        world.pass_time(11, busy=1)
        world.load.read()
    assert world.asked == {8, 50}
    world.computes_in_guest = False
    for _ in range(2):
        world.pass_time(11, busy=1)
        world.load.read()
    assert world.asked == {50}


def test_the_load_stands_until_children_of_a_new_process_are_known() -> None:
    world = World()
    world.load.read()
    world.pass_time(2)
    before = world.load.read()
    world.roots = {1, 7}
    for _ in range(7):
        world.pass_time(1, busy=1)
        assert world.load.read() == before
    world.rows = [Process(8, 7, 1)]
    world.pass_time(1, busy=1)
    world.load.read()
    assert world.asked == {1, 7, 8, 50}
    world.pass_time(1, busy=0.25)
    assert known(world.load.read()) == pytest.approx(0.25)


@pytest.mark.parametrize("roots", [set(), {50}])
def test_without_a_trainer_nothing_is_scanned(roots: set[int]) -> None:
    world = World()
    world.roots = roots
    world.load.read()
    world.pass_time(2, busy=0.5)
    assert known(world.load.read()) == pytest.approx(0.5)
    assert world.asked == {50}
    assert world.scans == 0


def test_what_a_trainer_used_before_it_ended_is_not_taken_for_others() -> None:
    world = World()
    world.load.read()
    world.pass_time(2)
    before = world.load.read()
    world.roots = set()
    world.pass_time(0.1, busy=1)
    assert world.load.read() == before
    for _ in range(2):
        world.pass_time(2, busy=0.1)
        after = world.load.read()
    assert known(after) == pytest.approx(0.1)


@contextmanager
def burner() -> Iterator[int]:
    process = subprocess.Popen([sys.executable, "-c", BURN])
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


def test_a_real_process_counts_as_ours_or_as_anothers() -> None:
    with burner() as pid:
        sampler = CpuSampler()
        ours = sampler.sample(frozenset({pid}))
        wait_until(lambda: sampler.sample(frozenset({pid})).ours >= ours.ours + 0.5, "it does not run")
        later = sampler.sample(frozenset({pid}))
    assert later.busy - ours.busy >= 0.4
    as_ours = share_of_others(ours, later)
    as_others = share_of_others(CpuSample(ours.busy, ours.idle, 0), CpuSample(later.busy, later.idle, 0))
    assert as_ours is not None
    assert as_others is not None
    assert as_others > as_ours


def test_a_real_child_of_a_child_is_ours() -> None:
    starts_one = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'input()']).wait()"
    with subprocess.Popen([sys.executable, "-c", starts_one], stdin=subprocess.PIPE) as parent:
        wait_until(lambda: bool(psutil.Process(parent.pid).children()), "it starts no child")
        (child,) = psutil.Process(parent.pid).children()
        ours = OurProcesses(lambda: {parent.pid}, ProcessTable(time.monotonic), time.monotonic)
        assert ours.members() == {os.getpid(), parent.pid, child.pid}
        parent.communicate()  # the end of its input ends the child


def test_a_child_that_ended_stays_ours() -> None:
    ours = frozenset({os.getpid()})
    sampler = CpuSampler()
    before = sampler.sample(ours).ours
    with burner() as pid:
        child = CpuSampler()
        wait_until(lambda: child.sample(frozenset({pid})).ours >= 0.3, "it does not run")
    ticks = 4 / os.sysconf("SC_CLK_TCK")  # the system rounds user's and its own time, before and after
    assert sampler.sample(ours).ours >= before + 0.3 - ticks


def test_a_process_that_is_gone_counts_nothing() -> None:
    with burner() as pid:
        pass
    assert CpuSampler().sample(frozenset({pid})).ours == 0


def test_this_machine_is_read() -> None:
    ours = OurProcesses(lambda: (), ProcessTable(time.monotonic), time.monotonic)
    load = Load(ours, time.monotonic)
    wait_until(lambda: isinstance(load.read(), Known), "no load is read")
    assert 0 <= known(load.read()) <= 1
