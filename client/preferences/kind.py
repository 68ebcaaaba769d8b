"""What one preference may be: how it is written and read, what fits, and what whoever edits it has to know."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from client.api.choices import Shape

T = TypeVar("T")

DIGITS = 6
"""After the point, of numbers as they are written."""


@dataclass(frozen=True)
class Scale:
    """The numbers that a value may be, in the unit that it is written in."""

    least: float
    most: float
    unit: str = ""
    is_whole: bool = False
    times: float = 1.0
    """What the value is multiplied by to be such a number: 100, for a share that is written in per cent."""


@dataclass(frozen=True)
class Kind(Generic[T]):
    """What a preference may be, for pydantic and for people; used as ``Annotated[T, Kind(...)]``."""

    shape: Shape
    parse: Callable[[str], T]
    """Raises ValueError for what is not written in this way; bounds are left to `fits`."""
    write: Callable[[T], str]
    fits: Callable[[Any], bool]
    allowed: str
    """Such as "a percentage from 1% to 100%"; follows "It may be"."""
    scale: Scale | None = None
    choices: tuple[str, ...] = ()
    otherwise: str = ""
    """The word for no such value; empty: there is none."""
    empty: str = ""
    """The word for a list without anything in it."""

    def read(self, given: object) -> T:
        """The value that a text stands for, or a value as it is; ValueError says what is allowed."""
        try:
            value: Any = self.parse(given.strip()) if isinstance(given, str) else given
            if self.fits(value):
                return value  # type: ignore[no-any-return]
        except (ValueError, OverflowError):
            pass
        raise ValueError(self.allowed)

    def number(self, value: Any) -> float | None:
        """The value on its scale; None for what is no number."""
        if self.scale is None or not is_number(value):
            return None
        return round(float(value) * self.scale.times, DIGITS)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)


def is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
