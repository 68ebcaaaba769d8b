"""Sets of rows to measure encodings with: of emoji, of photographs, and such as bound what the paper's take."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.data.building.image_sizes import SIDE
from core.data.pixels import open_image, square_pixels
from core.data.shards import CodeRow, encode_codes, iterate_rows

_EMBEDDED = Path(__file__).parent.parent / "assets" / "embedded"
PAPER_GRID, PAPER_VOCAB = 32, 8192
_PAPER_SAMPLES = 1024
_CUTS = 3
"""Of a photograph, along a side, beside the whole of it."""

Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Set:
    """Rows of one kind."""

    name: str
    rows: Sequence[CodeRow]
    grid: int
    vocab: int

    @classmethod
    def of_codes(cls, name: str, codes: Codes, vocab: int) -> "Set":
        """Of codes (samples, grid * grid) without captions."""
        rows = [CodeRow("", encode_codes(row), "", 0, 0) for row in codes]
        return cls(name, rows, int(codes.shape[1] ** 0.5), vocab)

    @property
    def codes(self) -> Codes:
        return np.stack([np.frombuffer(row.code, "<i2") for row in self.rows]).astype(np.int64)

    @property
    def bits(self) -> int:
        return max(1, (self.vocab - 1).bit_length())


def emoji() -> Set:
    shards = sorted((_EMBEDDED / "data").glob("all-*.parquet"))
    return Set("emoji", [row for path in shards for row in iterate_rows(path)], 8, 1024)


def photographs(paths: Sequence[Path]) -> Set:
    import torch

    from core.codec.folder import codec_in

    codec, _ = codec_in(_EMBEDDED / "codec")
    cuts = np.stack([cut for path in paths for cut in _cuts(open_image(path.read_bytes()))])
    codes = [codec.encode(batch) for batch in torch.from_numpy(cuts).split(16)]
    return Set.of_codes("photographs", torch.cat(codes).flatten(1).numpy(), codec.codebook_size)


def _cuts(image: Image.Image) -> Iterator[NDArray[np.float32]]:
    yield square_pixels(image, SIDE)
    whole = square_pixels(image, _CUTS * SIDE)
    for row, column in np.ndindex(_CUTS, _CUTS):
        yield whole[:, row * SIDE : (row + 1) * SIDE, column * SIDE : (column + 1) * SIDE]


def synthetic() -> Iterator[Set]:
    """As many codes as the paper's codec gives, of three kinds."""
    draws = np.random.default_rng(0)
    shape = _PAPER_SAMPLES, PAPER_GRID**2
    shares = 1 / np.arange(1, PAPER_VOCAB + 1)
    names = draws.permutation(PAPER_VOCAB)
    skewed = names[draws.choice(PAPER_VOCAB, shape, p=shares / shares.sum())]
    for kind, codes in (
        ("uniform", draws.integers(0, PAPER_VOCAB, shape)),
        ("skewed", skewed),
        ("patched", names[_patched(draws)]),
    ):
        yield Set.of_codes(kind, codes, PAPER_VOCAB)


def _patched(draws: np.random.Generator, classes: int = 64, alike: float = 0.8) -> Codes:
    found = draws.integers(0, classes, (_PAPER_SAMPLES, PAPER_GRID, PAPER_GRID))
    luck = draws.random(found.shape)
    for row in range(1, PAPER_GRID):
        for column in range(1, PAPER_GRID):
            here, draw = found[:, row, column], luck[:, row, column]
            beside = np.where(draw < alike / 2, found[:, row, column - 1], found[:, row - 1, column])
            here[:] = np.where(draw < alike, beside, here)
    each = PAPER_VOCAB // classes
    return (found * each + draws.integers(0, each, found.shape)).reshape(_PAPER_SAMPLES, -1)
