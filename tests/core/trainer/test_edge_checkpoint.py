"""A peer's own checkpoint counts in its own generation, or if it is the state that a later one begins with."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from core.digest import digest
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.storage.checkpoint import TrainingState
from core.trainer.edge_checkpoint import swarm_state
from tests.swarms.tiny_run import write_tiny_run

KEY = SigningKey.generate()
PARAMETERS, OPTIMIZER = {"w": torch.arange(4.0)}, {"w.step": torch.tensor(8)}


@pytest.fixture
def run(tmp_path: Path) -> RunManifest:
    drawn = RunManifest.load(write_tiny_run(tmp_path))
    return RunManifest.create(drawn.training, drawn.contact, KEY)


def saved(run: RunManifest, epoch: int = 8) -> TrainingState:
    metadata = {"head": "ab" * 32, "generation": run.state.generation}
    return TrainingState("tiny", run.training_digest, epoch, PARAMETERS, OPTIMIZER, metadata=metadata)


def test_in_its_own_generation_it_is_gone_on_from(run: RunManifest) -> None:
    state = swarm_state(saved(run), run)
    assert state is not None
    assert (state.epoch, state.head) == (8, b"\xab" * 32)


def test_the_very_state_that_a_generation_begins_with_is_its_beginning(run: RunManifest) -> None:
    newer = run.roll_back(KEY, 8, digest(PARAMETERS), digest(OPTIMIZER))
    state = swarm_state(saved(run), newer)
    assert state is not None
    assert (state.epoch, state.head) == (8, newer.genesis)


@pytest.mark.parametrize(
    ("epoch", "changed"),
    [
        (9, {}),
        (7, {}),
        (8, {"parameters": {"w": torch.arange(4.0) + 1}}),
        (8, {"optimizer": {"w.step": torch.tensor(9)}}),
    ],
)
def test_what_is_from_before_a_rollback_is_not_gone_on_from(
    run: RunManifest, epoch: int, changed: dict[str, dict[str, torch.Tensor]]
) -> None:
    newer = run.roll_back(KEY, 8, digest(PARAMETERS), digest(OPTIMIZER))
    assert swarm_state(replace(saved(run, epoch), **changed), newer) is None  # type: ignore[arg-type]


def test_nothing_is_left_of_a_run_that_begins_again(run: RunManifest) -> None:
    assert swarm_state(saved(run), run.roll_back(KEY)) is None
