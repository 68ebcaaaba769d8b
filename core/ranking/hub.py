"""Files of a model on the Hugging Face Hub: one commit of it, bounded in size, and offline once they are here."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
from huggingface_hub import HfApi, try_to_load_from_cache
from huggingface_hub.errors import (
    EntryNotFoundError,
    HFValidationError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils.tqdm import tqdm

from core.errors import RankingError
from core.memory.units import format_size
from core.ranking.arrival import Arrived

LARGEST = {"config.json": 1 << 20, "tokenizer.json": 64 << 20, "model.safetensors": 8 << 30}
"""Largest size of each file, in bytes."""


@dataclass(frozen=True)
class ModelFiles:
    """The files that running a model needs: its sizes, its tokenizer, its weights; none can hold code."""

    repo: str
    revision: str
    """Commit of the repository."""
    cache: Path | None = None
    """Folder for the files; None: huggingface_hub's own."""
    endpoint: str | None = None
    """Address of the Hub; None: huggingface_hub's own default."""

    def bring(self, arrived: Arrived) -> Path:
        """Return the folder that holds the files; missing ones are downloaded, without an access token.

        ``arrived`` is called with the bytes that have arrived and their total.

        Raises:
            RankingError: the Hub cannot be reached or gives something else, or a file is missing or too
                large.
        """
        missing = [name for name in LARGEST if self._kept(name) is None]
        if missing:
            with self._errors_in_words():
                sizes = self._sizes(missing)
                progress = _DownloadProgress(sum(sizes.values()), arrived)
                for name in missing:
                    self._download(name, progress)
        kept = self._kept(missing[-1] if missing else next(iter(LARGEST)))
        assert kept is not None
        return kept.parent

    def _kept(self, name: str) -> Path | None:
        kept = try_to_load_from_cache(self.repo, name, cache_dir=self.cache, revision=self.revision)
        return Path(kept) if isinstance(kept, str) else None

    def _sizes(self, names: list[str]) -> dict[str, int]:
        """Return the bytes of the files as the Hub states them; RankingError if one is missing or too large."""
        entries = self._hub.get_paths_info(self.repo, names, revision=self.revision)
        sizes = {entry.path: entry.size for entry in entries if isinstance(entry, RepoFile)}
        for name in names:
            if name not in sizes:
                raise RankingError(
                    f"{self.repo} has no {name} at {self.revision[:8]}.",
                    "Tell the run's organiser: weights in other formats can hold code, and are not loaded.",
                )
            if sizes[name] > LARGEST[name]:
                raise RankingError(
                    f"{name} of {self.repo} has {format_size(sizes[name])}, which is too large to rank pictures by.",
                    "Tell the run's organiser.",
                )
        return sizes

    def _download(self, name: str, progress: "_DownloadProgress") -> None:
        self._hub.hf_hub_download(
            self.repo, name, revision=self.revision, cache_dir=self.cache, tqdm_class=progress.bar
        )

    @property
    def _hub(self) -> HfApi:
        return HfApi(endpoint=self.endpoint, token=False)

    @contextmanager
    def _errors_in_words(self) -> Iterator[None]:
        try:
            yield
        except (RepositoryNotFoundError, RevisionNotFoundError) as error:
            raise RankingError(
                f"The Hub has no model {self.repo} at {self.revision[:8]}, or it is not public.",
                "Tell the run's organiser.",
            ) from error
        except (httpx2.TransportError, OfflineModeIsEnabled, EntryNotFoundError) as error:
            raise RankingError(
                f"The model that ranks pictures, {self.repo}, cannot be fetched: the Hub cannot be reached.",
                "Connect to the Internet once; what was downloaded is kept, and then works offline.",
            ) from error
        except (httpx2.HTTPError, OSError, HFValidationError) as error:
            reason = str(error).partition("\n")[0]
            raise RankingError(
                f"The model that ranks pictures, {self.repo}, cannot be fetched: {reason}",
                "Try again later; what was downloaded is kept.",
            ) from error
        except (
            ValueError,
            LookupError,
            TypeError,
        ) as error:  # a page where the library expects the Hub's JSON
            raise RankingError(
                f"The model that ranks pictures, {self.repo}, cannot be fetched: something else answers for the Hub.",
                "Sign in to the network if it asks for that, and try again later.",
            ) from error


class _DownloadProgress:
    """Adds up the bytes of several files, through the progress bar that huggingface_hub asks for."""

    def __init__(self, total: int, arrived: Arrived) -> None:
        self._done, self._total, self._arrived = 0, total, arrived

    @property
    def bar(self) -> type[tqdm]:
        """Class of a progress bar that draws nothing."""
        count = self._count

        class Bar(tqdm):
            def __init__(self, *, initial: int = 0, **_: object) -> None:
                super().__init__(disable=True)  # type: ignore[no-untyped-call]
                count(initial)

            def update(self, n: float | None = 1) -> None:
                count(int(n or 0))

            def update_transfer(self, n: float) -> None:
                """Ignore the bytes that travel from the Hub's deduplicated storage: the file's own bytes count."""

            def set_transfer_postfix_str(self, *_: object, **__: object) -> None:
                """Ignore speeds, which are not shown."""

        return Bar

    def _count(self, more: int) -> None:
        self._done += more
        self._arrived(self._done, self._total)
