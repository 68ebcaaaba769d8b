"""A run so small that its swarms take seconds: random codes, few captions, some thousand weights."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import save
from tokenizers import Tokenizer, models, pre_tokenizers

from core.codec.config import parse_config
from core.data.shards import CodeRow, write_shard
from core.families.text_to_image.rules import TextToImageRules
from core.model.config import ModelConfig
from core.run.contact import Contact, GateRules
from core.run.encodings import Encoding
from core.run.manifest import RunManifest
from core.run.optimizer_rules import AdamWRules, AnyOptimizerRules, LambRules
from core.run.rules import LocalStepRules, Overlap, ScheduleRules, SwarmRules
from core.run.training.data_rules import CodecRules, CodesBegin, DataRules, TextRules
from core.signing import SigningKey
from core.storage.files import FileRef

WORDS = ("red", "green", "blue", "heart", "circle", "square", "cat", "sun")
MODEL = ModelConfig(
    dim=32,
    depth=3,
    heads=2,
    dim_head=16,
    text_length=4,
    text_vocab=16,
    grid=4,
    image_vocab=32,
    shared_layers=0,
)

OPTIMIZER = LambRules(min_8bit_size=1024, block_size=256)
ADAMW = AdamWRules(kind="adamw", min_8bit_size=1024, block_size=256)
GRADIENTS: dict[str, Any] = {}
LOCAL_STEPS: dict[str, Any] = {"overlap": Overlap.FULL, "local_steps": LocalStepRules(steps=2)}
"""Swarm rules of the two procedures."""


def write_tiny_run(
    folder: Path,
    initial_peers: tuple[str, ...] = (),
    *,
    prompts: tuple[str, ...] = (),
    codec: Callable[[Path], CodecRules] | None = None,
    gate: GateRules | None = None,
    model: ModelConfig = MODEL,
    epochs: int = 200,
    peak_lr: float = 0.02,
    caption_dropout: float = 0.0,
    codes_begin: CodesBegin = CodesBegin.DRAWN,
    optimizer: AnyOptimizerRules = OPTIMIZER,
    row_group_rows: int | None = None,
    **swarm: Any,
) -> Path:
    """Make the files of a tiny run and its signed manifest in ``folder``; returns the manifest's path.

    Its files fit ``MODEL``; with another ``model`` the run cannot be trained. Without a ``codec`` that writes its
    files, the run's fits, but all of its weights are zero.
    """
    folder.mkdir(parents=True, exist_ok=True)
    training = TextToImageRules(
        name="tiny",
        model=model,
        codes_begin=codes_begin,
        codec=(codec or _blank_codec)(folder),
        text=TextRules(tokenizer=_tokenizer(folder), length=MODEL.text_length, vocab=MODEL.text_vocab),
        data=DataRules(shards=(_shard(folder, row_group_rows),), caption_dropout=caption_dropout),
        optimizer=optimizer,
        schedule=ScheduleRules(peak_lr=peak_lr, warmup_epochs=2, total_epochs=epochs),
        swarm=SwarmRules(**{**_SWARM, **swarm}),
    )
    contact = Contact(
        title="A tiny run",
        issued_at=datetime(2026, 1, 1, tzinfo=UTC),
        initial_peers=initial_peers,
        sample_prompts=prompts,
        gate=gate,
    )
    manifest = RunManifest.create(training, contact, SigningKey.generate())
    manifest.save(folder / "run.toml")
    return folder / "run.toml"


CODEC = f"""
model:
  target: taming.models.vqgan.VQModel
  params:
    embed_dim: 4
    n_embed: {MODEL.image_vocab}
    ddconfig:
      {{z_channels: 4, resolution: 8, in_channels: 3, out_ch: 3, ch: 32, ch_mult: [1, 1], num_res_blocks: 1,
      attn_resolutions: []}}
"""
_SWARM: dict[str, Any] = {
    "target_batch_size": 64,
    "large_tensor_elements": 1024,
    "gradient_encoding": Encoding.UNIFORM8,
    "matchmaking_seconds": 6.0,
    "allreduce_seconds": 12.0,
    "averaging_seconds": 30.0,
}


def _blank_codec(folder: Path) -> CodecRules:
    """A codec that fits the model; everything that is drawn with it is blank."""
    config, weights = folder / "codec.yaml", folder / "codec.safetensors"
    config.write_text(CODEC)
    weights.write_bytes(_zeros())
    return CodecRules(config=FileRef.of(config, folder), weights=FileRef.of(weights, folder))


@cache
def _zeros() -> bytes:
    from core.codec.vqgan import weight_shapes  # here, since it loads PyTorch

    shapes = weight_shapes(parse_config(CODEC.encode(), "codec.yaml"))
    return save({name: np.zeros(shape, "<f2") for name, shape in shapes.items()})


def _tokenizer(folder: Path) -> FileRef:
    vocabulary = {"<pad>": 0, "</s>": 1, "<unk>": 2, **{word: 3 + index for index, word in enumerate(WORDS)}}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return FileRef.of(folder / "tokenizer.json", folder)


def _shard(folder: Path, row_group_rows: int | None) -> FileRef:
    """Images that follow from their captions, so that there is something to learn."""
    draws = np.random.default_rng(0)
    rows = []
    for number in range(256):
        first, second = WORDS[number % 3], WORDS[3 + number % 5]
        base = (number % 3) * 5 + number % 5
        codes = (base + draws.integers(0, 2, MODEL.image_length)).astype("<i2")
        rows.append(CodeRow(f"{first} {second}", codes.tobytes(), "UNLIKELY", 64, 64))
    write_shard(folder / "shard.parquet", rows, row_group_rows=row_group_rows)
    return FileRef.of(folder / "shard.parquet", folder)
