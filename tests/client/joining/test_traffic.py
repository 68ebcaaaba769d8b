"""The traffic of a run is estimated before it is joined."""

from pathlib import Path

import pytest

from client.joining.traffic import bytes_per_epoch, traffic
from core.model.transformer import Transformer
from core.run.control_traffic import SWARM_OF_COMPARISON, control_bytes_a_day
from core.run.encodings import Encoding, LowRank
from core.run.manifest import RunManifest
from core.run.rules import TrainingRules
from core.swarm.bandwidth import OVERHEAD
from core.swarm.rounds.partition import round_parts
from tests.swarms.tiny_run import write_tiny_run


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
