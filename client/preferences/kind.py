"""Defines what one preference may be: its notation, its bounds, and what an editor has to know."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from client.api.choices import Shape

T = TypeVar("T")

DIGITS = 6
"""Digits after the decimal point of written numbers."""


@dataclass(frozen=True)
class NumberScale:
    """The numbers that a value may be, in the unit that it is written in."""

    least: float
    most: float
    unit: str = ""
    is_whole: bool = False
    times: float = 1.0
    """Factor from the value to such a number: 100 for a share that is written in per cent."""


@dataclass(frozen=True)
class PreferenceKind(Generic[T]):
    """Allowed values of a preference, for pydantic and for people; used as ``Annotated[T, PreferenceKind(...)]``."""

    shape: Shape
    parse: Callable[[str], T]
    """Raises ValueError for what is not written in this way; bounds are left to `fits`."""
    write: Callable[[T], str]
    fits: Callable[[Any], bool]
    allowed: str
    """Description such as "a percentage from 1% to 100%"; follows "It may be"."""
    scale: NumberScale | None = None
    choices: tuple[str, ...] = ()
    otherwise: str = ""
    """The word for no such value; empty: there is none."""
    empty: str = ""
    """The word for a list without anything in it."""

    def read(self, given: object) -> T:
        """Return the value that a text stands for, or a value as it is.

        For any other, raise ValueError with what is allowed.
        """
        try:
            value: Any = self.parse(given.strip()) if isinstance(given, str) else given
            if self.fits(value):
                return value  # type: ignore[no-any-return]
        except (ValueError, OverflowError):
            pass
        raise ValueError(self.allowed)

    def number(self, value: Any) -> float | None:
        """Return the value on its scale, or None for what is no number."""
        if self.scale is None or not is_number(value):
            return None
        return round(float(value) * self.scale.times, DIGITS)

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)


def is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
