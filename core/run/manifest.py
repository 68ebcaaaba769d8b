"""The run manifest: what all peers of a run share, validated, and signed by its organiser.

A manifest that exists in memory is valid and its three signatures hold. It is never changed: issuing a part
again gives another manifest.
"""

import hashlib
import json
from datetime import date, datetime, time
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

import tomli_w
from pydantic import BaseModel, StringConstraints, ValidationError, model_validator

from core.errors import ManifestError
from core.fingerprint import fingerprint_of, same_fingerprint
from core.run.contact import Contact
from core.run.describe import describe
from core.run.fields import PublicKey, Rules
from core.run.least_version import require_version
from core.run.manifest_text import AGAIN, read_manifest, table_of
from core.run.rules import TrainingRules
from core.run.signed_parts import genesis_of, part_message, set_fields, training_message
from core.run.state import RunState
from core.run.training.families import AnyTrainingRules
from core.run.validation import in_words
from core.signing import SigningKey, is_signed
from core.storage.files import FileRef, write_atomically

P = TypeVar("P", bound=BaseModel)
Signature = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")]
_RECORDS_VERSION = 7
"""Version of the records in the DHT and of the calls that pass them; to be raised when others can't read them."""


class Signatures(Rules):
    """Ed25519 signatures of the three parts, in hex."""

    training: Signature
    contact: Signature
    state: Signature


class RunManifest(Rules):
    """A run: *training* never changes, *contact* and *state* are issued again with a higher serial.

    Training is signed together with the key, contact and state together with the digest of training, so that
    no part can be moved into another manifest. The signatures cover the canonical JSON of the fields that
    were set, so a manifest stays valid when a later version of the program adds a field with a default.
    """

    format: Literal[1] = 1
    key: PublicKey
    training: AnyTrainingRules
    contact: Contact
    state: RunState
    signatures: Signatures

    @model_validator(mode="after")
    def _signatures_hold(self) -> Self:
        messages = {
            "training": training_message(self.training, self.key),
            "contact": part_message("contact", self.contact, self.training_digest),
            "state": part_message("state", self.state, self.training_digest),
        }
        for part, message in messages.items():
            if not is_signed(message, getattr(self.signatures, part), self.key):
                raise ManifestError(
                    f"The [{part}] part of the manifest is not what its organiser signed.",
                    "Do not use it: get the manifest again from the run's organiser.",
                )
        self.contact.require_fit(self.training)
        return self

    @classmethod
    def load(cls, path: Path, *, fingerprint: str | None = None, seen: "RunManifest | None" = None) -> Self:
        """Read a manifest and check all of it.

        Args:
            path: File of the manifest.
            fingerprint: Fingerprint of the key that must have signed it, as in a join link; None accepts any
                key.
            seen: The manifest of the same run that was used last; an older one is refused.

        Raises:
            ManifestError: The manifest cannot be accepted; the error names the field or part, and the remedy.
        """
        return cls.parse(read_manifest(path), str(path), fingerprint=fingerprint, seen=seen)

    @classmethod
    def parse(
        cls,
        text: bytes,
        source: str,
        *,
        fingerprint: str | None = None,
        seen: "RunManifest | None" = None,
    ) -> Self:
        """Check the content of a manifest as `load` does.

        Args:
            text: Content of the manifest's file.
            source: Name of its origin, for errors.
            fingerprint: Fingerprint of the key that must have signed it; None accepts any key.
            seen: The manifest of the same run that was used last; an older one is refused.

        Raises:
            VersionError: This program does not understand the manifest, which asks for a newer one.
            ManifestError: The manifest cannot be accepted; the error names the field or part, and the remedy.
        """
        manifest = cls._from_table(table_of(text, source), source)
        if fingerprint is not None and not same_fingerprint(fingerprint, manifest.fingerprint):
            raise ManifestError(
                f"{source} is signed by another key ({manifest.fingerprint}) than expected ({fingerprint}).",
                "Ask the person who invited you for the right link; do not join with this one.",
            )
        if seen is not None:
            manifest._require_successor_of(seen)
        return manifest

    @classmethod
    def create(cls, training: TrainingRules, contact: Contact, key: SigningKey) -> Self:
        """Return a new run of generation 0.

        Its parts are ``training`` and ``contact``, signed with the organiser's ``key``.
        """
        return cls._sign(_spelled_out(training), contact, RunState(), key)

    def reissue_contact(self, contact: Contact, key: SigningKey) -> Self:
        """Return the same run with another ``contact`` part, signed with the organiser's ``key``.

        Raises ManifestError if the serial of the part is not higher than before, or if the key did not sign
        the run.
        """
        if contact.serial <= self.contact.serial:
            raise ManifestError(
                f"contact.serial is {contact.serial}, but {self.contact.serial} was issued already.",
                f"Set it to {self.contact.serial + 1} or more.",
            )
        return self._reissue(contact, self.state, key)

    def roll_back(
        self, key: SigningKey, epoch: int = 0, parameters: str | None = None, optimizer: str | None = None
    ) -> Self:
        """Return the same run in the next generation, whose peers never meet those of the old one.

        Args:
            key: The organiser's key.
            epoch: Epoch at which the generation begins.
            parameters: Digest (hex) of the parameters there; None at epoch 0.
            optimizer: Digest (hex) of the optimizer's state there; None at epoch 0.

        Raises:
            ManifestError: The key did not sign the run.
            ValueError: Epoch and digests do not go together.
        """
        generation, serial = self.state.generation + 1, self.state.serial + 1
        state = RunState(
            generation=generation, serial=serial, epoch=epoch, parameters=parameters, optimizer=optimizer
        )
        return self._reissue(self.contact, state, key)

    def save(self, path: Path) -> None:
        """Write the manifest to ``path``, whole or not at all.

        Raises ManifestError if it cannot be written.
        """
        table = {"format": self.format, **set_fields(self)}
        try:
            write_atomically(path, tomli_w.dumps(table).encode())
        except OSError as error:
            raise ManifestError(
                f"The manifest cannot be written to {path}: {error.strerror or error}.",
                "Choose a folder that exists and that you may write to.",
            ) from error

    @property
    def training_digest(self) -> str:
        """SHA-256, in hex, of the run's training part and its organiser's key.

        Together they identify the run.
        """
        return hashlib.sha256(training_message(self.training, self.key)).hexdigest()

    @property
    def dht_prefix(self) -> str:
        """Prefix of every key of the run in the DHT.

        It keeps peers of different runs or generations apart, and of programs that would refuse each other's records.
        """
        return f"{self.training.name}-{self.training_digest[:16]}-{self.state.generation}-v{_RECORDS_VERSION}"

    @property
    def state_key(self) -> str:
        """The DHT's key of the run's state, the same in all generations."""
        return f"{self.training.name}-{self.training_digest[:16]}_state"

    @property
    def genesis(self) -> bytes:
        """The head at which this generation's chain of commits begins, 32 bytes."""
        return genesis_of(self.state, self.training_digest)

    @property
    def files(self) -> tuple[FileRef, ...]:
        """Files that lie beside the manifest."""
        return (*self.training.files, *self.contact.files)

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the organiser's key, for people to compare."""
        return fingerprint_of(self.key)

    def describe(self) -> list[str]:
        """Describe the run in lines that a volunteer reads before joining."""
        return [*describe(self.training, self.contact), f"Organiser's key: {self.fingerprint}"]

    @classmethod
    def _from_table(cls, table: dict[str, Any], source: str) -> Self:
        # Strict validation of JSON, unlike that of objects, takes strings for enums and lists for tuples.
        try:
            text = json.dumps(table, default=_iso)
        except (ValueError, RecursionError) as error:  # a number of thousands of digits, or deep nesting
            raise ManifestError(f"{source} cannot be a manifest: {error}.", AGAIN) from error
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            # Only the words depend on it, so it does not matter that its signature was not checked.
            require_version(_least_version(table))
            raise ManifestError(
                f"{source}: {in_words(error)}.",
                "Update Idlebrush if the manifest is made for a newer one; else correct it and sign again, "
                "or ask the run's organiser for a valid one.",
            ) from error

    @classmethod
    def _sign(cls, training: TrainingRules, contact: Contact, state: RunState, key: SigningKey) -> Self:
        signed = training_message(training, key.public_key)
        digest = hashlib.sha256(signed).hexdigest()
        contact, state = _spelled_out(contact), _spelled_out(state)
        signatures = Signatures(
            training=key.sign(signed),
            contact=key.sign(part_message("contact", contact, digest)),
            state=key.sign(part_message("state", state, digest)),
        )
        return cls(
            format=1,
            key=key.public_key,
            training=training,
            contact=contact,
            state=state,
            signatures=signatures,
        )

    def _reissue(self, contact: Contact, state: RunState, key: SigningKey) -> Self:
        if key.public_key != self.key:
            raise ManifestError(
                f"The key {fingerprint_of(key.public_key)} did not sign this run.",
                f"Use the key that the run was created with: {self.fingerprint}.",
            )
        return self._sign(self.training, contact, state, key)

    def _require_successor_of(self, seen: "RunManifest") -> None:
        if self.training_digest != seen.training_digest:
            raise ManifestError(
                "This manifest is of another run than the one joined before.",
                "Leave that run first, or get its own manifest again.",
            )
        for part, new, old in (
            ("contact", self.contact, seen.contact),
            ("state", self.state, seen.state),
        ):
            if new.serial < old.serial or (new.serial == old.serial and new != old):
                raise ManifestError(
                    f"The [{part}] part has serial {new.serial}; another with {old.serial} was seen before.",
                    "Get the newest manifest from the run's organiser.",
                )


def _least_version(table: dict[str, Any]) -> object:
    """Return what a manifest's table holds as the least version, not checked; None if it holds nothing."""
    contact = table.get("contact")
    return contact.get("least_version") if isinstance(contact, dict) else None


def _spelled_out(part: P) -> P:
    """Return the same values, all of them set: defaults of this version are written down as well."""
    return type(part).model_validate_json(part.model_dump_json())


def _iso(value: datetime | date | time) -> str:
    """Return the text of a time in TOML, the only value there that JSON lacks."""
    return value.isoformat()
