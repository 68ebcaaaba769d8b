"""Reads and writes preferences' values in people's notation, for the file and the command line.

A kind's `write` gives a text that its `parse` reads as the same value.
"""

import re
from dataclasses import replace
from enum import StrEnum
from typing import Any, TypeVar

from client.api.choices import Shape
from client.preferences.kind import DIGITS, NumberScale, PreferenceKind, is_number
from client.preferences.schedule import Schedule
from client.preferences.snooze import parse_duration
from core.errors import MemoryPlanError
from core.memory.units import parse_size

T = TypeVar("T")

_NUMBER = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*(.*)", re.ASCII)
_RATE = re.compile(r"([kmgt]?)(i?)(b|bits?|bytes?)(?:/s|ps)", re.ASCII | re.IGNORECASE)
_LARGEST = 1 << 60
_MOST_NAMES, _LONGEST_NAME = 64, 128
_MOST_DEVICES = 64
_ON, _OFF = {"on", "yes", "true"}, {"off", "no", "false"}


def switch() -> PreferenceKind[bool]:
    return PreferenceKind(
        Shape.SWITCH,
        _switch,
        lambda on: "on" if on else "off",
        lambda value: isinstance(value, bool),
        "on or off",
    )


def choice(options: type[StrEnum]) -> PreferenceKind[Any]:
    """Return the kind of preference whose value is one of the options."""
    *most, last = options
    return PreferenceKind(
        Shape.CHOICE,
        lambda text: options(text.lower()),
        str,
        lambda value: isinstance(value, options),
        f"{', '.join(most)} or {last}",
        choices=tuple(options),
    )


def number(low: float, high: float, unit: str) -> PreferenceKind[float]:
    """Return the kind of a number with a unit that may be left out."""
    return PreferenceKind(
        Shape.NUMBER,
        lambda text: _number(text, unit),
        lambda value: f"{plain(value)} {unit}",
        lambda value: is_number(value) and low <= value <= high,
        f"a number from {plain(low)} to {plain(high)} {unit}",
        NumberScale(low, high, unit),
    )


def whole(low: int, high: int) -> PreferenceKind[int]:
    return PreferenceKind(
        Shape.NUMBER,
        int,
        str,
        lambda value: _is_int(value) and low <= value <= high,
        f"a number from {low} to {high}",
        NumberScale(low, high, is_whole=True),
    )


def percent(low: int, high: int = 100) -> PreferenceKind[float]:
    """Return the kind of a share of 1, written as a percentage."""
    return PreferenceKind(
        Shape.PERCENT,
        lambda text: _number(text, "%") / 100,
        lambda share: f"{plain(share * 100)}%",
        lambda share: is_number(share) and low / 100 <= share <= high / 100,
        f"a percentage from {low}% to {high}%",
        NumberScale(low, high, "%", times=100),
    )


def minutes(low: float, high: float) -> PreferenceKind[float]:
    """Return the kind of minutes, written as a number or as a length of time."""
    return PreferenceKind(
        Shape.MINUTES,
        _minutes,
        _write_minutes,
        lambda value: is_number(value) and low <= value <= high,
        f"a number of minutes from {plain(low)} to {plain(high)}, or a time such as 90s or 1h30m",
        NumberScale(low, high, "min"),
    )


def size(low: str) -> PreferenceKind[int]:
    """Return the kind of preference that holds a number of bytes, at least ``low``."""
    least = parse_size(low)
    return PreferenceKind(
        Shape.SIZE,
        _size,
        write_size,
        lambda value: _is_int(value) and least <= value <= _LARGEST,
        f"a size of at least {low}, such as 500 MB, 8 GiB or 1.5 TB",
        NumberScale(least, _LARGEST, "B", is_whole=True),
    )


def rate(low: int) -> PreferenceKind[int]:
    """Return the kind of preference that holds bytes per second, at least ``low``."""
    return PreferenceKind(
        Shape.RATE,
        _rate,
        lambda value: f"{write_size(value)}/s",
        lambda value: _is_int(value) and low <= value <= _LARGEST,
        f"bytes or bits per second of at least {write_size(low)}/s, such as 2 MB/s or 16 Mbit/s",
        NumberScale(low, _LARGEST, "B/s", is_whole=True),
    )


def names(word: str) -> PreferenceKind[tuple[str, ...]]:
    """Return the kind of names that are separated by commas."""
    return PreferenceKind(
        Shape.NAMES,
        lambda text: _listed(text, word),
        lambda value: ", ".join(value) or word,
        lambda value: isinstance(value, tuple) and len(value) <= _MOST_NAMES and all(map(_is_name, value)),
        f"{word}, or up to {_MOST_NAMES} names separated by commas",
        empty=word,
    )


def indices() -> PreferenceKind[tuple[int, ...]]:
    """Return the kind of numbers of devices, separated by commas; none of them: "none"."""
    return PreferenceKind(
        Shape.NUMBERS,
        lambda text: tuple(sorted({int(part) for part in _listed(text, "none")})),
        lambda value: ", ".join(map(str, value)) or "none",
        lambda value: (
            isinstance(value, tuple) and all(_is_int(index) and 0 <= index < _MOST_DEVICES for index in value)
        ),
        "none, or numbers from 0 separated by commas",
        empty="none",
    )


def weekly() -> PreferenceKind[Schedule]:
    return PreferenceKind(
        Shape.HOURS,
        Schedule.parse,
        str,
        lambda value: isinstance(value, Schedule),
        'always, or times of the week such as "mon-fri 18:00-08:00, sat-sun" or "22:00-06:00"',
        otherwise="always",
    )


def optional(kind: PreferenceKind[T], word: str) -> PreferenceKind[T | None]:
    """Return the kind with one more value: none, written as a word such as "unlimited"."""
    may_be_none: PreferenceKind[Any] = kind  # the same in all else
    return replace(
        may_be_none,
        parse=lambda text: None if text.lower() == word else kind.parse(text),
        write=lambda value: word if value is None else kind.write(value),
        fits=lambda value: value is None or kind.fits(value),
        allowed=f"{word}, or {kind.allowed}",
        otherwise=word,
    )


def write_size(value: int) -> str:
    """Return a size as a text that keeps every byte, in the unit that takes the fewest digits."""
    units = [(base**power, f"{letter}{'i' if base == 1024 else ''}B")
             for base in (1000, 1024) for power, letter in enumerate("KMGT", 1)]  # fmt: skip
    written = [f"{value // unit} {name}" for unit, name in units if value and value % unit == 0]
    return min((f"{value} B", *written), key=len)


def _switch(text: str) -> bool:
    if text.lower() in _ON | _OFF:
        return text.lower() in _ON
    raise ValueError(text)


def _number(text: str, unit: str) -> float:
    found = _NUMBER.fullmatch(text)
    if found is None or found[2].lower() not in ("", unit.lower(), unit.lower().lstrip("°")):
        raise ValueError(text)
    return float(found[1])


def _minutes(text: str) -> float:
    try:
        return float(text.removesuffix("min"))
    except ValueError:
        return parse_duration(text).total_seconds() / 60


def _write_minutes(value: float) -> str:
    return f"{plain(value)} min" if round(value, 3) == value else f"{plain(value * 60)} s"


def _size(text: str) -> int:
    try:
        return parse_size(text)
    except MemoryPlanError as error:
        raise ValueError(text) from error


def _rate(text: str) -> int:
    found = _NUMBER.fullmatch(text)
    unit = _RATE.fullmatch(found[2]) if found else None
    if found is None or unit is None:
        raise ValueError(text)
    power = "kmgt".index(unit[1].lower()) + 1 if unit[1] else 0
    in_bits = unit[3] == "b" or unit[3].lower().startswith("bit")
    return int(float(found[1]) * (1024 if unit[2] else 1000) ** power / (8 if in_bits else 1))


def _listed(text: str, word: str) -> tuple[str, ...]:
    if text.lower() == word:
        return ()
    found = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    if not all(found):
        raise ValueError(text)
    return found


def _is_name(name: object) -> bool:
    return isinstance(name, str) and 0 < len(name) <= _LONGEST_NAME and name.isprintable() and "," not in name


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def plain(value: float) -> str:
    """Return a number without needless digits, exact enough to be read back."""
    return f"{round(value, DIGITS):.{DIGITS}f}".rstrip("0").rstrip(".")
