"""A run begins with the weights of a published model in a real swarm: the publisher gives them, and all train on."""

from pathlib import Path

from coordinator.opened import opened
from coordinator.publisher.first_weights import EPOCH, begin_with
from core.messages.events import EpochCommitted
from tests.coordinator.homes import loopback_settings, make_home
from tests.coordinator.publisher.test_first_weights import write_weights
from tests.integration.swarm.test_rollback import EVERY_OTHER, publisher
from tests.swarms.trainer_process import assert_never_apart, trainer_swarm


def test_a_swarm_begins_with_given_weights_and_trains_on(tmp_path: Path) -> None:
    home = make_home(tmp_path, loopback_settings(checkpoints=EVERY_OTHER), target_batch_size=256)
    with opened(home, {}) as run:
        newer = begin_with(run, write_weights(tmp_path / "model"), by="ada")
    folder = tmp_path / "swarm"
    folder.mkdir()
    with trainer_swarm(home.manifest, folder) as swarm, publisher(home, swarm):
        trainers = [swarm.start(name) for name in ("one", "two")]
        for trainer in trainers:
            trainer.wait_for(EpochCommitted, seconds=240, epoch=EPOCH + 2)
    # A peer of this generation takes no state at its beginning but the one that the manifest names by digests.
    assert newer.state.parameters is not None
    assert min(trainer.epochs[0].epoch for trainer in trainers) == EPOCH + 1
    assert_never_apart(*trainers)
