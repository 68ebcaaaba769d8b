"""Checks the machine: GPUs, sources of the user's activity, other readings, and disk."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from client.api.answers import Status
from client.api.connection import Connection
from client.api.errors import ControlError
from client.api.questions import GetStatus
from client.api.snapshot import GpuView, ReadingView, Snapshot
from client.doctor import CheckVerdict, Finding
from client.machine.activity.choice import choose
from client.machine.activity.watch import ActivityWatch
from client.machine.gpu.choice import choose_gpu, gpu_views
from client.machine.gpu.devices import FoundDevice, find_devices
from client.machine.gpu.graphics import Graphics, Own
from client.machine.gpu.nvml import Nvml
from client.machine.probes import ProbeParts, survey_of
from client.machine.readings import GpuReading, Known, Reading
from client.machine.sensors.ram import read_free_disk
from client.machine.systems.sources import system_sources
from client.machine.views import views
from client.paths import Paths
from client.preferences.preferences import Preferences, RunMode
from client.side_thread import in_thread
from core.memory.units import format_size

_SURVEY_SECONDS = 3.0
"""Time between the two readings from which the use of processor and GPU is computed, in seconds."""
_MISSED = ("last input", "exclusive applications")
"""Readings without which nothing trains, as they count as busy."""


async def look_at_gpus() -> Sequence[Finding]:
    return judge_gpus(await in_thread(find_devices))


def judge_gpus(devices: Sequence[FoundDevice]) -> list[Finding]:
    if not devices:
        return [Finding("GPU", CheckVerdict.OK, "There is no GPU to train on. Training uses the processor.")]
    return [_gpu(device) for device in devices]


def _gpu(device: FoundDevice) -> Finding:
    memory = f" with {format_size(device.memory)}" if device.memory else ""
    number = "" if device.index is None else f"GPU {device.index}: "
    found = f"{number}{device.name}{memory} ({device.backend}): {device.remark}"
    return Finding("GPU", CheckVerdict.OK if device.usable else CheckVerdict.WARNING, found)


async def look_at_gpu_choice(
    paths: Paths, preferences: Preferences, nvml: Callable[[], Nvml] = Nvml
) -> Sequence[Finding]:
    """Name the GPU that trains, of several, and why the others do not; by the daemon, or as it would choose."""
    snapshot = await in_thread(lambda: _snapshot_of_daemon(paths))
    if snapshot is not None and snapshot.gpus:
        return judge_gpu_choice(snapshot.gpus)
    reading = await in_thread(lambda: _read_gpus(nvml()))
    gpus = reading.value if isinstance(reading, Known) else ()
    return judge_gpu_choice(gpu_views(choose_gpu(gpus, preferences.gpus, preferences.other_gpu_load)))


def judge_gpu_choice(gpus: Sequence[GpuView]) -> list[Finding]:
    """Return one finding for all GPUs; none where there is nothing to choose."""
    if not gpus:
        return []
    advice = "`idlebrush prefs set gpus` chooses another."
    return [Finding("GPU", CheckVerdict.OK, " ".join((*(gpu.text for gpu in gpus), advice)))]


def _read_gpus(nvml: Nvml) -> Reading[tuple[GpuReading, ...]]:
    graphics = Graphics(nvml)
    try:
        return graphics.read(Own())
    finally:
        graphics.close()


async def look_at_activity(environment: Mapping[str, str], mode: RunMode) -> Sequence[Finding]:
    async with system_sources(environment) as system:
        choice = await choose(system.activity())
        refusals = [
            Finding("Activity", CheckVerdict.OK, f"Not used: {refusal}") for refusal in choice.refusals
        ]
        if choice.source is None:
            return [_no_source(mode), *refusals]
        how = "at once" if choice.source.is_event else "when it is asked, every second"
        found = f"{choice.source.name} reports {how} when you use the computer."
        await choice.source.close()
    return [Finding("Activity", CheckVerdict.OK, found), *refusals]


def _no_source(mode: RunMode) -> Finding:
    if mode is RunMode.ALWAYS:
        return Finding(
            "Activity", CheckVerdict.OK, "No source reports when you use the computer. Training runs always."
        )
    return Finding(
        "Activity",
        CheckVerdict.PROBLEM,
        "No source reports when you use the computer, so it always counts as in use.",
        "Start the client from within your desktop session. If no user sits at this computer: "
        "`idlebrush prefs set run-mode always`.",
    )


async def look_at_readings(paths: Paths, environment: Mapping[str, str]) -> Sequence[Finding]:
    """Check the readings of the daemon, or of this process if no daemon runs."""
    read = await in_thread(lambda: _of_daemon(paths))
    return judge_readings(read or await _survey(paths, environment))


def judge_readings(read: Sequence[ReadingView]) -> list[Finding]:
    """Return one finding for all known readings, and one for each unknown reading.

    Some unknown readings hold training up; others are of things that many computers do not have.
    """
    known = ", ".join(f"{view.name} ({view.source})" for view in read if view.value)
    unknown = [view for view in read if not view.value]
    return [Finding("Readings", CheckVerdict.OK, f"Known: {known or 'nothing'}."), *map(_unknown, unknown)]


def _unknown(view: ReadingView) -> Finding:
    verdict = CheckVerdict.WARNING if view.name in _MISSED else CheckVerdict.OK
    return Finding("Readings", verdict, f"Not known: {view.name}. {view.source}")


def _of_daemon(paths: Paths) -> tuple[ReadingView, ...]:
    snapshot = _snapshot_of_daemon(paths)
    return snapshot.readings if snapshot is not None else ()


def _snapshot_of_daemon(paths: Paths) -> Snapshot | None:
    try:
        with Connection.open(paths.socket) as connection:
            answer = connection.ask(GetStatus(), seconds=5.0)
    except ControlError:
        return None
    return answer.snapshot if isinstance(answer, Status) else None


async def _survey(paths: Paths, environment: Mapping[str, str]) -> tuple[ReadingView, ...]:
    async with system_sources(environment) as system:
        activity = ActivityWatch(system.activity)
        parts = ProbeParts(
            idle=activity.idle,
            system=system,
            nvml=Nvml(),
            roots=tuple,
            own=Own,
            exclusive=tuple,
            runs=paths.data,
        )
        async with survey_of(parts) as survey:
            await survey.read()
            await asyncio.sleep(_SURVEY_SECONDS)
            readings = await survey.read()
        await activity.close()
    return views(readings)


async def look_at_disk(folder: Path, keep_free: int) -> Sequence[Finding]:
    """Check the free space of the disk; ``keep_free``: bytes, as the volunteer prefers."""
    reading = await in_thread(lambda: read_free_disk(folder))
    if not isinstance(reading, Known):
        return [Finding("Disk", CheckVerdict.WARNING, reading.why)]
    found = f"{format_size(reading.value)} free on {reading.source}."
    if reading.value >= keep_free:
        return [Finding("Disk", CheckVerdict.OK, found)]
    remedy = f"Free {format_size(keep_free - reading.value)}, or lower the preference disk-free."
    return [Finding("Disk", CheckVerdict.PROBLEM, f"{found} Training is paused.", remedy)]
