"""Checks of the machine: its GPUs, what tells whether it is used, what else is read of it, its disk, its clock."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from client.api.answers import Status
from client.api.connection import Connection
from client.api.errors import BusError, ControlError
from client.api.questions import GetStatus
from client.api.snapshot import ReadingView
from client.doctor import Finding, Verdict
from client.machine.activity.choice import candidates, choose
from client.machine.activity.watch import ActivityWatch
from client.machine.bus import buses
from client.machine.devices import Device, find_devices
from client.machine.graphics import Own
from client.machine.nvml import Nvml
from client.machine.probes import Parts, survey_of
from client.machine.readings import Known
from client.machine.space import read_free_disk
from client.machine.views import views
from client.paths import Paths
from client.preferences.preferences import RunMode
from client.side_thread import in_thread
from core.memory.units import format_size

_SURVEY_SECONDS = 3.0
"""The use of processor and GPU is that between two looks."""
_TIME = ("org.freedesktop.timedate1", "/org/freedesktop/timedate1", "org.freedesktop.timedate1")
_MISSED = ("last input", "exclusive applications")
"""Readings without which nothing trains, as they count as busy."""
_FEW_SECONDS = "A clock that is wrong by more than a few seconds keeps a peer out of its swarm."


async def look_at_gpus() -> Sequence[Finding]:
    return judge_gpus(await in_thread(find_devices))


def judge_gpus(devices: Sequence[Device]) -> list[Finding]:
    if not devices:
        return [Finding("GPU", Verdict.OK, "There is none to train on; the processor trains.")]
    return [_gpu(device) for device in devices]


def _gpu(device: Device) -> Finding:
    memory = f" with {format_size(device.memory)}" if device.memory else ""
    number = "" if device.index is None else f"GPU {device.index}: "
    found = f"{number}{device.name}{memory} ({device.backend}): {device.remark}"
    return Finding("GPU", Verdict.OK if device.usable else Verdict.WARNING, found)


async def look_at_activity(environment: Mapping[str, str], mode: RunMode) -> Sequence[Finding]:
    async with buses(environment) as (system, session):
        choice = await choose(candidates(environment, session, system))
        refusals = [Finding("Activity", Verdict.OK, f"Not used: {refusal}") for refusal in choice.refusals]
        if choice.source is None:
            return [_no_source(mode), *refusals]
        how = "at once" if choice.source.is_event else "when it is asked, every second"
        found = f"{choice.source.name} tells {how} when you use the computer."
        await choice.source.close()
    return [Finding("Activity", Verdict.OK, found), *refusals]


def _no_source(mode: RunMode) -> Finding:
    if mode is RunMode.ALWAYS:
        return Finding("Activity", Verdict.OK, "Nothing tells when you use the computer; it trains always.")
    return Finding(
        "Activity",
        Verdict.PROBLEM,
        "Nothing tells when you use the computer, so it counts as used always.",
        "Start it from within your desktop session; where nobody sits at the computer: `idlebrush prefs set "
        "run-mode always`.",
    )


async def look_at_readings(paths: Paths, environment: Mapping[str, str]) -> Sequence[Finding]:
    """What the daemon reads, or would read if it ran."""
    read = await in_thread(lambda: _of_daemon(paths))
    return judge_readings(read or await _survey(paths, environment))


def judge_readings(read: Sequence[ReadingView]) -> list[Finding]:
    """The unknown ones one by one: some hold training up, others are of things that many computers do not have."""
    known = ", ".join(f"{view.name} ({view.source})" for view in read if view.value)
    unknown = [view for view in read if not view.value]
    return [Finding("Readings", Verdict.OK, f"Known: {known or 'nothing'}."), *map(_unknown, unknown)]


def _unknown(view: ReadingView) -> Finding:
    verdict = Verdict.WARNING if view.name in _MISSED else Verdict.OK
    return Finding("Readings", verdict, f"Not known: {view.name}. {view.source}")


def _of_daemon(paths: Paths) -> tuple[ReadingView, ...]:
    try:
        with Connection.open(paths.socket) as connection:
            answer = connection.ask(GetStatus(), seconds=5.0)
    except ControlError:
        return ()
    return answer.snapshot.readings if isinstance(answer, Status) else ()


async def _survey(paths: Paths, environment: Mapping[str, str]) -> tuple[ReadingView, ...]:
    async with buses(environment) as (system, session):
        activity = ActivityWatch(lambda: candidates(environment, session, system))
        parts = Parts(
            idle=activity.idle,
            system=system,
            session=session,
            nvml=Nvml(),
            environment=environment,
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
    """``keep_free``: bytes, as the volunteer prefers."""
    reading = await in_thread(lambda: read_free_disk(folder))
    if not isinstance(reading, Known):
        return [Finding("Disk", Verdict.WARNING, reading.why)]
    found = f"{format_size(reading.value)} are free on {reading.source}."
    if reading.value >= keep_free:
        return [Finding("Disk", Verdict.OK, found)]
    remedy = f"Free {format_size(keep_free - reading.value)}, or lower the preference disk-free."
    return [Finding("Disk", Verdict.PROBLEM, f"{found} Training pauses.", remedy)]


async def look_at_clock(environment: Mapping[str, str]) -> Sequence[Finding]:
    """Whether the system keeps its clock right; runs that have a coordinator also compare it with theirs."""
    async with buses(environment) as (system, _):
        try:
            right = await system.get(*_TIME, "NTPSynchronized")
        except BusError as error:
            return [Finding("Clock", Verdict.OK, f"Nobody tells whether it is right. {error.what}")]
    if right:
        return [Finding("Clock", Verdict.OK, "The system keeps it right (NTP).")]
    remedy = "Turn automatic time on, in the system's settings or by: timedatectl set-ntp true"
    return [Finding("Clock", Verdict.WARNING, f"Nothing keeps it right. {_FEW_SECONDS}", remedy)]
