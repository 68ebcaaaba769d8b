"""Who is refused at once, though their access tokens are still good: a short list that the run's gate signs."""

from dataclasses import asdict, dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from core.admission.access_token import AccessToken, PeerName, RunDigest, UnixSeconds, UserName
from core.errors import AdmissionError
from core.signing import SigningKey, canonical, is_signed

MAX_BYTES = 11_000
"""Of the signed list: it travels as a record of the DHT, whose process dies of much larger ones."""
KNOWN_SECONDS = 7 * 86_400
"""For which a list is kept by the swarm; longer than any token."""

_LABEL = b"idlebrush/1/revocations\n"


@dataclass(frozen=True)
class Revocations:
    """Names and peers whose tokens nobody honours; those whose tokens have run out need not be in it."""

    run: str
    """The run's training digest."""
    serial: int
    """A list takes the place of those with lower serials."""
    issued: int
    """Unix seconds; rises with the serial."""
    names: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()
    """Peer ids in base58. Give the peers of the names as well: their records are then refused, too."""

    @property
    def expires(self) -> int:
        """When its record in the DHT ends: a later list's ends later, so that it takes the earlier one's place."""
        return self.issued + KNOWN_SECONDS

    def forbids(self, token: AccessToken) -> bool:
        """Whether it names the token's user or peer."""
        return token.name in self.names or token.peer in self.peers


class _List(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    run: RunDigest
    serial: Annotated[int, Field(ge=0, lt=2**63)]
    issued: UnixSeconds
    names: Annotated[tuple[UserName, ...], Field(max_length=1000)]
    peers: Annotated[tuple[PeerName, ...], Field(max_length=1000)]


class _Signed(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    list: _List
    signature: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")]


def sign(revocations: Revocations, key: SigningKey) -> bytes:
    """The list, signed with the gate's key; ValueError if it is malformed or longer than ``MAX_BYTES``."""
    content = asdict(_checked(revocations))
    signature = key.sign(_LABEL + canonical(content))
    signed = canonical({"list": content, "signature": signature})
    if len(signed) > MAX_BYTES:
        raise ValueError(f"a list of {len(signed)} bytes is too long ({MAX_BYTES} at most)")
    return signed


def read(signed: bytes, *, gate: str, run: str) -> Revocations:
    """The list, if the gate (public key in hex) signed it for this run; else AdmissionError."""
    refusal = AdmissionError(
        "A list of revocations is not what this run's gate signed.", "It is ignored; the gate's own holds."
    )
    if len(signed) > MAX_BYTES:
        raise refusal
    try:
        found = _Signed.model_validate_json(signed)
    except ValidationError as error:
        raise refusal from error
    content = found.list.model_dump(mode="json")
    if found.list.run != run or not is_signed(_LABEL + canonical(content), found.signature, gate):
        raise refusal
    return Revocations(**found.list.model_dump())


def _checked(revocations: Revocations) -> Revocations:
    return Revocations(**_List.model_validate(asdict(revocations)).model_dump())
