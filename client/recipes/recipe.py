"""Reads the recipe of a run: a draft whose files and data are named on the Hugging Face Hub."""

import copy
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, NamedTuple, Self

from client.recipes.hub_file import PREFIX, HubFile, RepoKind
from core.errors import ManifestError
from core.run.manifest_text import MAX_MANIFEST_BYTES, expand_preset
from core.storage.files import read_bounded

FILE = "recipe.toml"
_SOURCES = {("training", "data", "hub"): RepoKind.DATASET, ("contact", "ranking"): RepoKind.MODEL}
"""Tables that name a repository as a whole."""
_DRAWING = (("training", "codec"), ("training", "text"), ("contact", "ranking"))
"""Tables that name the files of drawing."""


class NamedPlace(NamedTuple):
    """A place in a recipe's tables that names a file on the Hub."""

    parent: Any
    """Table or list that holds the name."""
    key: Any
    """Key in the table, or index in the list."""
    file: HubFile


class NamedSource(NamedTuple):
    """A table of a recipe that names a repository at a revision."""

    table: dict[str, Any]
    kind: RepoKind


@dataclass(frozen=True)
class Recipe:
    """The parsed file of a recipe, which nothing but its names of files was checked of."""

    name: str
    table: dict[str, Any]

    @classmethod
    def load(cls, named: str) -> Self:
        """Read a recipe that comes with Idlebrush by its name, or any other by the path of its file.

        Raises:
            ManifestError: there is none of that name, or it is no TOML.
        """
        path = _folder() / named / FILE if named in recipe_names() else Path(named)
        try:
            table = tomllib.loads(read_bounded(path, MAX_MANIFEST_BYTES).decode())
            return cls(path.parent.name if path.name == FILE else path.stem, expand_preset(table))
        except OSError as error:
            names = ", ".join(recipe_names())
            raise ManifestError(
                f"{path} cannot be read: {error.strerror or error}.",
                f"Name the file of a recipe, or one that comes with Idlebrush: {names}.",
            ) from error
        except (ValueError, RecursionError) as error:
            raise ManifestError(
                f"{path} is no recipe in TOML: {error}.", "Correct its TOML syntax."
            ) from error

    @property
    def published(self) -> HubFile:
        """Name of the published weights of the recipe's model.

        Raises ManifestError if it has none, DownloadError if it names no file.
        """
        table = self.table.get("published")
        named = table.get("model") if isinstance(table, dict) else None
        if not isinstance(named, str):
            raise ManifestError(
                f"The recipe {self.name} names no published weights.",
                'Add them to it: a table [published] with model = "hf://OWNER/NAME@REVISION/PATH".',
            )
        return HubFile.parse(named)

    def places(self) -> Iterator[NamedPlace]:
        """Yield each place that names a file of the run; changes of the tables are seen.

        Raises DownloadError if a name is malformed.
        """
        for part in ("training", "contact"):
            yield from _places(self.table.get(part))

    def drawing_places(self) -> Iterator[NamedPlace]:
        """Yield each place that names a file which drawing needs; raises DownloadError as `places` does."""
        for part, name in _DRAWING:
            table = self.table.get(part)
            yield from _places(table.get(name) if isinstance(table, dict) else None)

    def copied(self) -> Self:
        """Return a copy, whose tables may be changed."""
        return replace(self, table=copy.deepcopy(self.table))

    def sources(self) -> Iterator[NamedSource]:
        """Yield each table that names a repository and a revision of it."""
        for keys, kind in _SOURCES.items():
            table: Any = self.table
            for key in keys:
                table = table.get(key) if isinstance(table, dict) else None
            if isinstance(table, dict) and isinstance(table.get("repo"), str):
                yield NamedSource(table, kind)


def recipe_names() -> list[str]:
    """Return the names of the recipes that come with Idlebrush."""
    return sorted(folder.name for folder in _folder().iterdir() if (folder / FILE).is_file())


def _folder() -> Path:
    with as_file(files("assets") / "recipes") as folder:
        return folder


def _places(value: Any) -> Iterator[NamedPlace]:
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(inner, str) and inner.startswith(PREFIX):
                yield NamedPlace(value, key, HubFile.parse(inner))
            else:
                yield from _places(inner)
