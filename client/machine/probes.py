"""Puts together the survey of this machine: what is read by what, how often, and in which thread.

What may take more than a few milliseconds runs in one of two threads: one for the table of processes, one for the
drivers of devices, which may hang. The system's sources know what they may ask in the event loop.
"""

import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from client.machine.gpu.cards import nvidia_asleep
from client.machine.gpu.graphics import Graphics, Own
from client.machine.gpu.nvml import Nvml
from client.machine.processes import OurProcesses, ProcessTable
from client.machine.readings import Known, Reading
from client.machine.sensors.applications import Applications
from client.machine.sensors.energy import POWERCAP, OwnEnergy, ProcessorEnergy
from client.machine.sensors.load import Load
from client.machine.sensors.ram import read_free_disk, read_free_ram
from client.machine.survey import Probe, Survey, SurveyValues
from client.machine.systems.sources import SystemSources
from client.side_thread import SideThread

T = TypeVar("T")

_ALWAYS, _SOON, _WINDOWS, _NOW_AND_THEN, _SELDOM = 0.0, 2.0, 5.0, 10.0, 60.0
"""Seconds between two readings. What costs nothing is read always, what asks other programs now and then."""
_WHILE_TRAINING = 1.0
"""Seconds between two readings of a GPU that we train on: a game needs its memory within two."""


@dataclass(frozen=True)
class ProbeParts:
    """Sources to read the machine by, and the client's knowledge of itself."""

    idle: Callable[[], Awaitable[Reading[float]]]
    """Seconds since the last input, from the source that was chosen."""
    system: SystemSources
    nvml: Nvml
    roots: Callable[[], Collection[int]]
    """Process ids of guard and trainer, as soon as the daemon knows them; its own is added."""
    own: Callable[[], Own]
    """The GPU that our trainer uses; its process ids are added here."""
    exclusive: Callable[[], Collection[str]]
    """The programs that the volunteer wants the machine for."""
    runs: Path
    """Folder of the runs."""
    computes_in_guest: Callable[[], bool] = lambda: False
    """True while processes of ours compute in a virtual machine, to which the system charges it."""
    holds_heat: Callable[[], bool] = lambda: False
    """True if the volunteer wants a temperature to be held, for which it is read more often."""
    powercap: Path = POWERCAP
    """Folder where the kernel shows the energy of the processor."""
    clock: Callable[[], float] = time.monotonic


@contextlib.asynccontextmanager
async def survey_of(parts: ProbeParts) -> AsyncIterator[Survey]:
    """Give the survey until the context ends; the sources stay their owner's."""
    readers = _Readers(parts)
    survey = Survey(readers.probes(), parts.clock)
    try:
        yield survey
    finally:
        await survey.close()
        readers.close()


class _Readers:
    """The parts that remember something between readings."""

    def __init__(self, parts: ProbeParts) -> None:
        table = ProcessTable(parts.clock)
        self._parts = parts
        self._ours = OurProcesses(parts.roots, table, parts.clock, computes_in_guest=parts.computes_in_guest)
        self._our_pids = frozenset[int]()
        self._sees_input = False
        """True if a source reports input; if not, only the lock shows that the user is away, and is read often."""
        self._load = Load(self._ours, parts.clock)
        self._energy = OwnEnergy(ProcessorEnergy(parts.powercap, parts.clock), lambda: self._load.newest)
        self._applications = Applications(parts.exclusive, table)
        self._graphics = Graphics(parts.nvml, nvidia_asleep)
        self._process_thread = SideThread("processes")
        self._device_thread = SideThread("devices")

    def probes(self) -> Sequence[Probe]:
        system, processes, devices = self._parts.system, self._process_thread, self._device_thread
        return (
            Probe("The source of activity", ("idle_seconds",), self._pace_of_idle, self._read_idle),
            Probe("The session", ("locked",), self._pace_of_lock, self._read_locked),
            _probe("full_screen", "The display", _WINDOWS, system.full_screen),
            Probe("The power supply", ("on_battery", "battery_percent"), lambda: _NOW_AND_THEN, system.power),
            Probe("The processor", ("cpu_by_others", "cpu_joules"), self._pace_of_load, self._read_loads),
            _probe(
                "exclusive",
                "The list of processes",
                _WINDOWS,
                lambda: processes.do(self._applications.read),
            ),
            Probe("The graphics driver", ("gpus",), self._pace_of_gpus, self._read_gpus),
            _probe("awake", "The desktop's power management", _NOW_AND_THEN, system.awake),
            Probe("The sensor", ("cpu_celsius",), self._pace_of_heat, self._read_heat),
            _probe("metered", "The service of the network", _NOW_AND_THEN, system.metered),
            _probe("free_ram", "The memory", _WINDOWS, lambda: _at_once(read_free_ram())),
            _probe(
                "free_disk",
                "The file system",
                _SELDOM,
                lambda: devices.do(lambda: read_free_disk(self._parts.runs)),
            ),
        )

    def close(self) -> None:
        """Close all readers, without waiting for a driver that hangs."""
        self._device_thread.close(self._graphics.close)
        self._process_thread.close()

    @property
    def _is_frozen(self) -> bool:
        """True if a frozen trainer of ours is on a GPU: then only that GPU is watched closely."""
        own = self._parts.own()
        return own.present and not own.computing

    def _pace_of_idle(self) -> float:
        return _SOON if self._is_frozen else _ALWAYS

    def _pace_of_load(self) -> float:
        return _WINDOWS if self._is_frozen else _SOON

    def _pace_of_gpus(self) -> float:
        return _WHILE_TRAINING if self._parts.own().present else _NOW_AND_THEN

    def _pace_of_lock(self) -> float:
        return _WINDOWS if self._sees_input else _SOON

    def _pace_of_heat(self) -> float:
        return _SOON if self._parts.holds_heat() else _NOW_AND_THEN

    async def _read_heat(self) -> SurveyValues:
        return (await self._parts.system.cpu_celsius(),)

    async def _read_idle(self) -> SurveyValues:
        reading = await self._parts.idle()
        self._sees_input = isinstance(reading, Known)
        return (reading,)

    async def _read_loads(self) -> SurveyValues:
        return await self._process_thread.do(self._read_load)

    async def _read_locked(self) -> SurveyValues:
        return (await self._parts.system.locked(),)

    def _read_load(self) -> SurveyValues:
        self._our_pids = self._ours.members()
        return self._load.read(), self._energy.read()

    async def _read_gpus(self) -> SurveyValues:
        # A trainer that has just started may be too new for the table.
        own = replace(self._parts.own(), pids=self._our_pids.union(self._parts.roots()))
        return (await self._device_thread.do(lambda: self._graphics.read(own)),)


def _probe(field: str, name: str, interval: float, read: Callable[[], Awaitable[Reading[Any]]]) -> Probe:
    """Probe of one value at a steady pace."""

    async def values() -> SurveyValues:
        return (await read(),)

    return Probe(name, (field,), lambda: interval, values)


async def _at_once(value: T) -> T:
    return value
