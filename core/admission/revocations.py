"""A short list, signed by the run's gate, of users and peers to refuse although their tokens are still valid."""

from dataclasses import asdict, dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from core.admission.access_token import AccessToken, PeerName, RunDigest, UnixSeconds, UserName
from core.errors import AdmissionError
from core.signing import SigningKey, canonical, is_signed

MAX_BYTES = 11_000
"""Largest size of the signed list: it travels as a DHT record, and much larger ones kill the DHT's process."""
KNOWN_SECONDS = 7 * 86_400
"""Seconds for which the swarm keeps a list; longer than the life of any token."""

_LABEL = b"idlebrush/1/revocations\n"


@dataclass(frozen=True)
class Revocations:
    """Names and peers whose tokens are refused; those whose tokens have expired need not be in it."""

    run: str
    """The run's training digest."""
    serial: int
    """A list takes the place of those with lower serials."""
    issued: int
    """Unix time of issue in seconds; rises with the serial."""
    names: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()
    """Peer ids in base58. Give the peers of the names as well: their records are then refused, too."""

    @property
    def expires(self) -> int:
        """Time at which its DHT record ends, in Unix seconds.

        A later list ends later, so that it replaces the earlier one.
        """
        return self.issued + KNOWN_SECONDS

    def forbids(self, token: AccessToken) -> bool:
        """Return true if the list names the user or the peer of ``token``."""
        return token.name in self.names or token.peer in self.peers


class _List(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    run: RunDigest
    serial: Annotated[int, Field(ge=0, lt=2**63)]
    issued: UnixSeconds
    names: Annotated[tuple[UserName, ...], Field(max_length=1000)]
    peers: Annotated[tuple[PeerName, ...], Field(max_length=1000)]


class _SignedRevocations(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    list: _List
    signature: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")]


def sign(revocations: Revocations, key: SigningKey) -> bytes:
    """Return the list ``revocations``, signed with the gate's ``key``.

    Raises ValueError if it is malformed, or longer than ``MAX_BYTES`` when signed.
    """
    content = asdict(_checked(revocations))
    signature = key.sign(_LABEL + canonical(content))
    signed = canonical({"list": content, "signature": signature})
    if len(signed) > MAX_BYTES:
        raise ValueError(f"a list of {len(signed)} bytes is too long ({MAX_BYTES} at most)")
    return signed


def read(signed: bytes, *, gate: str, run: str) -> Revocations:
    """Return the list in ``signed`` if ``gate`` (public key in hex) signed it for ``run`` (training digest).

    Raises AdmissionError otherwise.
    """
    refusal = AdmissionError(
        "A revocation list was not signed by this run's gate.",
        "It is ignored. The gate's own list stays in effect.",
    )
    if len(signed) > MAX_BYTES:
        raise refusal
    try:
        found = _SignedRevocations.model_validate_json(signed)
    except ValidationError as error:
        raise refusal from error
    content = found.list.model_dump(mode="json")
    if found.list.run != run or not is_signed(_LABEL + canonical(content), found.signature, gate):
        raise refusal
    return Revocations(**found.list.model_dump())


def _checked(revocations: Revocations) -> Revocations:
    return Revocations(**_List.model_validate(asdict(revocations)).model_dump())
