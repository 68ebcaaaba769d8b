"""The interface of rankers, which tell how well each of several pictures shows what a prompt asks for."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

import torch
from torch import Tensor

from core.errors import RankingError
from core.model.micro_steps import is_out_of_memory


class Ranker(Protocol):
    """Tells how well each of several pictures shows what a prompt asks for."""

    def scores(self, prompt: str, images: Tensor) -> Tensor:
        """Return a score of each image, float32 of shape (n,) in [-1, 1] on the CPU; higher is better.

        Scores compare images under one prompt; between prompts they mean little.

        Args:
            prompt: Text that the images should show.
            images: Images, floats (n, 3, height, width) in [0, 1].

        Raises:
            RankingError: an image holds values that are not finite, the ranker's model gives none, or memory
                ends.
            ValueError: another shape or type.
        """


ALIKE = 2.0
"""Mean difference of two pictures, in levels of 255, below which they look the same."""


def best(scores: Tensor, count: int, pictures: Sequence[Tensor]) -> list[int]:
    """Choose the best pictures that differ from each other.

    A picture that looks like a better one is chosen only where fewer than ``count`` differ. Where all are
    kept, they are only brought into their order.

    Args:
        scores: Scores of the pictures, of shape (n,); of equal ones the earlier picture counts as better.
        count: Number of pictures to choose.
        pictures: Pixels of the n pictures, in levels from 0 to 255, all of one shape.

    Returns:
        Indices, the best first; of look-alikes, where they are chosen at all, after all others.
    """
    order: list[int] = scores.argsort(descending=True, stable=True).tolist()
    if count >= len(order):
        return order
    different: list[int] = []
    for place in order:
        if len(different) == count:
            break
        if not any(_is_alike(pictures[place], pictures[chosen]) for chosen in different):
            different.append(place)
    return [*different, *(place for place in order if place not in different)][:count]


def _is_alike(one: Tensor, other: Tensor) -> bool:
    return float((one.float() - other.float()).abs().mean()) < ALIKE


@contextmanager
def within_memory() -> Iterator[None]:
    """Turn an out-of-memory error of the body into a RankingError: pictures are kept without ranks then."""
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
    """Check that ``images`` are floats of shape (n, 3, height, width), and finite.

    Raises:
        ValueError: another shape or type.
        RankingError: an image holds values that are not finite.
    """
    if images.ndim != 4 or images.shape[1] != 3 or not images.numel() or not images.is_floating_point():
        raise ValueError(
            f"images must be floats of shape (n, 3, height, width), not {images.dtype} of {tuple(images.shape)}"
        )
    if not bool(torch.isfinite(images).all()):
        raise RankingError(
            "A picture holds values that are not finite, and cannot be ranked.",
            "Draw it again; if that does not help, the checkpoint or the codec is damaged.",
        )


def cosines(text: Tensor, images: Tensor) -> Tensor:
    """Return the cosines of the angles between a text's embedding and those of images.

    Args:
        text: Embedding of the text, of shape (d,).
        images: Embeddings of the images, (n, d).

    Returns:
        Cosines in [-1, 1], float32 of shape (n,), on the CPU.

    Raises:
        RankingError: a cosine is no number.
    """
    text, images = text.float(), images.float()
    scores: Tensor = (images @ text / (images.norm(dim=1) * text.norm())).clamp(-1, 1).cpu()
    if not bool(torch.isfinite(scores).all()):
        raise RankingError(
            "The model that ranks pictures gives scores that are not finite.",
            "Its weights must be damaged: get them again.",
        )
    return scores
