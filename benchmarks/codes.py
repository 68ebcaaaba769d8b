"""Bytes that code shards take by compression, and the speed at which they are written and read.

``codes``, ``captions`` and ``other`` are bytes a sample: the columns of a shard, with the headers of the file under
``other``. ``of_standard`` is the size divided by that of the standard compression of `dataset build`. Samples a
second are of one core's processor time: from rows to a file, and from a file to validated codes (median of the
repeats).

*emoji* is the embedded set. *photographs* are 256 x 256 cuts of freely licensed ones, encoded by the embedded codec,
which learned from emoji: real codes of real pictures, but not those of a codec made for them. The paper's codec (f8,
8,192 codes) is not here: *uniform* codes of its size, which no compression predicts, take the most that its codes
can take.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any

from assets.embedded.recipe.train_codec import CODEC, read_images, reproduction
from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from benchmarks.measuring.timing import timed
from benchmarks.subjects.code_sets import (
    PACKAGE,
    PAPER_GRID,
    PAPER_VOCAB,
    CodeSet,
    NoPhotographsError,
    emoji,
    fetch_photographs,
    photographs,
    uniform,
)
from core.codec.vqgan import load_codec
from core.data.building.image_sizes import ImageSizes, measure_images
from core.data.checking.statistics import StoredBytes
from core.data.layout import Compression
from core.data.shard_file import iterate_codes
from core.data.shards import write_shard
from core.data.sources.source import DEFAULT_SPLIT, START, UNLABELLED, SourceImage
from core.run.filters import FilterSettings

EMOJI = Path(__file__).parents[1] / "tests" / "core" / "codec" / "noto"
"""Eight of the emoji; ``python -m assets.embedded.recipe.fetch_emoji --out FOLDER`` lays out all."""
_REPEATS = 3


def measure(codes: CodeSet) -> list[dict[str, Any]]:
    """Return a row of the report for each compression of ``codes``."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [_measured(codes, each, Path(folder) / f"{each}.parquet") for each in Compression]
    standard = _total(rows[0])
    return [{**row, "of_standard": rounded(_total(row) / standard, 3)} for row in rows]


def _measured(codes: CodeSet, compression: Compression, path: Path) -> dict[str, Any]:
    write = timed(lambda: write_shard(path, codes.rows, compression)).cpu
    read = median(timed(lambda: _read(codes, path)).cpu for _ in range(_REPEATS))
    stored, rows = StoredBytes.of(path), len(codes.rows)
    return {
        "set": codes.name,
        "compression": str(compression),
        "codes": rounded(stored.codes / rows),
        "captions": rounded(stored.captions / rows),
        "other": rounded((stored.other + stored.framing) / rows),
        "written_per_second": rounded(rows / write, 2),
        "read_per_second": rounded(rows / read, 2),
    }


def _total(row: dict[str, Any]) -> float:
    return float(row["codes"] + row["captions"] + row["other"])


def _read(codes: CodeSet, path: Path) -> None:
    if sum(1 for _ in iterate_codes(path, codes.grid, codes.vocab)) != len(codes.rows):
        raise RuntimeError(f"{codes.name} did not come back whole.")


def beside_jpeg(sizes: ImageSizes) -> list[dict[str, Any]]:
    """Return the bytes of photographs as JPEG at 256 x 256, beside those of codes of 13 bits.

    Codes take the same for any picture.
    """
    codes = PAPER_GRID**2 * (PAPER_VOCAB - 1).bit_length() / 8
    taken = {
        "32 x 32 codes of 13 bits": codes,
        **{f"JPEG, quality {quality}": size for quality, size in sizes.jpeg.items()},
    }
    return [
        {"encoding": name, "bytes": round(size), "of_codes": rounded(size / codes, 3)}
        for name, size in taken.items()
    ]


def beside_png(folder: Path) -> dict[str, Any]:
    """Return the bytes of emoji as PNG beside those of their codes, and how exactly the codec reproduces them.

    Codes are counted in whole bits. PSNR is the peak signal-to-noise ratio of a picture on white, in dB.
    """
    codec = load_codec(CODEC / "config.yaml", CODEC / "vqgan.safetensors")
    psnr, codes = reproduction(codec, read_images(folder, codec.grid * codec.downsampling))
    return {
        "pictures": len(codes),
        "png": rounded(mean(path.stat().st_size for path in folder.glob("*.png"))),
        "codes": codes[0].numel() * (codec.codebook_size - 1).bit_length() / 8,
        "psnr": rounded(float(psnr.mean())),
        "lowest_psnr": rounded(float(psnr.min())),
        "different_codes": len(codes.unique()),
    }


def _sources(paths: Sequence[Path]) -> Iterator[SourceImage]:
    for path in paths:
        yield SourceImage(path.name, path.stem, UNLABELLED, (DEFAULT_SPLIT,), path.read_bytes, START)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--photographs", type=Path, help=f"folder of JPEG files, instead of {PACKAGE}")
    parser.add_argument("--emoji", type=Path, default=EMOJI, help="folder of PNG files of 64 x 64")
    given = parser.parse_args()
    report, jpeg, png = (
        BenchmarkReport("codes", __doc__ or ""),
        BenchmarkReport("codes_and_jpeg", beside_jpeg.__doc__ or ""),
        BenchmarkReport("codes_and_png", beside_png.__doc__ or ""),
    )
    png.write([beside_png(given.emoji)], folder=given.out)
    sets = [emoji()]
    with tempfile.TemporaryDirectory() as folder:
        try:
            paths = (
                sorted(given.photographs.rglob("*.jpg"))
                if given.photographs
                else fetch_photographs(Path(folder))
            )
            sets.append(photographs(paths))
            if sizes := measure_images(_sources(paths), FilterSettings()):
                jpeg.write(beside_jpeg(sizes), folder=given.out, photographs=sizes.images, package=PACKAGE)
        except NoPhotographsError as error:
            print(f"Without photographs: {error}.")
    sets.append(uniform())
    rows = [row for codes in sets for row in measure(codes)]
    samples = {codes.name: len(codes.rows) for codes in sets}
    report.write(rows, folder=given.out, samples=samples, repeats=_REPEATS)


if __name__ == "__main__":
    main()
