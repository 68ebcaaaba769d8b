"""The volunteer's preferences as front ends draw them: each with its value, allowed values and effect."""

from enum import StrEnum

from client.preferences.schedule import Schedule as Schedule
from client.preferences.schedule import Span as Span
from core.messages.lines import Message


class Shape(StrEnum):
    """Kind of a preference's value, which decides how it is edited; values travel as on the command line."""

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
    TEXT = "text"  # 200 W
    WEEKLY = "weekly"  # 0.30 EUR; mon-fri 17:00-20:00 0.45


class PreferenceView(Message):
    """A preference of the volunteer: its value, its allowed values, and its effect."""

    name: str
    """Name in the file and on the command line, such as ``idle-minutes``."""
    section: str
    """Name of a member of `client.preferences.preferences.Section`, such as ``IN_USE``."""
    value: str
    """Value as text, which `client.api.commands.SetPreference` accepts."""
    default: str
    allowed: str
    """Allowed values, in English."""
    help: str
    """Effect of the preference, in English."""
    shape: Shape
    is_simple: bool = False
    """True if most volunteers need it, so that the simple view shows it."""
    choices: tuple[str, ...] = ()
    otherwise: str = ""
    """Word for the absence of a value: ``unlimited``, ``off``, ``auto``, ``pause``, ``all`` or ``always``.

    Empty: there is none.
    """
    empty: str = ""
    """Word for an empty list, such as ``none``."""
    number: float | None = None
    """The value, where it is a number now: in %, minutes, bytes, bytes per second, or `unit`; as are the bounds."""
    least: float | None = None
    """Smallest value that the preference can have, in the unit of `number`; None: it is no number."""
    most: float | None = None
    """Largest value that the preference can have, in the unit of `number`; None: it is no number."""
    is_whole: bool = False
    """True if the number has no fraction."""
    unit: str = ""
    """Unit of a number, such as °C."""

    @property
    def is_default(self) -> bool:
        """True if the value is the default."""
        return self.value == self.default
