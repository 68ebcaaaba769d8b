"""The schema of a run's state is known without a model."""

from pathlib import Path

import pytest

from core.model.transformer import Transformer
from core.run.manifest import RunManifest
from core.swarm.state.replica import Replica
from core.swarm.state.run_schema import schema_of_run
from core.swarm.state.state import schema_of
from tests.swarms.tiny_run import write_tiny_run

EMBEDDED = Path(__file__).parents[4] / "assets" / "embedded" / "run.toml"


@pytest.mark.parametrize("embedded", [False, True])
def test_the_schema_without_a_model_is_that_of_a_replica(tmp_path: Path, embedded: bool) -> None:
    training = RunManifest.load(EMBEDDED if embedded else write_tiny_run(tmp_path)).training
    replica = Replica(Transformer(training.model), training.optimizer, training.schedule, genesis=b"\0" * 32)
    assert schema_of_run(training) == schema_of(replica.state().tensors)
