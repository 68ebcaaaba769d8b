"""The data card of a set of code shards: a README.md that describes it to the Hub and to people."""

import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from importlib.metadata import version
from itertools import pairwise

import yaml

from core.data.checking.check import CheckReport
from core.data.checking.statistics import Statistics
from core.data.index import ShardIndex
from core.errors import DataError
from core.run.filters import FilterSettings

CARD_NAME = "README.md"
OURS_ABOVE = "<!-- Idlebrush writes what stands above this line. What stands below is yours, and stays. -->"
_FRONT = re.compile(r"---\r?\n.*?\n---\r?\n", re.DOTALL)
_SIZES = {0: "", 1_000: "1K", 10_000: "10K", 100_000: "100K", 1_000_000: "1M", 10_000_000: "10M"}
_SIZES |= {100_000_000: "100M", 1_000_000_000: "1B", 10_000_000_000: "10B"}


def data_card(repo: str, licence: str, index: ShardIndex, columns: Sequence[str], report: CheckReport) -> str:
    """Return the data card: YAML that the Hub reads, and Markdown below it.

    Args:
        repo: Name of the repository, as owner/name.
        licence: Identifier of the licence at the Hub, such as ``cc-by-4.0``.
        index: Index of the shards.
        columns: Names of the shards' columns.
        report: Report of the check of the shards.

    Raises:
        DataError: the files of a split do not have its name.
    """
    known = {
        "license": licence,
        "task_categories": ["text-to-image"],
        "tags": ["idlebrush", "vqgan", "image-codes"],
        "size_categories": [_size_category(report.statistics.rows)],
        "configs": [{"config_name": "default", "data_files": _data_files(index)}],
    }
    front = yaml.safe_dump(known, sort_keys=False)
    parts = [f"---\n{front}---", *_sections(repo, index, columns, report), OURS_ABOVE]
    return "\n\n".join(parts) + "\n"


def kept_of(card: str) -> str:
    """Return the text that people added to the data card ``card``.

    It is all below our line, or below the YAML of a card without such a line.
    """
    _, ours, below = card.partition(OURS_ABOVE)
    if ours:
        return below.removeprefix("\r").removeprefix("\n")
    front = _FRONT.match(card)
    return f"\n{card[front.end() :] if front else card}"


def split_pattern(index: ShardIndex, split: str) -> str:
    """Return a glob that matches the shards of a split in the index, and of no other split.

    Raises:
        DataError: the files of the split do not have its name.
    """
    own = {entry.file for entry in index.splits[split]}
    everything = {entry.file for entries in index.splits.values() for entry in entries}
    for pattern in (f"{split}-?????.parquet", f"{split}-*.parquet"):
        if {file for file in everything if fnmatchcase(file, pattern)} == own:
            return pattern
    raise DataError(
        f"The files of the split {split} are not called by its name.",
        f"Call them {split}-00000.parquet and so on, here and in index.json.",
    )


def _data_files(index: ShardIndex) -> list[dict[str, str]]:
    # datasets takes no dashes in the name of a split
    return [{"split": split.replace("-", "_"), "path": split_pattern(index, split)} for split in index.splits]


def _size_category(rows: int) -> str:
    for (low, below), (high, above) in pairwise(_SIZES.items()):
        if low <= rows < high:
            return f"{below}<n<{above}" if below else f"n<{above}"
    return f"n>{_SIZES[max(_SIZES)]}"


def _sections(repo: str, index: ShardIndex, columns: Sequence[str], report: CheckReport) -> Iterator[str]:
    yield f"# {repo.rpartition('/')[2]}"
    yield (
        "Captions, and images as the codes of a VQ-GAN, for training a text-to-image transformer. "
        f"Made and checked by Idlebrush {version('idlebrush')}; `index.json` holds a SHA-256 of every shard."
    )
    yield "## Layout\n\n" + "\n".join(_layout(index, columns))
    if index.filters:
        yield "## Filters\n\n" + "\n".join(_filters(index.filters))
    yield "## Rows\n\n" + "\n".join(_rows(index, report))
    yield "## Statistics\n\n" + "\n".join(_statistics(report.statistics))
    yield "## Use\n\n" + _use(repo, index)


def _layout(index: ShardIndex, columns: Sequence[str]) -> Iterator[str]:
    yield f"- Parquet with the columns {', '.join(f'`{name}`' for name in columns)}"
    codes = f"{index.grid} x {index.grid} codes of an image, row by row, each in [0, {index.vocab})"
    yield f"- `code`: the {codes}, as little-endian int16"
    if index.codec_sha256:
        yield f"- SHA-256 of the codec's weights: `{index.codec_sha256}`"


def _filters(filters: FilterSettings) -> Iterator[str]:
    yield f"- captions of at least {filters.min_caption_length} characters"
    yield f"- `NSFW` one of {', '.join(f'`{label}`' for label in sorted(filters.safe_labels))}"
    yield f"- longer side at most {filters.max_aspect_ratio:g} times the shorter one"


def _rows(index: ShardIndex, report: CheckReport) -> Iterator[str]:
    for split, rows in report.rows.items():
        yield f"- `{split}`: {rows:,}"
    for reason, images in index.left_out.items():
        yield f"- left out, {reason}: {images:,} images"


def _statistics(statistics: Statistics) -> Iterator[str]:
    codebook = statistics.codebook
    yield f"- {codebook.used:,} of {codebook.size:,} codes occur; {codebook.entropy:.2f} bits a code (order 0)"
    if statistics.stored_bytes_per_row and statistics.stored_bits_per_code:
        yield (
            f"- {statistics.stored_bytes_per_row:.0f} bytes a row as stored, "
            f"{statistics.stored_bits_per_code:.2f} bits a code"
        )
    if statistics.characters:
        yield f"- captions of {statistics.characters.mean:.0f} characters on average"
    about = "" if statistics.repeats_exact else "about "
    yield f"- {about}{statistics.repeated_captions:,} rows repeat a caption of their split"


def _use(repo: str, index: ShardIndex) -> str:
    pattern = split_pattern(index, next(iter(index.splits)))
    return (
        "In the manifest of a run; `revision` is a commit of this data set:\n\n"
        f'```toml\n[training.data.hub]\nrepo = "{repo}"\nrevision = "..."\npattern = "{pattern}"\n```'
    )
