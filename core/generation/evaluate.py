"""Measures how well a model knows pictures by their captions."""

import torch
import torch.nn.functional as F
from torch import Tensor

from core.model.transformer import Transformer


@torch.no_grad()
def image_losses(model: Transformer, text: Tensor, codes: Tensor, batch: int = 64) -> Tensor:
    """Return the cross-entropy of each row's codes in nats per code, float of shape (rows,).

    Args:
        model: Model to evaluate.
        text: Tokens, int64 (rows, text_length).
        codes: Codes, int64 (rows, grid * grid).
        batch: Rows that are computed at a time.
    """
    losses = []
    for words, targets in zip(text.split(batch), codes.split(batch), strict=True):
        logits = model.logits(words, targets)[1].float()
        losses.append(F.cross_entropy(logits.mT, targets, reduction="none").mean(dim=1))
    return torch.cat(losses)
