"""Draws the prompts of an evaluation, and keeps each prompt's drawings, so that an interrupted evaluation goes on."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from core.errors import RankingError
from core.evaluation.cell_colours import Cells, cells_of_all
from core.evaluation.nearest import Embeddings
from core.evaluation.training_pictures import PictureEncoder
from core.generation.parts import DrawingParts
from core.generation.service import generate
from core.messages.pictures import GenerationRequest
from core.storage.files import read_bounded, write_atomically

_LARGEST = 256 << 20
"""Largest size of a prompt's file, in bytes; a larger one is not ours."""


@dataclass(frozen=True)
class PromptDrawings:
    """The drawings of a prompt, best first by the run's ranker."""

    numbers: NDArray[np.int64]
    """Number of each drawing in its request, from 0: (n,)."""
    images: Embeddings
    """Embeddings of the drawings, (n, d)."""
    text: Embeddings
    """Embedding of the prompt, (1, d)."""
    pixels: NDArray[np.uint8]
    """Pixels of the best, (3, height, width)."""

    @property
    def cells(self) -> Cells:
        """Mean colours of the cells of the best, (cells, 3) in Oklab."""
        cells: Cells = cells_of_all(torch.from_numpy(self.pixels.copy())[None].float() / 255)[0]
        return cells


@dataclass(frozen=True)
class DrawingFolder:
    """The folder of the drawings of one model, seen by one ranker."""

    path: Path
    digest: str
    """Digest of the data, codec and ranker."""

    def draw(
        self,
        request: GenerationRequest,
        parts: DrawingParts,
        encoder: PictureEncoder,
        report: Callable[[float], None] = lambda progress: None,
    ) -> PromptDrawings:
        """Return the drawings of a request, which are drawn only if they are not kept.

        Args:
            request: Prompt, seed and number of the drawings.
            parts: Model that draws.
            encoder: Codec and embeddings.
            report: Called with the progress, from 0 to 1.

        Raises:
            TextError: the model cannot read the prompt.
            MemoryPlanError: there is too little memory for a single picture.
            RankingError: the drawings cannot be ranked.
        """
        file = self._file(request, parts)
        if (kept := _read(file)) is None:
            kept = _drawn(request, parts, encoder, report)
            self.path.mkdir(parents=True, exist_ok=True)
            write_atomically(file, save(dict(vars(kept))))
        report(1.0)
        return kept

    def _file(self, request: GenerationRequest, parts: DrawingParts) -> Path:
        words = f"{self.digest}\n{parts.origin.parameter_digest}\n{parts.usual_guidance}\n{request.model_dump_json()}"
        return self.path / f"{hashlib.sha256(words.encode()).hexdigest()[:32]}.safetensors"


def _drawn(
    request: GenerationRequest, parts: DrawingParts, encoder: PictureEncoder, report: Callable[[float], None]
) -> PromptDrawings:
    drawn = generate(request, parts, report)
    if drawn.unranked:
        raise RankingError(
            f"The drawings cannot be ranked. {drawn.unranked}", "Close other programs, and try again."
        )
    images = torch.stack([picture.pixels for picture in drawn.kept]).float() / 255
    return PromptDrawings(
        np.array([picture.number for picture in drawn.kept]),
        encoder.embedder.embed_images(images).numpy(),
        encoder.embedder.embed_texts([request.prompt]).numpy(),
        drawn.kept[0].pixels.numpy(),
    )


def _read(file: Path) -> PromptDrawings | None:
    """Return the drawings in ``file``; None if it is missing or damaged, as they can be drawn again."""
    try:
        return PromptDrawings(**load(read_bounded(file, _LARGEST)))
    except (OSError, ValueError, TypeError, SafetensorError):
        return None
