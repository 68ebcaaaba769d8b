"""The shipped model draws for the run of a swarm on this computer, whose rules are the same and whose key is not."""

from pathlib import Path

import torch

from client.demo.folder import DemoFolder, prepare
from client.joining.embedded import EmbeddedSet, embedded_run, lent_model, shipped_model
from client.joining.run_card import RunCard
from client.local_swarm import lend_shipped_model
from core.run.manifest import RunManifest
from core.storage import checkpoint


def test_the_shipped_model_is_lent_to_the_swarm(tmp_path: Path) -> None:
    folder = DemoFolder(tmp_path)
    with folder.locked():
        prepare(folder, embedded_run(), EmbeddedSet.STARTER)
    lend_shipped_model(folder, embedded_run())
    shipped, lent = shipped_model(), shipped_model(lent_model(tmp_path))
    assert shipped is not None
    assert lent is not None
    digest = RunManifest.load(folder.manifest).training_digest
    assert RunCard.load(folder.manifest.parent).digest == digest
    assert (lent.digest, lent.epoch) == (digest, shipped.epoch)
    assert lent.leads(digest, None)
    assert not lent.leads(digest, lent.epoch)
    one, other = checkpoint.load(shipped.checkpoint), checkpoint.load(lent.checkpoint)
    assert all(torch.equal(tensor, other.parameters[name]) for name, tensor in one.parameters.items())
    lend_shipped_model(folder, embedded_run())


def test_a_run_without_a_shipped_model_lends_none(tmp_path: Path) -> None:
    lend_shipped_model(DemoFolder(tmp_path), tmp_path)
    assert shipped_model(lent_model(tmp_path)) is None
