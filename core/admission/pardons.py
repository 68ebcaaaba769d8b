"""A short list, signed by the run's gate, of users whose appeal was granted: earlier evidence counts no longer."""

from dataclasses import asdict, dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from core.admission.access_token import RunDigest, UnixSeconds, UserName
from core.errors import AdmissionError
from core.signing import SigningKey, canonical, is_signed

MAX_BYTES = 11_000
"""Largest size of the signed list: it travels as a DHT record, and much larger ones kill the DHT's process."""
KNOWN_SECONDS = 30 * 86_400
"""Seconds for which the swarm keeps a list that is not stored again."""
MOST_PARDONS = 500

_LABEL = b"idlebrush/1/pardons\n"


@dataclass(frozen=True)
class Pardon:
    """The organiser's word that evidence against a user, up to a place in the run, counts no longer."""

    name: str
    """Name of the user."""
    generation: int
    """Generation of the last place that is pardoned."""
    epoch: int
    """Epoch of the last place that is pardoned; what is done after it counts again."""


@dataclass(frozen=True)
class Pardons:
    """All pardons of a run; a list takes the place of those with lower serials."""

    run: str
    """The run's training digest."""
    serial: int
    """A list takes the place of those with lower serials."""
    issued: int
    """Unix time of issue in seconds; rises with the serial."""
    pardons: tuple[Pardon, ...] = ()

    @property
    def expires(self) -> int:
        """Time at which its DHT record ends, in Unix seconds, so that a later list replaces an earlier one."""
        return self.issued + KNOWN_SECONDS

    def pardons_at(self, name: str) -> tuple[int, int] | None:
        """Return generation and epoch of the last place that is pardoned of the user with that ``name``, or None."""
        found = [(item.generation, item.epoch) for item in self.pardons if item.name == name]
        return max(found, default=None)


class _PardonEntry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: UserName
    generation: Annotated[int, Field(ge=0, lt=10**9)]
    epoch: Annotated[int, Field(ge=0, lt=10**9)]


class _PardonList(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    run: RunDigest
    serial: Annotated[int, Field(ge=0, lt=2**63)]
    issued: UnixSeconds
    pardons: Annotated[tuple[_PardonEntry, ...], Field(max_length=MOST_PARDONS)]


class _SignedPardons(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    list: _PardonList
    signature: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")]


def sign(pardons: Pardons, key: SigningKey) -> bytes:
    """Return the list ``pardons``, signed with the gate's ``key``.

    Raises ValueError if it is malformed, or longer than ``MAX_BYTES`` when signed.
    """
    content = _PardonList.model_validate(asdict(pardons)).model_dump(mode="json")
    signature = key.sign(_LABEL + canonical(content))
    signed = canonical({"list": content, "signature": signature})
    if len(signed) > MAX_BYTES:
        raise ValueError(f"a list of {len(signed)} bytes is too long ({MAX_BYTES} at most)")
    return signed


def read(signed: bytes, *, gate: str, run: str) -> Pardons:
    """Return the list in ``signed`` if ``gate`` (public key in hex) signed it for ``run`` (training digest).

    Raises AdmissionError otherwise.
    """
    refusal = AdmissionError(
        "A list of pardons was not signed by this run's gate.",
        "It is ignored. The gate's own list stays in effect.",
    )
    if len(signed) > MAX_BYTES:
        raise refusal
    try:
        found = _SignedPardons.model_validate_json(signed)
    except ValidationError as error:
        raise refusal from error
    content = found.list.model_dump(mode="json")
    if found.list.run != run or not is_signed(_LABEL + canonical(content), found.signature, gate):
        raise refusal
    each = tuple(Pardon(item.name, item.generation, item.epoch) for item in found.list.pardons)
    return Pardons(found.list.run, found.list.serial, found.list.issued, each)
