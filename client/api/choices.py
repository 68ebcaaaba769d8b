"""The volunteer's preferences as front ends draw them: each with its value, what it may be, and what it does."""

from enum import StrEnum

from client.preferences.schedule import Schedule as Schedule
from client.preferences.schedule import Span as Span
from core.lines import Message


class Shape(StrEnum):
    """What a preference's value is, and so how it is edited; values travel as on the command line."""

    SWITCH = "switch"  # on, off
    CHOICE = "choice"  # one of `PreferenceView.choices`
    PERCENT = "percent"  # 40%
    NUMBER = "number"  # 90 °C, 8
    MINUTES = "minutes"  # 10 min
    SIZE = "size"  # 2 GB; as many bytes: 2000000000 B
    RATE = "rate"  # 5 Mbit/s; as many bytes a second: 625000 B/s
    HOURS = "hours"  # mon-fri 18:00-08:00; `Schedule` reads and writes it
    NAMES = "names"  # of programs, with commas between them
    NUMBERS = "numbers"  # of GPUs, with commas between them


class PreferenceView(Message):
    """One preference."""

    name: str
    """As in the file and on the command line, such as ``idle-minutes``."""
    section: str
    """Name of a member of `client.preferences.preferences.Section`, such as ``IN_USE``."""
    value: str
    """In words that may be sent back by `client.api.commands.SetPreference`."""
    default: str
    allowed: str
    """What it may be, in English."""
    help: str
    """What it does, in English."""
    shape: Shape
    choices: tuple[str, ...] = ()
    otherwise: str = ""
    """The word for no such value at all, as ``unlimited``, ``off``, ``auto``, ``pause``, ``all`` or ``always``.

    Empty: there is none.
    """
    empty: str = ""
    """Of a list, the word for one without anything in it, such as ``none``."""
    number: float | None = None
    """The value, where it is a number now: in %, minutes, bytes, bytes per second, or `unit`; as are the bounds."""
    least: float | None = None
    most: float | None = None
    is_whole: bool = False
    """Whether the number has no fraction."""
    unit: str = ""
    """Of a number, such as °C."""

    @property
    def is_default(self) -> bool:
        return self.value == self.default
