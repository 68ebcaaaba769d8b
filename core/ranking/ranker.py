"""The interface of rankers, which tell how well each of several pictures shows what a prompt asks for."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, runtime_checkable

import torch
from torch import Tensor
from torch.nn import functional

from core.errors import RankingError
from core.model.micro_steps import is_out_of_memory
from core.oklab import Floats
from core.ranking.likeness import cells_of, look_alike


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


@runtime_checkable
class Embedder(Protocol):
    """Puts texts and images into one space, in which an image lies near the texts that describe it."""

    def embed_texts(self, texts: Sequence[str]) -> Tensor:
        """Return the embeddings of texts, float32 (n, d) of length 1, on the CPU.

        Args:
            texts: Prompts or captions, at least one.

        Raises:
            RankingError: an embedding is not finite, or memory ends.
            TextError: a text cannot be read.
        """

    def embed_images(self, images: Tensor) -> Tensor:
        """Return the embeddings of images, float32 (n, d) of length 1, on the CPU.

        Args:
            images: Images, floats (n, 3, height, width) in [0, 1].

        Raises:
            RankingError: an image or its embedding is not finite, or memory ends.
            ValueError: another shape or type.
        """


def best(scores: Tensor, count: int, pictures: Sequence[Tensor]) -> list[int]:
    """Choose the best pictures that differ from each other.

    A picture that looks like a better one is chosen only where fewer than ``count`` differ. Where all are
    kept, they are only brought into their order.

    Args:
        scores: Scores of the pictures, of shape (n,); of equal ones the earlier picture counts as better.
        count: Number of pictures to choose.
        pictures: Pixels of the n pictures, in levels from 0 to 255, all of one shape (3, height, width).

    Returns:
        Indices, the best first; of look-alikes, where they are chosen at all, after all others.
    """
    order: list[int] = scores.argsort(descending=True, stable=True).tolist()
    if count >= len(order):
        return order
    different: dict[int, Floats] = {}
    for place in order:
        if len(different) == count:
            break
        cells = cells_of(pictures[place])
        if not any(look_alike(cells, chosen) for chosen in different.values()):
            different[place] = cells
    return [*different, *(place for place in order if place not in different)][:count]


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


def of_unit_length(embeddings: Tensor) -> Tensor:
    """Return embeddings (n, d) scaled to length 1, float32 on the CPU; RankingError if one is not finite."""
    scaled = functional.normalize(embeddings.float(), dim=1).cpu()
    if not bool(torch.isfinite(scaled).all()):
        raise _not_finite()
    return scaled


def _not_finite() -> RankingError:
    return RankingError(
        "The model that ranks pictures gives scores that are not finite.",
        "Its weights must be damaged: get them again.",
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
        raise _not_finite()
    return scores
