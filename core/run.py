"""The run manifest: what all peers of a run share, validated, and signed by whoever organises it.

A manifest that exists in memory is valid and its three signatures hold. It is never changed: issuing a part
anew gives another manifest.
"""

import hashlib
import json
from datetime import date, datetime, time
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar

import tomli_w
from pydantic import BaseModel, StringConstraints, ValidationError, model_validator

from core.contact import Contact
from core.describe import describe
from core.errors import ManifestError
from core.fields import PublicKey, Rules
from core.files import FileRef, write_atomically
from core.manifest_text import read_manifest, table_of
from core.rules import RunState, TrainingRules
from core.signed_parts import genesis_of, part_message, set_fields, training_message
from core.signing import SigningKey, fingerprint_of, is_signed, same_fingerprint
from core.validation import in_words

Part = TypeVar("Part", bound=BaseModel)
Signature = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")]


class Signatures(Rules):
    """Ed25519 signatures of the three parts, in hex."""

    training: Signature
    contact: Signature
    state: Signature


class RunManifest(Rules):
    """A run: *training* never changes, *contact* and *state* are issued anew with a higher serial.

    Training is signed together with the key, contact and state together with the digest of training, so that
    no part can be moved into another manifest. What is signed is the canonical JSON of the fields that were
    set, so a manifest stays valid when a later version of the program adds a field with a default.
    """

    format: Literal[1] = 1
    key: PublicKey
    training: TrainingRules
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
        return self

    @classmethod
    def load(cls, path: Path, *, fingerprint: str | None = None, seen: "RunManifest | None" = None) -> Self:
        """Read a manifest and check all of it.

        Args:
            fingerprint: of the key that must have signed it, as a join link carries it.
            seen: the manifest of the same run that was used last; an older one is refused.

        Raises:
            ManifestError: naming the field or part at fault and what to do.
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
        """As `load`, of the bytes of a manifest; ``source`` says in errors where they are from."""
        manifest = cls._from_table(table_of(text, source), source)
        if fingerprint is not None and not same_fingerprint(fingerprint, manifest.fingerprint):
            raise ManifestError(
                f"{source} is signed by another key ({manifest.fingerprint}) than expected ({fingerprint}).",
                "Ask whoever invited you for the right link; do not join with this one.",
            )
        if seen is not None:
            manifest._require_successor_of(seen)
        return manifest

    @classmethod
    def create(cls, training: TrainingRules, contact: Contact, key: SigningKey) -> Self:
        """A new run of generation 0."""
        return cls._sign(_spelled_out(training), contact, RunState(), key)

    def reissue_contact(self, contact: Contact, key: SigningKey) -> Self:
        """The same run with another contact part, whose serial must be higher."""
        if contact.serial <= self.contact.serial:
            raise ManifestError(
                f"contact.serial is {contact.serial}, but {self.contact.serial} was issued already.",
                f"Set it to {self.contact.serial + 1} or more.",
            )
        return self._reissue(contact, self.state, key)

    def roll_back(
        self, key: SigningKey, epoch: int = 0, parameters: str | None = None, optimizer: str | None = None
    ) -> Self:
        """The same run in the next generation, which begins at that epoch: its peers meet nobody of the old one.

        ``parameters`` and ``optimizer`` are the digests (hex) of the state there; none at epoch 0.
        """
        generation, serial = self.state.generation + 1, self.state.serial + 1
        state = RunState(
            generation=generation, serial=serial, epoch=epoch, parameters=parameters, optimizer=optimizer
        )
        return self._reissue(self.contact, state, key)

    def save(self, path: Path) -> None:
        """Write the manifest, whole or not at all."""
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
        """SHA-256, in hex, of what identifies the run: its training part and its organiser's key."""
        return hashlib.sha256(training_message(self.training, self.key)).hexdigest()

    @property
    def dht_prefix(self) -> str:
        """Opens every key of the run in the DHT, so that peers of different runs or generations never mix."""
        return f"{self.training.name}-{self.training_digest[:16]}-{self.state.generation}"

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
        """All that lies beside the manifest."""
        return (*self.training.files, *self.contact.files)

    @property
    def fingerprint(self) -> str:
        """Of the organiser's key, for people to compare."""
        return fingerprint_of(self.key)

    def describe(self) -> list[str]:
        """What joining means for a volunteer, in lines to read before joining."""
        return [*describe(self.training, self.contact), f"Organiser's key: {self.fingerprint}"]

    @classmethod
    def _from_table(cls, table: dict[str, Any], source: str) -> Self:
        # Strict validation of JSON, unlike that of objects, takes strings for enums and lists for tuples.
        try:
            return cls.model_validate_json(json.dumps(table, default=_iso))
        except ValidationError as error:
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


def _spelled_out(part: Part) -> Part:
    """The same values, all of them set: defaults of this version are written down with the rest."""
    return type(part).model_validate_json(part.model_dump_json())


def _iso(value: object) -> str:
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    raise TypeError(f"TOML gave a {type(value).__name__}")
