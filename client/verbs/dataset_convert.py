"""The verb `dataset convert`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from client.verbs.options import AsJson
from core.data.packed.layout import ShardLayout
from core.errors import DataError

if TYPE_CHECKING:
    from core.data.index import ShardIndex


def convert(
    folder: Annotated[Path, typer.Argument(help="Folder of shards, in either layout.")],
    out: Annotated[Path, typer.Option(help="New folder for the shards.")],
    layout: Annotated[
        ShardLayout,
        typer.Option(help="packed: in as few bytes as pay; published: as the paper's data set."),
    ] = ShardLayout.PACKED,
    shard_rows: Annotated[int, typer.Option(min=1, help="Rows of a shard.")] = 8192,
    grid: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="Codes along one side of an image, where there is no index."),
    ] = None,
    vocab: Annotated[
        int | None, typer.Option(min=1, max=1 << 15, help="Entries of the codebook, where there is no index.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write the rows of a folder of shards to another one, in another layout; no row is changed."""
    from rich.console import Console

    from client.console.transfer_progress import rows_shown
    from core.data.packed.convert import convert

    index = _index(folder, grid, vocab)
    with rows_shown(Console(stderr=True), "converting", index.total_rows) as progress:
        converted = convert(folder, index, out, layout, shard_rows, progress)
    before, after = _bytes(folder, index), _bytes(out, converted)
    if as_json:
        rows = converted.total_rows
        print(json.dumps({"folder": str(out), "rows": rows, "bytes": after, "bytes_before": before}))
        return
    print(
        f"{converted.total_rows:,} rows in {out}: {after / converted.total_rows:,.1f} bytes a row "
        f"where there were {before / index.total_rows:,.1f}"
    )


def _index(folder: Path, grid: int | None, vocab: int | None) -> "ShardIndex":
    from core.data.index import ShardIndex
    from core.data.packed.convert import index_of

    if grid is None and vocab is None:
        return ShardIndex.load(folder)
    if grid is None or vocab is None:
        raise DataError(
            "What shards without an index hold is told by --grid and --vocab.",
            "Give both, or neither where the folder has an index.json.",
        )
    return index_of(folder, grid, vocab)


def _bytes(folder: Path, index: "ShardIndex") -> int:
    return sum((folder / entry.file).stat().st_size for entries in index.splits.values() for entry in entries)
