"""A peer's identity: one RSA key, for libp2p and for the signatures under its records."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hivemind.dht.crypto import RSASignatureValidator
from hivemind.p2p import PeerID
from hivemind.utils.crypto import RSAPrivateKey

from core.admission.peer_key import MAX_PUBLIC_KEY_BYTES, PeerKey, peer_hash, read_public_key

_LONGEST_OWNER = MAX_PUBLIC_KEY_BYTES + len(RSASignatureValidator.PUBLIC_KEY_FORMAT)


@dataclass(frozen=True)
class PeerIdentity:
    """A peer's key, kept in a file, and the names that follow from it."""

    path: Path
    private_key: RSAPrivateKey
    peer_id: PeerID

    @classmethod
    def load_or_create(cls, path: Path) -> "PeerIdentity":
        """Read the identity at ``path``, or make a new one there that only its owner can read."""
        key = PeerKey.load_or_create(path).private
        private_key = RSAPrivateKey.__new__(RSAPrivateKey)
        private_key._private_key = key
        return cls(path, private_key, PeerID(peer_hash(key.public_key())))

    @property
    def owner(self) -> bytes:
        """The owner key, which makes a DHT subkey this peer's own."""
        return owner_key(self.private_key.get_public_key().to_bytes())


def owner_key(public_key: bytes) -> bytes:
    """Return the subkey under which only the holder of ``public_key`` (in OpenSSH's format) can store records."""
    return bytes(RSASignatureValidator.PUBLIC_KEY_FORMAT.replace(b"_key_", public_key))


def peer_id_of(owner: bytes) -> PeerID | None:
    """Return the id of the peer that the owner key ``owner`` names, or None where it names none.

    libp2p names a peer by the SHA-256 of its public key, so a record can be held to the peer that signed it.
    """
    return _peer_id_of(owner) if len(owner) <= _LONGEST_OWNER else None


@lru_cache(maxsize=8192)
def _peer_id_of(owner: bytes) -> PeerID | None:
    found = RSASignatureValidator._PUBLIC_KEY_RE.fullmatch(owner)
    if found is None:
        return None
    try:
        return PeerID(peer_hash(read_public_key(found.group(1))))
    except ValueError:
        return None
