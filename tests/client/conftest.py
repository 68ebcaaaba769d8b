"""An embedded run to make a demo of, and the Hub with an account."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.families.text_to_image.rules import TextToImageRules
from core.model.config import preset
from core.run.contact import Contact, ScorerRanking
from core.run.manifest import RunManifest
from core.run.rules import TrainingRules
from core.run.training.data_rules import CodecRules, DataRules, TextRules
from core.signing import SigningKey
from core.storage.files import FileRef
from tests.hub.hub_server import running_hub

if TYPE_CHECKING:
    from tests.client.account_life import AccountLife

_FILES = ("config.yaml", "vqgan.safetensors", "tokenizer.json")


@pytest.fixture
def life(tmp_path: Path) -> "Iterator[AccountLife]":
    from tests.client.account_life import AccountLife  # which needs D-Bus

    with running_hub() as hub:
        yield AccountLife(tmp_path, hub)


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs in the shape of those that are shipped, of files that nothing can be learned from; tests only read it."""
    folder = tmp_path_factory.mktemp("embedded")
    for name in (*_FILES, "starter.parquet", "all.parquet", "scorer.safetensors"):
        (folder / name).write_text(name)
    contact = Contact(
        title="Emoji",
        sample_prompts=("red heart",),
        ranking=ScorerRanking(weights=FileRef.of(folder / "scorer.safetensors", folder)),
        issued_at=datetime(2026, 1, 1, tzinfo=UTC),
    )
    for manifest, shard in (("run.toml", "starter.parquet"), ("run-all.toml", "all.parquet")):
        training = _training(folder, shard)
        RunManifest.create(training, contact, SigningKey.generate()).save(folder / manifest)
    return folder


def _training(folder: Path, shard: str) -> TrainingRules:
    model = preset("emoji")
    config, weights, tokenizer, rows = (FileRef.of(folder / name, folder) for name in (*_FILES, shard))
    return TextToImageRules(
        name="emoji",
        model=model,
        codec=CodecRules(config=config, weights=weights),
        text=TextRules(tokenizer=tokenizer, length=model.text_length, vocab=model.text_vocab),
        data=DataRules(shards=(rows,)),
    )
