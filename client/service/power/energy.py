"""Counts the energy that training used between two looks at the machine, with its cost and its CO2: pure."""

from dataclasses import dataclass, replace
from datetime import datetime

from client.contribution.tally import Amounts
from client.machine.readings import GpuReading, Known, Reading
from client.preferences.preferences import Preferences

_JOULES_PER_KWH = 3.6e6
_LONGEST = 30.0
"""Seconds between two looks over which their ends stand for the time between them; a longer one is a sleep."""


@dataclass(frozen=True)
class EnergyCounters:
    """Energy that the machine reported at one look."""

    at: datetime
    gpu: GpuReading | None
    """The GPU that trains; None: the processor does."""
    cpu_joules: Reading[float]
    """Energy in joules of our processes, to be read as differences."""


def used_between(before: EnergyCounters, after: EnergyCounters) -> Amounts:
    """Return the energy that was used between two looks; what is not reported counts as none."""
    return Amounts(joules=_of_gpu(before, after), cpu_joules=_of_processor(before, after))


def with_price(used: Amounts, preferences: Preferences, now: datetime) -> Amounts:
    """Return the energy with its cost and its CO2, by the volunteer's numbers for this hour.

    Args:
        used: Energy alone.
        preferences: Choices of the volunteer; without a price or an intensity, nothing is counted.
        now: Local time.
    """
    kilowatt_hours = used.energy / _JOULES_PER_KWH
    price, intensity = preferences.electricity_price, preferences.carbon_intensity
    return replace(
        used,
        cost=kilowatt_hours * price.at(now) if price else 0.0,
        carbon_grams=kilowatt_hours * intensity.at(now) if intensity else 0.0,
    )


def _of_gpu(before: EnergyCounters, after: EnergyCounters) -> float:
    """Return the joules of the GPU by the driver's counter, or by its power where there is no counter."""
    first, last = before.gpu, after.gpu
    if first is None or last is None or first.index != last.index:
        return 0.0
    seconds = (after.at - before.at).total_seconds()
    if not 0 < seconds <= _LONGEST:
        return 0.0
    if first.joules is not None and last.joules is not None:
        return max(0.0, last.joules - first.joules)  # the counter begins again with the driver
    if first.watts is None or last.watts is None:
        return 0.0
    return (first.watts + last.watts) / 2 * seconds


def _of_processor(before: EnergyCounters, after: EnergyCounters) -> float:
    if isinstance(before.cpu_joules, Known) and isinstance(after.cpu_joules, Known):
        return max(0.0, after.cpu_joules.value - before.cpu_joules.value)
    return 0.0
