"""A signed list of runs, by which volunteers find them: a small JSON file that anyone can host.

A list recommends and proves nothing: its cards say what its keeper has seen of each run. Whoever joins a run by it
sees that run's own manifest first, which has to be signed by the key that the card names.
"""

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import ConfigDict, Field, ValidationError, field_validator, model_validator

from core.errors import ManifestError
from core.fingerprint import fingerprint_of, same_fingerprint
from core.memory.units import format_size
from core.run.fields import Prose, PublicKey, Rules, TextLine, ZonedTime
from core.run.join_link import JoinLink
from core.run.validation import in_words
from core.signing import SigningKey, canonical, is_signed

FORMAT = 1
MAX_LIST_BYTES = 4 << 20
PICTURE_BYTES = 32 << 10
"""Most bytes of a card's picture."""
MOST_RUNS = 100
_PICTURE_CHARACTERS = 4 * -(-PICTURE_BYTES // 3)
_PICTURE_STARTS = (b"\x89PNG\r\n\x1a\n", b"RIFF")
"""First bytes of the kinds of pictures that a card may have: PNG, and WebP."""
_MORE_TRAFFIC = 2
"""Factor beyond which traffic differs from a card's: a run's pace changes from day to day."""
_MORE_MEMORY = 1.1
"""Factor beyond which needed memory differs from a card's: programs of other versions plan a little differently."""
_HEADER = b"idlebrush/1/run-list\n"
_UNSIGNED = "0" * 128
_ASK = "Ask the keeper of the list for the present one."


class ListedGate(StrEnum):
    """Volunteers whom a listed run admits."""

    OPEN = "open"  # every computer, without a sign-in
    ANYONE = "anyone"  # who signs in at the Hub
    ORGANISATION = "organisation"  # members of an organisation on the Hub
    LIST = "list"  # users whom the organiser has put on a list
    INVITATION = "invitation"  # who was invited


GATES = {
    ListedGate.OPEN: "no sign-in",
    ListedGate.ANYONE: "anyone with a Hugging Face account",
    ListedGate.ORGANISATION: "members of an organisation",
    ListedGate.LIST: "users on the organiser's list",
    ListedGate.INVITATION: "invited users",
}
"""Volunteers whom a run admits, in words."""


class RunListing(Rules):
    """The card of one run on a list."""

    # A field that a newer program adds to the cards keeps no volunteer from the others.
    model_config = ConfigDict(extra="ignore")

    link: Annotated[str, Field(max_length=1000)]
    """Join link of the run, with the fingerprint of its organiser's key."""
    title: TextLine
    description: Prose = ""
    gate: ListedGate
    parameters: Annotated[int, Field(gt=0, lt=2**50)]
    """Parameters of the model."""
    gpu_bytes: Annotated[int, Field(ge=0, lt=2**50)]
    """Least memory of a GPU that can train it."""
    ram_bytes: Annotated[int, Field(ge=0, lt=2**50)]
    """Least RAM with which a processor trains it."""
    bytes_per_day: Annotated[int, Field(ge=0, lt=2**60)]
    """Traffic of a day of training, each way."""
    download_bytes: Annotated[int, Field(ge=0, lt=2**60)] = 0
    """Bytes that are fetched before training begins."""
    volunteers: Annotated[int, Field(ge=0, lt=2**40)] | None = None
    """Volunteers on the run's leaderboard when the card was made; None: not known."""
    epochs_left: Annotated[int, Field(ge=0, lt=2**40)] | None = None
    """Epochs that the run had left when the card was made; None: not known."""
    picture: Annotated[str, Field(max_length=_PICTURE_CHARACTERS)] = ""
    """A picture by the run's model, as PNG or WebP in base64; empty: there is none."""

    @field_validator("link")
    @classmethod
    def _is_public(cls, link: str) -> str:
        parsed = JoinLink.parse(link)
        if parsed.invitation is not None:
            raise ValueError("the link has an invitation, which everyone could use")
        if not parsed.location.startswith(("https://", "http://")):
            raise ValueError("the link leads to a file of one computer")
        return str(parsed)

    @field_validator("picture")
    @classmethod
    def _is_picture(cls, text: str) -> str:
        try:
            found = base64.b64decode(text, validate=True)
        except binascii.Error as error:
            raise ValueError("the picture is not in base64") from error
        if found and (len(found) > PICTURE_BYTES or not found.startswith(_PICTURE_STARTS)):
            raise ValueError("the picture is neither PNG nor WebP, or too large")
        return text

    @property
    def picture_bytes(self) -> bytes:
        """The picture as a file has it; empty: there is none."""
        return base64.b64decode(self.picture)

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the key that must have signed the run's manifest."""
        return JoinLink.parse(self.link).fingerprint

    def differences(self, actual: "RunListing") -> Iterator["ListingDifference"]:
        """Yield what a run says of itself in another way than this card, as far as it matters to who joins it.

        Less traffic, memory or download than the card promises is no reason for a warning.

        Args:
            actual: Card that was just made of the run's own manifest.
        """
        if not same_fingerprint(self.fingerprint, actual.fingerprint):
            yield ListingDifference(
                ListingSubject.KEY, "The run is signed by another key than the list says."
            )
        if self.title != actual.title:
            text = f"The run calls itself “{actual.title}”, and the list “{self.title}”."
            yield ListingDifference(ListingSubject.TITLE, text)
        if self.gate is not actual.gate:
            text = f"The run admits: {GATES[actual.gate]}. The list says: {GATES[self.gate]}."
            yield ListingDifference(ListingSubject.GATE, text)
        if self.parameters != actual.parameters:
            text = (
                f"The run's model has {actual.parameters:,} parameters, and {self.parameters:,} by the list."
            )
            yield ListingDifference(ListingSubject.PARAMETERS, text)
        yield from self._larger_amounts(actual)

    def _larger_amounts(self, actual: "RunListing") -> Iterator["ListingDifference"]:
        """Yield what the run takes more of than this card promises."""
        if actual.bytes_per_day > _MORE_TRAFFIC * self.bytes_per_day:
            words = f"{actual.bytes_per_day:,} bytes of traffic a day each way, and {self.bytes_per_day:,}"
            yield ListingDifference(ListingSubject.TRAFFIC, f"The run takes about {words} by the list.")
        memory = ((actual.gpu_bytes, self.gpu_bytes), (actual.ram_bytes, self.ram_bytes))
        if any(needed > _MORE_MEMORY * listed for needed, listed in memory):
            needs, listed = (
                f"{format_size(card.gpu_bytes)} of a GPU's memory, or {format_size(card.ram_bytes)} of RAM"
                for card in (actual, self)
            )
            yield ListingDifference(ListingSubject.MEMORY, f"The run needs {needs}. The list says: {listed}.")
        if actual.download_bytes > self.download_bytes:
            words = (
                f"{actual.download_bytes:,} bytes are fetched first, and {self.download_bytes:,} by the list."
            )
            yield ListingDifference(ListingSubject.DOWNLOAD, words)


class ListingSubject(StrEnum):
    """Subject in which a run differs from its card; front ends translate it."""

    KEY = "key"
    TITLE = "title"
    GATE = "gate"
    PARAMETERS = "parameters"
    TRAFFIC = "traffic"
    MEMORY = "memory"
    DOWNLOAD = "download"


@dataclass(frozen=True)
class ListingDifference:
    """A difference between a run and its card on a list."""

    subject: ListingSubject
    text: str
    """A sentence in English."""


class RunList(Rules):
    """A list with its signature; `parse` verifies it."""

    model_config = ConfigDict(extra="ignore")

    format: Annotated[int, Field(ge=FORMAT, le=FORMAT)] = FORMAT
    """Version number of the format."""
    title: TextLine
    key: PublicKey
    """Key of the list's keeper, in hex."""
    serial: Annotated[int, Field(ge=0, lt=2**63)]
    """Number of this issue; one with a higher number replaces those before it."""
    issued_at: ZonedTime
    runs: Annotated[tuple[RunListing, ...], Field(max_length=MOST_RUNS)]
    signature: Annotated[str, Field(pattern=r"^[0-9a-f]{128}$")]

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        links = [run.link for run in self.runs]
        if len(set(links)) < len(links):
            raise ValueError("a run is on the list twice")
        return self

    @classmethod
    def create(
        cls, title: str, runs: tuple[RunListing, ...], key: SigningKey, serial: int, issued_at: datetime
    ) -> Self:
        """Return a signed list.

        Args:
            title: Title for people.
            runs: Cards of the runs.
            key: Key of the keeper.
            serial: Number of the issue, which rises from issue to issue.
            issued_at: Time of the issue, with a time zone.

        Raises:
            ValidationError: One of them is not valid.
        """
        unsigned = cls(
            title=title,
            key=key.public_key,
            serial=serial,
            issued_at=issued_at,
            runs=runs,
            signature=_UNSIGNED,
        )
        content = unsigned.model_dump(mode="json", exclude={"signature"})
        return unsigned.model_copy(update={"signature": key.sign(_message(content))})

    @classmethod
    def parse(
        cls, text: bytes, source: str, *, fingerprint: str | None, seen: "RunList | None" = None
    ) -> Self:
        """Read and verify a list.

        Args:
            text: The file.
            source: Name of the list's place, for errors.
            fingerprint: Fingerprint of the key that must have signed it; None: any key.
            seen: The issue that was read last; an older one is refused.

        Raises:
            ManifestError: It is no list, not its keeper's, or older than the last one.
        """
        if len(text) > MAX_LIST_BYTES:
            raise ManifestError(
                f"{source} has more than {MAX_LIST_BYTES >> 20} MB, and is no list of runs.", _ASK
            )
        try:
            found = cls.model_validate_json(text)
            content = json.loads(text)
        except ValidationError as error:
            raise ManifestError(f"{source} is no list of runs: {in_words(error)}.", _ASK) from error
        signature = content.pop("signature")
        if not is_signed(_message(content), signature, found.key):
            raise ManifestError(f"{source} is not what the keeper of the list signed.", _ASK)
        if fingerprint is not None and not same_fingerprint(fingerprint, found.fingerprint):
            raise ManifestError(
                f"{source} is signed by the key {found.fingerprint} instead of {fingerprint}.",
                "Use it only if the keeper of the list tells you that the key has changed.",
            )
        if seen is not None and seen.key == found.key and found.serial < seen.serial:
            raise ManifestError(f"{source} is an older issue of the list than the last one.", _ASK)
        return found

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the keeper's key."""
        return fingerprint_of(self.key)

    def text(self) -> bytes:
        """Return the file of a list that `create` has made."""
        return self.model_dump_json(indent=2).encode() + b"\n"


def _message(content: Mapping[str, Any]) -> bytes:
    """Return what the signature covers: all of the list's ``content`` but the signature."""
    return _HEADER + canonical(content)
