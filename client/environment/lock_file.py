"""The signed list of what trainer environments are made of: each wheel by name, size and digest, for each variant.

The list is signed by the project's key (Ed25519). Its serial number only grows, so an older list is refused; and
it expires, so a server cannot hold newer packages back for ever.
"""

import hashlib
import re
from datetime import datetime
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from client.api.errors import REPORT_IF_LASTING, SetupError
from client.fetching.files import WantedFile
from client.fetching.web_client import may_redirect
from core.run.fields import PublicKey, Rules, TextLine
from core.run.validation import in_words
from core.signing import SigningKey, canonical, is_signed
from core.storage.files import Sha256

MAX_LOCK_BYTES = 4 << 20
"""Bytes of the largest list that is read."""
_LABEL = b"idlebrush/1/environment\n"
_REMEDY = "Update Idlebrush, or try again later."

Version = Annotated[str, StringConstraints(pattern=r"^\d{1,6}(\.\d{1,6}){0,3}$")]
"""Numbers with dots between them, such as 580.65.06."""
WheelName = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.+!]*(-[A-Za-z0-9_.+!]+){4,5}\.whl$", max_length=200),
]
Address = Annotated[
    str, StringConstraints(pattern=r"^https?://[^\s\x00-\x1f\x7f-\x9f\"<>\\]+$", max_length=500)
]
Host = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9.-]+$", max_length=200)]
Module = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$", max_length=100)]
GfxTarget = Annotated[str, StringConstraints(pattern=r"^gfx[0-9a-f]{3,5}$")]


class Wheel(Rules):
    """One package of a variant."""

    package: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=100)]
    version: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9.+!_-]*$", max_length=100)]
    file: WheelName
    size: Annotated[int, Field(gt=0, le=2**36)]
    """Size of the wheel in bytes."""
    unpacked: Annotated[int, Field(gt=0, le=2**38)]
    """Bytes of its files once they are installed."""
    sha256: Sha256
    addresses: Annotated[tuple[Address, ...], Field(min_length=1, max_length=8)]
    """URLs of the wheel, the preferred one first; a plus sign in them is quoted: some servers take it for a blank."""

    @property
    def wanted(self) -> WantedFile:
        """The wheel as a file to fetch."""
        return WantedFile(f"{self.package} {self.version}", self.size, self.sha256, self.addresses)


class VariantNeeds(Rules):
    """The machine that a variant needs."""

    system: Literal["linux", "macos"]
    machine: Literal["x86_64", "arm64"]
    python: Version
    """Version of Python up to the second number, such as 3.11: wheels are built for it."""
    glibc: Version | None = None
    """Least version of glibc; None: none is needed."""
    gpu: Literal["nvidia", "amd"] | None = None
    """Vendor of the GPU that trains; None: the processor trains."""
    driver: Version | None = None
    """Least version of the GPU's driver; None: any."""
    capability: Version | None = None
    """Least compute capability of an NVIDIA GPU, such as 7.5; None: any."""
    capability_below: Version | None = None
    """Compute capability of an NVIDIA GPU from which on there is no code, such as 10.0; None: there is for all."""
    targets: Annotated[tuple[GfxTarget, ...], Field(max_length=64)] = ()
    """AMD GPUs that it has code for; empty: any."""


class Variant(Rules):
    """The packages for one kind of machine."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,32}$")]
    """Name of the variant, such as cpu, cu126, cu13 or rocm."""
    title: TextLine
    """Words for people, such as "NVIDIA GPUs by CUDA 13"."""
    needs: VariantNeeds
    imports: Annotated[tuple[Module, ...], Field(min_length=1, max_length=64)]
    """Modules that must be importable once it is installed."""
    wheels: Annotated[tuple[Wheel, ...], Field(min_length=1, max_length=500)]

    @model_validator(mode="after")
    def _has_each_once(self) -> Self:
        for names in (
            [canonical_name(wheel.package) for wheel in self.wheels],
            [w.file for w in self.wheels],
        ):
            if len(set(names)) != len(names):
                raise ValueError("a package occurs twice")
        return self

    @property
    def size(self) -> int:
        """Bytes of all wheels."""
        return sum(wheel.size for wheel in self.wheels)

    @property
    def unpacked(self) -> int:
        """Bytes of all files once they are installed."""
        return sum(wheel.unpacked for wheel in self.wheels)

    @property
    def device(self) -> str:
        """PyTorch's name of the device that trains; ROCm's GPUs have that of CUDA."""
        return "cpu" if self.needs.gpu is None else "cuda"

    @property
    def digest(self) -> str:
        """SHA-256 in hex of the packages and what they need: equal digests make equal environments."""
        wheels = [[wheel.file, wheel.sha256] for wheel in self.wheels]
        named = {"name": self.name, "imports": self.imports, "wheels": wheels}
        return hashlib.sha256(canonical(named)).hexdigest()


class Distribution(Rules):
    """The Linux in which trainers live on Windows: an archive for WSL2, without the trainer's packages."""

    machine: Literal["x86_64"] = "x86_64"
    version: Annotated[str, StringConstraints(pattern=r"^[0-9][0-9A-Za-z.+~-]*$", max_length=60)]
    """Version of Idlebrush that it was built from."""
    file: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._+~-]*$", max_length=120)]
    size: Annotated[int, Field(gt=0, le=2**32)]
    """Size of the archive in bytes."""
    unpacked: Annotated[int, Field(gt=0, le=2**36)]
    """Bytes of its files."""
    sha256: Sha256
    addresses: Annotated[tuple[Address, ...], Field(min_length=1, max_length=8)]
    """URLs of the archive, the preferred one first."""
    python: Version
    """Version of its Python up to the second number."""
    glibc: Version

    @property
    def wanted(self) -> WantedFile:
        """The archive as a file to fetch."""
        return WantedFile("Linux for training", self.size, self.sha256, self.addresses)


class EnvironmentLock(Rules):
    """All variants."""

    format: Literal[1] = 1
    serial: Annotated[int, Field(ge=1, le=2**31)]
    """Number of the list, larger than that of every older list."""
    issued_at: datetime
    expires_at: AwareDatetime
    """Time from which the list is refused: a newer one has been issued by then."""
    remark: TextLine | None = None
    """A sentence about what is missing from the list, and why; None: nothing is."""
    redirects: Annotated[tuple[Host, ...], Field(max_length=32)] = ()
    """Hosts to which servers of wheels may redirect, besides themselves."""
    variants: Annotated[tuple[Variant, ...], Field(min_length=1, max_length=32)]
    """The variants; of those that a machine can use, the first is used."""
    distributions: Annotated[tuple[Distribution, ...], Field(max_length=4)] = ()
    """Linux for Windows' computers; of those that a machine can use, the first is used."""

    def may_redirect(self, source: str, target: str) -> bool:
        """Return true if a server may redirect from ``source`` to ``target``: safely, to a host that is listed."""
        if not may_redirect(source, target):
            return False
        host = urlsplit(target).hostname
        return host in self.redirects or host == urlsplit(source).hostname

    @model_validator(mode="after")
    def _names_each_once(self) -> Self:
        named = {(variant.name, *_machine(variant)) for variant in self.variants}
        if len(named) != len(self.variants):
            raise ValueError("a variant occurs twice for the same machine")
        return self


def require_current(lock: EnvironmentLock, now: datetime) -> None:
    """Raise SetupError if a list has expired by ``now``, a time with a zone."""
    if lock.expires_at > now:
        return
    raise SetupError(
        f"The list of packages (number {lock.serial}) expired on {lock.expires_at.date()}, and this computer's clock "
        f"says that it is {now.date()}.",
        "See that the date of this computer is right. If it is, try again later, or on another network: a newer list "
        f"should be there. {REPORT_IF_LASTING}",
    )


class _Signed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    lock: EnvironmentLock
    signature: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")]


def sign_lock(lock: EnvironmentLock, key: SigningKey) -> bytes:
    """Return the list with the signature of ``key``, as JSON."""
    signed = _Signed(lock=lock, signature=key.sign(_message(lock)))
    return signed.model_dump_json(indent=1, exclude_unset=True, exclude_none=True).encode() + b"\n"


def read_lock(text: bytes, key: PublicKey, newest_serial: int = 0) -> EnvironmentLock:
    """Return the list in ``text``, once it is verified.

    Args:
        text: List as `sign_lock` returns it.
        key: Public key (hex) that must have signed it.
        newest_serial: Largest serial number that was seen before.

    Raises:
        SetupError: The list is malformed, too large, signed by another key or older than the newest one.
    """
    if len(text) > MAX_LOCK_BYTES:
        raise SetupError(f"The list of packages has more than {MAX_LOCK_BYTES} bytes.", _REMEDY)
    try:
        signed = _Signed.model_validate_json(text)
    except ValidationError as error:
        raise SetupError(f"The list of packages cannot be read: {in_words(error)}.", _REMEDY) from error
    if not is_signed(_message(signed.lock), signed.signature, key):
        raise SetupError(
            "The list of packages was not signed by the developers of Idlebrush, and is not used.",
            f"Try again later, on another network if you can. {REPORT_IF_LASTING}",
        )
    if signed.lock.serial < newest_serial:
        raise SetupError(
            f"The list of packages (number {signed.lock.serial}) is older than the one that was seen before "
            f"(number {newest_serial}).",
            _REMEDY,
        )
    return signed.lock


def _message(lock: EnvironmentLock) -> bytes:
    # Only what was set, so that a list stays as it was signed when a later version adds a field with a default.
    return _LABEL + canonical(lock.model_dump(mode="json", exclude_unset=True, exclude_none=True))


def canonical_name(package: str) -> str:
    """Return the name of ``package`` as names are compared (PEP 503)."""
    return re.sub(r"[-_.]+", "-", package).lower()


def _machine(variant: Variant) -> tuple[str, str, str]:
    return variant.needs.system, variant.needs.machine, variant.needs.python
