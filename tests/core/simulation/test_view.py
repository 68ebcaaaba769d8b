"""A simulated view answers as a real one does, to the last bit, also when it is asked again later."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.messages.reach import Reach
from core.simulation.view import SimulatedView
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.wire.records import ProgressRecord
from tests.core.swarm.builders import FIFTY_EXAMPLES, digest_of, progress

_NOW = 1000.0
_fields = st.fixed_dictionaries(
    {
        "epoch": st.integers(5, 8),
        "head": st.sampled_from([digest_of("head"), digest_of("branch")]),
        "time": st.floats(_NOW - 200.0, _NOW),
        "epoch_seconds": st.floats(0.0, 300.0),
        "paused": st.booleans(),
        "synchronised": st.booleans(),
        "auxiliary": st.booleans(),
        "reducing": st.booleans(),
        "reach": st.sampled_from([Reach.DIRECT, Reach.OUTGOING, Reach.RELAYED]),
    }
)


def records(given: list[dict[str, Any]]) -> tuple[ProgressRecord, ...]:
    return tuple(progress(number, **fields) for number, fields in enumerate(given, 1))


@FIFTY_EXAMPLES
@given(st.lists(_fields, max_size=30), st.lists(_fields, min_size=1, max_size=4))
def test_it_answers_as_a_real_view(others: list[dict[str, Any]], asking: list[dict[str, Any]]) -> None:
    found = records(others)
    real, simulated = SwarmView(_NOW, found), SimulatedView(_NOW, found)
    for fields in [*asking, *asking]:
        own, place = progress(0, **fields), (fields["epoch"], fields["head"])
        assert simulated.at(own) == real.at(own)
        assert simulated.near(own) == real.near(own)
        assert simulated.trainers_near(own) == real.trainers_near(own)
        assert simulated.trainers() == real.trainers()
        assert simulated.reducers(*place) == real.reducers(*place)
        assert simulated.donors(*place) == real.donors(*place)
        for now in (_NOW, _NOW + 17.3):
            assert simulated.epoch_seconds(own, now) == real.epoch_seconds(own, now)


@pytest.mark.parametrize("count", [0, 1, 2, 7, 100, 101])
@pytest.mark.parametrize("own_seconds", [0.0, 100.0, 900.0])
def test_the_age_of_an_epoch_is_the_upper_median_with_its_own(count: int, own_seconds: float) -> None:
    found = tuple(
        progress(number, epoch_seconds=number * 37.7 % 211, time=_NOW - number)
        for number in range(1, count + 1)
    )
    own = progress(0, epoch_seconds=own_seconds)
    real, simulated = SwarmView(_NOW, found), SimulatedView(_NOW, found)
    assert simulated.epoch_seconds(own, _NOW + 5.0) == real.epoch_seconds(own, _NOW + 5.0)
