"""A run whose shards lie in a data set on the Hub."""

from pathlib import Path

from core.run.manifest import RunManifest
from core.run.training.data_rules import DataRules, HubSource
from core.signing import SigningKey
from tests.hub.stand_in_hub import REPO, REVISION
from tests.swarms.tiny_run import MODEL, write_tiny_run


def hub_run(folder: Path, shards: Path, *, grid: int = MODEL.grid, pattern: str = "*.parquet") -> RunManifest:
    """Make a tiny run in ``folder`` whose shards, of 4 x 4 codes, are the data set in the folder ``shards``."""
    model = MODEL.model_copy(update={"grid": grid})
    local = RunManifest.load(write_tiny_run(folder, model=model))
    shards.mkdir()
    (folder / "shard.parquet").rename(shards / "shard.parquet")
    data = DataRules(hub=HubSource(repo=REPO, revision=REVISION, pattern=pattern))
    training = local.training.model_copy(update={"data": data})
    run = RunManifest.create(training, local.contact, SigningKey.generate())
    run.save(folder / "run.toml")
    return run
