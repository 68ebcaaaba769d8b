"""Trainers of a text run: the same parameters at every epoch, a falling loss, texts, and an exact resume."""

from pathlib import Path

from core.generation.frame_texts import texts_in
from core.generation.records import frame_file
from core.messages.events import CheckpointSaved, SamplesDrawn
from core.storage import checkpoint
from core.trainer.pictures import Samples
from tests.swarms.text_run import write_text_run
from tests.swarms.trainer_process import assert_never_apart, trainer_swarm

PROMPTS = ("The number", "comes")


def test_two_trainers_learn_text_together_and_show_what_they_write(tmp_path: Path) -> None:
    manifest = write_text_run(tmp_path / "run", prompts=PROMPTS, target_batch_size=32)
    with trainer_swarm(manifest, tmp_path) as swarm:
        samples = Samples(every=3, folder=tmp_path / "frames", sheet=tmp_path / "samples.png")
        peers = [
            swarm.start("one", stop_at_epoch=6, samples=samples),
            swarm.start("two", stop_at_epoch=6),
        ]
        for peer in peers:
            peer.finish()
        assert_never_apart(*peers)
    drawn = next(event for event in peers[0].seen if isinstance(event, SamplesDrawn))
    assert any(event.peers == 2 for event in peers[0].epochs)
    losses = [event.loss for event in peers[0].epochs]
    assert losses[-1] < losses[0] - 0.5
    assert all(drawn.texts)
    frame = (tmp_path / "frames" / frame_file(drawn.epoch)).read_bytes()
    assert texts_in(frame, len(PROMPTS)) == drawn.texts
    assert (tmp_path / "samples.png").read_bytes().startswith(b"\x89PNG")


def test_a_text_run_that_was_killed_resumes_bit_for_bit(tmp_path: Path) -> None:
    manifest = write_text_run(tmp_path / "run")
    alone = {"deterministic": True, "landing_micro_steps": 3, "checkpoint_every": 2, "seed": 0}
    with trainer_swarm(manifest, tmp_path) as swarm:
        whole = swarm.start("whole", stop_at_epoch=5, **alone)
        whole.finish()
        killed = swarm.start("killed", **alone)
        killed.wait_for(CheckpointSaved, epoch=2)
        killed.kill()
        resumed = swarm.start("killed", stop_at_epoch=5, **alone)
        resumed.finish()
    assert resumed.epochs[0].epoch >= 3
    assert_never_apart(whole, resumed)
    ends = [checkpoint.load(tmp_path / name / "checkpoint") for name in ("whole", "killed")]
    assert ends[0].cursor == ends[1].cursor
