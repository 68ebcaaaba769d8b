"""A file on the Hugging Face Hub as a recipe names it: repository, revision, path, and its digest if known."""

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Self

from client.api.errors import DownloadError

PREFIX = "hf://"
"""Begins the name of a file on the Hub, as huggingface_hub writes such names."""
_COMMIT = re.compile(r"[0-9a-f]{40}")
_NAME = re.compile(
    r"hf://(?P<datasets>datasets/)?(?P<repo>[\w.-]+/[\w.-]+)(?:@(?P<revision>[\w.-]+))?"
    r"/(?P<path>[\w.-]+(?:/[\w.-]+)*)(?:#sha256=(?P<sha256>[0-9a-f]{64}))?",
    re.ASCII,
)


class RepoKind(StrEnum):
    """Kind of a repository on the Hub."""

    MODEL = "model"
    DATASET = "dataset"


def is_commit(revision: str) -> bool:
    """Return True if ``revision`` is the hash of a commit, which always names the same content."""
    return _COMMIT.fullmatch(revision) is not None


@dataclass(frozen=True)
class HubFile:
    """Name of one file on the Hub."""

    repo: str
    """Owner and name of the repository."""
    path: str
    """Path in the repository."""
    revision: str = "main"
    """Branch, tag or commit."""
    kind: RepoKind = RepoKind.MODEL
    sha256: str | None = None
    """Digest that the file must have, in hex; None: whatever the repository has."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``hf://OWNER/NAME@REVISION/PATH#sha256=DIGEST``, where revision and digest may be left out.

        A data set's name begins with ``hf://datasets/``.

        Raises:
            DownloadError: the text is no such name, or its path leads out of the repository.
        """
        found = _NAME.fullmatch(text)
        if found is None or any(
            set(part) == {"."} for part in (found["repo"] + "/" + found["path"]).split("/")
        ):
            raise DownloadError(
                f"{text[:200]!r} names no file on the Hub.", "Write it as hf://OWNER/NAME@REVISION/PATH."
            )
        kind = RepoKind.DATASET if found["datasets"] else RepoKind.MODEL
        return cls(found["repo"], found["path"], found["revision"] or "main", kind, found["sha256"])

    def __str__(self) -> str:
        """Return the name without the digest."""
        place = "datasets/" if self.kind is RepoKind.DATASET else ""
        return f"{PREFIX}{place}{self.repo}@{self.revision}/{self.path}"

    @property
    def below(self) -> PurePosixPath:
        """Path of the file below a folder of fetched files: models and data sets of one name have two places."""
        kind = "datasets" if self.kind is RepoKind.DATASET else ""
        return PurePosixPath(kind, self.repo, self.path)

    def at(self, commit: str) -> Self:
        """Return the name of the same file at a ``commit``."""
        return replace(self, revision=commit)
