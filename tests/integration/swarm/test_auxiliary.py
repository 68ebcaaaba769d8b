"""An auxiliary peer reduces for the trainers, and they agree as they do without it."""

from pathlib import Path

from core.messages.events import Command, EpochCommitted
from core.swarm.dht import Network
from tests.swarms.auxiliary_peer import auxiliary_peer
from tests.swarms.tiny_run import LOCAL_STEPS, write_tiny_run
from tests.swarms.trainer_process import assert_never_apart, trainer_swarm
from tests.waiting import wait_until

EPOCHS = 5
SECONDS_TO_REDUCE = 120.0
"""Seconds until the auxiliary peer took part in a round; on a busy machine trainers make many epochs before."""


def test_an_auxiliary_peer_reduces_for_trainers_who_agree(tmp_path: Path) -> None:
    manifest = write_tiny_run(tmp_path / "run", target_batch_size=256)
    with (
        trainer_swarm(manifest, tmp_path) as swarm,
        auxiliary_peer(swarm, manifest, tmp_path / "bootstrap") as helper,
    ):
        one, two = swarm.start("one"), swarm.start("two")
        one.wait_for(EpochCommitted, epoch=8)
        wait_until(lambda: helper.bytes_sent > 0, "it reduces nothing", SECONDS_TO_REDUCE)
        for trainer in (one, two):
            trainer.send(Command.STOP)
        one.finish()
        two.finish()
    assert_never_apart(one, two)
    assert any(epoch.peers == 2 for epoch in one.epochs), "the trainers never contributed together"
    assert one.epochs[-1].loss < one.epochs[0].loss


def test_it_leads_groups_of_trainers_that_make_local_steps_and_accept_no_connections(tmp_path: Path) -> None:
    manifest = write_tiny_run(tmp_path / "run", target_batch_size=256, **LOCAL_STEPS)
    with trainer_swarm(manifest, tmp_path) as swarm, auxiliary_peer(swarm, manifest, tmp_path / "bootstrap"):
        network = Network(initial_peers=swarm.addresses, client_mode=True, check_identity=False)
        one, two = (swarm.start(name, network=network) for name in ("one", "two"))
        for trainer in (one, two):
            trainer.wait_for(EpochCommitted, epoch=EPOCHS, seconds=240)
            trainer.send(Command.STOP)
        one.finish()
        two.finish()
    assert_never_apart(one, two)
    assert any(epoch.peers == 2 for epoch in one.epochs), "the trainers never contributed together"
