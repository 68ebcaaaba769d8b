"""How the builds of tests are cut, so that a dozen images make several shards; and what one came to."""

from pathlib import Path

from core.data.building.build import BuildSettings

SETTINGS = BuildSettings(grid=2, shard_rows=4, row_group_rows=2, batch_size=3)


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder by their names."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
