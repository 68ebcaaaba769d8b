"""What code shards take by encoding, and how fast they are read: real codes, and bounds for the paper's.

``codes``, ``captions`` and ``other`` are bytes a sample; of a shard, what its columns take, and the file's headers
under other. Beside the layouts stand encodings of the codes alone. ``of_published`` is the size beside that of the
published layout as `dataset build` writes it, of the codes alone where these are. Samples a second are of one core's
processor time: from rows to a file, and from a file to validated codes (median of the repeats).

*emoji* is the embedded set. *photographs* are 256 x 256 cuts of freely licensed ones, encoded by the embedded codec,
which learned from emoji: real codes of real pictures, but not those of a codec made for them. The paper's codec (f8,
8,192 codes) is not here: *uniform* codes, which nothing predicts, are the most that its codes can take; *skewed* ones
(frequencies by Zipf's law) and *patched* ones (most are of the class of a neighbour, of 64 classes) say only how far
an encoding gets where codes are like that.
"""

import argparse
import lzma
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.code_sets import PAPER_GRID, PAPER_VOCAB, Set, emoji, photographs, synthetic
from benchmarks.photographs import PACKAGE, NoPhotographsError, fetch_photographs
from benchmarks.report import RESULTS, Report, rounded
from benchmarks.timing import timed
from core.data.building.image_sizes import ImageSizes, measure_images
from core.data.checking.statistics import StoredBytes
from core.data.filters import FilterSettings
from core.data.packed.scan import encode_codes as encode_predicted
from core.data.packed.shard import write_packed_shard
from core.data.shards import iterate_codes, write_shard
from core.data.sources.source import DEFAULT_SPLIT, START, UNLABELLED, SourceImage

_REPEATS = 3
_LARGE_GROUP = 4096


def _write_published(path: Path, of: Set) -> None:
    write_shard(path, of.rows)


def _write_large_groups(path: Path, of: Set) -> None:
    pq.write_table(
        pa.Table.from_pylist([row.to_record() for row in of.rows]),
        path,
        row_group_size=_LARGE_GROUP,
        compression="brotli",
        compression_level=11,
        use_dictionary=["NSFW", "original_width", "original_height"],
        write_statistics=False,
        store_schema=False,
    )


def _write_packed(path: Path, of: Set) -> None:
    write_packed_shard(path, of.rows, of.grid, of.vocab)


LAYOUTS = {
    "published layout": _write_published,
    f"published layout, {_LARGE_GROUP:,} rows a group, Brotli 11": _write_large_groups,
    "packed layout": _write_packed,
}


def _compressed(codec: str, level: int, data: bytes) -> int:
    return len(pa.Codec(codec, compression_level=level).compress(data, asbytes=True))


def _order_0(of: Set) -> float:
    counts = np.bincount(of.codes.ravel())
    shares = counts[counts > 0] / counts.sum()
    return -float((shares * np.log2(shares)).sum()) * of.codes.size / 8


def _words(of: Set) -> bytes:
    return of.codes.astype("<u2").tobytes()


def _by_byte(of: Set) -> bytes:
    """First all low bytes, then all high ones."""
    return np.frombuffer(_words(of), np.uint8).reshape(-1, 2).T.tobytes()


CODINGS: dict[str, Callable[[Set], float]] = {
    "fixed number of bits": lambda of: of.codes.size * of.bits / 8,
    "entropy by frequency alone, a bound": _order_0,
    "16 bits, zstd 22": lambda of: _compressed("zstd", 22, _words(of)),
    "16 bits, low and high bytes apart, Brotli 11": lambda of: _compressed("brotli", 11, _by_byte(of)),
    "16 bits, xz 9": lambda of: len(lzma.compress(_words(of), preset=9)),
    "predicted, codes in the codebook's order": lambda of: len(
        encode_predicted(of.codes.reshape(-1, of.grid, of.grid), of.bits)
    ),
}


def measure(of: Set) -> list[dict[str, Any]]:
    """A row for each layout, then one for each encoding of the codes alone."""
    with tempfile.TemporaryDirectory() as folder:
        layouts = [_layout(name, of, Path(folder) / "shard.parquet") for name in LAYOUTS]
    published = layouts[0]
    whole = sum(published[part] for part in ("codes", "captions", "other"))
    for row in layouts:
        row["of_published"] = rounded(sum(row[part] for part in ("codes", "captions", "other")) / whole, 3)
    codings = []
    for name, size in CODINGS.items():
        codes = size(of) / len(of.rows)
        share = rounded(codes / published["codes"], 3)
        codings.append(_row(of, name, codes=rounded(codes), of_published=share))
    return layouts + codings


def _layout(name: str, of: Set, path: Path) -> dict[str, Any]:
    write = timed(lambda: LAYOUTS[name](path, of)).cpu
    read = median(timed(lambda: _read(of, path)).cpu for _ in range(_REPEATS))
    stored, rows = StoredBytes.of(path), len(of.rows)
    return _row(
        of,
        name,
        codes=rounded(stored.codes / rows),
        captions=rounded(stored.captions / rows),
        other=rounded((stored.other + stored.framing) / rows),
        written_per_second=rounded(rows / write, 2),
        read_per_second=rounded(rows / read, 2),
    )


def _read(of: Set, path: Path) -> None:
    if sum(1 for _ in iterate_codes(path, of.grid, of.vocab)) != len(of.rows):
        raise RuntimeError(f"{of.name} did not come back whole.")


def _row(of: Set, encoding: str, **values: float) -> dict[str, Any]:
    columns = "codes", "captions", "other", "of_published", "written_per_second", "read_per_second"
    return {"set": of.name, "encoding": encoding, **dict.fromkeys(columns, ""), **values}


def beside_jpeg(sizes: ImageSizes) -> list[dict[str, Any]]:
    """What photographs take as JPEG at 256 x 256 beside codes of 13 bits, which take the same of any picture."""
    codes = PAPER_GRID**2 * (PAPER_VOCAB - 1).bit_length() / 8
    taken = {
        "32 x 32 codes of 13 bits": codes,
        **{f"JPEG, quality {quality}": size for quality, size in sizes.jpeg.items()},
    }
    return [
        {"encoding": name, "bytes": round(size), "of_codes": rounded(size / codes, 3)}
        for name, size in taken.items()
    ]


def _sources(paths: Sequence[Path]) -> Iterator[SourceImage]:
    for path in paths:
        yield SourceImage(path.name, path.stem, UNLABELLED, (DEFAULT_SPLIT,), path.read_bytes, START)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--photographs", type=Path, help=f"folder of JPEG files, instead of {PACKAGE}")
    given = parser.parse_args()
    report, jpeg = Report("codes", __doc__ or ""), Report("codes_and_jpeg", beside_jpeg.__doc__ or "")
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
    sets += synthetic()
    rows = [row for of in sets for row in measure(of)]
    report.write(rows, folder=given.out, samples={of.name: len(of.rows) for of in sets}, repeats=_REPEATS)


if __name__ == "__main__":
    main()
