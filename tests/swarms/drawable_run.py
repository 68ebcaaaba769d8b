"""A tiny run whose pictures can be drawn: an untrained codec of the real architecture, and a checkpoint."""

from pathlib import Path
from typing import Any

import torch

from core.codec.vqgan import load_codec
from core.generation.parts import DrawingParts, Origin
from core.model.transformer import Transformer
from core.ranking.ranker import Ranker
from core.run.manifest import RunManifest
from core.run.training.data_rules import CodecRules
from core.run.training.families import picture_rules
from core.storage.checkpoint import TrainingState, save
from core.storage.files import FileRef
from core.text import CaptionTokenizer
from tests.core.data.tiny_codec import write_codec
from tests.swarms.tiny_run import MODEL, write_tiny_run

PROMPTS = ("red heart", "blue cat", "green sun")
ORIGIN = Origin("tiny", 7, "ab" * 32)
ROOM = 1 << 30
"""Memory in bytes, enough for any batch."""


def write_drawable_run(
    folder: Path, initial_peers: tuple[str, ...] = (), *, saved: bool = False, **swarm: Any
) -> Path:
    """Write a run like `write_tiny_run`'s, with pictures of 8 x 8 pixels; ``saved`` adds a checkpoint."""
    manifest = write_tiny_run(folder, initial_peers, prompts=PROMPTS, codec=write_drawable_codec, **swarm)
    if saved:
        save_checkpoint(manifest, folder / "peer" / "checkpoint")
    return manifest


def save_checkpoint(manifest: Path, folder: Path, seed: int = 0, *, epoch: int = 7) -> None:
    """Write a checkpoint after that ``epoch`` of a model that was never trained."""
    run = RunManifest.load(manifest)
    parameters = dict(untrained(seed).state_dict())
    save(folder, TrainingState("tiny", run.training_digest, epoch, parameters, {"none": torch.zeros(1)}))


def untrained(seed: int = 0) -> Transformer:
    return Transformer(MODEL, torch.Generator().manual_seed(seed)).requires_grad_(False)


def parts_of(
    manifest: Path, *, ranker: Ranker | None = None, seed: int = 0, room: int = ROOM
) -> DrawingParts:
    """Return the parts with which pictures of the run are drawn."""
    run, base = picture_rules(RunManifest.load(manifest).training), manifest.parent
    codec = load_codec(base / run.codec.config.path, base / run.codec.weights.path)
    tokenizer = CaptionTokenizer.of_run(run.text, base)
    return DrawingParts(
        untrained(seed), tokenizer, codec, ranker, ORIGIN, room, "" if ranker else "Nobody ranks."
    )


def write_drawable_codec(folder: Path) -> CodecRules:
    """Write a codec whose weights are drawn by lot, and return its rules."""
    write_codec(folder, MODEL.image_vocab)
    config, weights = folder / "config.yaml", folder / "vqgan.safetensors"
    return CodecRules(config=FileRef.of(config, folder), weights=FileRef.of(weights, folder))
