"""Keeps the lists of runs that a volunteer has added, each with the issue that was read last."""

import hashlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from client import state_file
from client.api.errors import JoinError, StateError
from core.errors import ManifestError
from core.fingerprint import same_fingerprint
from core.run.run_list import MAX_LIST_BYTES, RunList, RunListing
from core.storage import moving
from core.storage.file_lock import alone
from core.storage.files import read_bounded, write_atomically

MOST_LISTS = 16
_FILE = "lists.json"
_PATIENCE = 90.0
"""Seconds to wait for another process that reads the lists."""


class KnownList(BaseModel):
    """A list that was added: where it is, and whose it is."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    location: Annotated[str, Field(max_length=1000)]
    """Web address, or absolute path of a file."""
    fingerprint: Annotated[str, Field(max_length=64)]
    """Fingerprint of the key that has to sign each issue."""
    title: Annotated[str, Field(max_length=200)]

    @property
    def name(self) -> str:
        """Name of its file in the folder of the lists."""
        return f"{hashlib.sha256(self.location.encode()).hexdigest()[:16]}.json"


class KnownListsFile(BaseModel):
    """The file of all of them, kept by `client.state_file`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    lists: Annotated[tuple[KnownList, ...], Field(max_length=MOST_LISTS)] = ()


class KnownLists:
    """All lists in a folder."""

    def __init__(self, folder: Path, known: tuple[KnownList, ...] = ()) -> None:
        self._folder, self.known = folder, known

    @classmethod
    @contextmanager
    def opened(cls, folder: Path) -> Iterator[tuple[Self, StateError | None]]:
        """Keep other processes away, and yield the lists in a folder and the error of a file that cannot be used.

        Raises:
            StateError: The folder cannot be used, or another process has it for too long.
        """
        with ExitStack() as stack:
            try:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                stack.enter_context(alone(folder / ".lock", _PATIENCE))
            except OSError as error:
                raise StateError(
                    f"The lists in {folder} cannot be used: {error.strerror or error}.",
                    "Try again in a minute.",
                ) from error
            found, problem = state_file.load(folder / _FILE, KnownListsFile, KnownListsFile())
            yield cls(folder, found.lists), problem

    @classmethod
    def cards_of(cls, folder: Path, link: str) -> tuple[RunListing, ...]:
        """Return the cards with that join link on the lists in a folder, as they were read last.

        Other processes are not waited for: files are replaced as a whole. What cannot be read counts as missing.
        """
        try:
            text = read_bounded(folder / _FILE, state_file.LARGEST)
            lists = cls(folder, KnownListsFile.model_validate_json(text).lists)
        except (OSError, ValueError):
            return ()
        kept = (lists.kept(known) for known in lists.known)
        return tuple(card for found in kept if found is not None for card in found.runs if card.link == link)

    def add(self, location: str, found: RunList, text: bytes) -> KnownList:
        """Add a list, or replace the one at that location; ``text`` is its file as it was read.

        Raises:
            JoinError: There are too many lists.
            StateError: It cannot be saved.
        """
        added = KnownList(location=location, fingerprint=found.fingerprint, title=found.title)
        others = tuple(known for known in self.known if known.location != location)
        if len(others) >= MOST_LISTS:
            raise JoinError(
                f"There are {MOST_LISTS} lists already.", "Remove one with `idlebrush runs remove-list`."
            )
        self._save((*others, added))
        self.keep(added, text)
        return added

    def remove(self, name: str) -> KnownList:
        """Remove the list with that location, title or fingerprint; raise JoinError if there is none."""
        gone = next((known for known in self.known if _is_called(known, name)), None)
        if gone is None:
            raise JoinError(f"There is no list called {name}.", "`idlebrush runs lists` shows all lists.")
        self._save(tuple(known for known in self.known if known is not gone))
        with suppress(OSError):  # a file that is left does no harm
            moving.remove(self._folder / gone.name)
        return gone

    def remove_at(self, location: str) -> None:
        """Remove the list at exactly that location, if there is one."""
        if any(known.location == location for known in self.known):
            self.remove(location)

    def kept(self, known: KnownList) -> RunList | None:
        """Return the issue of a list that was read last; None if there is none, or it is damaged."""
        try:
            text = read_bounded(self._folder / known.name, MAX_LIST_BYTES)
            return RunList.parse(text, known.location, fingerprint=known.fingerprint)
        except (OSError, ValueError, ManifestError):
            return None

    def keep(self, known: KnownList, text: bytes) -> None:
        """Keep the file of a list that was just read; StateError if it cannot be written."""
        try:
            write_atomically(self._folder / known.name, text)
        except OSError as error:
            raise StateError(
                f"The list could not be saved in {self._folder}: {error.strerror or error}.",
                "Check that the disk has space.",
            ) from error

    def _save(self, known: tuple[KnownList, ...]) -> None:
        state_file.save(self._folder / _FILE, KnownListsFile(lists=known))
        self.known = known


def _is_called(known: KnownList, name: str) -> bool:
    if name.startswith(("https://", "http://", "/")):  # another list may have that address for its title
        return name == known.location
    return name in (known.location, known.title) or same_fingerprint(name, known.fingerprint)
