"""A Hub on loopback with data sets to read: the files of folders, at one revision."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from tests.hub.writable_hub import WritableHub, writable_hub

REPO = "someone/codes"
REVISION = "c" * 40


@contextmanager
def stand_in_hub(folder: Path, others: Mapping[str, Path] = MappingProxyType({})) -> Iterator[WritableHub]:
    """Serves the files of a folder as the data set ``REPO``, and those of others under their names."""
    with writable_hub() as hub:
        for repo, source in {**others, REPO: folder}.items():
            hub.make(repo, {file.name: file.read_bytes() for file in source.iterdir()}, revision=REVISION)
        yield hub
