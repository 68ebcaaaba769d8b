"""A folder of files from the Hub: each at a commit that stays and at its own place, recorded with its digest."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from client.recipes.hub_fetcher import FetchedFile, HubFetcher
from client.recipes.hub_file import HubFile, RepoKind
from client.recipes.origins import ORIGINS, Origins
from client.recipes.recipe import NamedPlace, NamedSource
from core.errors import ManifestError

DRAFT, NEWER_DRAFT = "draft.toml", "draft.new.toml"
_OURS = (DRAFT, NEWER_DRAFT, ORIGINS)


class FetchedFolder:
    """The files that were fetched for one recipe; a later attempt goes on with the same commits and files."""

    def __init__(self, path: Path, origins: Origins, fetcher: HubFetcher) -> None:
        """Take up a folder; use `fetched_folder`, which reads its record and words its errors.

        Args:
            path: Folder, which exists.
            origins: Its record.
            fetcher: Fetches the files.
        """
        self.path, self.origins, self._fetcher = path, origins, fetcher

    def pin(self, source: NamedSource) -> str:
        """Put the commit in the place of a table's branch, and return the repository with its commit.

        Raises DownloadError if the Hub has no such repository or branch.
        """
        table = source.table
        if "revision" not in table:
            return str(table["repo"])  # the manifest's own default, a commit
        table["revision"] = self._commit(table["repo"], source.kind, str(table["revision"]))
        return f"{table['repo']}@{table['revision']}"

    def bring(self, places: Sequence[NamedPlace]) -> tuple[FetchedFile, ...]:
        """Fetch the files that a recipe names, and put their paths below the folder in the places of their names.

        Raises: As `fetch` does.
        """
        found = self.fetch([place.file for place in places])
        for place, file in zip(places, found, strict=True):
            place.parent[place.key] = file.place.relative_to(self.path).as_posix()
        return found

    def fetch(self, files: Sequence[HubFile]) -> tuple[FetchedFile, ...]:
        """Return files at the commits that their revisions stood for when the folder was begun.

        Nothing is fetched if two of them, or one and an earlier one, would have the same place.

        Raises:
            DownloadError: a file cannot be had, or is another one than its name or its place says.
            ManifestError: two files would have the same place.
            OSError: the disk cannot be read or written.
        """
        pinned = [file.at(self._commit(file.repo, file.kind, file.revision)) for file in files]
        self._require_places(pinned)
        return tuple(self._fetch(file) for file in pinned)

    def _fetch(self, file: HubFile) -> FetchedFile:
        found = self._fetcher.fetch(file, self.path)
        self.origins.files[str(found.source)] = {"size": found.size, "sha256": found.sha256}
        self.origins.save()
        return found

    def _commit(self, repo: str, kind: RepoKind, revision: str) -> str:
        """Return the commit of a branch or a tag, which is kept."""
        name = f"{kind.value} {repo}@{revision}"
        if name not in self.origins.commits:
            self.origins.commits[name] = self._fetcher.commit(repo, kind, revision)
            self.origins.save()
        return self.origins.commits[name]

    def _require_places(self, files: Sequence[HubFile]) -> None:
        """Raise ManifestError if a file's place is another file's; disks may not tell capitals from small letters."""
        names = [*self.origins.files, *(str(file) for file in files)]
        at = {name.casefold(): name for name in _OURS}
        for name in names:
            below = HubFile.parse(name).below
            for place in (below.parts[0].casefold(), below.as_posix().casefold()):
                if at.get(place, name) != name:
                    raise ManifestError(
                        f"{self.path / below} cannot hold both {at[place]} and {name}.",
                        "Name one of them alone, or choose another folder.",
                    )
            at[below.as_posix().casefold()] = name


@contextmanager
def fetched_folder(recipe: str, path: Path, fetcher: HubFetcher) -> Iterator[FetchedFolder]:
    """Give the folder of a recipe's files, which is made if it is not there.

    Args:
        recipe: Name of the recipe.
        path: Folder.
        fetcher: Fetches the files.

    Raises:
        ManifestError: the folder belongs to another recipe, or the disk cannot be read or written.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        yield FetchedFolder(path, Origins.load(path, recipe), fetcher)
    except OSError as error:
        raise ManifestError(
            f"{path} cannot be written: {error.strerror or error}.", "Choose another folder, or free space."
        ) from error
