"""Specimens of a text-to-image run: a picture of each sample prompt."""

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import torch
from torch import Tensor

from core.codec.vqgan import load_codec
from core.generation.drawing import PromptDrawing, prompts_that_fit
from core.generation.parts import precision_of, room_beside
from core.messages.sampling import Sampling
from core.model.family.trainable import TrainableModel
from core.model.transformer import Transformer
from core.run.training.data_rules import CodecRules
from core.storage.files import resolve_file
from core.text import CaptionTokenizer

_TILE = 128


class PictureSpecimens:
    """Draws one picture of each prompt, always from the same seed."""

    tile = _TILE
    """Largest side in pixels of a picture in a frame."""

    def __init__(
        self,
        prompts: Sequence[str],
        tokenizer: CaptionTokenizer,
        codec: CodecRules,
        base: Path,
        guidance: float = 1.0,
    ) -> None:
        """Prepare to draw.

        Args:
            prompts: Prompts to draw.
            tokenizer: The run's tokenizer.
            codec: Files of the run's codec, which are read each time.
            base: Folder of the run's files.
            guidance: Factor by which the drawings are guided, without a unit; 1: they are not.
        """
        self._codec, self._base, self._guidance = codec, base, guidance
        self._text, self._empty = tokenizer.encode(prompts), tokenizer.encode([""])

    def begin(self, model: TrainableModel, free: int) -> PromptDrawing:
        """Begin to draw with a copy of ``model``, within ``free`` bytes on its device.

        Raises:
            GenerationError: There is too little memory.
        """
        ours = cast(Transformer, model)
        sampling = Sampling.of_prompts(ours.config.image_vocab, self._guidance)
        most, guided, precision = len(self._text), sampling.is_guided, precision_of(ours)
        room = room_beside(ours, free, guided=guided)
        still = copy.deepcopy(ours).requires_grad_(False)
        at_once = prompts_that_fit(ours.config, room, most, precision, guided=guided)
        return PromptDrawing(still, self._text, self._empty, sampling, at_once)

    def pictures(self, codes: Tensor) -> Tensor:
        """Return the pictures of ``codes``, int64 (prompts, grid, grid).

        They are float (prompts, 3, height, width) in [0, 1].
        """
        base = self._base
        codec = load_codec(resolve_file(self._codec.config, base), resolve_file(self._codec.weights, base))
        return torch.cat([codec.decode(one) for one in codes.split(1)])

    def texts(self, codes: Tensor) -> Sequence[str]:
        """Return nothing: pictures are no texts.

        Args:
            codes: Codes of the pictures, int64 (prompts, grid, grid).
        """
        return ()
