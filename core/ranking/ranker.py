"""What a judge of pictures does: tell how well each of several shows what a prompt asks for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

import torch
from torch import Tensor

from core.errors import RankingError
from core.micro_steps import is_out_of_memory

Arrived = Callable[[int, int], None]
"""Is told how many bytes of a download are here, and how many there will be."""


class Ranker(Protocol):
    def scores(self, prompt: str, images: Tensor) -> Tensor:
        """How well each image shows what the prompt says: float32 (n,) in [-1, 1] on the CPU, higher is better.

        Scores compare images under one prompt; between prompts they mean little.

        Args:
            images: floats (n, 3, height, width) in [0, 1].

        Raises:
            RankingError: an image holds values that are no numbers, the ranker's model gives none, or memory ends.
            ValueError: another shape or type.
        """


def best(scores: Tensor, count: int) -> list[int]:
    """The indices of the `count` highest scores, best first; of equal ones the earlier image comes first."""
    order: list[int] = scores.argsort(descending=True, stable=True).tolist()
    return order[:count]


@contextmanager
def within_memory() -> Iterator[None]:
    """Out of memory is a RankingError: what was drawn is kept, if without ranks."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        if not is_out_of_memory(error):
            raise
        raise RankingError(
            "There is too little memory to rank pictures.",
            "Close other programs that use the GPU or much memory, and draw again.",
        ) from error


def check_images(images: Tensor) -> None:
    """Raises what `Ranker.scores` says of images that cannot be looked at."""
    if images.ndim != 4 or images.shape[1] != 3 or not images.numel() or not images.is_floating_point():
        raise ValueError(
            f"images must be floats of shape (n, 3, height, width), not {images.dtype} of {tuple(images.shape)}"
        )
    if not bool(torch.isfinite(images).all()):
        raise RankingError(
            "A picture holds values that are no numbers, and cannot be ranked.",
            "Draw it again; if that does not help, the checkpoint or the codec is damaged.",
        )


def cosines(text: Tensor, images: Tensor) -> Tensor:
    """Cosines (n,) of the angles between a text's embedding (d,) and those of images (n, d), as `Ranker.scores`."""
    text, images = text.float(), images.float()
    scores: Tensor = (images @ text / (images.norm(dim=1) * text.norm())).clamp(-1, 1).cpu()
    if not bool(torch.isfinite(scores).all()):
        raise RankingError(
            "The model that ranks pictures gives scores that are no numbers.",
            "Its weights must be damaged: get them again.",
        )
    return scores
