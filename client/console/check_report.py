"""Shows what a check of code shards found: statistics with histograms, or all of it as JSON."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from core.data.building.image_sizes import SIDE, ImageSizes
from core.data.checking.check import CheckReport
from core.data.checking.statistics import Bin, CodebookUse, Lengths, Statistics

BAR_WIDTH = 40
PARTS_SHOWN = 12
"""Number of splits, or of shards, that are listed; more are summed up."""


def report(found: CheckReport, images: ImageSizes | None = None) -> RenderableType:
    """Report of a check; ``images`` gives the sizes that the rows are compared with."""
    parts: list[RenderableType] = [Text(line) for line in _rows(found.rows)]
    if found.statistics.rows:
        parts += ["", _table(found, images)]
    if found.statistics.characters:
        parts += ["", Text("Captions by characters"), _histogram(found.statistics.characters.histogram)]
    if found.statistics.tokens:
        parts += ["", Text("Captions by tokens"), _histogram(found.statistics.tokens.histogram)]
    return Group(*parts)


def document(found: CheckReport, images: ImageSizes | None = None) -> dict[str, Any]:
    """Return the report for programs; sizes are in bytes."""
    statistics = found.statistics
    derived = {
        "stored_bits_per_code": statistics.stored_bits_per_code,
        "stored_bytes_per_row": statistics.stored_bytes_per_row,
    }
    codebook = {"share": statistics.codebook.share, "perplexity": statistics.codebook.perplexity}
    return {
        "sound": found.sound,
        "rows": found.rows,
        "problems": found.problems,
        "statistics": asdict(statistics) | derived | {"codebook": asdict(statistics.codebook) | codebook},
        "source_bytes": found.source_bytes,
        "images": asdict(images) if images else None,
    }


def _rows(rows: dict[str, int]) -> list[str]:
    if len(rows) > PARTS_SHOWN:
        return [f"{len(rows):,} shards: {sum(rows.values()):,} sound rows"]
    return [f"{part}: {count:,} sound rows" for part, count in rows.items()]


def _table(found: CheckReport, images: ImageSizes | None) -> Table:
    statistics, row = found.statistics, found.statistics.stored_bytes_per_row
    table = Table.grid(padding=(0, 2))
    _add(table, "codebook", _codebook(statistics.codebook))
    _add(table, "captions", _captions(statistics))
    _add(table, "images", [_repeated(statistics.repeated_images, statistics, "have the codes of")])
    _add(table, "stored", _stored(statistics))
    if row and found.source_bytes:
        _add(
            table,
            "source",
            [f"{found.source_bytes:,.0f} bytes an image, {found.source_bytes / row:.1f} times a row"],
        )
    if row and images:
        _add(table, "as images", _as_images(images, row))
    return table


def _add(table: Table, name: str, lines: Iterable[str]) -> None:
    for line in lines:
        table.add_row(Text(name, style="bold"), Text(line))
        name = ""


def _codebook(use: CodebookUse) -> Iterator[str]:
    yield f"{use.used:,} of {use.size:,} codes occur ({use.share:.1%})"
    yield f"{use.entropy:.2f} bits per code (order 0), equal to {use.perplexity:,.0f} equally frequent codes"
    yield f"most frequent: {_ranked(use.most_frequent)}"
    yield f"least frequent: {_ranked(use.least_frequent)}"


def _ranked(codes: Iterable[tuple[int, int]]) -> str:
    return ", ".join(f"{code} ({count:,} times)" for code, count in codes)


def _captions(statistics: Statistics) -> Iterator[str]:
    for unit, lengths in (("characters", statistics.characters), ("tokens", statistics.tokens)):
        if lengths:
            yield f"{lengths.mean:.1f} {unit} on average, {lengths.longest:,} at most; {_quantiles(lengths)}"
    yield _repeated(statistics.repeated_captions, statistics, "repeat")


def _quantiles(lengths: Lengths) -> str:
    return ", ".join(f"{part:.0%}: {length:,}" for part, length in lengths.quantiles.items())


def _repeated(count: int, statistics: Statistics, verb: str) -> str:
    about = "" if statistics.repeats_exact else "about "
    return f"{about}{count:,} ({count / statistics.rows:.1%}) {verb} an earlier row of the same split"


def _stored(statistics: Statistics) -> Iterator[str]:
    stored = statistics.stored
    if not stored.rows or statistics.stored_bits_per_code is None:
        return
    parts = {
        "codes": stored.codes,
        "captions": stored.captions,
        "other columns": stored.other,
        "headers and footers": stored.framing,
    }
    shares = ", ".join(f"{name} {size / stored.rows:.1f}" for name, size in parts.items())
    yield f"{statistics.stored_bytes_per_row:.1f} bytes a row: {shares}"
    yield f"{statistics.stored_bits_per_code:.2f} bits a code"


def _as_images(images: ImageSizes, row: float) -> Iterator[str]:
    yield f"averages over the first {images.images:,} images that pass the filters; images are not enlarged for JPEG"
    yield f"{images.source:,.0f} bytes in the source, {images.source / row:.1f} times a row"
    for quality, size in images.jpeg.items():
        yield f"{size:,.0f} bytes as JPEG at {SIDE} px, quality {quality}: {size / row:.1f} times a row"


def _histogram(bins: tuple[Bin, ...]) -> Table:
    table = Table.grid(padding=(0, 1))
    for _ in range(2):
        table.add_column(justify="right")
    highest = max(one.count for one in bins)
    for one in bins:
        bar = "█" * round(BAR_WIDTH * one.count / highest) or ("▏" if one.count else "")
        table.add_row(f"{one.first}–{one.last}", f"{one.count:,}", Text(bar))
    return table
