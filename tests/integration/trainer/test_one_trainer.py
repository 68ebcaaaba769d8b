"""One trainer by itself: it saves, resumes exactly, and says what keeps it from training."""

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hivemind.utils import get_dht_time

from client.service.trainer.state import SECONDS_TO_LEAVE_QUIETLY
from core.errors import CheckpointError, SwarmError
from core.messages.events import CheckpointSaved, Command, EpochCommitted, Finished, Joined
from core.messages.reach import Reach, ReachFound
from core.run.encodings import LowRank
from core.run.look_schedule import STORED_SECONDS
from core.run.manifest import RunManifest
from core.run.rules import LocalStepRules, Overlap
from core.storage import checkpoint
from core.swarm.dht import Network
from core.swarm.wire.identity import PeerIdentity
from core.swarm.wire.records import progress_key
from tests.core.swarm.builders import digest_of, progress
from tests.swarms.tiny_run import ADAMW, write_tiny_run
from tests.swarms.trainer_process import TrainerSwarm, assert_never_apart, trainer_swarm

PROMPTLY = SECONDS_TO_LEAVE_QUIETLY
"""The longest that a daemon waits for a trainer to save and leave; a round that is waited for takes twice as long."""


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TrainerSwarm]:
    """A swarm whose only trainer, ``peer``, has made three epochs and left."""
    folder = tmp_path_factory.mktemp("trained")
    with trainer_swarm(write_tiny_run(folder / "run"), folder) as swarm:
        swarm.start("peer", stop_at_epoch=3, checkpoint_every=1, deterministic=True).finish()
        yield swarm


def test_a_killed_run_resumes_from_its_checkpoint_and_is_reached_at_the_same_port(tmp_path: Path) -> None:
    manifest = write_tiny_run(tmp_path / "run")
    with trainer_swarm(manifest, tmp_path) as swarm:
        first = swarm.start("peer", finds_reach=True)
        found = first.wait_for(ReachFound)
        assert found.reach is not Reach.OUTGOING, (
            "on one machine a peer is reached, or there is no time to check"
        )
        saved = first.wait_for(CheckpointSaved)
        first.kill()
        again = swarm.start("peer", finds_reach=True, stop_at_epoch=saved.epoch + 3)
        assert again.wait_for(ReachFound).port == found.port
        assert again.wait_for(Joined).epoch >= saved.epoch
        again.finish()
    assert checkpoint.verify(tmp_path / "peer" / "checkpoint").epoch == saved.epoch + 3


# The delayed update is in the next test; a run that waits for each round has the least to keep.
@pytest.mark.parametrize(
    ("overlap", "landing", "rules"),
    [
        pytest.param(Overlap.NONE, 0, {}, marks=pytest.mark.exhaustive),
        pytest.param(Overlap.DELAYED_UPDATE, 3, {"optimizer": ADAMW}, marks=pytest.mark.exhaustive),
        (Overlap.FULL, 2, {"gradient_encoding": LowRank(rank=2)}),
        (
            Overlap.FULL,
            3,
            {"local_steps": LocalStepRules(steps=8, outer_momentum=0.5), "optimizer": ADAMW},
        ),
    ],
)
def test_a_resumed_run_equals_an_uninterrupted_one_bit_for_bit(
    tmp_path: Path, overlap: Overlap, landing: int, rules: dict[str, Any]
) -> None:
    manifest = write_tiny_run(tmp_path / "run", overlap=overlap, **rules)
    alone = {"deterministic": True, "landing_micro_steps": landing, "checkpoint_every": 3}
    with trainer_swarm(manifest, tmp_path) as swarm:
        whole = swarm.start("whole", stop_at_epoch=7, **alone)
        whole.finish()
        killed = swarm.start("killed", **{**alone, "seed": 0})
        killed.wait_for(CheckpointSaved, epoch=3)
        killed.kill()
        resumed = swarm.start("killed", stop_at_epoch=7, **{**alone, "seed": 0})
        resumed.finish()
    assert resumed.epochs[0].epoch >= 4
    assert_never_apart(whole, resumed)
    ends = [checkpoint.load(tmp_path / name / "checkpoint") for name in ("whole", "killed")]
    assert ends[0].cursor == ends[1].cursor
    assert {name: item.tolist() for name, item in ends[0].optimizer.items()} == {
        name: item.tolist() for name, item in ends[1].optimizer.items()
    }


# How local steps resume is in the test before this one, and which rows are checked does not depend on the procedure.
@pytest.mark.parametrize(
    ("landing", "rules"),
    [
        pytest.param(3, {}, id="gradients"),
        pytest.param(
            3,
            {"overlap": Overlap.FULL, "local_steps": LocalStepRules(steps=8)},
            id="local steps",
            marks=pytest.mark.exhaustive,
        ),
    ],
)
def test_a_run_whose_work_is_checked_resumes_bit_for_bit(
    tmp_path: Path, landing: int, rules: dict[str, Any]
) -> None:
    """Rows follow from the peer's id, so both lives are of one peer, in swarms that do not know of each other."""
    manifest = write_tiny_run(tmp_path / "run", recomputed_share=0.02, **rules)
    alone = {"deterministic": True, "landing_micro_steps": landing, "checkpoint_every": 3}
    identity = PeerIdentity.load_or_create(tmp_path / "whole" / "peer" / "identity")
    with trainer_swarm(manifest, tmp_path / "whole") as swarm:
        whole = swarm.start("peer", stop_at_epoch=7, **alone)
        whole.finish()
    (tmp_path / "killed" / "peer").mkdir(parents=True)
    shutil.copy(tmp_path / "whole" / "peer" / "identity", tmp_path / "killed" / "peer" / "identity")
    with trainer_swarm(manifest, tmp_path / "killed") as swarm:
        killed = swarm.start("peer", **alone)
        assert killed.wait_for(Joined).peer_id == identity.peer_id.to_base58()
        killed.wait_for(CheckpointSaved, epoch=3)
        killed.kill()
        resumed = swarm.start("peer", stop_at_epoch=7, **alone)
        resumed.finish()
    assert resumed.epochs[0].epoch >= 4
    assert_never_apart(whole, resumed)
    ends = [checkpoint.load(tmp_path / name / "peer" / "checkpoint") for name in ("whole", "killed")]
    assert ends[0].cursor == ends[1].cursor


def test_an_epoch_is_saved_once(trained: TrainerSwarm) -> None:
    saved = [event.epoch for event in trained.trainers[0].seen if isinstance(event, CheckpointSaved)]
    assert saved == [1, 2, 3]


def test_a_checkpoint_that_cannot_be_written_is_reported_once_and_tried_again_at_the_next_epoch(
    tmp_path: Path,
) -> None:
    manifest = write_tiny_run(tmp_path / "run")
    obstacle = _obstacle(tmp_path / "peer")
    with trainer_swarm(manifest, tmp_path) as swarm:
        trainer = swarm.start("peer", checkpoint_every=12)
        trainer.wait_for(EpochCommitted, epoch=14)
        complaints = [text for text in trainer.notices if "does not belong to a checkpoint" in text]
        obstacle.unlink()
        saved = trainer.wait_for(CheckpointSaved)
        trainer.send(Command.STOP)
        trainer.finish()
    assert len(complaints) == 1
    assert saved.epoch < 24, "it was not put off until the next one that is due"


def test_a_run_that_must_repeat_exactly_ends_if_it_cannot_save(tmp_path: Path) -> None:
    manifest = write_tiny_run(tmp_path / "run")
    _obstacle(tmp_path / "peer")
    with trainer_swarm(manifest, tmp_path) as swarm:
        trainer = swarm.start("peer", checkpoint_every=1, deterministic=True)
        with pytest.raises(CheckpointError, match="does not belong to a checkpoint"):
            trainer.wait_for(Finished)


def _obstacle(state: Path) -> Path:
    """A user's file in the place of the checkpoint, which no checkpoint replaces."""
    file = state / "checkpoint" / "diary.txt"
    file.parent.mkdir(parents=True)
    file.write_text("Dear diary")
    return file


def test_stopping_saves_and_leaves(tmp_path: Path) -> None:
    manifest = write_tiny_run(tmp_path / "run", averaging_seconds=2 * PROMPTLY)
    with trainer_swarm(manifest, tmp_path) as swarm:
        trainer = swarm.start("peer", checkpoint_every=1000)
        trainer.wait_for(EpochCommitted, epoch=2)
        trainer.send(Command.STOP)
        sent_at = time.monotonic()
        trainer.wait_for(Finished, seconds=PROMPTLY)
        trainer.process.join(PROMPTLY - (time.monotonic() - sent_at))
        assert not trainer.process.is_alive()
    assert checkpoint.verify(tmp_path / "peer" / "checkpoint").epoch >= 2


def test_a_swarm_that_nobody_answers_for_is_called_so(trained: TrainerSwarm) -> None:
    address = trained.addresses[0]
    dead = address.replace(address.split("/")[4], "9")
    trainer = trained.start("alone", network=Network(initial_peers=(dead,)))
    with pytest.raises(SwarmError, match="initial peers answered"):
        trainer.wait_for(Joined)


def test_the_checkpoint_of_another_run_is_refused(trained: TrainerSwarm, tmp_path: Path) -> None:
    foreign = trained.start("peer", manifest=write_tiny_run(tmp_path / "other", target_batch_size=32))
    with pytest.raises(CheckpointError, match="another run"):
        foreign.wait_for(Joined)


def test_one_absurd_record_does_not_stop_the_swarm(tmp_path: Path) -> None:
    manifest = write_tiny_run(tmp_path / "run", target_batch_size=256)
    with trainer_swarm(manifest, tmp_path) as swarm:
        trainer = swarm.start("peer", stop_at_epoch=5)
        trainer.wait_for(EpochCommitted, epoch=1)
        _claim(swarm, manifest, epoch=150)
        assert trainer.finish()[-1].epoch == 5
    assert any("did not deliver the state that it announced" in text for text in trainer.notices)
    assert re.search(r"WARNING .*State download failed: \w+: ", trainer.log)


def _claim(swarm: TrainerSwarm, manifest: Path, *, epoch: int) -> None:
    """Store a well-formed, validly signed progress record of a peer that is far ahead, and has nothing to show."""
    identity = PeerIdentity.load_or_create(manifest.parent.parent / "bootstrap")
    record = progress(
        peer_id=identity.peer_id.to_bytes(),
        epoch=epoch,
        head=digest_of("nowhere"),
        parameters=digest_of("nothing"),
        samples=0,
        time=get_dht_time(),
    )
    stored = swarm.dht.store(
        progress_key(RunManifest.load(manifest).dht_prefix),
        subkey=identity.owner,
        value=record.pack(),
        expiration_time=get_dht_time() + STORED_SECONDS,
    )
    assert stored
