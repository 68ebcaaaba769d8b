"""The link that invites to a run: the location of its manifest, and the key that must have signed it."""

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import Self
from urllib.parse import parse_qs, quote, urlsplit

from core.errors import ManifestError

SCHEME = "idlebrush"
MAX_LINK_CHARACTERS = 2000
MANIFEST_PATH = "/files/run.toml"
"""Path of the manifest on a coordinator's website; the files that it names lie beside it."""
_INVITATION = re.compile(r"[A-Za-z0-9_-]{20,100}")


@dataclass(frozen=True)
class JoinLink:
    """``idlebrush:join?run=LOCATION&key=FINGERPRINT``, and ``&invitation=CODE`` where one is needed."""

    location: str
    """An http(s) address or an absolute path.

    Plain http is safe, because the manifest is verified by the key.
    """
    fingerprint: str
    """Fingerprint of the organiser's key."""
    invitation: str | None = None
    """A code that the run's gate may ask for."""

    def __str__(self) -> str:
        invitation = f"&invitation={quote(self.invitation)}" if self.invitation else ""
        return f"{SCHEME}:join?run={quote(self.location, safe='')}&key={quote(self.fingerprint)}{invitation}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a link from ``text``, as people paste it.

        Raises ManifestError if it is not a join link, or if its invitation or location is not valid.
        """
        remedy = "Copy the complete link again from your invitation or the run's website."
        if len(text) > MAX_LINK_CHARACTERS:
            raise ManifestError("The join link is far too long.", remedy)
        try:
            parts = urlsplit(text.strip())
            given = parse_qs(parts.query, strict_parsing=True, errors="strict", max_num_fields=8)
        except ValueError as error:
            raise ManifestError(f"{text!r} is not a join link.", remedy) from error
        if parts.scheme != SCHEME or parts.path != "join" or {"run", "key"} - given.keys():
            raise ManifestError(f"{text!r} is not a join link.", remedy)
        link = cls(given["run"][-1], given["key"][-1], given.get("invitation", [None])[-1])
        if link.invitation and not _INVITATION.fullmatch(link.invitation):
            raise ManifestError("The join link's invitation is damaged.", remedy)
        if not link._location_is_supported():
            raise ManifestError(
                f"The join link points to {link.location!r}.",
                "A manifest is read from a web address or a file.",
            )
        return link

    def _location_is_supported(self) -> bool:
        return self.location.startswith(("https://", "http://")) or PurePath(self.location).is_absolute()
