"""Fetches a model that a run has published on the Hugging Face Hub: one commit of it, and the files that it names."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
from huggingface_hub import HfApi
from huggingface_hub.errors import HFValidationError, OfflineModeIsEnabled
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils.tqdm import disable_progress_bars

from client.fetching.files import free_bytes
from client.notebook.cells import CellDisplay, NotebookError, sentences
from core.memory.units import format_size
from core.published.document import LARGEST, ModelDocument, parse
from core.published.model_folder import DOCUMENT
from core.run.contact import ScorerRanking
from core.storage.files import FileRef, read_bounded

_RESERVE = 1 << 30
"""Bytes that stay free on the disk."""


def fetch_model(
    repository: str,
    folder: Path,
    endpoint: str,
    screen: CellDisplay,
    free: Callable[[Path], int] = free_bytes,
) -> Path:
    """Return the folder of a published model, whose missing files are downloaded without a token.

    Args:
        repository: Name of the model on the Hub, as ``user/model``.
        folder: Folder in which the model gets one of its own.
        endpoint: Address of the Hub.
        screen: Place where the size is shown before the files are downloaded.
        free: Returns the free bytes of the disk that holds a folder.

    Raises:
        NotebookError: The Hub does not give it, or the disk is too full.
        CheckpointError: It is no model of Idlebrush's.
    """
    disable_progress_bars()  # they need widgets; the cell says what is under way
    hub = HfApi(endpoint=endpoint, token=False)
    place = folder / repository.replace("/", "--")
    with _in_words(repository):
        revision = str(hub.model_info(repository).sha)
        _require_sizes(hub, repository, revision, {DOCUMENT: LARGEST})
        found = hub.hf_hub_download(repository, DOCUMENT, revision=revision, local_dir=place)
        document = parse(read_bounded(Path(found), LARGEST), f"{DOCUMENT} of {repository}")
        files = tuple(_files_of(document))
        _require_sizes(hub, repository, revision, {ref.path: ref.size for ref in files})
        size = sum(ref.size for ref in files if not (place / ref.path).is_file())
        _require_space(repository, size, free(place))
        screen.draw(sentences("Fetching", (f"{repository} from the Hub: {format_size(size)}.",)))
        for ref in files:
            hub.hf_hub_download(repository, ref.path, revision=revision, local_dir=place)
    return place


def _files_of(document: ModelDocument) -> Iterator[FileRef]:
    yield document.weights
    if document.text is not None:
        yield document.text.tokenizer
    if document.codec is not None:
        yield from (document.codec.config, document.codec.weights)
    if isinstance(document.ranking, ScorerRanking):
        yield document.ranking.weights


def _require_sizes(hub: HfApi, repository: str, revision: str, most: dict[str, int]) -> None:
    """Raise NotebookError if a file is missing, or larger than the bytes that it may have."""
    entries = hub.get_paths_info(repository, list(most), revision=revision)
    sizes = {entry.path: entry.size for entry in entries if isinstance(entry, RepoFile)}
    for name, size in most.items():
        if name not in sizes:
            raise NotebookError(
                f"{repository} has no {name}.",
                "Give a model that Idlebrush has published; it has a model.json.",
            )
        if sizes[name] > size:
            raise NotebookError(
                f"{name} of {repository} has {format_size(sizes[name])}, and {format_size(size)} are expected.",
                "Ask its publisher to publish it again.",
            )


def _require_space(repository: str, size: int, free: int) -> None:
    """Raise NotebookError if the model would take space that the service and other programs need."""
    if size + _RESERVE > free:
        raise NotebookError(
            f"{repository} has {format_size(size)}, and {format_size(free)} are free on the disk: less than "
            f"{format_size(_RESERVE)} would stay free.",
            "Free space on the disk, or draw with a smaller model.",
        )


@contextmanager
def _in_words(repository: str) -> Iterator[None]:
    """Raise a NotebookError in place of the library's errors."""
    try:
        yield
    except (OSError, ValueError, httpx2.HTTPError, OfflineModeIsEnabled, HFValidationError) as error:
        raise NotebookError(
            f"{repository} cannot be fetched from the Hub ({type(error).__name__}).",
            "Check the name and the connection to the Internet; the model has to be public.",
        ) from error
