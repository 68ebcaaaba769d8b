"""The traffic of a run is estimated before it is joined."""

from pathlib import Path

import pytest

from client.joining.traffic import bytes_per_epoch, traffic
from core.model.transformer import Transformer
from core.run.control_traffic import SWARM_OF_COMPARISON, control_bytes_a_day
from core.run.describe import bytes_of_round
from core.run.encodings import Encoding, LowRank, TopK, WireFormat
from core.run.manifest import RunManifest
from core.run.rules import LocalStepRules, Overlap, TrainingRules
from core.swarm.bandwidth import OVERHEAD
from core.swarm.rounds.partition import round_parts
from tests.swarms.tiny_run import MODEL, write_tiny_run

SPARSE = TopK(chunk=256, kept=16)
WHOLE_CHUNKS = MODEL.model_copy(update={"image_vocab": 44})
"""A model whose large tensors are whole chunks: shorter ones are predicted to some bytes only."""


@pytest.fixture
def training(tmp_path: Path) -> TrainingRules:
    return RunManifest.load(write_tiny_run(tmp_path)).training


@pytest.mark.parametrize("encoding", [*Encoding, LowRank(rank=2)])
def test_an_epoch_sends_nearly_twice_all_gradients_as_a_round_encodes_them(
    training: TrainingRules, encoding: Encoding | LowRank
) -> None:
    swarm = training.swarm.model_copy(update={"gradient_encoding": encoding, "large_tensor_elements": 1000})
    training = training.model_copy(update={"swarm": swarm})
    shapes = [item.shape for item in Transformer(training.model).parameters()]
    encoded = sum(part.wire_bytes for part in round_parts(shapes, swarm))
    assert bytes_per_epoch(training) == int(2 * encoded * (1 - 1 / SWARM_OF_COMPARISON))


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
    assert bytes_per_epoch(training) == int(sum(given) * (1 - 1 / SWARM_OF_COMPARISON))


def test_traffic_follows_from_how_fast_such_a_swarm_is(training: TrainingRules) -> None:
    rate = 360.0
    training = training.model_copy(
        update={"schedule": training.schedule.model_copy(update={"total_epochs": 10**6})}
    )
    expected = traffic(training, rate)
    assert expected.seconds_per_epoch == pytest.approx(64 / (SWARM_OF_COMPARISON * rate / 3600))
    exchanged = OVERHEAD * bytes_per_epoch(training) / expected.seconds_per_epoch
    beside = control_bytes_a_day(expected.seconds_per_epoch)
    assert expected.bytes_per_day == pytest.approx(86_400 * exchanged + beside, abs=2)
    assert beside > 86_400 * 2_000, "which is no trifle: the tiny model's gradients are small"


def test_no_swarm_is_faster_than_its_matchmaking(training: TrainingRules) -> None:
    assert traffic(training, 1e12).seconds_per_epoch == training.swarm.matchmaking_seconds


def test_a_run_that_is_over_within_a_day_takes_no_more_than_all_its_updates(training: TrainingRules) -> None:
    one = training.model_copy(update={"schedule": training.schedule.model_copy(update={"total_epochs": 1})})
    ten = training.model_copy(update={"schedule": training.schedule.model_copy(update={"total_epochs": 10})})
    expected = traffic(one, 360.0)
    assert expected.ends_within_a_day
    assert traffic(ten, 360.0).bytes_per_day == pytest.approx(10 * expected.bytes_per_day, abs=10)
    endless = training.schedule.model_copy(update={"total_epochs": 10**6})
    assert not traffic(training.model_copy(update={"schedule": endless}), 360.0).ends_within_a_day
