"""Which shards a run has: files that lie beside its manifest, or those of a data set on the Hub."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from core.errors import DataError
from core.files import FileRef, resolve_file
from core.rules import HubSource

Entries = Mapping[str, Mapping[str, Any]]
"""What is known of files, by path: `size` at least."""


class RefusedError(DataError):
    """The data set as a whole is not handed out, so that trying its other shards is in vain."""


@dataclass(frozen=True)
class Shard:
    """A code shard where it lies."""

    name: str
    """For people."""
    url: str
    """A path, or an address of HTTP."""
    identity: str
    """What tells it from any other content: a digest, or a file of a commit."""
    size: int | None = None
    """Bytes of one that lies elsewhere; None of one that is a file here."""


class Listing(Protocol):
    """What lists the files of a data set: huggingface_hub's file system."""

    endpoint: str
    """The Hub's address."""

    def glob(self, path: str, /, *, detail: bool) -> Entries: ...


def local_shards(files: Iterable[FileRef], base_dir: Path) -> tuple[Shard, ...]:
    """The shards beside a manifest in ``base_dir``, verified; raises ManifestError."""
    return tuple(
        Shard(name=ref.path, url=str(resolve_file(ref, base_dir)), identity=ref.sha256) for ref in files
    )


def hub_shards(
    source: HubSource,
    hub: Listing | None = None,
    persist: Callable[[Callable[[], Entries]], Entries] = lambda attempt: attempt(),
) -> tuple[Shard, ...]:
    """The shards of a data set on the Hub, in the order of their paths.

    ``persist`` is what makes of an attempt that the network may prevent one that it does not.

    Raises:
        DataError: there is none, or the Hub does not tell.
    """
    import httpx2  # here because it takes a while, and many runs have no need of it

    hub = hub or _hub()
    root = f"datasets/{source.repo}@{source.revision}/"
    try:
        found = persist(lambda: hub.glob(f"{root}{source.pattern}", detail=True))
    except (httpx2.HTTPError, OSError) as error:
        raise DataError(
            f"The data set {source.repo} cannot be listed: {error}.", "Check the connection to the Hub."
        ) from error
    if not found:
        raise DataError(
            f"The data set {source.repo} has no file {source.pattern} at {source.revision[:8]}.",
            "Tell the run's organiser: the data set may have been removed.",
        )
    return tuple(
        _shard(source, hub.endpoint, path, entry)
        for path, entry in sorted(found.items())
        if entry.get("type", "file") == "file"
    )


def _shard(source: HubSource, endpoint: str, path: str, entry: Mapping[str, Any]) -> Shard:
    from huggingface_hub import hf_hub_url

    file = path.removeprefix(f"datasets/{source.repo}@{source.revision}/")
    url = hf_hub_url(source.repo, file, repo_type="dataset", revision=source.revision, endpoint=endpoint)
    return Shard(name=path.removeprefix("datasets/"), url=url, identity=path, size=int(entry["size"]))


def _hub() -> Listing:
    from huggingface_hub import HfFileSystem

    # The shared one would keep all that it is told of every file, for as long as the process lives.
    listing: Listing = HfFileSystem(skip_instance_cache=True)
    return listing
