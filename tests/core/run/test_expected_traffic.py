"""What a peer passes in an epoch is predicted from the parts of a round as they are cut, assigned and encoded."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.model.transformer import Transformer
from core.run.control_traffic import OVERHEAD, control_traffic, keeper_traffic
from core.run.describe import bytes_of_round
from core.run.encodings import Encoding, LowRank
from core.run.expected_traffic import most_traffic, traffic_of_caller, traffic_of_equals
from core.run.manifest import RunManifest
from core.run.rules import LocalStepRules, Overlap, TrainingRules
from core.run.training.families import picture_rules
from core.swarm.rounds.partition import Part, assign, reducer_shares, round_loads, round_parts
from tests.swarms.tiny_run import write_tiny_run

SECONDS = 60.0
DENSE = LocalStepRules(drift_encoding=Encoding.BLOCKWISE4, mean_encoding=Encoding.FLOAT16)
"""Drifts that take less than their mean."""


@pytest.fixture
def training(tmp_path: Path) -> TrainingRules:
    return RunManifest.load(write_tiny_run(tmp_path)).training


def with_rules(training: TrainingRules, **rules: object) -> TrainingRules:
    return training.model_copy(update={"swarm": training.swarm.model_copy(update=rules)})


def parts_of(training: TrainingRules) -> tuple[Part, ...]:
    shapes = [item.shape for item in Transformer(picture_rules(training).model).parameters()]
    return round_parts(shapes, training.swarm)


@pytest.mark.parametrize("encoding", [*Encoding, LowRank(rank=2)])
def test_an_epoch_takes_all_values_and_their_aggregates_as_a_round_encodes_them(
    training: TrainingRules, encoding: Encoding | LowRank
) -> None:
    training = with_rules(training, gradient_encoding=encoding, large_tensor_elements=1000)
    parts, beside = parts_of(training), control_traffic(SECONDS, 16)
    values, aggregates = sum(part.wire_bytes for part in parts), sum(part.aggregate_bytes for part in parts)
    partials = sum(part.partial_bytes for part in parts)
    assert bytes_of_round(training) == (values, aggregates, partials)
    caller, equal = (expect(training, SECONDS, 16) for expect in (traffic_of_caller, traffic_of_equals))
    assert caller.up == pytest.approx(OVERHEAD * values + beside.up)
    assert caller.down == pytest.approx(OVERHEAD * aggregates + beside.down)
    assert equal.up == pytest.approx(OVERHEAD * 15 / 16 * (values + aggregates) + beside.up)


@pytest.mark.parametrize("peers", [2, 3, 16])
@pytest.mark.parametrize(
    "form", [{}, {"local_steps": DENSE, "overlap": Overlap.FULL}], ids=["gradients", "local steps"]
)
def test_no_member_of_a_round_exchanges_more_than_its_only_reducer(
    training: TrainingRules, form: dict[str, object], peers: int
) -> None:
    training = with_rules(training, **form)
    beside, most = keeper_traffic(SECONDS, peers), most_traffic(training, SECONDS, peers)
    bound = max(most.up - beside.up, most.down - beside.down)
    for reducers in range(1, peers + 1):
        exchanged = OVERHEAD * busiest(training, [number < reducers for number in range(peers)])
        assert exchanged <= bound * (1 + 1e-9)
        if reducers == 1:
            assert exchanged == pytest.approx(bound)


def busiest(training: TrainingRules, can_reduce: Sequence[bool]) -> float:
    """Bytes of the member that passes the most, the way that has more of them."""
    parts, members = parts_of(training), range(len(can_reduce))
    owners = assign(parts, reducer_shares([None] * len(can_reduce), can_reduce))
    loads = round_loads(parts, owners, members, len(can_reduce))
    return max(max(load.sent, load.received) for load in loads)


def test_a_group_that_is_smaller_than_the_swarm_bounds_what_one_peer_reduces(training: TrainingRules) -> None:
    small = with_rules(training, group_size=4)
    exchanged = [
        most_traffic(rules, SECONDS, 16).up - keeper_traffic(SECONDS, 16).up for rules in (small, training)
    ]
    assert exchanged[1] == pytest.approx(5 * exchanged[0])


def test_the_only_reducer_of_a_group_passes_the_means_of_three_groups_as_well(
    training: TrainingRules,
) -> None:
    alone, combining = (
        with_rules(training, group_size=4, most_groups=most, averaging_seconds=300.0) for most in (1, 8)
    )
    size = bytes_of_round(training)
    apart, together = (most_traffic(rules, SECONDS, 16) for rules in (alone, combining))
    assert together.up - apart.up == pytest.approx(OVERHEAD * (size.partials + 2 * size.aggregates))
    assert together.down - apart.down == pytest.approx(OVERHEAD * (2 * size.partials + size.aggregates))
    assert most_traffic(combining, SECONDS, 4) == most_traffic(alone, SECONDS, 4)
