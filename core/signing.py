"""Ed25519 keys, and signatures over canonical JSON."""

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from core.errors import ManifestError
from core.storage import moving
from core.storage.files import read_bounded

MAX_KEY_BYTES = 16_384


def canonical(value: Mapping[str, object]) -> bytes:
    """Encode ``value`` as JSON in one way only.

    Keys are sorted; there are no blanks; text is ASCII; floats are as short as possible.
    """
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    ).encode()


def is_signed(message: bytes, signature: str, public_key: str) -> bool:
    """Return true if ``signature`` (hex) is that of ``public_key`` (hex) over ``message``."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(
            bytes.fromhex(signature), message
        )
    except (InvalidSignature, ValueError):
        return False
    return True


class SigningKey:
    """An organiser's private key; its holder may speak for the run."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self.private = private

    @classmethod
    def generate(cls) -> Self:
        """Create a random key."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def load(cls, file: Path) -> Self:
        """Read a key from ``file``, an unencrypted PEM file that only its owner may read.

        Raises ManifestError if the file cannot be read, is open to other users, or holds no Ed25519 key.
        """
        try:
            if os.name == "posix" and stat.S_IMODE(file.stat().st_mode) & 0o077:
                raise ManifestError(f"Others may read the signing key {file}.", f"Run: chmod 600 {file}")
            private = load_pem_private_key(read_bounded(file, MAX_KEY_BYTES), password=None)
        except OSError as error:
            raise ManifestError(
                f"The signing key {file} cannot be read: {error.strerror or error}.",
                "Give the file that was written when the run was created.",
            ) from error
        except (ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise ManifestError(
                f"{file} holds no usable signing key.", "It must be an unencrypted Ed25519 key in PEM."
            ) from error
        if not isinstance(private, Ed25519PrivateKey):
            raise ManifestError(f"{file} holds a key of another kind.", "Runs are signed with Ed25519 keys.")
        return cls(private)

    @classmethod
    def load_or_create(cls, file: Path) -> Self:
        """Read the key in ``file``; a missing one is created first, all of it or nothing.

        Raises ManifestError as `load` and `save` do.
        """
        if not file.exists():
            begun = file.with_name(f".{file.name}.begun")
            moving.remove(begun)
            cls.generate().save(begun)
            moving.rename(begun, file)
        return cls.load(file)

    def save(self, file: Path) -> None:
        """Write the key to ``file`` so that only its owner may read it.

        Raises ManifestError if the file exists already, or cannot be written.
        """
        pem = self.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError as error:
            raise ManifestError(
                f"There is a key at {file} already.", "Choose another name: a run is lost with its key."
            ) from error
        except OSError as error:
            raise ManifestError(
                f"The signing key cannot be written to {file}: {error.strerror or error}.",
                "Choose a folder that exists and that you may write to.",
            ) from error
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(pem)

    @property
    def public_key(self) -> str:
        """Public half of the key, in hex: 64 digits."""
        return self.private.public_key().public_bytes_raw().hex()

    def sign(self, message: bytes) -> str:
        """Return the signature over ``message``, in hex: 128 digits."""
        return self.private.sign(message).hex()
