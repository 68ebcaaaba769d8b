"""Gathers what a recipe names on the Hub into a folder, with a draft of the run whose files are beside it.

Branches become commits at the first attempt, and stay: a later attempt goes on with the same files.
"""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import tomli_w

from client.recipes.fetched_folder import DRAFT, NEWER_DRAFT, FetchedFolder, fetched_folder
from client.recipes.hub_fetcher import FetchedFile, HubFetcher
from client.recipes.origins import ORIGINS
from client.recipes.recipe import Recipe
from core.storage.files import sha256_of, write_atomically


@dataclass(frozen=True)
class Gathered:
    """A run's draft, with all of its files."""

    draft: Path
    files: tuple[FetchedFile, ...]
    sources: tuple[str, ...]
    """Repositories that the run names as a whole, with their commits."""
    is_changed: bool = False
    """True if the draft has changes that are not the recipe's; it was left as it is."""
    newer: Path | None = None
    """Draft that the recipe makes now, if a changed one is of an older recipe; None: the draft is not."""


def gather(recipe: Recipe, folder: Path, fetcher: HubFetcher) -> Gathered:
    """Fetch the files of a recipe into a folder, and write the draft; what is there already stays.

    A draft that was changed stays as well.

    Args:
        recipe: Recipe of the run.
        folder: Folder to write; it may hold what an earlier attempt at the same recipe has left.
        fetcher: Fetches the files.

    Raises:
        DownloadError: a file cannot be had, or is another one than the recipe says.
        ManifestError: the folder cannot be written, or belongs to another recipe, or two files have one place.
    """
    recipe = recipe.copied()
    with fetched_folder(recipe.name, folder, fetcher) as fetched:
        sources = tuple(fetched.pin(source) for source in recipe.sources())
        files = fetched.bring(list(recipe.places()))
        is_changed, newer = _write_draft(fetched, _draft(recipe))
    return Gathered(folder / DRAFT, files, sources, is_changed, newer)


def _draft(recipe: Recipe) -> bytes:
    head = f"# Made from the recipe {recipe.name}; {ORIGINS} says where each file came from.\n\n"
    parts = ("training", "contact")
    tables: dict[str, Any] = {part: recipe.table[part] for part in parts if part in recipe.table}
    return (head + tomli_w.dumps(tables)).encode()


def _write_draft(fetched: FetchedFolder, content: bytes) -> tuple[bool, Path | None]:
    """Write a draft, unless changes would be lost; return whether there are any, and where it was written instead."""
    place, newer, origins = fetched.path / DRAFT, fetched.path / NEWER_DRAFT, fetched.origins
    digest = sha256(content).hexdigest()
    if place.exists() and sha256_of(place) not in (origins.draft, digest):
        if digest == origins.draft:
            return True, None
        write_atomically(newer, content)
        return True, newer
    write_atomically(place, content)
    origins.draft = digest
    origins.save()
    return False, None
