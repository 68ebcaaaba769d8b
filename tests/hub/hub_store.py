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
        digest = hashlib.sha1(b"blob %d\0" % len(self.content))
        digest.update(self.content)
        return digest.hexdigest()

    def entry(self, path: str) -> dict[str, Any]:
        size = len(self.content)
        known = {"type": "file", "path": path, "size": size, "oid": self.git_digest}
        return known | ({"lfs": {"oid": self.oid, "size": size, "pointerSize": 134}} if self.large else {})


Files = dict[str, Blob]


def entries_in(files: Files, folder: str, *, is_deep: bool) -> list[dict[str, Any]]:
    """Return what the Hub lists in a ``folder``, "" for all: what lies in it, or deep, each file below it."""
    inside = _within(files, folder)
    start = len(folder) + 1 if folder else 0
    folders = {path[: path.index("/", start)] for path in inside if "/" in path[start:] and not is_deep}
    here = [path for path in inside if is_deep or "/" not in path[start:]]
    return [entry for path in sorted((*folders, *here)) for entry in entries_at(files, path)]


def entries_at(files: Files, path: str) -> list[dict[str, Any]]:
    """Return what the Hub says of the file or folder ``path``; nothing if there is none."""
    if path in files:
        return [files[path].entry(path)]
    return [{"type": "directory", "path": path, "oid": "0" * 40, "size": 0}] if _within(files, path) else []


def _within(files: Files, folder: str) -> Files:
    return {path: blob for path, blob in files.items() if not folder or path.startswith(f"{folder}/")}


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
