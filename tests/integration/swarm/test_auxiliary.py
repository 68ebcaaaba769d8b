"""An auxiliary peer reduces for the trainers, and they agree as they do without it."""

from pathlib import Path

from tests.auxiliary_peer import auxiliary_peer
from tests.tiny_run import write_tiny_run
from tests.trainer_process import digests, trainer_swarm


def test_an_auxiliary_peer_reduces_for_trainers_who_agree(tmp_path: Path) -> None:
    manifest = write_tiny_run(tmp_path / "run", target_batch_size=256)
    with (
        trainer_swarm(manifest, tmp_path) as swarm,
        auxiliary_peer(swarm, manifest, tmp_path / "bootstrap") as helper,
    ):
        one, two = swarm.start("one", stop_at_epoch=8), swarm.start("two", stop_at_epoch=8)
        one.finish()
        two.finish()
        reduced = helper.bytes_sent
    assert reduced > 0
    assert digests(one)[8] == digests(two)[8]
    assert one.epochs[-1].peers == 2  # those who contribute
    assert one.epochs[-1].loss < one.epochs[0].loss
