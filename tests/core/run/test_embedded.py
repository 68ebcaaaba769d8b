"""The recipe of the embedded manifests, on stand-ins for its files: names what it finds, can run again."""

import json
import re
from pathlib import Path

import pytest

from assets.embedded.recipe.write_manifest import MANIFESTS, MODELS, write
from core.data.index import ShardEntry, ShardIndex
from core.memory.machine import Allowance, MachineResources
from core.run.manifest import RunManifest
from core.run.plan import plan_of
from core.run.training.families import picture_rules
from core.signing import SigningKey
from core.storage.files import resolve_file

FILES = (
    "codec/config.yaml",
    "codec/vqgan.safetensors",
    "tokenizer.json",
    "data/starter-00000.parquet",
    "data/all-00000.parquet",
    "data/all-00001.parquet",
    "data/starter-heldout-00000.parquet",
    "data/all-heldout-00000.parquet",
    "scorer/scorer.safetensors",
)


@pytest.fixture
def embedded(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    prompts = [{"prompt": "red heart", "set": name} for name in ("starter", "all-heldout")]
    (tmp_path / "prompts.json").write_text(json.dumps(prompts))
    splits: dict[str, tuple[ShardEntry, ...]] = {
        split: tuple(
            ShardEntry(file=Path(name).name, rows=1, sha256="00" * 32)
            for name in FILES
            if f"/{split}-0" in name
        )
        for split in ("starter", "starter-heldout", "all", "all-heldout")
    }
    ShardIndex(grid=8, vocab=1024, images=3, left_out={}, splits=splits).save(tmp_path / "data")
    return tmp_path


def test_the_committed_run_fits_the_ram_that_the_readme_names() -> None:
    root = Path(__file__).parents[3]
    named = re.search(r"is planned with ([\d.]+) GB", (root / "README.md").read_text())
    assert named is not None
    training = RunManifest.load(root / "assets" / "embedded" / "run.toml").training
    for share, fits in ((1.0, True), (0.9, False)):
        allowed = Allowance(ram_bytes=int(share * float(named[1]) * 1e9))
        assert plan_of(training, MachineResources(16 * 10**9), allowed).fits is fits


@pytest.mark.parametrize(("split", "shards"), [("starter", 1), ("all", 2)])
def test_a_manifest_names_the_files_that_lie_there(embedded: Path, split: str, shards: int) -> None:
    write(embedded, split, SigningKey.generate())
    manifest = RunManifest.load(embedded / MANIFESTS[split])
    assert manifest.training.model == MODELS[split]
    assert len(picture_rules(manifest.training).data.shards) == shards
    assert [ref.path for ref in manifest.contact.files] == ["scorer/scorer.safetensors"]
    assert manifest.contact.sample_prompts == ("red heart",)
    for ref in manifest.files:
        assert resolve_file(ref, embedded).read_text() == ref.path


def test_a_changed_file_that_peers_train_with_makes_another_run(embedded: Path) -> None:
    key = SigningKey.generate()
    before = write(embedded, "starter", key)
    assert write(embedded, "starter", key).training_digest == before.training_digest
    (embedded / "scorer" / "scorer.safetensors").write_text("another")
    assert write(embedded, "starter", key).training_digest == before.training_digest
    (embedded / "tokenizer.json").write_text("another")
    assert write(embedded, "starter", key).training_digest != before.training_digest
