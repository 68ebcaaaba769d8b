"""A peer's key without libp2p: it is created, gives the peer its name, and signs proofs for a gate.

The file is libp2p's: a protocol buffer of two fields (key type, key), RSA as hivemind's peers use it.
"""

import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
    load_ssh_public_key,
)

from core.errors import SwarmError
from core.storage import moving
from core.storage.files import read_bounded

MAX_PUBLIC_KEY_BYTES = 1024
_MAX_FILE_BYTES = 8192
_BITS = (2048, 4096)
_EXPONENT = 65_537
"""The only exponent that is accepted: others, like longer keys, slow down verification, which strangers request."""

_KEY_TYPE_RSA = b"\x08\x00"
_KEY_FIELD = b"\x12"
_SHA256_MULTIHASH = b"\x12\x20"
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

_HASH = hashes.SHA256()
_PADDING = padding.PSS(mgf=padding.MGF1(_HASH), salt_length=padding.PSS.DIGEST_LENGTH)
"""Salt length of RFC 7518's PS256. DHT records have longer salts, so neither signature passes for the other."""


@dataclass(frozen=True)
class PeerKey:
    """The private key behind a peer's identity."""

    private: rsa.RSAPrivateKey

    @classmethod
    def load_or_create(cls, path: Path) -> Self:
        """Read the key at ``path``, or make a new one there that only its owner can read.

        Raises SwarmError if the file cannot be read or written, or is damaged.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                _create(path)
            return cls(_private_key(read_bounded(path, _MAX_FILE_BYTES)))
        except (OSError, ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise SwarmError(
                f"The peer's identity in {path} cannot be read ({error}).",
                "Delete that file; a new identity is made at the next start.",
            ) from error

    @classmethod
    def parse(cls, content: bytes) -> Self:
        """Read the key from the content of such a file; raise SwarmError if it holds none."""
        try:
            return cls(_private_key(content))
        except (ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise SwarmError(
                "The content is no identity of a peer.", "Give the file as the peer has made it."
            ) from error

    @property
    def public_key(self) -> bytes:
        """The public key in OpenSSH's notation."""
        return self.private.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)

    @property
    def peer_id(self) -> str:
        """Name of the peer in libp2p, in base58."""
        return base58(peer_hash(self.private.public_key()))

    def sign(self, message: bytes) -> bytes:
        """Return the RSA-PSS signature over ``message``, with SHA-256."""
        return self.private.sign(message, _PADDING, _HASH)


def verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Return true if ``signature`` is a signature over ``message`` by ``public_key``.

    The key is in OpenSSH's notation.
    """
    try:
        read_public_key(public_key).verify(signature, message, _PADDING, _HASH)
    except (ValueError, InvalidSignature):
        return False
    return True


def peer_id_of(public_key: bytes) -> str:
    """Return the id, in base58, of the peer with ``public_key`` (OpenSSH's notation).

    Raises ValueError if no peer can have that key.
    """
    return base58(peer_hash(read_public_key(public_key)))


def read_public_key(public_key: bytes) -> rsa.RSAPublicKey:
    """Read ``public_key`` from OpenSSH's notation.

    Raises ValueError if no peer can have that key.
    """
    if len(public_key) > MAX_PUBLIC_KEY_BYTES:
        raise ValueError(f"a public key of {len(public_key)} bytes")
    try:
        key = load_ssh_public_key(public_key)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise ValueError("no public key that we know") from error
    if not isinstance(key, rsa.RSAPublicKey):
        raise ValueError("not an RSA key")
    if not _BITS[0] <= key.key_size <= _BITS[1] or key.public_numbers().e != _EXPONENT:
        raise ValueError("not a key as libp2p makes it")
    if key.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH) != public_key:
        raise ValueError(
            "not the one way to write that key"
        )  # a comment would give a peer any number of marks
    return key


def peer_hash(key: rsa.RSAPublicKey) -> bytes:
    """Return libp2p's name of the peer with ``key``, as 34 bytes.

    It is the multihash of the key's protocol buffer.
    """
    encoded = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return _SHA256_MULTIHASH + hashlib.sha256(_message(encoded)).digest()


def base58(data: bytes) -> str:
    """Encode ``data`` in Bitcoin's alphabet; it begins with no zero byte, like multihashes."""
    value, letters = int.from_bytes(data), []
    while value:
        value, digit = divmod(value, len(_BASE58))
        letters.append(_BASE58[digit])
    return "".join(reversed(letters))


def _create(path: Path) -> None:
    """Write a new key under another name, then link it to ``path``.

    A process that reads meanwhile finds a whole key. If there is one already, it stays.
    """
    private = rsa.generate_private_key(public_exponent=_EXPONENT, key_size=_BITS[0])
    encoded = private.private_bytes(Encoding.DER, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(_message(encoded))
            if hasattr(os, "fchmod"):  # Windows closes the file by its folder, and removes no read-only file
                os.fchmod(descriptor, 0o400)
            os.fsync(descriptor)
        os.link(name, path)
    except FileExistsError:
        pass  # another process was faster: its key is the peer's
    finally:
        moving.remove(Path(name))


def _message(encoded: bytes) -> bytes:
    return _KEY_TYPE_RSA + _KEY_FIELD + _varint(len(encoded)) + encoded


def _private_key(data: bytes) -> rsa.RSAPrivateKey:
    opening = _KEY_TYPE_RSA + _KEY_FIELD
    length, start = _read_varint(data, len(opening))
    if not data.startswith(opening) or len(data) != start + length:
        raise ValueError("it holds no RSA key of libp2p's")
    key = load_der_private_key(data[start:], password=None, unsafe_skip_rsa_key_validation=True)
    if not isinstance(key, rsa.RSAPrivateKey):
        raise ValueError("it holds a key of another kind")
    if not _is_whole(key.private_numbers()):
        raise ValueError("its key is damaged")
    return key


def _is_whole(numbers: rsa.RSAPrivateNumbers) -> bool:
    """Return true if the numbers of a key agree with each other, as no damaged ones do.

    The library's own check looks for the primality of two of them as well, in a hundred times the time: this
    program has made the key, and whoever had put another one in its place would hold that anyhow.
    """
    p, q, d = numbers.p, numbers.q, numbers.d
    return (
        p > 1
        and q > 1
        and p * q == numbers.public_numbers.n
        and all(numbers.public_numbers.e * d % (prime - 1) == 1 for prime in (p, q))
        and (numbers.dmp1, numbers.dmq1) == (d % (p - 1), d % (q - 1))
        and numbers.iqmp * q % p == 1
    )


def _varint(value: int) -> bytes:
    """Encode a number in groups of seven bits, the lowest first; all but the last have the high bit set."""
    groups = bytearray()
    while value >= 0x80:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*groups, value))


def _read_varint(data: bytes, start: int) -> tuple[int, int]:
    value = 0
    for place, group in enumerate(data[start : start + 4]):
        value |= (group & 0x7F) << 7 * place
        if group < 0x80:
            return value, start + place + 1
    raise ValueError("a length that does not end")
