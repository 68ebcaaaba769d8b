"""Parsers of models from the Hub: safetensors, files of PyTorch, and the documents that describe them."""

import io
from pathlib import Path

import torch
from safetensors.torch import save

from benchmarks.fuzzing.scratch_file import ScratchFile
from benchmarks.fuzzing.target import FuzzTarget
from core.codec.weights import read_weights
from core.errors import CheckpointError, CodecError, RankingError
from core.model.config import preset
from core.published import document
from core.published.dalle_hivemind import read_state_file
from core.published.document import FileOrigin, ModelDocument
from core.ranking.scorer import Scorer, ScorerConfig
from core.storage import checkpoint_document
from core.storage.checkpoint_document import Document, StoredFile
from core.storage.files import FileRef
from core.storage.parameter_file import read_parameters

_TENSORS = {"weight": torch.arange(6.0).reshape(2, 3), "bias": torch.zeros(3)}
_SHAPES = {name: tensor.shape for name, tensor in _TENSORS.items()}
_SAFE, _TORCH, _CODEC = (ScratchFile(suffix) for suffix in (".safetensors", ".pt", ".ckpt"))
_DIGEST = "ab" * 32
_SCORER = ScorerConfig(vocab=8, length=4, resolution=32, width=8, dim=8, depth=1)


def _parameters(data: bytes) -> object:
    return read_parameters(_SAFE.holding(data), _SHAPES)


def _torch_file(data: bytes) -> object:
    return {name: tensor.sum() for name, tensor in read_state_file(_TORCH.holding(data)).tensors.items()}


def _codec_weights(data: bytes) -> object:
    return read_weights(_CODEC.holding(data), _SHAPES)


def _ranker(data: bytes) -> object:
    return Scorer.load(_SAFE.holding(data))


def _checkpoint(raw: bytes) -> object:
    return checkpoint_document.parse(raw, Path("checkpoint"))


def _model(raw: bytes) -> object:
    return document.parse(raw, "model.json")


def _saved(content: object) -> bytes:
    written = io.BytesIO()
    torch.save(content, written)
    return written.getvalue()


def _small_scorer() -> bytes:
    path = _SAFE.holding(b"")
    Scorer(_SCORER).save(path)
    return path.read_bytes()


_FILE = StoredFile(size=100, sha256=_DIGEST)
_CHECKPOINT = Document(
    run="emoji",
    training_digest=_DIGEST,
    epoch=7,
    parameter_digest=_DIGEST,
    files={"model.safetensors": _FILE, "optimizer.safetensors": _FILE},
    cursor={"shard": 1},
    random_state={"torch": "00"},
    metadata={},
)
_MODEL = ModelDocument(
    model=preset("emoji"),
    weights=FileRef(path="model.safetensors", sha256=_DIGEST, size=1000),
    parameter_digest=_DIGEST,
    origin=FileOrigin(name="model.pt", sha256=_DIGEST),
)

TARGETS = (
    FuzzTarget("parameter_file", (save(_TENSORS),), _parameters, (CheckpointError,)),
    FuzzTarget("torch_file", (_saved(_TENSORS),), _torch_file, (CheckpointError,)),
    FuzzTarget("codec_checkpoint", (_saved({"state_dict": _TENSORS}),), _codec_weights, (CodecError,)),
    FuzzTarget("ranker_file", (_small_scorer(),), _ranker, (RankingError,)),
    FuzzTarget("checkpoint_document", (_CHECKPOINT.text().encode(),), _checkpoint, (CheckpointError,)),
    FuzzTarget("model_document", (_MODEL.sealed().encode(),), _model, (CheckpointError,)),
)
