"""The record of a folder of fetched files: the commits of branches at its beginning, and the origin of each file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from client.api.errors import DownloadError
from client.recipes.hub_file import HubFile
from core.errors import ManifestError
from core.storage.files import read_bounded, write_atomically

ORIGINS = "origins.json"
_MOST = 1 << 20
"""Largest size of the record, in bytes."""


@dataclass
class Origins:
    """The record of one recipe's files, which `save` writes."""

    path: Path
    recipe: str
    """Name of the recipe."""
    commits: dict[str, str] = field(default_factory=dict)
    """Commit of each branch or tag that was named, by kind, repository and revision."""
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Size in bytes and SHA-256 in hex of each file that came, by its name at its commit."""
    draft: str | None = None
    """SHA-256 in hex of the draft as it was last written; None: none was."""

    @classmethod
    def load(cls, folder: Path, recipe: str) -> Self:
        """Read the record in a folder, or begin one.

        Args:
            folder: Folder of fetched files.
            recipe: Name of the recipe that the folder has to belong to.

        Raises:
            ManifestError: the record is damaged, or of another recipe.
            OSError: it cannot be read.
        """
        path = folder / ORIGINS
        if not path.exists():
            return cls(path, recipe)
        try:
            found = cls(path, **_parsed(json.loads(read_bounded(path, _MOST))))
        except (ValueError, LookupError, TypeError, AttributeError, DownloadError) as error:
            raise ManifestError(f"{path} is damaged.", "Remove it, and run the command again.") from error
        if found.recipe != recipe:
            raise ManifestError(
                f"{folder} holds the files of the recipe {found.recipe}.", "Choose another folder."
            )
        return found

    def save(self) -> None:
        """Write the record, whole or not at all; raises OSError if that fails."""
        table = {"recipe": self.recipe, "commits": self.commits, "files": self.files, "draft": self.draft}
        write_atomically(self.path, json.dumps(table, indent=2).encode())


def _parsed(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a record, each of its type; other values raise one of several errors."""
    recipe, commits, files, draft = table["recipe"], table["commits"], table["files"], table.get("draft")
    if not all(isinstance(item, str) for item in (recipe, draft or "", *commits.values())):
        raise TypeError("no text")
    if not all(HubFile.parse(name) and isinstance(item, dict) for name, item in files.items()):
        raise TypeError("no files")
    return {"recipe": recipe, "commits": dict(commits), "files": dict(files), "draft": draft}
