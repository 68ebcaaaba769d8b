"""The values of preferences between what travels and what an editor holds: numbers with their units, and lists."""

from dataclasses import dataclass

from client.api.choices import PreferenceView, Shape


@dataclass(frozen=True)
class Unit:
    """In which a size or a rate is edited."""

    name: str
    times: float
    """Bytes, or bytes per second."""


SIZES = (
    Unit("MB", 1e6),
    Unit("GB", 1e9),
    Unit("TB", 1e12),
    Unit("MiB", 2.0**20),
    Unit("GiB", 2.0**30),
    Unit("TiB", 2.0**40),
)
RATES = (
    Unit("kB/s", 1e3),
    Unit("MB/s", 1e6),
    Unit("GB/s", 1e9),
    Unit("kbit/s", 125.0),
    Unit("Mbit/s", 125e3),
    Unit("Gbit/s", 125e6),
)
DECIMALS = 3
"""Of a number in one of these units, and of minutes."""

_ENDINGS = {Shape.PERCENT: "%", Shape.MINUTES: " min", Shape.SIZE: " B", Shape.RATE: " B/s"}
_START = {
    "threads": 4.0,
    "listening-port": 31_330.0,
    "monthly-quota": 100e9,
    "disk-limit": 20e9,
    "ram-limit": 8 * 2.0**30,
    "vram-limit": 6 * 2.0**30,
}
_START_OF = {Shape.PERCENT: 50.0, Shape.MINUTES: 10.0, Shape.SIZE: 1e9, Shape.RATE: 1e6}


def units(shape: Shape) -> tuple[Unit, ...]:
    """The units to choose from; none where there is just one."""
    return {Shape.SIZE: SIZES, Shape.RATE: RATES}.get(shape, ())


def best_unit(number: float, choices: tuple[Unit, ...]) -> Unit:
    """The one in which the number is the shortest; of several, the first."""
    return min(choices, key=lambda unit: _length(number / unit.times))


def write_number(view: PreferenceView, number: float) -> str:
    """As `client.api.commands.SetPreference` takes it."""
    if view.is_whole or view.shape in (Shape.SIZE, Shape.RATE):
        number = round(number)
    return f"{_plain(number)}{_ENDINGS.get(view.shape) or f' {view.unit}'.rstrip()}"


def first_number(view: PreferenceView) -> float:
    """What to begin with where the value is a word by now."""
    start = _START.get(view.name) or _START_OF.get(view.shape, 80.0)
    least, most = view.least or 0.0, view.most
    return max(least, start if most is None else min(most, start))


def read_list(view: PreferenceView) -> tuple[str, ...]:
    """The names, or numbers, of a list; none for a word instead of it."""
    if view.value in (view.empty, view.otherwise):
        return ()
    return tuple(part.strip() for part in view.value.split(","))


def write_list(view: PreferenceView, items: tuple[str, ...]) -> str:
    return ", ".join(dict.fromkeys(items)) or view.empty


def _plain(number: float) -> str:
    return f"{number:.6f}".rstrip("0").rstrip(".")


def _length(number: float) -> tuple[bool, int]:
    """Of the digits that are shown; what cannot be shown exactly counts as longer than all that can."""
    return round(number, DECIMALS) != number, len(_plain(number))
