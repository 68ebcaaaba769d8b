"""Descriptions of simulated swarms: what they refuse, and the machines that they stand for."""

import math
from pathlib import Path

import pytest

from core.messages.reach import Reach
from core.simulation.topology import SimulatedTopology, SimulationError, drawn_machines
from tests.core.simulation.worlds import homes

_WHOLE = """
run = "run.toml"
duration_hours = 24
seed = 5

[[groups]]
name = "homes"
count = 10
samples_per_second = 2.5
down = 20
up = 5
reachable = 0.3
in_use = ["09:00-17:30"]
"""

_SECOND = """
[[groups]]
name = "homes"
count = 1
samples_per_second = 1
down = 1
up = 1
"""


def loaded(folder: Path, text: str) -> SimulatedTopology:
    path = folder / "swarm.toml"
    path.write_text(text)
    return SimulatedTopology.load(path)


def test_a_description_is_read(tmp_path: Path) -> None:
    found = loaded(tmp_path, _WHOLE)
    assert (found.groups[0].count, found.groups[0].up, found.seed) == (10, 5.0, 5)
    assert found.changed(seed=6, duration_hours=1.0).seed == 6
    assert found.changed() == found


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("count = 10", "count = 0", "groups.0.count: input should be greater than or equal to 1"),
        ("up = 5", "", "groups.0.up is missing"),
        ("seed = 5", "speed = 5", "speed is not a known field"),
        ("09:00-17:30", "17:30-09:00", '"17:30-09:00" is not like "09:00-17:30"'),
        ("09:00-17:30", "9-5", '"9-5" is not like'),
        ("reachable = 0.3", "reachable = 30", "groups.0.reachable"),
        ("duration_hours = 24", "", "duration_hours is missing"),
        ("seed = 5", "seed = ", "is not TOML"),
        ("[[groups]]", _SECOND + "[[groups]]", "two groups"),
    ],
)
def test_a_fault_is_told_with_its_field(tmp_path: Path, before: str, after: str, told: str) -> None:
    assert before in _WHOLE
    with pytest.raises(SimulationError) as caught:
        loaded(tmp_path, _WHOLE.replace(before, after))
    assert told in caught.value.what
    assert caught.value.remedy.endswith(".")


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(SimulationError, match="cannot be read"):
        SimulatedTopology.load(tmp_path / "none.toml")


def test_hours_out_of_bounds_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SimulationError, match="duration_hours"):
        loaded(tmp_path, _WHOLE).changed(duration_hours=-1.0)


@pytest.mark.parametrize(("share", "count", "reached"), [(0.0, 7, 0), (0.3, 10, 3), (0.5, 3, 1), (1.0, 4, 4)])
def test_the_share_that_can_be_reached_holds_in_each_group(share: float, count: int, reached: int) -> None:
    topology = SimulatedTopology(run="r", duration_hours=1.0, groups=(homes(count=count, reachable=share),))
    assert sum(item.reach is Reach.MAPPED for item in drawn_machines(topology)) == reached


def test_machines_are_drawn_by_the_seed_and_their_own_group_alone() -> None:
    one = homes(count=50, spread=0.5, joins_over_minutes=10.0)
    alone = SimulatedTopology(run="r", duration_hours=1.0, groups=(one,))
    beside = SimulatedTopology(run="r", duration_hours=1.0, groups=(homes("others"), one))
    found = drawn_machines(alone)
    assert found == drawn_machines(beside)[2:]
    assert found != drawn_machines(alone.changed(seed=1))
    logarithms = [math.log(item.samples_per_second / 5.0) for item in found]
    assert 0.3 < math.sqrt(sum(value**2 for value in logarithms) / 50) < 0.7
    assert all(0 <= item.joins_at <= 600 for item in found)


@pytest.mark.parametrize(
    ("clock", "used", "hours_to_change"),
    [(0.0, False, 9.0), (9.0, True, 3.0), (11.5, True, 0.5), (12.0, False, 1.0), (18.0, False, 15.0)],
)
def test_owners_use_machines_at_their_hours(clock: float, used: bool, hours_to_change: float) -> None:
    group = homes(count=1, in_use=("09:00-12:00", "13:00-18:00"))
    machine = drawn_machines(SimulatedTopology(run="r", duration_hours=1.0, groups=(group,)))[0]
    assert machine.is_used(3600 * clock) == used
    assert machine.seconds_to_change(3600 * clock) == pytest.approx(3600 * hours_to_change)


def test_a_machine_without_hours_is_never_used() -> None:
    machine = drawn_machines(SimulatedTopology(run="r", duration_hours=1.0, groups=(homes(),)))[0]
    assert not machine.is_used(36_000.0)
    assert math.isinf(machine.seconds_to_change(0.0))
