"""Receipts and certificates: what a run's coordinator signs of a volunteer's contribution, to be checked without it.

Both are signed with the key of the run's gate over canonical JSON that names what it is, so that neither passes for
the other, nor for anything else that the key signs.
"""

import base64
import hashlib
import hmac
from datetime import date
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from core.errors import ReceiptError
from core.files import Sha256
from core.signing import SigningKey, canonical, is_signed
from core.validation import in_words

MAX_RECEIPT_BYTES = 4096
_CODE_BYTES = 10
"""80 bits: sixteen characters to type, and nobody guesses one."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=128)]
Count = Annotated[int, Field(ge=0, lt=2**53)]
Seconds = Annotated[float, Field(ge=0, lt=1e12)]
Signature = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")]


class _Statement(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    run: Sha256
    """Digest of the manifest's training part."""
    name: Name
    """The volunteer's user name."""
    samples: Count
    compute_seconds: Seconds
    epochs: Count
    """In which they had a part."""

    def message(self) -> bytes:
        """What is signed."""
        return canonical(self.model_dump(mode="json"))


class Receipt(_Statement):
    """What a volunteer contributed on one day; a newer one for the same day says at least as much."""

    format: Literal["idlebrush/1/receipt"] = "idlebrush/1/receipt"
    subject: Annotated[str, StringConstraints(max_length=255)] | None = None
    """Who it is to the OpenID provider, whatever becomes of the name."""
    hidden: bool = False
    """Whether the board shows no name."""
    day: date
    """Of UTC."""


class Certificate(_Statement):
    """All that a volunteer contributed from one day to another."""

    format: Literal["idlebrush/1/certificate"] = "idlebrush/1/certificate"
    title: Annotated[str, StringConstraints(max_length=200)]
    """Of the run."""
    first: date
    last: date


class _Signed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    what: ClassVar[str]
    signature: Signature

    @classmethod
    def parse(cls, text: str | bytes) -> Self:
        """Read its JSON; ReceiptError if it is none. What it says is worth nothing before `verify`."""
        try:
            if len(text) > MAX_RECEIPT_BYTES:
                raise ReceiptError(f"The {cls.what} is longer than any.", _REMEDY)
            return cls.model_validate_json(text)
        except ValidationError as error:
            raise ReceiptError(f"This is no {cls.what}: {in_words(error)}.", _REMEDY) from error

    def _verify(self, statement: _Statement, *, gate: str, run: str) -> None:
        if statement.run != run:
            raise ReceiptError(f"The {self.what} is of another run.", "Give those of this run.")
        if not is_signed(statement.message(), self.signature, gate):
            raise ReceiptError(f"The {self.what} was not signed by this run's coordinator.", _REMEDY)


_REMEDY = "Fetch it again from the run's coordinator."


class SignedReceipt(_Signed):
    """A receipt as it is kept and shown: about 500 bytes of JSON."""

    what = "receipt"
    receipt: Receipt

    @classmethod
    def sign(cls, receipt: Receipt, key: SigningKey) -> Self:
        return cls(receipt=receipt, signature=key.sign(receipt.message()))

    def verify(self, *, gate: str, run: str) -> Receipt:
        """The receipt, if the key ``gate`` (hex) signed it for the run; else ReceiptError."""
        self._verify(self.receipt, gate=gate, run=run)
        return self.receipt


class SignedCertificate(_Signed):
    """A certificate as it is handed out."""

    what = "certificate"
    certificate: Certificate

    @classmethod
    def sign(cls, certificate: Certificate, key: SigningKey) -> Self:
        return cls(certificate=certificate, signature=key.sign(certificate.message()))

    def verify(self, *, gate: str, run: str) -> Certificate:
        """The certificate, if the key ``gate`` (hex) signed it for the run; else ReceiptError."""
        self._verify(self.certificate, gate=gate, run=run)
        return self.certificate

    @property
    def code(self) -> str:
        """What stands on paper in the signature's place: whoever has the key finds it again from the rest."""
        digest = hashlib.sha256(bytes.fromhex(self.signature)).digest()[:_CODE_BYTES]
        letters = base64.b32encode(digest).decode()
        return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))


def is_genuine(certificate: Certificate, code: str, key: SigningKey) -> bool:
    """Whether a certificate read off paper, with its code, is one of ours."""
    ours = SignedCertificate.sign(certificate, key).code
    return hmac.compare_digest(_bare(ours), _bare(code))


def _bare(code: str) -> bytes:
    return code.replace("-", "").replace(" ", "").upper().encode()
