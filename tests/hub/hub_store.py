"""The contents of the tests' Hub: files by commit, and their digests as the Hub reports them."""

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Blob:
    content: bytes
    large: bool

    @cached_property
    def oid(self) -> str:
        """The digest by which the Hub compares files: SHA-256 of large ones, git's digest of others."""
        return hashlib.sha256(self.content).hexdigest() if self.large else self.git_digest

    @cached_property
    def git_digest(self) -> str:
        return hashlib.sha1(b"blob %d\0" % len(self.content) + self.content).hexdigest()

    def entry(self, path: str) -> dict[str, Any]:
        size = len(self.content)
        known = {"type": "file", "path": path, "size": size, "oid": self.git_digest}
        return known | ({"lfs": {"oid": self.oid, "size": size, "pointerSize": 134}} if self.large else {})


Files = dict[str, Blob]


@dataclass
class Repository:
    private: bool = False
    commits: dict[str, Files] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    """The latest commit of each."""
    messages: list[str] = field(default_factory=list)

    def commit(self, branch: str, files: Files, message: str, oid: str | None = None) -> str:
        oid = oid or hashlib.sha1(f"{len(self.commits)} {message}".encode()).hexdigest()
        self.commits[oid] = files
        self.branches[branch] = oid
        self.messages.append(message)
        return oid

    def at(self, revision: str) -> tuple[str, Files] | None:
        oid = self.branches.get(revision, revision)
        return (oid, self.commits[oid]) if oid in self.commits else None
