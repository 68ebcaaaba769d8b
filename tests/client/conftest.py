"""Stand-in children, and an embedded run to make a demo of."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from stand_in_trainer import Deed

from client.api.messages import Start
from client.supervisor import Program
from core.data.index import ShardEntry, ShardIndex
from core.files import FileRef, sha256_of
from core.model.config import preset
from core.rules import CodecRules, Contact, DataRules, TextRules, TrainingRules
from core.run import RunManifest
from core.signing import SigningKey

MakeProgram = Callable[..., Program]


@pytest.fixture
def make_program(tmp_path: Path) -> MakeProgram:
    def make(deed: Deed, module: str = "stand_in_trainer", says: str = "", threads: int = 1) -> Program:
        start = Start(
            manifest=tmp_path / "run.toml",
            state_dir=tmp_path,
            initial_peers=(says,),
            listen=("/ip4/127.0.0.1/tcp/0",),
            seed=deed,
            threads=threads,
            micro_batch=1,
            checkpoint_every=1,
        )
        beside = {"PYTHONPATH": str(Path(__file__).parent)}
        return Program("trainer", module, start, tmp_path / "trainer.log", environment=beside)

    return make


@pytest.fixture
def embedded(tmp_path: Path) -> Path:
    """A run in the shape of the one that is shipped: the manifest of its "starter" set, and an "all" set."""
    folder = tmp_path / "embedded"
    for name in ("codec/config.yaml", "codec/vqgan.safetensors", "tokenizer.json", *SHARDS.values()):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    _index(folder).save(folder / "data")
    model = preset("emoji")
    training = TrainingRules(
        name="emoji",
        model=model,
        codec=CodecRules(
            config=FileRef.of(folder / "codec/config.yaml", folder),
            weights=FileRef.of(folder / "codec/vqgan.safetensors", folder),
        ),
        text=TextRules(
            tokenizer=FileRef.of(folder / "tokenizer.json", folder),
            length=model.text_length,
            vocab=model.text_vocab,
        ),
        data=DataRules(shards=(FileRef.of(folder / SHARDS["starter"], folder),)),
    )
    contact = Contact(
        title="Emoji", sample_prompts=("red heart",), issued_at=datetime(2026, 1, 1, tzinfo=UTC)
    )
    RunManifest.create(training, contact, SigningKey.generate()).save(folder / "run.toml")
    return folder


SHARDS = {"starter": "data/starter-00000.parquet", "all": "data/all-00000.parquet"}


def _index(folder: Path) -> ShardIndex:
    splits: dict[str, tuple[ShardEntry, ...]] = {
        split: (ShardEntry(file=Path(file).name, rows=1, sha256=sha256_of(folder / file)),)
        for split, file in SHARDS.items()
    }
    return ShardIndex(grid=8, vocab=16, images=2, left_out={}, splits=splits)
