"""A model of some hundred parameters, and what lies in the folders that it is written to."""

from pathlib import Path

import torch
from torch import Tensor

from core.model.config import ModelConfig
from core.model.transformer import Transformer
from core.published.document import RunOrigin

CONFIG = ModelConfig(
    dim=8, depth=2, heads=1, dim_head=8, text_length=4, text_vocab=16, grid=2, image_vocab=16
)
ORIGIN = RunOrigin(run="tiny", training_digest="ab" * 32, epoch=7)


def parameters() -> dict[str, Tensor]:
    return dict(Transformer(CONFIG, torch.Generator().manual_seed(0)).state_dict())


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
