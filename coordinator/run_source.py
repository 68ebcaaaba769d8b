"""Asks a run's coordinator for what a bootstrap peer on another machine needs: the newest manifest, and tokens."""

import base64
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from coordinator.errors import EntryError, GateRefusal
from core.admission import proofs
from core.admission.access_token import MAX_TOKEN_CHARACTERS
from core.admission.peer_key import PeerKey
from core.errors import ManifestError
from core.excerpt import excerpt
from core.http_client import HttpClient, HttpFault, HttpLimits
from core.run.join_link import MANIFEST_PATH
from core.run.manifest import RunManifest
from core.run.manifest_text import MAX_MANIFEST_BYTES
from core.storage.files import read_bounded, write_atomically

TOKEN_PATH = "/api/tokens/entrance"
_LIMITS = HttpLimits(connect=10.0, silence=10.0, whole=30.0)
_LARGEST = 64 * 1024
"""Bytes of an answer about a token."""


class GivenToken(NamedTuple):
    """An access token, and the seconds for which it is valid."""

    text: str
    seconds: int


class _SourceAnswer(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class _TokenText(_SourceAnswer):
    access_token: str = Field(max_length=MAX_TOKEN_CHARACTERS)
    expires_in: int = Field(gt=0)


class _RefusalText(_SourceAnswer):
    what: str = Field(max_length=2000)
    remedy: str = Field(max_length=2000)


class ManifestSource:
    """Gives a run's manifest, and the tokens of one of its bootstrap peers."""

    def __init__(
        self,
        location: str,
        fingerprint: str | None,
        kept: Path,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Prepare to ask; nothing is asked yet.

        Args:
            location: web address or path of the manifest.
            fingerprint: fingerprint of the organiser's key; None: any key, for a file of the organiser's own.
            kept: file in which the newest manifest is kept.
            clock: Unix seconds.
        """
        self._location, self._fingerprint, self._kept, self._clock = location, fingerprint, kept, clock

    def kept(self) -> RunManifest | None:
        """Return the manifest that is kept here; None if there is none."""
        if not self._kept.exists():
            return None
        return RunManifest.load(self._kept, fingerprint=self._fingerprint)

    def newest(self) -> RunManifest:
        """Fetch the run's manifest, verify it, and keep it.

        Raises:
            EntryError: it cannot be fetched.
            ManifestError: it is not the run's, or is older than the one that is kept.
        """
        seen = self.kept()
        source = self._location
        if seen is not None and seen.contact.coordinator:
            source = seen.contact.coordinator.rstrip("/") + MANIFEST_PATH
        text = self._read(source)
        manifest = RunManifest.parse(text, source, fingerprint=self._fingerprint, seen=seen)
        if manifest != seen:
            self._kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_atomically(self._kept, text)
        return manifest

    def token(self, manifest: RunManifest, key: PeerKey) -> GivenToken | None:
        """Return a new access token for the peer with that key; None if the run is open.

        Raises:
            EntryError: the coordinator does not answer.
            GateRefusal: it refuses, with the reason: the contact part does not name the peer, for example.
        """
        if manifest.contact.gate is None:
            return None
        if manifest.contact.coordinator is None:
            raise EntryError(
                "The manifest names a gate, and no coordinator that keeps it.",
                "Correct it, and serve the run.",
            )
        now, public = int(self._clock()), key.public_key
        proof = key.sign(proofs.renewal(manifest.training_digest, public, now))
        body = {
            "public_key": proofs.encoded(public),
            "time": now,
            "proof": base64.b64encode(proof).decode(),
        }
        address = manifest.contact.coordinator.rstrip("/") + TOKEN_PATH
        status, text = _ask("POST", address, _LARGEST, body)
        if status == HTTPStatus.OK:
            with suppress(ValidationError):
                given = _TokenText.model_validate_json(text)
                return GivenToken(given.access_token, given.expires_in)
        raise _refusal(address, status, text)

    def _read(self, source: str) -> bytes:
        if not source.startswith(("http://", "https://")):
            try:
                return read_bounded(Path(source), MAX_MANIFEST_BYTES)
            except (OSError, ValueError) as error:
                raise ManifestError(
                    f"{source} cannot be read: {error}.", "Give the file of the run."
                ) from error
        status, text = _ask("GET", source, MAX_MANIFEST_BYTES)
        if status != HTTPStatus.OK:
            raise EntryError(f"{source} answers with status {status}.", "See that this is the run's address.")
        return text


def _ask(method: str, address: str, limit: int, body: Mapping[str, Any] | None = None) -> tuple[int, bytes]:
    """Return the status and the body of an answer; raise EntryError if there is none."""
    try:
        with HttpClient(_LIMITS) as client, client.open(method, address, json=body) as answer:
            return answer.status, answer.body(limit)
    except HttpFault as error:
        raise EntryError(
            f"{address} does not answer ({error.fault.name.lower()}).",
            "See that the run is served, and that this machine reaches it.",
        ) from error


def _refusal(address: str, status: int, text: bytes) -> GateRefusal:
    try:
        refused = _RefusalText.model_validate_json(text)
    except ValidationError:
        refused = _RefusalText(what=f"{address} answers with status {status}.", remedy="Try again later.")
    return GateRefusal(excerpt(refused.what), excerpt(refused.remedy), status)
