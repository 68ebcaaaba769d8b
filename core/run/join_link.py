"""The link that invites to a run: the location of its manifest, and the key that must have signed it."""

import re
from dataclasses import dataclass
from pathlib import PurePath
from typing import Self
from urllib.parse import SplitResult, parse_qs, quote, unquote, urlsplit

from core.errors import ManifestError
from core.excerpt import QUOTE, excerpt

SCHEME = "idlebrush"
MAX_LINK_CHARACTERS = 2000
MANIFEST_PATH = "/files/run.toml"
"""Path of the manifest on a coordinator's website; the files that it names lie beside it."""
RUN_FILE_SUFFIX = ".idlebrush"
"""End of the name of a manifest that people save, by which desktops open it; *.toml has other owners."""
RUN_FILE_TYPE = "application/x-idlebrush-run"
"""Media type of a manifest that people save."""
_REMEDY = "Copy the complete link again from your invitation or the run's website."
_INVITATION = re.compile(r"[A-Za-z0-9_-]{20,100}")
_QUOTED = re.compile(r"""\A(["'])(.*)\1\Z""", re.DOTALL)
_KNOWN = ("run", "key", "invitation")


def is_join_link(text: str) -> bool:
    """Return true if ``text`` means to be a join link, whether it is a valid one or not."""
    return text.lstrip(" \t\n\"'").lower().startswith(f"{SCHEME}:")


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
        """Read a link from ``text``, as people paste it and as systems hand it on after a click.

        Browsers write ``idlebrush://join?``, shells leave quotes around it, and a launcher may encode a link that is
        encoded already. Fields that are not known are ignored.

        Raises ManifestError if it is not a join link, or if its invitation or location is not valid.
        """
        if len(text) > MAX_LINK_CHARACTERS:
            raise ManifestError("The join link is far too long.", _REMEDY)
        text = _QUOTED.sub(r"\2", text.strip()).strip()
        try:
            return cls._read(text)
        except ManifestError as error:
            if (decoded := _decoded(text)) == text:
                raise
            try:
                return cls._read(decoded)
            except ManifestError:
                raise error from None

    @classmethod
    def _read(cls, text: str) -> Self:
        """Read a link that is encoded once."""
        try:
            parts = urlsplit(text)
            given = parse_qs(parts.query, strict_parsing=True, errors="strict", max_num_fields=8)
        except ValueError as error:
            raise _no_link(text) from error
        if not _is_to_join(parts) or {"run", "key"} - given.keys():
            raise _no_link(text)
        if any(len(given.get(name, ())) > 1 for name in _KNOWN):
            raise ManifestError("The join link names two runs, keys or invitations.", _REMEDY)
        link = cls(given["run"][0], given["key"][0], given.get("invitation", [None])[0])
        if link.invitation and not _INVITATION.fullmatch(link.invitation):
            raise ManifestError("The join link's invitation is damaged.", _REMEDY)
        if not link._location_is_supported():
            raise ManifestError(
                f"The join link points to {excerpt(link.location)!r}.",
                "A manifest is read from a web address or a file.",
            )
        return link

    def _location_is_supported(self) -> bool:
        # A click must not make Windows sign in to the server of a network share: paths like //server are refused.
        if not self.location.isprintable() or self.location.startswith(("//", "\\\\")):
            return False
        return self.location.startswith(("https://", "http://")) or PurePath(self.location).is_absolute()


def _is_to_join(parts: SplitResult) -> bool:
    """Return true for ``join`` as a path, as links are written, or as a host, which browsers make of it."""
    place = f"{parts.netloc}/{parts.path}".strip("/")
    return parts.scheme == SCHEME and place.lower() == "join" and not parts.fragment


def _decoded(text: str) -> str:
    """Return the text with one level of percent-encoding removed; unchanged if that gives no text on one line."""
    try:
        decoded = unquote(text, errors="strict")
    except ValueError:
        return text
    return decoded if decoded.isprintable() else text


def _no_link(text: str) -> ManifestError:
    return ManifestError(f"{excerpt(text, QUOTE)!r} is not a join link.", _REMEDY)
