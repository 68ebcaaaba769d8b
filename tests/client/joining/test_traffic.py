"""The traffic of a run is estimated before it is joined, at its real pace where that is known."""

from pathlib import Path

import pytest

from client.api.candidate import PaceBasis
from client.joining.pace import RunPace, UpdatePace
from client.joining.traffic import traffic
from core.model.transformer import Transformer
from core.run.control_traffic import OVERHEAD, SWARM_OF_COMPARISON, control_bytes_a_day
from core.run.describe import bytes_of_round, bytes_of_state, bytes_of_update
from core.run.encodings import Encoding, TopK, WireFormat
from core.run.expected_traffic import most_traffic
from core.run.manifest import RunManifest
from core.run.rules import LocalStepRules, Overlap, TrainingRules
from core.run.training.families import picture_rules
from core.swarm.rounds.partition import round_parts
from core.swarm.state.run_schema import schema_of_run
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
    shapes = [item.shape for item in Transformer(picture_rules(training).model).parameters()]
    parts = round_parts(shapes, training.swarm)
    for part in parts[:-1]:
        forms = {training.swarm.travelling(shapes[item.tensor])[1:] for item in part.slices}
        assert forms == {(part.encoding, part.aggregate_encoding)}
    given = sum(part.wire_bytes for part in parts), sum(part.aggregate_bytes for part in parts)
    assert bytes_of_round(training)[:2] == given
    assert bytes_of_update(training) == sum(given)


def test_traffic_follows_from_how_fast_such_a_swarm_is(training: TrainingRules) -> None:
    expected = traffic(training, samples_per_hour=SLOW)
    assert expected.seconds_per_epoch == pytest.approx(64 / (SWARM_OF_COMPARISON * SLOW / 3600))
    each_way = bytes_of_update(training) * (1 - 1 / SWARM_OF_COMPARISON)
    exchanged = OVERHEAD * each_way / expected.seconds_per_epoch
    beside = control_bytes_a_day(expected.seconds_per_epoch)
    assert expected.bytes_per_day == pytest.approx(86_400 * exchanged + beside, abs=2)
    assert beside > 86_400 * 2_000, "which is no trifle: the tiny model's gradients are small"


@pytest.mark.parametrize(
    ("clock", "rate", "seconds", "basis"),
    [
        (None, SLOW, 40.0, PaceBasis.ALIKE),
        (None, 1e12, 6.0, PaceBasis.ASSUMED),  # groups may form sooner than that
        (None, None, 6.0, PaceBasis.ASSUMED),
        (None, 0.0, 6.0, PaceBasis.ASSUMED),
        (300.0, None, 300.0, PaceBasis.CLOCK),
        (300.0, 1e12, 300.0, PaceBasis.CLOCK),
    ],
)
def test_a_pace_that_was_not_measured_follows_from_the_rules_and_this_computer(
    training: TrainingRules, clock: float | None, rate: float | None, seconds: float, basis: PaceBasis
) -> None:
    expected = traffic(by_the_clock(training, clock) if clock else training, samples_per_hour=rate)
    assert expected.seconds_per_epoch == pytest.approx(seconds)
    assert expected.basis is basis
    assert expected.computers == SWARM_OF_COMPARISON
    assert expected.bytes_per_day > 0


def paced(seconds: float = 2.0, contributors: float = 8.4, epoch: int = 1000) -> RunPace:
    """Return the pace of a run with an update every ``seconds``."""
    measured = UpdatePace(epochs=100, seconds=100 * seconds, contributors=contributors)
    return RunPace(run="a" * 64, epoch=epoch, measured=measured)


@pytest.mark.parametrize(
    ("clock", "rate", "told", "seconds"),
    [
        (None, None, 2.0, 2.0),
        (None, SLOW, 2.0, 2.0 / (1 + 2.0 * SLOW / 3600 / 64)),  # this computer's samples are added
        (None, 64 * 3600.0, 2.0, 1 / 1.5),  # it computes an update's samples in a second
        (300.0, None, 310.0, 310.0),
        (300.0, 1e12, 310.0, 310.0),
        (300.0, None, 2.0, 300.0),  # a coordinator can't tell a pace that the rules do not allow
    ],
)
def test_a_measured_pace_counts_for_what_it_is(
    training: TrainingRules, clock: float | None, rate: float | None, told: float, seconds: float
) -> None:
    rules = by_the_clock(training, clock) if clock else training
    expected = traffic(rules, paced(told), rate)
    assert expected.basis is PaceBasis.MEASURED
    assert expected.seconds_per_epoch == pytest.approx(seconds)
    assert expected.computers == 9, "this one included"
    most = most_traffic(rules, expected.seconds_per_epoch, 9).most
    assert expected.bytes_per_day_if_reached == pytest.approx(86_400 / seconds * most, rel=1e-6)


def test_a_slow_computer_among_fast_ones_passes_many_times_what_16_like_it_would(
    training: TrainingRules,
) -> None:
    assert traffic(training, paced(), SLOW).bytes_per_day > 10 * traffic(training, None, SLOW).bytes_per_day


def test_a_run_that_nobody_trains_is_told_for_two(training: TrainingRules) -> None:
    assert traffic(training, paced(contributors=0.0)).computers == 2


def test_only_what_a_run_has_left_counts(training: TrainingRules) -> None:
    run = of_epochs(training, 1010)
    before, after = (traffic(run, paced(epoch=epoch)) for epoch in (1000, 1010))
    assert (before.updates_left, after.updates_left) == (10, 0)
    assert before.ends_within_a_day
    assert before.bytes_per_day == pytest.approx(
        traffic(training, paced()).bytes_per_day * 10 / 43_200, rel=1e-3
    )
    assert after.bytes_per_day == 0


def test_the_model_s_state_is_told_once_the_run_has_made_an_epoch(training: TrainingRules) -> None:
    assert traffic(training, paced(epoch=1)).state_bytes == int(OVERHEAD * bytes_of_state(training))
    assert traffic(training, paced(epoch=0)).state_bytes == traffic(training).state_bytes == 0


@pytest.mark.parametrize(
    "local",
    [None, LocalStepRules(), LocalStepRules(outer_momentum=0.9)],
    ids=["gradients", "average", "Nesterov"],
)
def test_the_state_is_as_large_as_donors_give_it(
    training: TrainingRules, local: LocalStepRules | None
) -> None:
    swarm = training.swarm.model_copy(update={"local_steps": local, "overlap": Overlap.FULL})
    rules = training.model_copy(update={"swarm": swarm})
    given = sum(item.bytes for item in schema_of_run(rules))
    assert bytes_of_state(rules) == pytest.approx(given, rel=0.01)


@pytest.mark.parametrize("form", ["gradients", "drifts"])
def test_a_computer_that_others_can_connect_to_passes_more(training: TrainingRules, form: str) -> None:
    if form == "drifts":
        training = by_the_clock(training, 40.0)
        assert training.swarm.local_steps is not None
        assert isinstance(training.swarm.local_steps.drift_encoding, TopK)
    expected = traffic(training, samples_per_hour=SLOW)
    most = most_traffic(training, expected.seconds_per_epoch, SWARM_OF_COMPARISON).most
    assert expected.bytes_per_day_if_reached == pytest.approx(
        86_400 / expected.seconds_per_epoch * most, abs=1
    )
    assert 2 < expected.bytes_per_day_if_reached / expected.bytes_per_day < SWARM_OF_COMPARISON


def test_a_run_that_is_over_within_a_day_takes_no_more_than_all_its_updates(training: TrainingRules) -> None:
    one, ten = (traffic(of_epochs(training, epochs), samples_per_hour=SLOW) for epochs in (1, 10))
    assert one.ends_within_a_day
    assert ten.bytes_per_day == pytest.approx(10 * one.bytes_per_day, abs=10)
    assert ten.bytes_per_day_if_reached == pytest.approx(10 * one.bytes_per_day_if_reached, abs=10)
    assert not traffic(training, samples_per_hour=SLOW).ends_within_a_day
