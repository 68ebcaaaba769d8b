"""The traffic of a run is estimated before it is joined."""

from pathlib import Path

import pytest

from client.joining.traffic import traffic
from core.model.transformer import Transformer
from core.run.control_traffic import OVERHEAD, SWARM_OF_COMPARISON, control_bytes_a_day
from core.run.describe import bytes_of_round, bytes_of_update
from core.run.encodings import Encoding, TopK, WireFormat
from core.run.expected_traffic import most_traffic
from core.run.manifest import RunManifest
from core.run.rules import LocalStepRules, Overlap, TrainingRules
from core.swarm.rounds.partition import round_parts
from tests.swarms.tiny_run import MODEL, write_tiny_run

SPARSE = TopK(chunk=256, kept=16)
WHOLE_CHUNKS = MODEL.model_copy(update={"image_vocab": 44})
"""A model whose large tensors are whole chunks: shorter ones are predicted to some bytes only."""

SLOW = 360.0
"""Samples an hour at which sixteen computers take 40 s for a batch, longer than a group may take to form."""


@pytest.fixture
def training(tmp_path: Path) -> TrainingRules:
    return of_epochs(RunManifest.load(write_tiny_run(tmp_path)).training, 10**6)


def of_epochs(training: TrainingRules, epochs: int) -> TrainingRules:
    schedule = training.schedule.model_copy(update={"total_epochs": epochs})
    return training.model_copy(update={"schedule": schedule})


def by_the_clock(training: TrainingRules, seconds: float) -> TrainingRules:
    local = LocalStepRules(round_seconds=seconds)
    swarm = training.swarm.model_copy(update={"local_steps": local, "overlap": Overlap.FULL})
    return training.model_copy(update={"swarm": swarm})


@pytest.mark.parametrize("mean", [*Encoding, SPARSE, TopK(chunk=512, kept=16, bits=3)], ids=str)
@pytest.mark.parametrize("drift", [*Encoding, SPARSE], ids=str)
def test_a_round_of_local_steps_sends_what_is_predicted(
    tmp_path: Path, drift: WireFormat, mean: WireFormat
) -> None:
    local = LocalStepRules(drift_encoding=drift, mean_encoding=mean)
    training = RunManifest.load(
        write_tiny_run(tmp_path, model=WHOLE_CHUNKS, overlap=Overlap.FULL, local_steps=local)
    ).training
    shapes = [item.shape for item in Transformer(training.model).parameters()]
    parts = round_parts(shapes, training.swarm)
    for part in parts[:-1]:
        forms = {training.swarm.travelling(shapes[item.tensor])[1:] for item in part.slices}
        assert forms == {(part.encoding, part.aggregate_encoding)}
    given = sum(part.wire_bytes for part in parts), sum(part.aggregate_bytes for part in parts)
    assert bytes_of_round(training) == given
    assert bytes_of_update(training) == sum(given)


def test_traffic_follows_from_how_fast_such_a_swarm_is(training: TrainingRules) -> None:
    expected = traffic(training, SLOW)
    assert expected.seconds_per_epoch == pytest.approx(64 / (SWARM_OF_COMPARISON * SLOW / 3600))
    each_way = bytes_of_update(training) * (1 - 1 / SWARM_OF_COMPARISON)
    exchanged = OVERHEAD * each_way / expected.seconds_per_epoch
    beside = control_bytes_a_day(expected.seconds_per_epoch)
    assert expected.bytes_per_day == pytest.approx(86_400 * exchanged + beside, abs=2)
    assert beside > 86_400 * 2_000, "which is no trifle: the tiny model's gradients are small"


@pytest.mark.parametrize(
    ("clock", "rate", "seconds", "is_shortest"),
    [
        (None, SLOW, 40.0, True),
        (None, 1e12, 6.0, False),  # groups may form sooner than that
        (None, None, 6.0, False),
        (None, 0.0, 6.0, False),
        (300.0, None, 300.0, True),
        (300.0, 1e12, 300.0, True),
    ],
)
def test_a_pace_is_a_bound_where_the_clock_or_the_samples_decide(
    training: TrainingRules, clock: float | None, rate: float | None, seconds: float, is_shortest: bool
) -> None:
    expected = traffic(by_the_clock(training, clock) if clock else training, rate)
    assert expected.seconds_per_epoch == pytest.approx(seconds)
    assert expected.is_shortest is is_shortest
    assert expected.bytes_per_day > 0


@pytest.mark.parametrize("form", ["gradients", "drifts"])
def test_a_computer_that_others_can_connect_to_passes_more(training: TrainingRules, form: str) -> None:
    if form == "drifts":
        training = by_the_clock(training, 40.0)
        assert training.swarm.local_steps is not None
        assert isinstance(training.swarm.local_steps.drift_encoding, TopK)
    expected = traffic(training, SLOW)
    most = most_traffic(training, expected.seconds_per_epoch, SWARM_OF_COMPARISON).most
    assert expected.bytes_per_day_if_reached == pytest.approx(
        86_400 / expected.seconds_per_epoch * most, abs=1
    )
    assert 2 < expected.bytes_per_day_if_reached / expected.bytes_per_day < SWARM_OF_COMPARISON


def test_a_run_that_is_over_within_a_day_takes_no_more_than_all_its_updates(training: TrainingRules) -> None:
    one, ten = (traffic(of_epochs(training, epochs), SLOW) for epochs in (1, 10))
    assert one.ends_within_a_day
    assert ten.bytes_per_day == pytest.approx(10 * one.bytes_per_day, abs=10)
    assert ten.bytes_per_day_if_reached == pytest.approx(10 * one.bytes_per_day_if_reached, abs=10)
    assert not traffic(training, SLOW).ends_within_a_day
