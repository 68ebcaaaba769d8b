"""The monitor tells of looks and of input, and a look never undoes an input that came while it was under way."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from client.machine.readings import Known, Reading, Readings, Unknown
from client.service.monitor import Monitor, Reactions, seconds_between_looks
from tests.waiting import eventually

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LONG = Known(600.0, "a display")
INPUT = Known(0.0, "the first input")


@dataclass
class StandInMachine:
    """Looks at it take as long as a test holds them up, and input comes when it says so."""

    idle: Reading[float] = LONG
    looks: int = 0
    watches: int = 0
    may_read: asyncio.Event = field(default_factory=asyncio.Event)
    input: asyncio.Event = field(default_factory=asyncio.Event)
    found_at_input: Reading[float] = INPUT

    async def read(self) -> Readings:
        self.looks += 1
        found = Readings(now=NOW, idle_seconds=self.idle)
        await self.may_read.wait()
        return found

    async def until_active(self) -> Reading[float]:
        self.watches += 1
        await self.input.wait()
        self.input.clear()
        return self.found_at_input


@dataclass
class MonitorReadings:
    """The monitor's readings of idle seconds, at each look and at each input."""

    looks: list[Reading[float]] = field(default_factory=list)
    inputs: list[Reading[float]] = field(default_factory=list)


def play(script: Callable[[StandInMachine, Monitor, MonitorReadings], Awaitable[None]]) -> None:
    async def scene() -> None:
        machine, seen = StandInMachine(), MonitorReadings()

        async def on_look() -> None:
            seen.looks.append(monitor.readings.idle_seconds)

        def on_input() -> None:
            seen.inputs.append(monitor.readings.idle_seconds)

        monitor = Monitor(machine, lambda: NOW)
        living = asyncio.create_task(monitor.live(Reactions(on_look, on_input, lambda: 600.0)))
        try:
            await script(machine, monitor, seen)
        finally:
            living.cancel()
            await asyncio.gather(living, return_exceptions=True)

    asyncio.run(scene())


def test_a_look_that_is_asked_for_does_not_wait_for_its_time() -> None:
    async def script(machine: StandInMachine, monitor: Monitor, seen: MonitorReadings) -> None:
        machine.may_read.set()
        await eventually(lambda: seen.looks == [LONG], "it does not look at the beginning")
        assert monitor.has_looked
        monitor.look()
        await eventually(lambda: len(seen.looks) == 2, "it does not look again")

    play(script)


def test_input_is_reported_at_once_and_a_look_that_began_before_it_does_not_undo_it() -> None:
    async def script(machine: StandInMachine, monitor: Monitor, seen: MonitorReadings) -> None:
        monitor.arm(True)
        await eventually(lambda: bool(machine.looks and machine.watches), "nothing is watched")
        machine.input.set()
        await eventually(lambda: seen.inputs == [machine.found_at_input], "it is not reported")
        machine.may_read.set()
        await eventually(lambda: bool(seen.looks), "the look does not end")
        [found] = seen.looks
        assert isinstance(found, Known)
        assert found.value < 60.0, "the input was not forgotten"

    play(script)


def test_input_is_watched_for_only_while_armed() -> None:
    async def script(machine: StandInMachine, monitor: Monitor, seen: MonitorReadings) -> None:
        machine.may_read.set()
        await eventually(lambda: bool(seen.looks), "it does not look")
        assert machine.watches == 0
        monitor.arm(True)
        await eventually(lambda: machine.watches == 1, "it does not watch")
        monitor.arm(False)
        machine.input.set()
        await eventually(lambda: len(seen.inputs) == 1, "what is watched for already is reported")
        await asyncio.sleep(0.6)
        assert machine.watches == 1

    play(script)


def test_that_no_source_can_tell_any_more_is_reported_as_well() -> None:
    async def script(machine: StandInMachine, monitor: Monitor, seen: MonitorReadings) -> None:
        machine.found_at_input = Unknown("the display is gone")
        monitor.arm(True)
        machine.input.set()
        await eventually(lambda: seen.inputs == [Unknown("the display is gone")], "it is not reported")

    play(script)


@pytest.mark.parametrize(
    ("has_run", "is_paused", "holds_gpu", "seconds"),
    [
        (False, False, False, 30.0),
        (False, True, True, 30.0),
        (True, False, False, 1.0),
        (True, False, True, 1.0),
        (True, True, False, 5.0),
        (True, True, True, 1.5),
    ],
)
def test_the_more_is_at_stake_the_oftener_it_looks(
    has_run: bool, is_paused: bool, holds_gpu: bool, seconds: float
) -> None:
    assert seconds_between_looks(has_run=has_run, is_paused=is_paused, holds_gpu=holds_gpu) == seconds
