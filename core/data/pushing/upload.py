"""A file that is to be uploaded to a repository on the Hub, unless it is there already."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from huggingface_hub import CommitOperationAdd
from huggingface_hub.hf_api import RepoFile

from core.storage.files import sha256_of


@dataclass(frozen=True)
class Upload:
    """A file with its name in the repository."""

    name: str
    content: Path | bytes
    size: int
    """Size of the file in bytes."""
    sha256: str

    @classmethod
    def of_file(cls, name: str, path: Path) -> Self:
        """Return the upload of the file at ``path``, which is read for its digest, under ``name``."""
        return cls(name, path, path.stat().st_size, sha256_of(path))

    @classmethod
    def of_bytes(cls, name: str, content: bytes) -> Self:
        """Return the upload of ``content`` under ``name``."""
        return cls(name, content, len(content), hashlib.sha256(content).hexdigest())

    def is_at(self, files: Mapping[str, RepoFile]) -> bool:
        """Return true if ``files``, the files of a repository by path, have this one with the same size and digest.

        The Hub tells the SHA-256 of large files, and git's digest of small ones.
        """
        found = files.get(self.name)
        if found is None or found.size != self.size:
            return False
        return found.lfs.sha256 == self.sha256 if found.lfs else found.blob_id == self._git_digest()

    def operation(self) -> CommitOperationAdd:
        """Return the part of a commit that adds the file."""
        content = self.content if isinstance(self.content, bytes) else str(self.content)
        addition = CommitOperationAdd(self.name, content)
        addition.upload_info.sha256 = bytes.fromhex(self.sha256)  # or it would be computed again
        return addition

    def _git_digest(self) -> str:
        data = self.content if isinstance(self.content, bytes) else self.content.read_bytes()
        return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
