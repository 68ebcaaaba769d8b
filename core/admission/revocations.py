"""A short list, signed by the run's gate, of users and peers to refuse although their tokens are still valid."""

from dataclasses import asdict, dataclass
from typing import Annotated

from pydantic import Field

from core.admission.access_token import AccessToken, PeerName, UserName
from core.admission.signed_lists import GateList, read_list, sign_list
from core.signing import SigningKey

KNOWN_SECONDS = 7 * 86_400
"""Seconds for which the swarm keeps a list; longer than the life of any token."""
MOST_ENTRIES = 1000
"""Names, and peers, of a list at most."""

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


class _RevocationList(GateList):
    names: Annotated[tuple[UserName, ...], Field(max_length=MOST_ENTRIES)]
    peers: Annotated[tuple[PeerName, ...], Field(max_length=MOST_ENTRIES)]


def sign(revocations: Revocations, key: SigningKey) -> bytes:
    """Return the list ``revocations``, signed with the gate's ``key``.

    Raises ValueError if it is malformed, or longer than ``MAX_BYTES`` when signed.
    """
    return sign_list(asdict(revocations), _RevocationList, _LABEL, key)


def read(signed: bytes, *, gate: str, run: str) -> Revocations:
    """Return the list in ``signed`` if ``gate`` (public key in hex) signed it for ``run`` (training digest).

    Raises AdmissionError otherwise.
    """
    found = read_list(signed, _RevocationList, _LABEL, name="A revocation list", gate=gate, run=run)
    return Revocations(**found.model_dump())
