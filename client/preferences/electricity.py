"""Values of preferences about electricity: a GPU's power, and numbers that depend on the hour of the week."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from client.api.choices import Shape
from client.preferences.kind import PreferenceKind
from client.preferences.notation import plain
from client.preferences.schedule import Schedule, Span, next_moment

_VALUE = re.compile(r"(\d{1,6}(?:[.,]\d{1,6})?)\s*(\D*)", re.ASCII)
_THOUSANDS = re.compile(r"[1-9]\d{0,2},\d{3}", re.ASCII)
"""A number whose comma may stand for thousands as well as before decimals."""
_PER_KWH = re.compile(r"\s*(?:/|per )\s*kwh$", re.IGNORECASE)
_MOST_PARTS = 32
_LONGEST_CURRENCY = 8
_LARGEST = 100_000.0
_LEAST_WATTS, _MOST_WATTS = 10, 2_000
_LEAST_SHARE = 0.1


@dataclass(frozen=True)
class PowerLimit:
    """Limit of a GPU's average power; one of the two is given."""

    watts: float | None = None
    share: float | None = None
    """Part of the card's default limit, 0.1 to 1."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``200 W``, ``200``, ``70%`` or ``12,5%``; raise ValueError for anything else."""
        found = _VALUE.fullmatch(text)
        unit = found[2].strip().lower() if found else None
        if found is None or unit not in ("", "w", "watts", "%"):
            raise ValueError(text)
        return cls(share=_number(found[1]) / 100) if unit == "%" else cls(watts=_number(found[1]))

    def watts_of(self, default: float | None) -> float | None:
        """Return the limit in watts for a card with that default limit in watts.

        None: it is a part of a default that is not known.
        """
        if self.watts is not None:
            return self.watts
        return None if default is None or self.share is None else default * self.share

    @property
    def is_plausible(self) -> bool:
        """True if a GPU can be told to keep to it."""
        if self.watts is not None:
            return _LEAST_WATTS <= self.watts <= _MOST_WATTS
        return self.share is not None and _LEAST_SHARE <= self.share <= 1

    def __str__(self) -> str:
        return f"{plain(self.watts)} W" if self.watts is not None else f"{plain((self.share or 1) * 100)}%"


@dataclass(frozen=True)
class WeeklyValue:
    """A number that depends on the hour of the week; of several parts that hold, the last one counts."""

    base: float
    """Value at all hours that no part is about."""
    parts: tuple[tuple[Schedule, float], ...] = ()
    currency: str = ""
    """Currency as the volunteer writes it, such as ``EUR``; empty: none was given, or it is no price."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``0.30 EUR; mon-fri 17:00-20:00 0.45; sat-sun 0,25``; raise ValueError for anything else."""
        first, *others = (part.strip() for part in text.split(";"))
        found = _VALUE.fullmatch(_PER_KWH.sub("", first))
        if found is None or len(others) > _MOST_PARTS:
            raise ValueError(text)
        currency = found[2].strip()
        if len(currency) > _LONGEST_CURRENCY or not currency.isprintable():
            raise ValueError(text)
        return cls(_number(found[1]), tuple(map(_part, others)), currency)

    def at(self, now: datetime) -> float:
        """Return the value at a local time."""
        held = (value for hours, value in reversed(self.parts) if hours.allows(now))
        return next(held, self.base)

    def next_at_most(self, now: datetime, limit: float) -> datetime | None:
        """Return the next local time at which the value is at most ``limit``; None: it never is."""
        spans: list[Span] = [span for hours, _ in self.parts for span in hours.spans]
        return next_moment(spans, now, lambda local: self.at(local) <= limit)

    @property
    def is_plausible(self) -> bool:
        """True if no number in it is absurd."""
        return all(0 <= value <= _LARGEST for value in (self.base, *(value for _, value in self.parts)))

    def __str__(self) -> str:
        parts = (f"{hours} {plain(value)}" for hours, value in self.parts)
        return "; ".join((f"{plain(self.base)} {self.currency}".strip(), *parts))


def power() -> PreferenceKind[PowerLimit]:
    """Return the kind of a GPU's power limit."""
    return PreferenceKind(
        Shape.TEXT,
        PowerLimit.parse,
        str,
        lambda value: isinstance(value, PowerLimit) and value.is_plausible,
        f"watts from {_LEAST_WATTS} to {_MOST_WATTS}, or a percentage from {_LEAST_SHARE:.0%} to 100% of the card's "
        "default limit",
    )


def price() -> PreferenceKind[WeeklyValue]:
    """Return the kind of a price of a kilowatt-hour by the hours of the week."""
    return _weekly_value(
        "a price of a kilowatt-hour, with other prices at times of the week if you like, such as "
        '"0.30 EUR; mon-fri 17:00-20:00 0.45"',
        has_currency=True,
    )


def carbon_intensity() -> PreferenceKind[WeeklyValue]:
    """Return the kind of a carbon intensity, in grams of CO2 a kilowatt-hour, by the hours of the week."""
    return _weekly_value(
        "grams of CO2 for a kilowatt-hour, with other numbers at times of the week if you like, such as "
        '"350; 11:00-15:00 180"',
        has_currency=False,
    )


def _weekly_value(allowed: str, *, has_currency: bool) -> PreferenceKind[WeeklyValue]:
    def fits(value: object) -> bool:
        return isinstance(value, WeeklyValue) and value.is_plausible and (has_currency or not value.currency)

    def parse(text: str) -> WeeklyValue:
        return WeeklyValue.parse(text if has_currency else re.sub(r"^([\d.,]+)\s*g\b", r"\1", text))

    return PreferenceKind(Shape.WEEKLY, parse, str, fits, allowed)


def _part(text: str) -> tuple[Schedule, float]:
    """Read ``mon-fri 17:00-20:00 0.45``; raise ValueError for anything else."""
    hours, _, value = text.rpartition(" ")
    found, schedule = _VALUE.fullmatch(value), Schedule.parse(hours)
    if found is None or found[2] or not schedule.spans:
        raise ValueError(text)
    return schedule, _number(found[1])


def _number(text: str) -> float:
    """Read a number with a point or a comma before its decimals; ValueError where a comma may mean thousands."""
    if _THOUSANDS.fullmatch(text):
        raise ValueError(text)
    return float(text.replace(",", "."))
