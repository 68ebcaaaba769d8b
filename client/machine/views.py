"""Puts the readings into words, for `idlebrush doctor` and for front ends."""

from collections.abc import Callable, Iterator
from typing import TypeVar

from client.api.snapshot import ReadingView
from client.machine.readings import GpuReading, Reading, Readings, Unknown
from core.memory.units import format_size

T = TypeVar("T")


def views(readings: Readings) -> tuple[ReadingView, ...]:
    """Return each reading, in a fixed order; GPUs one by one."""
    return (
        _view("last input", readings.idle_seconds, _ago),
        _view("screen locked", readings.locked, _yes_no),
        _view("on battery", readings.on_battery, _yes_no),
        _view("battery charge", readings.battery_percent, lambda percent: f"{percent:.0f} %"),
        _view("processor used by others", readings.cpu_by_others, _share),
        _view("processor temperature", readings.cpu_celsius, _celsius),
        _view("processor energy", readings.cpu_joules, lambda _: "measured"),
        *_gpus(readings.gpus),
        _view("full-screen application", readings.full_screen, lambda name: name or "none"),
        _view("exclusive applications", readings.exclusive, _names),
        _view("kept awake by", readings.awake, _names),
        _view("metered network", readings.metered, _yes_no),
        _view("free RAM", readings.free_ram, format_size),
        _view("free disk", readings.free_disk, format_size),
    )


def _view(name: str, reading: Reading[T], in_words: Callable[[T], str]) -> ReadingView:
    if isinstance(reading, Unknown):
        return ReadingView(name=name, value="", source=reading.why)
    return ReadingView(name=name, value=in_words(reading.value), source=reading.source)


def _gpus(reading: Reading[tuple[GpuReading, ...]]) -> Iterator[ReadingView]:
    if isinstance(reading, Unknown) or not reading.value:
        yield _view("GPUs", reading, lambda _: "none")
        return
    for gpu in reading.value:
        yield ReadingView(name=f"GPU {gpu.index}", value=_gpu(gpu), source=reading.source)


def _gpu(gpu: GpuReading) -> str:
    parts = [
        gpu.name,
        f"{_used(gpu.used_by_others)} and {format_size(gpu.memory_by_others)} used by others",
        f"{format_size(gpu.memory_free)} of {format_size(gpu.memory_total)} free",
    ]
    if gpu.celsius is not None:
        parts.append(_celsius(gpu.celsius))
    if gpu.watts is not None:
        parts.append(f"{gpu.watts:.0f} W")
    return ", ".join(parts)


def _used(share: float | None) -> str:
    return "an unknown share" if share is None else _share(share)


def _ago(seconds: float) -> str:
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length:.0f} {unit} ago"
    return f"{int(seconds)} s ago"


def _yes_no(value: bool) -> str:
    return "yes" if value else "no"


def _share(value: float) -> str:
    return f"{value * 100:.0f} %"


def _celsius(value: float) -> str:
    return f"{value:.0f} °C"


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(names) or "none"
