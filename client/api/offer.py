"""The run that a click, a dropped file or `idlebrush open` hands to Idlebrush from outside."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import unquote, urlsplit

from client.api.errors import ClientError, JoinError
from client.api.snapshot import RunView
from client.joining.embedded import NAMES
from client.joining.invitation import RunInvitation, read_invitation
from client.joining.run_card import MANIFEST
from core.errors import ManifestError
from core.fingerprint import fingerprint_of, same_fingerprint
from core.run.join_link import MANIFEST_PATH, JoinLink, is_join_link
from core.run.manifest_text import read_manifest, table_of

LONGEST = 4096
"""Largest number of characters of a link or a path that is looked at."""
_KEY = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class OfferedRun:
    """A run that a volunteer was led to; nothing of it was fetched, and nothing of it was verified."""

    location: str
    """Name of the run as `client.api.commands.LookAtRun` takes it: a link, an address, a path, or ``embedded``."""
    manifest: str
    """Web address or path of the manifest."""
    fingerprint: str | None
    """Fingerprint of the key by which the run claims to be signed; None if it is not known yet."""
    name: str | None = None
    """Name of the run in the manifest's file; None if that is not here."""

    @classmethod
    def read(cls, text: str) -> Self:
        """Understand the ``text`` that a browser, a desktop or a person hands over.

        It may be a ``file:`` address or a quoted link.

        Raises ClientError, with the code ``manifest`` or ``join``, if it names no run, or no file that is there.
        """
        try:
            return cls._read(text.strip())
        except ManifestError as error:
            raise ClientError.of(error) from error

    @classmethod
    def _read(cls, text: str) -> Self:
        if len(text) > LONGEST:
            raise JoinError("The link or the file's name is far too long.", "Copy the complete link again.")
        if is_join_link(text):
            return cls._of_link(JoinLink.parse(text))
        invited = read_invitation(_path_of(text) if text.lower().startswith("file:") else text)
        if invited.on_the_web:
            return cls(invited.location, invited.location, None)
        return cls._of_file(text if text in NAMES else invited.location, invited)

    @classmethod
    def _of_link(cls, link: JoinLink) -> Self:
        return cls(str(link), link.location, link.fingerprint)

    @classmethod
    def _of_file(cls, location: str, invited: RunInvitation) -> Self:
        table = table_of(read_manifest(Path(invited.location)), invited.location)
        training, key = table.get("training"), table.get("key")
        if not isinstance(training, dict) or not isinstance(key, str) or not _KEY.fullmatch(key):
            raise ManifestError(
                f"{invited.location} is not the manifest of a run.",
                "Choose a file that an organiser published.",
            )
        return cls(location, invited.location, fingerprint_of(key), str(training.get("name")))

    def is_of(self, run: RunView) -> bool:
        """Return true if this leads to the run that is joined; false also where that is not known yet."""
        if self.fingerprint is not None and not same_fingerprint(self.fingerprint, run.fingerprint):
            return False
        own = {str(Path(run.folder) / MANIFEST)}
        if run.coordinator is not None:
            own.add(run.coordinator.rstrip("/") + MANIFEST_PATH)
        return self.manifest in own or (self.name == run.name and self.fingerprint is not None)


def _path_of(address: str) -> str:
    """Return the path of a ``file:`` address, as desktops hand over a file.

    Raise JoinError if it names none, or one of another host.
    """
    try:
        parts = urlsplit(address)
        path = unquote(parts.path, errors="strict")
    except ValueError:
        path = ""
    if not path or parts.netloc not in ("", "localhost"):
        raise JoinError(f"{address!r} names no file of this computer.", "Save the file here, and open it.")
    # On Windows, file:///C:/x has a slash before the drive.
    return path[1:] if re.match(r"/[A-Za-z]:[/\\]", path) else path
