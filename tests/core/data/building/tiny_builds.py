"""Settings that cut a dozen images into several shards, and a function that reads the result."""

from pathlib import Path

from core.data.building.build import BuildSettings

SETTINGS = BuildSettings(grid=2, shard_rows=4, batch_size=3)


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder by their names."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
