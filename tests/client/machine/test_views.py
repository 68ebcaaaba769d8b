"""Readings in words."""

from datetime import UTC, datetime

import pytest

from client.machine.readings import GpuReading, Known, Readings, Unknown
from client.machine.views import views

GIB = 1 << 30
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def in_words(**readings: object) -> dict[str, tuple[str, str]]:
    return {view.name: (view.value, view.source) for view in views(Readings(NOW, **readings))}  # type: ignore[arg-type]


def test_every_reading_is_shown_even_if_nothing_was_read() -> None:
    shown = in_words()
    assert list(shown) == [
        "last input",
        "screen locked",
        "on battery",
        "battery charge",
        "processor used by others",
        "processor temperature",
        "processor energy",
        "GPUs",
        "full-screen application",
        "exclusive applications",
        "kept awake by",
        "metered network",
        "free RAM",
        "free disk",
    ]
    assert set(shown.values()) == {("", "It was not read yet.")}


@pytest.mark.parametrize(
    ("field", "value", "name", "expected"),
    [
        ("idle_seconds", 59.6, "last input", "59 s ago"),
        ("idle_seconds", 61.0, "last input", "1 min ago"),
        ("idle_seconds", 7300.0, "last input", "2 h ago"),
        ("locked", True, "screen locked", "yes"),
        ("on_battery", False, "on battery", "no"),
        ("battery_percent", 42.4, "battery charge", "42 %"),
        ("cpu_by_others", 0.256, "processor used by others", "26 %"),
        ("cpu_celsius", 61.5, "processor temperature", "62 °C"),
        ("cpu_joules", 12.5, "processor energy", "measured"),
        ("gpus", (), "GPUs", "none"),
        ("full_screen", None, "full-screen application", "none"),
        ("full_screen", "Doom", "full-screen application", "Doom"),
        ("exclusive", ("blender", "obs"), "exclusive applications", "blender, obs"),
        ("exclusive", (), "exclusive applications", "none"),
        ("awake", ("mpv",), "kept awake by", "mpv"),
        ("metered", True, "metered network", "yes"),
        ("free_ram", 3 * GIB, "free RAM", "3 GiB"),
        ("free_disk", 5 << 20, "free disk", "5 MiB"),
    ],
)
def test_values_are_in_words(field: str, value: object, name: str, expected: str) -> None:
    assert in_words(**{field: Known(value, "a source")})[name] == (expected, "a source")


def test_what_is_unknown_says_why() -> None:
    assert in_words(metered=Unknown("Nobody knows."))["metered network"] == ("", "Nobody knows.")


def test_a_gpu_whose_use_is_not_reported_is_not_called_unused() -> None:
    gpu = GpuReading(0, "RTX 3060", None, GIB, 7 * GIB, 12 * GIB, None, None)
    value, _ = in_words(gpus=Known((gpu,), "NVML"))["GPU 0"]
    assert value.startswith("RTX 3060, an unknown share and 1 GiB used by others")


@pytest.mark.parametrize(
    ("celsius", "watts", "end"),
    [(71.0, 160.4, ", 71 °C, 160 W"), (None, None, ""), (None, 9.0, ", 9 W")],
)
def test_gpus_are_shown_one_by_one(celsius: float | None, watts: float | None, end: str) -> None:
    gpus = tuple(
        GpuReading(index, "RTX 3060", 0.05, GIB, 7 * GIB, 12 * GIB, celsius, watts) for index in (0, 1)
    )
    shown = in_words(gpus=Known(gpus, "NVML"))
    expected = f"RTX 3060, 5 % and 1 GiB used by others, 7 GiB of 12 GiB free{end}"
    assert (shown["GPU 0"], shown["GPU 1"]) == ((expected, "NVML"), (expected, "NVML"))
    assert "GPUs" not in shown
