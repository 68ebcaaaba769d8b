"""Removes what Idlebrush has made for one user: what each uninstaller does before it removes the program itself.

The identities of this computer's peers, the contribution and the pictures are kept unless they are asked for as well:
nothing can make them again. Whatever cannot be removed is reported, and does not keep the rest.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from client import state_file
from client.account.credentials import Keep
from client.account.safekeeping import KeepNote
from client.admission.membership import entry_of
from client.admission.memberships import note_of
from client.api.errors import ClientError
from client.autostart.interface import Autostart
from client.joining.run_card import FILE as CARD
from client.joining.run_card import RunCard
from client.joining.run_files import IDENTITY, TRAINER
from client.paths import Paths
from client.remote.identity import note_of as remote_note
from client.remote.tasks import KEY_ENTRY
from client.service.time_lapse import FRAMES
from core.errors import CoreError
from core.generation.records import TIMELAPSE
from core.storage.files import write_atomically

DESKTOP_ENTRY = "idlebrush.desktop"
_UNIT_LINK = Path("systemd/user/default.target.wants/idlebrush.service")
_ASSOCIATIONS = "mimeapps.list"
_KEPT_DATA = (
    "contribution.sqlite*",
    "receipts",
    "gallery",
    "account.json",
    "credentials.json",
    "memberships",
    "remote",
)
_KEPT_OF_RUN = (CARD, f"{TRAINER}/{IDENTITY}", f"{TRAINER}/{TIMELAPSE}", FRAMES)
"""Names of what is kept, below the folder of data and that of a run; the card tells which run pictures are of."""
KEPT_NAMES = (*_KEPT_DATA, *(f"runs/*/{name}" for name in _KEPT_OF_RUN))
"""Patterns of all that is kept unless it is asked for as well, below the folder of data."""


@dataclass(frozen=True)
class RemovalStep:
    """One thing to remove."""

    what: str
    """Words for people, in the middle of a sentence."""
    remove: Callable[[], None]


@dataclass(frozen=True)
class StepFailure:
    """A thing that could not be removed."""

    what: str
    why: str


@dataclass(frozen=True)
class UserTraces:
    """Everything that Idlebrush has made for one user."""

    home: Path
    paths: Paths
    autostart: Autostart
    settings: Path
    """Folder of all programs' settings of this user: ``~/.config`` or the like."""
    applications: Path
    """Folder of this user's own desktop entries."""
    remove_distribution: Callable[[], None] | None = None
    """Removes the distribution in which trainers live; None: there is none on this system."""

    @classmethod
    def of_user(
        cls,
        paths: Paths,
        autostart: Autostart,
        home: Path,
        environment: Mapping[str, str] = os.environ,
        remove_distribution: Callable[[], None] | None = None,
    ) -> "UserTraces":
        """Return the traces of the user with that ``home``; ``remove_distribution`` as the field."""
        return cls(
            home,
            paths,
            autostart,
            _folder(environment, "XDG_CONFIG_HOME", home / ".config"),
            _folder(environment, "XDG_DATA_HOME", home / ".local" / "share") / "applications",
            remove_distribution,
        )

    def steps(self, purge: bool) -> Iterator[RemovalStep]:
        """Yield what to remove, in order; the daemon must have ended.

        Args:
            purge: Remove identities, contribution and pictures too.
        """
        yield RemovalStep("starting at login", self._end_autostart)
        yield RemovalStep("the association with links and files of runs", self._dissociate)
        if self.remove_distribution is not None:  # before its record, which is one of our files
            yield RemovalStep("the distribution of WSL in which training ran", self.remove_distribution)
        yield RemovalStep("the trainer's environment", lambda: _remove_all_but(set(), self.paths.environment))
        kept = set() if purge else self._kept()
        data = "" if purge else ", but for identities, contribution and pictures"
        yield RemovalStep(f"settings, logs, runs and all other data{data}", lambda: self._remove_own(kept))

    def keyring_entries(self) -> list[str]:
        """Return the names of the memberships, and of the key of remote control, that are kept in the keyring."""
        cards = (_card(file.parent) for file in sorted((self.paths.data / "runs").glob(f"*/{CARD}")))
        digests = [card.digest for card in cards if card is not None]
        remote = state_file.load(remote_note(self.paths.remote), KeepNote, KeepNote())[0]
        return [
            *(entry_of(run) for run in digests if self._note(run).keep is Keep.KEYRING),
            *((KEY_ENTRY,) if remote.keep is Keep.KEYRING else ()),
        ]

    def is_signed_in(self) -> bool:
        """Return true if a sign-in with the Hub is kept."""
        return bool(state_file.load(self.paths.account, KeepNote, KeepNote())[0].name)

    def _note(self, run: str) -> KeepNote:
        return state_file.load(note_of(self.paths.memberships, run), KeepNote, KeepNote())[0]

    def _end_autostart(self) -> None:
        self.autostart.disable()
        link = self.settings / _UNIT_LINK
        link.unlink(missing_ok=True)
        for folder in (link.parent, self.settings / "autostart"):
            _remove_empty(folder, self.home)

    def _dissociate(self) -> None:
        for folder in (self.settings, self.applications):
            file = folder / _ASSOCIATIONS
            if file.exists():
                before = file.read_text("utf-8", "surrogateescape")
                after = without_associations(before)
                if after != before:
                    write_atomically(file, after.encode("utf-8", "surrogateescape"))

    def _kept(self) -> set[Path]:
        return {file for pattern in KEPT_NAMES for file in self.paths.data.glob(pattern)}

    def _remove_own(self, kept: set[Path]) -> None:
        """Remove what is ours, and the folders that are empty then: IDLEBRUSH_HOME may hold files of others."""
        paths = self.paths
        for place in list(paths.own()):
            _remove_all_but(kept, place)
        for folder in (paths.logs, paths.runtime, paths.config, paths.data):
            with suppress(OSError):  # it is gone, not empty, or a link to another disk, which is the user's
                folder.rmdir()
                _remove_empty(folder.parent, self.home)


def remove(steps: Sequence[RemovalStep], report: Callable[[str], None]) -> list[StepFailure]:
    """Take all steps, also after one that failed.

    Args:
        steps: The steps.
        report: Receiver of a sentence about each that succeeded.

    Returns:
        What could not be removed.
    """
    failures = []
    for step in steps:
        try:
            step.remove()
        except CoreError as error:
            failures.append(StepFailure(step.what, f"{error.what} {error.remedy}"))
        except OSError as error:
            failures.append(StepFailure(step.what, f"{error.filename}: {error.strerror or error}."))
        else:
            report(f"Removed: {step.what}.")
    return failures


def without_associations(text: str) -> str:
    """Return the text of a ``mimeapps.list`` without Idlebrush's desktop entry; all else stays as it is."""
    lines = []
    for line in text.splitlines(keepends=True):
        kind, equals, entries = line.partition("=")
        if not equals or DESKTOP_ENTRY not in entries:
            lines.append(line)
            continue
        others = [entry for entry in entries.strip().split(";") if entry and entry != DESKTOP_ENTRY]
        if others:
            lines.append(f"{kind}={';'.join(others)};\n")
    return "".join(lines)


def _remove_all_but(kept: set[Path], folder: Path) -> None:
    """Remove a folder, or if some of ``kept`` is below it, all but that; a link to that stays as it is."""
    holds_kept = any(folder in each.parents for each in kept)
    if folder in kept or not (folder.exists() or folder.is_symlink()):
        return
    if folder.is_symlink() or not folder.is_dir():
        if not holds_kept:
            folder.unlink()
    elif holds_kept:
        for inner in folder.iterdir():
            _remove_all_but(kept, inner)
    else:
        shutil.rmtree(folder)


def _remove_empty(folder: Path, home: Path) -> None:
    """Remove a folder below ``home`` if it is empty, and those that it is in and which are empty then."""
    with suppress(OSError):  # it is gone, or not empty
        while home in folder.parents:
            folder.rmdir()
            folder = folder.parent


def _card(folder: Path) -> RunCard | None:
    try:
        return RunCard.load(folder)
    except ClientError:
        return None


def _folder(environment: Mapping[str, str], name: str, default: Path) -> Path:
    value = Path(environment.get(name, ""))
    return value if value.is_absolute() else default
