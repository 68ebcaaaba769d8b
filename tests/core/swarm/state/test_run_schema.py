"""The schema of a run's state is known without a model."""

from pathlib import Path
from typing import Any

import pytest

from core.model.transformer import Transformer
from core.run.encodings import LowRank
from core.run.manifest import RunManifest
from core.run.rules import LocalStepRules, Overlap
from core.run.training.families import picture_rules
from core.swarm.state.replica import Replica
from core.swarm.state.run_schema import schema_of_run
from core.swarm.state.state import schema_of
from tests.swarms.tiny_run import ADAMW, write_tiny_run

EMBEDDED = Path(__file__).parents[4] / "assets" / "embedded" / "run.toml"


LOCAL = {"overlap": Overlap.FULL, "local_steps": LocalStepRules(steps=8)}
LOW_RANK = {"gradient_encoding": LowRank(rank=2)}
MOMENTUM = {**LOCAL, "local_steps": LocalStepRules(steps=8, outer_momentum=0.9)}


@pytest.mark.parametrize(
    "rules",
    [None, {}, {"optimizer": ADAMW}, LOW_RANK, LOCAL, MOMENTUM],
    ids=["embedded", "tiny", "adamw", "low rank", "local", "momentum"],
)
def test_the_schema_without_a_model_is_that_of_a_replica(
    tmp_path: Path, rules: dict[str, Any] | None
) -> None:
    training = RunManifest.load(EMBEDDED if rules is None else write_tiny_run(tmp_path, **rules)).training
    replica = Replica.of_run(Transformer(picture_rules(training).model), training, genesis=b"\0" * 32)
    assert schema_of_run(training) == schema_of(replica.state().tensors)
