"""Who a peer is: one RSA key that is both its libp2p identity and the signature under its records."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from hivemind.dht.crypto import RSASignatureValidator
from hivemind.p2p import P2P, PeerID
from hivemind.proto import crypto_pb2
from hivemind.utils.crypto import RSAPrivateKey

from core.errors import SwarmError

_SHA256_MULTIHASH = b"\x12\x20"


@dataclass(frozen=True)
class PeerIdentity:
    """A peer's key, kept in a file, and the names that follow from it."""

    path: Path
    private_key: RSAPrivateKey
    peer_id: PeerID

    @classmethod
    def load_or_create(cls, path: Path) -> "PeerIdentity":
        """Read the identity at ``path``, or make a new one there that only its owner can read."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            P2P.generate_identity(str(path))
        try:
            data = path.read_bytes()
            key = serialization.load_der_private_key(crypto_pb2.PrivateKey.FromString(data).data, None)
        except (OSError, ValueError, TypeError, DecodeError) as error:
            raise SwarmError(
                f"The peer's identity in {path} cannot be read ({error}).",
                "Delete that file; a new identity is made at the next start.",
            ) from error
        private_key = RSAPrivateKey.__new__(RSAPrivateKey)
        private_key._private_key = key
        return cls(path, private_key, PeerID.from_identity(data))

    @property
    def owner(self) -> bytes:
        """The mark that makes a DHT subkey this peer's own."""
        return owner_mark(self.private_key.get_public_key().to_bytes())


def owner_mark(public_key: bytes) -> bytes:
    """The subkey under which only the holder of an OpenSSH public key can store records."""
    return bytes(RSASignatureValidator.PUBLIC_KEY_FORMAT.replace(b"_key_", public_key))


def peer_id_of(owner: bytes) -> PeerID | None:
    """The peer whose key an owner mark carries, or None where it carries none.

    libp2p names a peer by the SHA-256 of its public key, so a record can be held to the peer that signed it.
    """
    found = RSASignatureValidator._PUBLIC_KEY_RE.fullmatch(owner)
    if found is None:
        return None
    try:
        key = serialization.load_ssh_public_key(found.group(1))
    except ValueError:
        return None
    if not isinstance(key, rsa.RSAPublicKey):
        return None
    encoded = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    message = crypto_pb2.PublicKey(key_type=crypto_pb2.RSA, data=encoded).SerializeToString()
    return PeerID(_SHA256_MULTIHASH + hashlib.sha256(message).digest())
