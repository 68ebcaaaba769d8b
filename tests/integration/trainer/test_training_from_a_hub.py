"""A trainer that streams its data from a Hub trains on when the Hub fails for a while."""

import re
from pathlib import Path

import pytest

from core.messages.events import EpochCommitted
from core.run.manifest import RunManifest
from core.run.training.data_rules import DataRules, HubSource
from core.signing import SigningKey
from tests.hub.stand_in_hub import REPO, REVISION, stand_in_hub
from tests.hub.writable_hub import HubFault
from tests.swarms.tiny_run import write_tiny_run
from tests.swarms.trainer_process import trainer_swarm

LAST = 9
"""Epochs of 64 samples: two passes, the first of which may be in memory when the Hub begins to fail."""


def test_training_goes_on_when_the_hub_answers_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = write_tiny_run(tmp_path / "run")
    stored = tmp_path / "hub"
    stored.mkdir()
    for name in ("one.parquet", "other.parquet"):  # one alone would stay open
        (stored / name).write_bytes((tmp_path / "run" / "shard.parquet").read_bytes())
    run = RunManifest.load(manifest)
    data = DataRules(hub=HubSource(repo=REPO, revision=REVISION))
    RunManifest.create(
        run.training.model_copy(update={"data": data}), run.contact, SigningKey.generate()
    ).save(manifest)
    with stand_in_hub(stored) as hub:
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{hub.server_port}")
        monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
        with trainer_swarm(manifest, tmp_path) as swarm:
            trainer = swarm.start("peer", deterministic=True, stop_at_epoch=LAST)
            trainer.wait_for(EpochCommitted, epoch=2)
            hub.faults.extend([HubFault("/resolve/", 503)] * 2)
            epochs = trainer.finish()
            assert not hub.faults, "it has not asked often enough"
            log = trainer.log
    assert [event.epoch for event in epochs] == list(range(1, LAST + 1))
    assert epochs[-1].loss < epochs[0].loss
    assert re.search(r"WARNING .*Attempt 1 to read training data failed \(.*503.*\); the next in .* s\.", log)
