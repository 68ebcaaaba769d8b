"""Measures a state on rows that no peer trains on: the mean loss by which checkpoints are compared."""

import math
from itertools import islice
from pathlib import Path
from typing import Self

import torch
from torch import Tensor

from core.data.shard_file import iterate_codes
from core.generation.evaluate import image_losses
from core.model.transformer import Transformer
from core.run.rules import TrainingRules
from core.skeletons import shapes_alone
from core.storage.files import resolve_file
from core.swarm.state.state import PARAMETERS, SwarmState, under
from core.text import CaptionTokenizer

_WORK = 4e12
"""Multiplications and additions that a measurement may take: minutes on one core."""
_ROWS = 8, 256
"""Smallest number of rows that gives a meaningful loss, and largest number that is needed."""
_BATCH = 4


class HeldOut:
    """The first rows of a shard of the run's, always the same ones."""

    def __init__(self, training: TrainingRules, text: Tensor, codes: Tensor) -> None:
        self._training, self._text, self._codes = training, text, codes

    @classmethod
    def of_run(cls, training: TrainingRules, base: Path) -> Self | None:
        """Read the held-out examples of the run whose files are in ``base``, or the first of its training data.

        They also show whether a run blew up. None if its data lie at the Hub alone, or no row has a caption.
        Raises ManifestError, DataError and TextError as the files are.
        """
        shards = (training.data.heldout, *training.data.shards)
        if (first := next(filter(None, shards), None)) is None:
            return None
        model = training.model
        shard = resolve_file(first, base)
        rows = list(islice(iterate_codes(shard, model.grid, model.image_vocab), _rows(training)))
        if not rows:
            return None
        text = CaptionTokenizer.of_run(training.text, base).encode([row.caption for row, _ in rows])
        return cls(training, text, torch.stack([torch.from_numpy(codes) for _, codes in rows]))

    def loss(self, state: SwarmState) -> float:
        """Return the mean cross-entropy in nats per code, which may be NaN or infinite.

        The measurement needs memory for a second copy of the parameters.
        """
        model = Transformer(self._training.model)
        model.load_state_dict(under(PARAMETERS, state.tensors))
        return float(image_losses(model.eval(), self._text, self._codes, _BATCH).mean())


def is_worse(loss: float, last: float | None, bound: float) -> bool:
    """Return true if a loss exceeds the last kept checkpoint's by more than that share; NaN always does."""
    return not math.isfinite(loss) or (last is not None and loss > last + bound * abs(last))


def _rows(training: TrainingRules) -> int:
    fewest, most = _ROWS
    with shapes_alone():
        parameters = sum(item.numel() for item in Transformer(training.model).parameters())
    model = training.model
    sharing = model.depth / max(1, min(model.depth, model.shared_layers or model.depth))
    a_row = 2 * parameters * sharing * (model.text_length + model.image_length)
    return int(min(max(_WORK / a_row, fewest), most))
