"""The volunteer's preferences as front ends draw them: each with its value, what it may be, and what it does."""

from enum import StrEnum

from core.lines import Message


class Shape(StrEnum):
    """What a preference's value is, and so how it is edited; values travel as on the command line."""

    SWITCH = "switch"  # on, off
    CHOICE = "choice"  # one of `PreferenceView.choices`
    PERCENT = "percent"  # 40%
    NUMBER = "number"  # 90 °C, 8
    MINUTES = "minutes"  # 10 min
    SIZE = "size"  # 2 GB
    RATE = "rate"  # 5 Mbit/s
    HOURS = "hours"  # mon-fri 18:00-08:00
    NAMES = "names"  # of programs
    NUMBERS = "numbers"  # of GPUs


class PreferenceView(Message):
    """One preference."""

    name: str
    """As in the file and on the command line, such as ``idle-minutes``."""
    section: str
    """Name of a member of `client.preferences.preferences.Section`, such as ``IN_USE``."""
    value: str
    """In words that may be sent back by `client.api.requests.SetPreference`."""
    default: str
    allowed: str
    """What it may be, in English."""
    help: str
    """What it does, in English."""
    shape: Shape
    choices: tuple[str, ...] = ()
    otherwise: str = ""
    """The word for no number at all, such as ``unlimited``, ``off``, ``auto`` or ``pause``; empty: there is none."""
    least: float | None = None
    """In the unit that the value is written in: %, minutes, bytes, bytes per second, or `unit`."""
    most: float | None = None
    unit: str = ""
    """Of a number, such as °C."""
