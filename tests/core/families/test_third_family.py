"""A third family needs no change outside its own folder: a toy is found, signed, planned, trained and shown."""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
import torch

from coordinator.draft import Draft
from core.memory.machine import MachineResources
from core.messages.events import CheckpointSaved, SamplesDrawn
from core.model.micro_steps import MicroSteps
from core.run.manifest import RunManifest
from core.run.plan import plan_of
from core.run.training.families import family_of, kinds
from core.signing import SigningKey
from core.storage import checkpoint
from core.swarm.initial_model import initial_model
from core.swarm.state.run_schema import parts_of_run, schema_of_run
from core.trainer.pictures import Samples
from tests.swarms.trainer_process import assert_never_apart, trainer_swarm
from tests.toy_families import FOLDER, add_toy, remove_toy

DRAFT = """
[training]
name = "toy"
model = { kind = "toy", length = 8 }
data = { file = "bytes.bin" }
schedule = { peak_lr = 0.05, warmup_epochs = 1, total_epochs = 20 }
[training.swarm]
target_batch_size = 64
matchmaking_seconds = 6.0
allreduce_seconds = 12.0
averaging_seconds = 30.0
[contact]
title = "A toy"
sample_prompts = ["a", "b"]
"""


@pytest.fixture
def run(tmp_path: Path) -> Iterator[tuple[RunManifest, Path]]:
    """A run of the toy, as an organiser describes it."""
    (tmp_path / "bytes.bin").write_bytes(b"abcdefgh" * 500)
    (tmp_path / "draft.toml").write_text(DRAFT)
    add_toy()
    try:
        draft = Draft.load(tmp_path / "draft.toml", datetime(2026, 1, 1, tzinfo=UTC))
        RunManifest.create(draft.training, draft.contact, SigningKey.generate()).save(tmp_path / "run.toml")
        yield RunManifest.load(tmp_path / "run.toml"), tmp_path
    finally:
        remove_toy()


def test_nothing_outside_its_folder_knows_the_toy() -> None:
    names = ("Toy", "toy_families.toy", '"toy"')
    root = Path(FOLDER).parents[1]
    found = [
        path
        for part in ("core", "client", "coordinator", "gui")
        for path in (root / part).rglob("*.py")
        if any(name in path.read_text(encoding="utf-8") for name in names)
    ]
    assert found == []
    assert "toy" not in kinds()


def test_a_toy_is_described_planned_and_computed(run: tuple[RunManifest, Path]) -> None:
    manifest, folder = run
    training = manifest.training
    assert kinds() == ["causal-lm", "text-to-image", "toy"]
    assert any(
        "65.5 thousand parameters in 1 layers; it tells bytes." in line for line in manifest.describe()
    )
    assert plan_of(training, MachineResources(8 << 30)).fits
    assert next(item.name for item in schema_of_run(training)) == "parameters.table.weight"
    assert len(parts_of_run(training)) > 1
    first, second = initial_model(manifest, folder), initial_model(manifest, folder)
    assert all(torch.equal(*pair) for pair in zip(first.parameters(), second.parameters(), strict=True))
    reader, stream = family_of(training).samples(training, folder, peer="a")
    with closing(stream):
        stream.begin_epoch(0, bytes(32))
        batch = stream.take(16)
    assert batch.rows is not None, "a draft that says nothing has peers check each other's work"
    losses = []
    for _ in range(2):
        losses.append(MicroSteps(first, ()).add_gradients(*reader.inputs(batch)))
        with torch.no_grad():
            for parameter in first.parameters():
                assert parameter.grad is not None
                parameter.sub_(10 * parameter.grad / 16)
    assert losses[1] < losses[0]
    assert json.loads(json.dumps(stream.state_dict()))["taken"] == 16


def test_two_trainers_of_a_toy_run_commit_the_same_epochs(run: tuple[RunManifest, Path]) -> None:
    _, folder = run
    samples = Samples(every=2, folder=folder / "frames")
    with trainer_swarm(folder / "run.toml", folder) as swarm:
        peers = [
            swarm.start(name, add_toy, stop_at_epoch=4, checkpoint_every=1, samples=samples)
            for name in ("one", "two")
        ]
        for peer in peers:
            peer.finish()
        assert_never_apart(*peers)
        assert {event.peers for peer in peers for event in peer.epochs} & {2}, "they trained together"
        drawn = [event for peer in peers for event in peer.seen if isinstance(event, SamplesDrawn)]
    assert drawn
    assert all(len(event.texts) == 2 for event in drawn)
    assert any(isinstance(event, CheckpointSaved) for event in peers[0].seen)
    assert checkpoint.verify(folder / "one" / "checkpoint").epoch == 4


def test_the_guide_shows_the_toy_as_it_is() -> None:
    root = Path(FOLDER).parents[1]
    guide = (root / "docs" / "developers" / "adding.md").read_text(encoding="utf-8")
    part = guide.split("## A family of models")[1].split("\n## ")[0]
    blocks = [block.split("```")[0] for block in part.split("```python\n")[1:]]
    code = "\n".join(path.read_text(encoding="utf-8") for path in sorted(Path(FOLDER, "toy").glob("*.py")))
    lines = "\n".join(line.strip() for line in code.splitlines())
    assert len(blocks) == 4
    for block in blocks:
        assert "\n".join(line.strip() for line in block.splitlines()).strip() in lines
