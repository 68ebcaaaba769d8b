"""The recorder beside a real swarm: its ledger says what the trainers saw, though it was killed in the middle.

The same two trainers show that a delayed update keeps peers alike, and that they take turns with frames.
"""

import hashlib
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image

from coordinator.database.connect import Database
from coordinator.database.tables import Doubt, Epoch, Frame
from coordinator.home import Home
from coordinator.run_now import RunNow
from core.generation.records import FRAMES, TIMELAPSE, FrameIndex
from core.memory.search import PlanChoices
from core.messages.events import Command, EpochCommitted, Joined
from core.run.rules import Overlap
from core.swarm.dht import Network
from core.trainer.pictures import Samples
from core.trainer.placement import Resources
from tests.coordinator.ledger_rows import credits_of, now_of, rows
from tests.swarms.auxiliary_peer import auxiliary_peer
from tests.swarms.drawable_run import write_drawable_run
from tests.swarms.recorder_process import recorders
from tests.swarms.tiny_run import LOCAL_STEPS, write_tiny_run
from tests.swarms.trainer_process import TrainerProcess, TrainerSwarm, assert_trained_together, trainer_swarm
from tests.waiting import wait_until

TARGET = 256
EVERY, LAST = 6, 12
"""A frame is drawn beside training, and left out if the next one is due before: a busy machine has six epochs."""


@dataclass
class TwoRecordedTrainers:
    """The records of two trainers, their messages, and their pictures."""

    home: Home
    epochs: dict[int, Epoch]
    credits: dict[tuple[int, str], int]
    doubts: list[Doubt]
    frames: list[Frame]
    now: RunNow
    log: str
    fast: TrainerProcess
    slow: TrainerProcess
    """The slow trainer; both trainers have ended."""
    drawn: list[int]
    """Epochs of the frames that the trainers kept."""

    @property
    def trainers(self) -> dict[str, TrainerProcess]:
        """Both by their peer ids."""
        return {_peer_id(trainer): trainer for trainer in (self.fast, self.slow)}


def newest_epoch(database: Database) -> int:
    return max((row.epoch for row in rows(database, Epoch)), default=0)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoRecordedTrainers]:
    """Two trainers, one of them fast, and a recorder that is killed without warning and started again."""
    folder = tmp_path_factory.mktemp("recorded")
    home = Home(folder / "home")
    manifest = write_drawable_run(
        home.manifest.parent, target_batch_size=TARGET, overlap=Overlap.DELAYED_UPDATE
    )
    with trainer_swarm(manifest, folder) as swarm, recorders(home) as recording:
        first = recording.start(swarm.addresses)
        first.wait_until_ready()
        trainers = _trainer(swarm, folder / "fast", micro_batch=32), _trainer(swarm, folder / "slow")
        database = recording.database
        wait_until(lambda: newest_epoch(database) >= 2, "nothing is recorded", 120)
        first.kill()
        trainers[0].wait_for(EpochCommitted, epoch=newest_epoch(database) + 2)
        recording.start(swarm.addresses)
        for trainer in trainers:
            trainer.wait_for(EpochCommitted, epoch=LAST)
        wait_until(lambda: newest_epoch(database) == LAST, "the last epoch is not recorded", 60)
        wait_until(lambda: bool(rows(database, Frame)), "no frame arrives", 60)
        wait_until(lambda: now_of(database).epoch == LAST, "the swarm's state is not stored")
        wait_until(lambda: LAST in _drawn(*trainers), "nobody draws the last frame")
        now = now_of(database)  # before they leave
        for trainer in trainers:
            trainer.send(Command.STOP)
        for trainer in trainers:
            trainer.finish()
        yield TwoRecordedTrainers(
            home,
            {row.epoch: row for row in rows(database, Epoch)},
            credits_of(database),
            rows(database, Doubt),
            rows(database, Frame),
            now,
            first.log.read_text(),
            *trainers,
            _drawn(*trainers),
        )


def _trainer(swarm: TrainerSwarm, folder: Path, *, micro_batch: int = 16) -> TrainerProcess:
    samples, resources = Samples(EVERY, folder / TIMELAPSE), Resources(choices=PlanChoices((micro_batch,)))
    return swarm.start(folder.name, stop_at_epoch=LAST, stay=True, samples=samples, resources=resources)


def _drawn(*trainers: TrainerProcess) -> list[int]:
    """The epochs of the frames that they have kept."""
    indices = [trainer.settings.state_dir / TIMELAPSE / FRAMES for trainer in trainers]
    found = [FrameIndex.model_validate_json(index.read_bytes()) for index in indices if index.exists()]
    return sorted(frame.epoch for index in found for frame in index.frames)


def _peer_id(trainer: TrainerProcess) -> str:
    return next(event.peer_id for event in trainer.seen if isinstance(event, Joined))


def test_every_epoch_is_in_the_ledger_with_the_trainers_own_loss(recorded: TwoRecordedTrainers) -> None:
    """The history has epochs that were committed while no recorder was there."""
    seen = {event.epoch: event for trainer in recorded.trainers.values() for event in trainer.epochs}
    assert sorted(recorded.epochs) == list(range(1, LAST + 1))
    for epoch, event in seen.items():
        row = recorded.epochs[epoch]
        assert row.loss == pytest.approx(event.loss, rel=1e-6)
        assert row.samples == event.samples
    assert (recorded.epochs[LAST].loss or 0.0) < (recorded.epochs[1].loss or 0.0)


def test_each_peer_is_credited_what_it_brought(recorded: TwoRecordedTrainers) -> None:
    brought = {
        (event.epoch, peer): event.own_samples
        for peer, trainer in recorded.trainers.items()
        for event in trainer.epochs
        if event.own_samples
    }
    assert {key: recorded.credits[key] for key in brought} == brought
    assert not recorded.doubts
    for epoch, row in recorded.epochs.items():
        assert sum(samples for (at, _), samples in recorded.credits.items() if at == epoch) == row.samples


def test_a_frame_arrives_as_nothing_but_its_pixels(recorded: TwoRecordedTrainers) -> None:
    frame = recorded.frames[0]
    data = (recorded.home.frames / frame.file).read_bytes()
    picture = Image.open(io.BytesIO(data))
    assert frame.epoch in recorded.drawn
    assert frame.peer_id in recorded.trainers
    assert (frame.size, frame.sha256) == (len(data), hashlib.sha256(data).hexdigest())
    assert (picture.format, picture.info.keys() & {"exif", "icc_profile", "xmp"}) == ("WEBP", set())


def test_the_swarm_is_reported_as_it_is_now(recorded: TwoRecordedTrainers) -> None:
    now = recorded.now
    assert (now.generation, now.epoch, now.target) == (0, LAST, TARGET)
    assert now.loss == pytest.approx(recorded.epochs[LAST].loss)
    assert set(now.peers) == {"cpu"}
    assert now.present == len(recorded.trainers)
    assert now.exchanged_bytes == sum(row.traffic or 0 for row in recorded.epochs.values())


def test_two_trainers_take_turns_with_the_frames(recorded: TwoRecordedTrainers) -> None:
    one, two = recorded.fast.epochs, recorded.slow.epochs
    # A frame that is due is begun between micro-steps, and shows the epoch that the run has reached by then.
    drawn_for = [epoch // EVERY * EVERY for epoch in recorded.drawn]
    due = set(drawn_for)
    # One that downloads the state has not seen the epochs before, and the other waits long before it takes over.
    seen_by_both = {item.epoch for item in one} & {item.epoch for item in two}
    assert due >= seen_by_both & set(range(EVERY, LAST + 1, EVERY)), (one, two)
    assert LAST in due
    together = {item.epoch for item in one if item.peers == 2} & {item.epoch for item in two}
    twice = {epoch for epoch in due if drawn_for.count(epoch) > 1}
    assert together, "the two never met"
    assert len(twice) < len(due), "both do the same work"


def test_with_a_delayed_update_peers_hold_the_same_parameters_at_every_epoch(
    recorded: TwoRecordedTrainers,
) -> None:
    assert_trained_together(recorded.fast, recorded.slow, until=LAST, samples=TARGET // 2)


def test_trainers_whom_nobody_can_reach_are_recorded_by_the_word_of_who_reduced_for_them(
    tmp_path: Path,
) -> None:
    """Trainers at home make local steps and usually accept no connections; the coordinator's own peer reduces."""
    home = Home(tmp_path / "home")
    manifest = write_tiny_run(home.manifest.parent, target_batch_size=256, **LOCAL_STEPS)
    with (
        trainer_swarm(manifest, tmp_path) as swarm,
        auxiliary_peer(swarm, manifest, tmp_path / "bootstrap"),
        recorders(home) as recording,
    ):
        hidden = Network(initial_peers=swarm.addresses, client_mode=True, check_identity=False)
        trainer = swarm.start("hidden", stop_at_epoch=40, network=hidden)
        recording.start(swarm.addresses).wait_until_ready()
        wait_until(lambda: newest_epoch(recording.database) >= 2, "nothing is recorded", 120)
        recorded = {row.epoch: row.loss for row in rows(recording.database, Epoch)}
        credited = credits_of(recording.database)
        trainer.wait_for(EpochCommitted, epoch=max(epoch for epoch, _ in credited))
    seen = {event.epoch: event for event in trainer.epochs}
    assert recorded == {epoch: pytest.approx(seen[epoch].loss, rel=1e-6) for epoch in recorded}
    peer = _peer_id(trainer)
    assert recorded.keys() <= {epoch for epoch, _ in credited}
    assert credited == {(epoch, peer): seen[epoch].own_samples for epoch, _ in credited}
