"""The energy of training is counted between two looks at the machine, and priced by the hour."""

from dataclasses import replace
from datetime import timedelta

import pytest

from client.contribution.tally import Amounts
from client.machine.readings import GpuReading, Known
from client.preferences.electricity import WeeklyValue
from client.preferences.preferences import Preferences
from client.service.power.energy import EnergyCounters, used_between, with_price
from tests.client.situations import GPU, NOW, UNKNOWN


def gpu(**values: float | None) -> GpuReading:
    return replace(GPU, **values)  # type: ignore[arg-type]


def look(seconds: float, card: GpuReading | None = None, cpu: float | None = None) -> EnergyCounters:
    reading = UNKNOWN if cpu is None else Known(cpu, "a test")
    return EnergyCounters(NOW + timedelta(seconds=seconds), card, reading)


@pytest.mark.parametrize(
    ("before", "after", "used"),
    [
        (look(0), look(1), Amounts()),
        (look(0, gpu(joules=100.0)), look(1, gpu(joules=350.0)), Amounts(joules=250.0)),
        (look(0, gpu(joules=100.0)), look(900, gpu(joules=350.0)), Amounts()),
        (look(0, gpu(joules=100.0)), look(1, gpu(joules=5.0)), Amounts()),  # the driver was loaded again
        (look(0, gpu(joules=100.0)), look(1, replace(gpu(joules=350.0), index=1)), Amounts()),
        (look(0, None), look(1, gpu(joules=350.0)), Amounts()),
        (look(0, gpu(watts=100.0)), look(2, gpu(watts=200.0)), Amounts(joules=300.0)),
        (look(0, gpu(watts=100.0)), look(90, gpu(watts=200.0)), Amounts()),
        (look(0, gpu(watts=100.0)), look(-5, gpu(watts=200.0)), Amounts()),
        (look(0, gpu(watts=None)), look(2, gpu(watts=200.0)), Amounts()),
        (look(0, cpu=10.0), look(1, cpu=35.0), Amounts(cpu_joules=25.0)),
        (look(0, cpu=None), look(1, cpu=35.0), Amounts()),
        (look(0, cpu=35.0), look(1, cpu=0.0), Amounts()),
    ],
)  # fmt: skip
def test_energy_is_what_was_reported_between_two_looks(
    before: EnergyCounters, after: EnergyCounters, used: Amounts
) -> None:
    assert used_between(before, after) == used


USED = Amounts(joules=1.8e6, cpu_joules=1.8e6)
PRICED = Preferences(
    electricity_price=WeeklyValue.parse("0.3 EUR; 13:00-14:00 0.45"),
    carbon_intensity=WeeklyValue.parse("350; sun 100"),
)


@pytest.mark.parametrize(
    ("preferences", "hours", "cost", "grams"),
    [
        (Preferences(), 0, 0.0, 0.0),
        (PRICED, 0, 0.3, 350.0),
        (PRICED, 1, 0.45, 350.0),
        (PRICED, 6 * 24, 0.3, 100.0),
    ],
)
def test_a_kilowatt_hour_costs_what_it_costs_at_that_hour(
    preferences: Preferences, hours: int, cost: float, grams: float
) -> None:
    priced = with_price(USED, preferences, NOW + timedelta(hours=hours))
    assert (priced.energy, priced.cost, priced.carbon_grams) == pytest.approx((3.6e6, cost, grams))
