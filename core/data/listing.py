"""Lists the shards of a run: files beside its manifest, or those of a data set on the Hub."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from core.errors import DataError
from core.run.training.data_rules import HubSource
from core.storage.files import FileRef, resolve_file

Entries = Mapping[str, Mapping[str, Any]]
"""Properties of files, by path; ``size`` is always among them."""


class RefusedError(DataError):
    """The data set as a whole is not handed out, so trying its other shards is useless."""


@dataclass(frozen=True)
class Shard:
    """A code shard, here or on a server."""

    name: str
    """Name that people read."""
    url: str
    """Path of a file, or HTTP address."""
    identity: str
    """Text that identifies the content: a digest, or a file of a commit."""
    size: int | None = None
    """Size in bytes of a remote shard; None for a file on this machine."""


class Listing(Protocol):
    """Lists the files of a data set, as huggingface_hub's file system does."""

    endpoint: str
    """Address of the Hub."""

    def glob(self, path: str, /, *, detail: bool) -> Entries:
        """Return the files that match the pattern ``path``, with their properties if ``detail`` is true."""


def local_shards(files: Iterable[FileRef], base_dir: Path) -> tuple[Shard, ...]:
    """Return the shards that ``files`` name relative to ``base_dir``, with size and digest verified.

    Raises:
        ManifestError: a file is missing or differs.
    """
    return tuple(
        Shard(name=ref.path, url=str(resolve_file(ref, base_dir)), identity=ref.sha256) for ref in files
    )


def hub_shards(
    source: HubSource,
    hub: Listing | None = None,
    persist: Callable[[Callable[[], Entries]], Entries] = lambda attempt: attempt(),
) -> tuple[Shard, ...]:
    """Return the shards of a data set on the Hub, in the order of their paths.

    Args:
        source: Repository, revision and pattern of the shards.
        hub: Lists the files; None: the Hub that ``HF_ENDPOINT`` names.
        persist: Calls an attempt, and may call it again if the network prevents it.

    Raises:
        DataError: there is no shard, or the Hub does not list the data set.
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
