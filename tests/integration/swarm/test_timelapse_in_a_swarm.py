"""The time-lapse of a real swarm of two: every frame is drawn, and not by both."""

from pathlib import Path

from core.generation.records import FRAMES, TIMELAPSE, FrameIndex
from core.messages.events import EpochCommitted
from core.trainer.beside import Samples
from tests.drawable_run import write_drawable_run
from tests.trainer_process import Trainer, trainer_swarm
from tests.waiting import wait_until

EVERY, LAST = 6, 12
"""A frame is drawn beside training, and left out if the next one is due before: a busy machine has six epochs."""


def drawn(*trainers: Trainer) -> list[int]:
    """The epochs of the frames that they have kept."""
    indices = [trainer.settings.state_dir / TIMELAPSE / FRAMES for trainer in trainers]
    found = [FrameIndex.model_validate_json(index.read_bytes()) for index in indices if index.exists()]
    return sorted(frame.epoch for index in found for frame in index.frames)


def test_two_trainers_take_turns_with_the_frames(tmp_path: Path) -> None:
    manifest = write_drawable_run(tmp_path / "run", target_batch_size=256)
    with trainer_swarm(manifest, tmp_path) as swarm:
        one, two = (
            swarm.start(
                name, stop_at_epoch=LAST, stay=True, samples=Samples(EVERY, tmp_path / name / TIMELAPSE)
            )
            for name in ("one", "two")
        )
        for trainer in (one, two):
            trainer.wait_for(EpochCommitted, epoch=LAST)
        wait_until(lambda: LAST in drawn(one, two), "nobody draws the last frame")
        frames = drawn(one, two)
    # A frame that is due is begun between micro-steps, and shows the epoch that the run has reached by then.
    due = {epoch // EVERY * EVERY for epoch in frames}
    # One that downloads the state has not seen the epochs before, and the other waits long before it takes over.
    seen_by_both = {item.epoch for item in one.epochs} & {item.epoch for item in two.epochs}
    assert due >= seen_by_both & set(range(EVERY, LAST + 1, EVERY)), (one.epochs, two.epochs)
    assert LAST in due
    together = {item.epoch for item in one.epochs if item.peers == 2} & {item.epoch for item in two.epochs}
    drawn_for = [epoch // EVERY * EVERY for epoch in frames]
    twice = {epoch for epoch in due if drawn_for.count(epoch) > 1}
    assert together, "the two never met"
    assert len(twice) < len(due), "both do the same work"
