"""Fetches a run: its manifest verified, its files fetched, checked and placed.

A run is joined once its manifest lies in its folder, which happens last: an attempt that ends before is resumed
by the next one, and a run that was joined stays whole whatever goes wrong.
"""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from client.api.errors import JoinError
from client.fetching.files import DISK_HEAD_ROOM, OnProgress, counting, free_bytes, missing_bytes, shortage
from client.fetching.part_file import part_of
from client.fetching.web_client import WebClient
from client.joining.fitting import check_fetched
from client.joining.invitation import RunInvitation
from client.joining.run_card import MANIFEST, RunCard
from client.joining.run_files import (
    IDENTITY,
    TRAINER,
    RunFilesSource,
    check_names,
    source_at,
)
from client.machine.sensors.ram import disk_used
from core.errors import ManifestError
from core.memory.units import format_size
from core.run.least_version import require_version
from core.run.manifest import RunManifest
from core.run.manifest_text import MAX_MANIFEST_BYTES
from core.storage import moving
from core.storage.file_lock import alone
from core.storage.files import FileRef, resolve_file, write_atomically

_log = logging.getLogger(__name__)

HALF_DONE_SECONDS = 7 * 86_400.0
"""Seconds for which an interrupted download is kept, to be resumed."""


@dataclass(frozen=True)
class RunOffer:
    """Run that may be joined: verified, and nothing but its manifest was downloaded."""

    manifest: RunManifest
    text: bytes
    """The manifest as it was signed."""
    source: RunFilesSource
    folder: Path
    """Folder for its files."""
    missing: tuple[FileRef, ...]
    """Files that are not there yet."""

    @property
    def download_bytes(self) -> int:
        """Bytes that are still to be fetched, less what an earlier attempt has left."""
        return missing_bytes((self.folder / ref.path, ref.size) for ref in self.missing)

    def read(self, ref: FileRef, first: int, end: int) -> bytes:
        """Return bytes ``first`` to ``end - 1`` of a file of the run, from here or from where it lies."""
        if ref in self.missing:
            return self.source.read(ref, first, end)
        with (self.folder / ref.path).open("rb") as file:
            file.seek(first)
            return file.read(end - first)


@dataclass(frozen=True)
class JoinedRun:
    folder: Path
    manifest: RunManifest


def look_up(invitation: RunInvitation, web: WebClient, folder_of: Callable[[str], Path]) -> RunOffer:
    """Return the run that an invitation is for, to be joined; nothing of it is fetched but its manifest.

    Args:
        folder_of: where a run of that digest is kept.

    Raises:
        VersionError: this program is too old for the run.
        ManifestError: it is not what its organiser signed, or older than the one that is here.
        DownloadError: the server does not give it.
    """
    offer = verified_offer(invitation, web, folder_of)
    require_version(offer.manifest.contact.least_version)
    return offer


def verified_offer(invitation: RunInvitation, web: WebClient, folder_of: Callable[[str], Path]) -> RunOffer:
    """Return the run that an invitation is for, also one that this program is too old to join.

    Args:
        folder_of: where a run of that digest is kept.

    Raises:
        ManifestError: it is not what its organiser signed, or older than the one that is here.
        DownloadError: the server does not give it.
    """
    source = source_at(invitation.location, web)
    text = source.manifest(MAX_MANIFEST_BYTES)
    manifest = RunManifest.parse(text, invitation.location, fingerprint=invitation.fingerprint)
    files = check_names(manifest.files)
    folder = folder_of(manifest.training_digest)
    if (seen := _seen(folder)) is not None:
        RunManifest.parse(text, invitation.location, seen=seen)
    missing = tuple(ref for ref in files if not _is_sound(ref, folder))
    digest = manifest.training_digest[:12]
    _log.info(
        "The manifest of run %s was verified; %d of %d files are missing.", digest, len(missing), len(files)
    )
    return RunOffer(manifest, text, source, folder, missing)


@dataclass(frozen=True)
class Room:
    """Space on the disk for runs, in bytes."""

    limit: int | None = None
    """Limit for all runs together, by the volunteer's preferences; None: no limit."""
    free: Callable[[Path], int] = free_bytes
    """Free bytes on the disk that holds a folder."""


def fetch_run(offer: RunOffer, progress: OnProgress, room: Room = Room()) -> JoinedRun:
    """Fetch what is missing and join; a data set on the Hub is left to the trainer.

    Raises:
        JoinError: the disk is too full, a file is not the run's, or the files do not fit the run's model.
        DownloadError: the server gives something else, or nothing.
    """
    try:
        offer.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _alone(offer.folder):
            _require_space(offer, room)
            _fetch_missing(offer, progress)
            check_fetched(offer.manifest.training, offer.folder)
            RunCard.of(offer.manifest).save(offer.folder)
            write_atomically(offer.folder / MANIFEST, offer.text)
    except OSError as error:
        raise JoinError(
            f"The run's files cannot be written to {offer.folder}: {error.strerror or error}.",
            "Check that the disk has space and that the folder can be written, then join again to resume.",
        ) from error
    return JoinedRun(offer.folder, offer.manifest)


def forget_half_done(runs: Path, now: float) -> list[Path]:
    """Remove downloads that were interrupted long ago, and return their folders; ``now``: seconds since 1970."""
    gone = []
    for folder in sorted(path for path in runs.glob("*") if path.is_dir()):
        with suppress(JoinError, OSError):  # another command resumes it, or it cannot be removed: go on
            if _is_half_done(folder, now):
                with _alone(folder):
                    moving.remove_folder(folder)
                _log.info("Removed the interrupted download %s.", folder.name[:12])
                gone.append(folder)
    return gone


def _is_half_done(folder: Path, now: float) -> bool:
    """Return true if its download was interrupted long ago; a folder with a trainer's files was joined once."""
    peer = folder / TRAINER
    has_trained = peer.exists() and [file.name for file in peer.iterdir()] != [IDENTITY]
    was_joined = (folder / MANIFEST).exists() or has_trained
    return not was_joined and now - _touched(folder) >= HALF_DONE_SECONDS


def _fetch_missing(offer: RunOffer, progress: OnProgress) -> None:
    before, total = 0, sum(ref.size for ref in offer.missing)
    for ref in offer.missing:
        target = offer.folder / ref.path
        _make_parent(part_of(target), offer.folder)
        offer.source.fetch(ref, target, counting(progress, ref.path, before, total))
        before += ref.size


def _make_parent(file: Path, folder: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if file.is_symlink() or not file.parent.resolve().is_relative_to(folder.resolve()):
        raise JoinError(f"{file.parent} leads out of the run's folder.", f"Remove {folder}, and join again.")


def _require_space(offer: RunOffer, room: Room) -> None:
    if not offer.missing:
        return
    short = shortage("The run", offer.download_bytes + DISK_HEAD_ROOM, room.free(offer.folder))
    if short is not None:
        raise JoinError(*short)
    taken = disk_used(offer.folder.parent)
    if room.limit is not None and taken + offer.download_bytes > room.limit:
        raise JoinError(
            f"With this run, runs would take {format_size(taken + offer.download_bytes)} of the disk; you allow "
            f"{format_size(room.limit)}.",
            f"Allow more by `idlebrush prefs set disk-limit`, or remove runs that are over from "
            f"{offer.folder.parent}.",
        )


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep a second attempt out of the folder."""
    with ExitStack() as stack:
        try:
            stack.enter_context(alone(folder.with_name(f"{folder.name}.lock")))
        except BlockingIOError as error:
            raise JoinError("This run is being joined by another command.", "Wait for it to end.") from error
        yield


def _seen(folder: Path) -> RunManifest | None:
    """Return the manifest that was joined with, or None if it is missing or damaged."""
    try:
        return RunManifest.load(folder / MANIFEST)
    except ManifestError:
        return None


def _is_sound(ref: FileRef, folder: Path) -> bool:
    try:
        resolve_file(ref, folder)
    except ManifestError:
        return False
    return True


def _touched(folder: Path) -> float:
    times = [folder.stat().st_mtime]
    for parent, folders, names in os.walk(folder):
        for name in (*folders, *names):
            with suppress(FileNotFoundError):  # gone meanwhile
                times.append(os.lstat(f"{parent}/{name}").st_mtime)
    return max(times)
