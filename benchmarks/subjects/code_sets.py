"""Sets of code rows to measure compressions with: emoji, photographs, and the worst case at the paper's size.

The photographs come from a Debian package and are not kept here. lomiri-wallpapers-16.04 is 16 MB; its files are by
several authors, under CC BY 4.0, CC BY-SA 3.0 and 4.0, and CC0, as its file ``copyright`` says.
"""

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from core.data.building.image_sizes import SIDE
from core.data.images import open_image
from core.data.pixels import square_pixels
from core.data.shard_file import iterate_rows
from core.data.shards import CodeRow, encode_codes

_EMBEDDED = Path(__file__).parents[2] / "assets" / "embedded"
PACKAGE = "lomiri-wallpapers-16.04"
PAPER_GRID, PAPER_VOCAB = 32, 8192
_PAPER_SAMPLES = 1024
_CUTS = 3
"""Cuts along each side of a photograph, beside the whole of it."""

CodeArray = NDArray[np.int64]


class NoPhotographsError(Exception):
    """The package of photographs cannot be had here; the message says why."""


@dataclass(frozen=True)
class CodeSet:
    """Rows of one kind."""

    name: str
    rows: Sequence[CodeRow]
    grid: int
    vocab: int

    @classmethod
    def of_codes(cls, name: str, codes: CodeArray, vocab: int) -> "CodeSet":
        """Return a set of codes, shape (samples, grid * grid), without captions."""
        rows = [CodeRow("", encode_codes(row), "", 0, 0) for row in codes]
        return cls(name, rows, int(codes.shape[1] ** 0.5), vocab)


def emoji() -> CodeSet:
    """Return the training split of the embedded set."""
    shards = sorted((_EMBEDDED / "data").glob("all-*.parquet"))
    return CodeSet("emoji", [row for path in shards for row in iterate_rows(path)], 8, 1024)


def photographs(paths: Sequence[Path]) -> CodeSet:
    """Return cuts of JPEG files, encoded by the embedded codec."""
    import torch

    from core.codec.vqgan import codec_in

    codec, _ = codec_in(_EMBEDDED / "codec")
    cuts = np.stack([cut for path in paths for cut in _cuts(open_image(path.read_bytes()))])
    codes = [codec.encode(batch) for batch in torch.from_numpy(cuts).split(16)]
    return CodeSet.of_codes("photographs", torch.cat(codes).flatten(1).numpy(), codec.codebook_size)


def uniform() -> CodeSet:
    """Return random codes, as many an image as the paper's codec gives."""
    draws = np.random.default_rng(0)
    codes = draws.integers(0, PAPER_VOCAB, (_PAPER_SAMPLES, PAPER_GRID**2))
    return CodeSet.of_codes("uniform", codes, PAPER_VOCAB)


def fetch_photographs(folder: Path) -> list[Path]:
    """Download the package of photographs and unpack it below ``folder``.

    Raises:
        NoPhotographsError: this is no Debian system, or its archive cannot be reached.
    """
    # As root, apt would warn that another user cannot write to the folder.
    apart = "-oAPT::Sandbox::User=root"
    try:
        subprocess.run(
            ["apt-get", "-q", apart, "download", PACKAGE], cwd=folder, check=True, capture_output=True
        )
        (package,) = folder.glob("*.deb")
        subprocess.run(["dpkg-deb", "-x", package, folder], check=True, capture_output=True)
    except FileNotFoundError as error:
        raise NoPhotographsError(f"{PACKAGE} is fetched by {error.filename}, which is not here") from error
    except subprocess.CalledProcessError as error:
        raise NoPhotographsError(f"{PACKAGE} cannot be had: {error.stderr.decode().strip()}") from error
    return sorted(folder.rglob("*.jpg"))


def _cuts(image: Image.Image) -> Iterator[NDArray[np.float32]]:
    yield square_pixels(image, SIDE)
    whole = square_pixels(image, _CUTS * SIDE)
    for row, column in np.ndindex(_CUTS, _CUTS):
        yield whole[:, row * SIDE : (row + 1) * SIDE, column * SIDE : (column + 1) * SIDE]
