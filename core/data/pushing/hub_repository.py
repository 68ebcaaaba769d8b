"""A repository on the Hub to write to: its files, its commits, and the Hub's errors translated into ours."""

import logging
import re
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

import httpx2
import huggingface_hub
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
from huggingface_hub.errors import (
    BadRequestError,
    HfHubHTTPError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.hf_api import RepoFile
from huggingface_hub.utils._http import default_client_factory
from huggingface_hub.utils.tqdm import disable_progress_bars
from pydantic import SecretStr

from core.data.index import MAX_INDEX_BYTES
from core.data.network.fetching import asked_for
from core.errors import DataError
from core.network.persistence import FOR_NOW

SILENCE_SECONDS = 120.0
"""Seconds of silence after which a connection is given up."""
MAIN = "main"
_REPO = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}", re.ASCII)


class RepositoryKind(StrEnum):
    """Kind of a repository, as the Hub's interface names it."""

    DATASET = "dataset"
    MODEL = "model"

    @property
    def noun(self) -> str:
        """Name of the kind in messages."""
        return "data set" if self is RepositoryKind.DATASET else "model"

    @property
    def card(self) -> str:
        """Name of the repository's README.md in messages."""
        return "data card" if self is RepositoryKind.DATASET else "model card"

    @property
    def path(self) -> str:
        """Prefix of the repository's name in the addresses of its pages."""
        return "datasets/" if self is RepositoryKind.DATASET else ""


def settle_library() -> None:
    """Configure huggingface_hub for this process: connections with a limit of silence, and no output."""
    huggingface_hub.set_client_factory(_client)
    disable_progress_bars()
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)
    warnings.filterwarnings("ignore", module="huggingface_hub")


class HubUnavailable(DataError):
    """The Hub cannot be reached, or is busy: another attempt may help."""

    def __init__(self, what: str, asked_for: float | None = None) -> None:
        """Keep ``what`` happened, in a whole sentence, and how long a pause the Hub asks for.

        ``asked_for`` is that pause in seconds; None: the Hub asks for none.
        """
        super().__init__(what, "Give the same command again later: what is there is not sent again.")
        self.asked_for = asked_for
        """Seconds for which the Hub asks to be left alone; None if it does not say."""


class HubRepository:
    """One branch of a data set or a model.

    Raises:
        HubUnavailable: by every method, for faults that pass.
        DataError: by every method; the token is refused or lacks permission, or the Hub refuses the content.
    """

    def __init__(
        self,
        repo: str,
        branch: str,
        token: SecretStr,
        endpoint: str | None = None,
        *,
        kind: RepositoryKind = RepositoryKind.DATASET,
    ) -> None:
        """Name the branch; the Hub is not asked yet.

        Args:
            repo: Name of the repository, as owner/name.
            branch: Name of the branch; `make` creates it unless it is ``MAIN``, which every repository has.
            token: Token of the Hub that may write to the repository.
            endpoint: Address of the Hub; None: the one that huggingface_hub is configured for.
            kind: Data set or model.

        Raises:
            DataError: ``repo`` is not such a name.
        """
        if not _REPO.fullmatch(repo):
            raise DataError(f"{repo!r} is not the name of a {kind.noun}.", "Write it as owner/name.")
        self.repo, self.branch, self._kind = repo, branch, kind
        self._api = HfApi(endpoint, token.get_secret_value())

    def make(self, private: bool) -> None:
        """Create the repository and its branch where they are missing, and check that the token may write.

        A new repository is private if ``private`` is true; otherwise its owner's setting for new ones
        decides.

        Raises:
            DataError: the token may only read, or the repository is public although ``private`` is true.
        """
        with self._in_words():
            if self._api.whoami()["auth"].get("accessToken", {}).get("role") == "read":
                raise DataError("This token of the Hub may only read.", self._writing_token)
            self._api.create_repo(self.repo, repo_type=self._kind, private=private or None, exist_ok=True)
            found = self._api.repo_info(self.repo, repo_type=self._kind)
            if private and not found.private:
                raise DataError(
                    f"The {self._kind.noun} {self.repo} exists already and is public.",
                    "Make it private in its settings at the Hub, or choose another name.",
                )
            if self.branch != MAIN:
                self._api.create_branch(self.repo, branch=self.branch, repo_type=self._kind, exist_ok=True)

    def files(self, revision: str | None = None) -> dict[str, RepoFile]:
        """Return the files by path: those of the commit ``revision``, or of the branch if that is None."""
        with self._in_words():
            entries = self._api.list_repo_tree(
                self.repo, recursive=True, revision=revision or self.branch, repo_type=self._kind
            )
            return {entry.path: entry for entry in entries if isinstance(entry, RepoFile)}

    def read(self, file: RepoFile) -> bytes:
        """Return the content of ``file``, which must be small.

        Raises:
            DataError: the file has more than ``MAX_INDEX_BYTES`` bytes.
        """
        if file.size > MAX_INDEX_BYTES:
            raise DataError(
                f"{file.path} of {self.repo} is too large.", f"Choose another name for the {self._kind.noun}."
            )
        with self._in_words(), tempfile.TemporaryDirectory() as folder:
            found = self._api.hf_hub_download(
                self.repo, file.path, repo_type=self._kind, revision=self.branch, local_dir=folder
            )
            return Path(found).read_bytes()

    def send(self, additions: Sequence[CommitOperationAdd]) -> None:
        """Send the contents of the files ``additions``, ahead of the commit that names them."""
        with self._in_words():
            self._api.preupload_lfs_files(
                self.repo, additions, repo_type=self._kind, revision=self.branch, free_memory=False
            )

    def commit(
        self, message: str, additions: Sequence[CommitOperationAdd], deletions: Sequence[str] = ()
    ) -> str:
        """Make a commit and return its id, or the id of the latest commit if it would change nothing.

        Args:
            message: Message of the commit.
            additions: Files to add or replace.
            deletions: Paths of files to delete.
        """
        gone = [CommitOperationDelete(path) for path in deletions]
        with self._in_words():
            made = self._api.create_commit(
                self.repo,
                [*additions, *gone],
                commit_message=message,
                repo_type=self._kind,
                revision=self.branch,
            )
            return str(made.oid)

    @property
    def _writing_token(self) -> str:
        return (
            f"Make one that may write at {self._api.endpoint}/settings/tokens, and pipe it to --token-stdin."
        )

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """Translate the library's errors. Nothing that the Hub says is quoted: it might repeat the token."""
        try:
            yield
        except DataError:
            raise
        # The library wraps what threads raise in RuntimeError, and calls malformed answers ValueError.
        except (httpx2.HTTPError, OSError, RuntimeError, ValueError, KeyError) as error:
            raise self._translated(error) from error

    def _translated(self, error: Exception) -> DataError:
        match _cause(error):
            case RepositoryNotFoundError() | RevisionNotFoundError():
                return DataError(
                    f"{self.repo} is no {self._kind.noun} that this token can write to.",
                    "The name may belong to another kind of repository or to another user. Choose another name.",
                )
            case BadRequestError() if isinstance(error, ValueError):
                return DataError(
                    f"The Hub does not take the {self._kind.card}.",
                    "Name the licence as the Hub does, such as apache-2.0, cc-by-4.0, cc0-1.0 or other.",
                )
            case HfHubHTTPError() as refused:
                return self._refusal(refused.response)
            case httpx2.HTTPError() | ConnectionError() | RuntimeError():
                return HubUnavailable(f"The Hub at {self._api.endpoint} cannot be reached.")
            case OSError(strerror=str() as reason, filename=name):
                return DataError(f"{name} cannot be read: {reason}.", "See that the folder can be used.")
        return DataError(
            "The Hub sent an answer that this version of Idlebrush does not understand.", "Update Idlebrush."
        )

    def _refusal(self, response: httpx2.Response) -> DataError:
        status = response.status_code
        if status in FOR_NOW:
            return HubUnavailable(f"The Hub is busy (it answers {status}).", asked_for(response.headers))
        if status == httpx2.codes.UNAUTHORIZED:
            return DataError("The Hub does not accept the token.", self._writing_token)
        if status == httpx2.codes.FORBIDDEN:
            return DataError(f"This token may not write to {self.repo}.", self._writing_token)
        return DataError(
            f"The Hub refuses to take {self.repo} (it answers {status}).",
            f"See {self._api.endpoint}/{self._kind.path}{self.repo} and your account's limits.",
        )


def _client() -> httpx2.Client:
    """Return the library's own client with a limit of silence; by itself it would wait for ever."""
    client = default_client_factory()
    client.timeout = httpx2.Timeout(SILENCE_SECONDS)
    return client


def _cause(error: BaseException) -> BaseException:
    """Return the HTTP error that caused an error: an answer of the Hub, or the lack of one; else the error itself."""
    found: BaseException | None = error
    while found and not isinstance(found, httpx2.HTTPError):
        found = found.__cause__
    return found or error
