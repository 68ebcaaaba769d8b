"""Receipts and certificates: signed statements of a contribution, to be verified without the coordinator.

Both are signed with the key of the run's gate over canonical JSON that names its kind, so that neither passes
for the other, nor for anything else that the key signs.
"""

import base64
import hashlib
from datetime import date
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from core.errors import ReceiptError
from core.run.validation import in_words
from core.signing import SigningKey, canonical, is_signed
from core.storage.files import Sha256

MAX_RECEIPT_BYTES = 4096
_CODE_BYTES = 10
"""80 bits, which are sixteen characters: too many to guess."""

_Name = Annotated[str, StringConstraints(min_length=1, max_length=128)]
_Count = Annotated[int, Field(ge=0, lt=2**53)]
_Seconds = Annotated[float, Field(ge=0, lt=1e12)]
_Signature = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")]


class _Statement(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    run: Sha256
    """Digest of the manifest's training part."""
    name: _Name
    """The volunteer's user name."""
    samples: _Count
    compute_seconds: _Seconds
    epochs: _Count
    """Number of epochs in which the volunteer's peers took part."""

    def message(self) -> bytes:
        """Return the bytes that are signed."""
        return canonical(self.model_dump(mode="json"))


class Receipt(_Statement):
    """A volunteer's contribution of one day; a newer receipt for the same day states at least as much."""

    format: Literal["idlebrush/1/receipt"] = "idlebrush/1/receipt"
    subject: Annotated[str, StringConstraints(max_length=255)] | None = None
    """The user's identifier at the OpenID provider, which stays when the name changes."""
    hidden: bool = False
    """True if the board shows no name."""
    day: date
    """The day in UTC."""


class Certificate(_Statement):
    """A volunteer's contribution from one day to another."""

    format: Literal["idlebrush/1/certificate"] = "idlebrush/1/certificate"
    title: Annotated[str, StringConstraints(max_length=200)]
    """Title of the run."""
    first: date
    last: date


class _SignedText(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    what: ClassVar[str]
    signature: _Signature

    @classmethod
    def parse(cls, text: str | bytes) -> Self:
        """Read the JSON in ``text``; its content must not be trusted before `verify`.

        Raises ReceiptError if it is too long or malformed.
        """
        try:
            if len(text) > MAX_RECEIPT_BYTES:
                raise ReceiptError(f"The file is too long for a {cls.what}.", _REMEDY)
            return cls.model_validate_json(text)
        except ValidationError as error:
            raise ReceiptError(f"This is not a {cls.what}: {in_words(error)}.", _REMEDY) from error

    def _verify(self, statement: _Statement, *, gate: str, run: str) -> None:
        if statement.run != run:
            raise ReceiptError(
                f"The {self.what} belongs to another run.", "Give the manifest of its own run."
            )
        if not is_signed(statement.message(), self.signature, gate):
            raise ReceiptError(f"The {self.what} was not signed by this run's coordinator.", _REMEDY)


_REMEDY = "Fetch it again from the run's coordinator."


class SignedReceipt(_SignedText):
    """A receipt as it is kept and shown: about 500 bytes of JSON."""

    what = "receipt"
    receipt: Receipt

    @classmethod
    def sign(cls, receipt: Receipt, key: SigningKey) -> Self:
        """Sign ``receipt`` with the gate's ``key``."""
        return cls(receipt=receipt, signature=key.sign(receipt.message()))

    @property
    def statement(self) -> Receipt:
        """The receipt, which must not be trusted before `verify`."""
        return self.receipt

    def verify(self, *, gate: str, run: str) -> Receipt:
        """Return the receipt if ``gate`` (public key in hex) signed it for ``run`` (training digest).

        Raises ReceiptError otherwise.
        """
        self._verify(self.receipt, gate=gate, run=run)
        return self.receipt


class SignedCertificate(_SignedText):
    """A certificate as it is handed out."""

    what = "certificate"
    certificate: Certificate

    @classmethod
    def sign(cls, certificate: Certificate, key: SigningKey) -> Self:
        """Sign ``certificate`` with the gate's ``key``."""
        return cls(certificate=certificate, signature=key.sign(certificate.message()))

    @property
    def statement(self) -> Certificate:
        """The certificate, which must not be trusted before `verify`."""
        return self.certificate

    def verify(self, *, gate: str, run: str) -> Certificate:
        """Return the certificate if ``gate`` (public key in hex) signed it for ``run`` (training digest).

        Raises ReceiptError otherwise.
        """
        self._verify(self.certificate, gate=gate, run=run)
        return self.certificate

    @property
    def code(self) -> str:
        """Short code for paper, to be compared with the signed file.

        It follows from the signature.
        """
        digest = hashlib.sha256(bytes.fromhex(self.signature)).digest()[:_CODE_BYTES]
        letters = base64.b32encode(digest).decode()
        return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))


def parse_signed(text: str | bytes) -> SignedReceipt | SignedCertificate:
    """Read a receipt or a certificate from its JSON in ``text``.

    Its content must not be trusted before `verify`.

    Raises:
        ReceiptError: It is neither.
    """
    raw = text.encode() if isinstance(text, str) else text
    is_certificate = Certificate.model_fields["format"].default.encode() in raw
    return SignedCertificate.parse(raw) if is_certificate else SignedReceipt.parse(raw)
