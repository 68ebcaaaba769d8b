"""The keys that sign releases: Ed25519 in PEM files, encrypted where a password is given, and their public halves."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from securesystemslib.signer import CryptoSigner, SSlibKey

from core.errors import CoreError

PUBLIC = ".pub"
"""Ends the name of the file with the public half of a key."""
PASSWORD_VARIABLE = "IDLEBRUSH_KEY_PASSWORD"
"""Environment variable with the password of keys, for machines without a person; a person is asked."""
_LARGEST = 16_384

Password = Callable[[Path], str]
"""Returns the password for the key in a file; an empty one stands for none."""


class ReleaseError(CoreError):
    """A release cannot be made as requested."""

    code = "release"


def make_key(file: Path, password: str) -> Path:
    """Make a key, and return the file of its public half beside it.

    Args:
        file: File for the private key, which only its owner may read.
        password: Password that encrypts it; empty: it is not encrypted.

    Raises:
        ReleaseError: One of the files exists, or cannot be written.
    """
    key = Ed25519PrivateKey.generate()
    encryption: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if password:
        encryption = serialization.BestAvailableEncryption(password.encode())
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption)
    public = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    beside = file.with_name(file.name + PUBLIC)
    _write_new(file, private, 0o600)
    _write_new(beside, public, 0o644)
    return beside


def read_signer(file: Path, password: Password) -> CryptoSigner:
    """Return the signer of a private key; ``password`` is asked only if the key is encrypted.

    Raises:
        ReleaseError: The file holds no such key, others may read it, or the password is wrong.
    """
    data = _read(file)
    if os.name == "posix" and file.stat().st_mode & 0o077:
        raise ReleaseError(f"Other users may read the key {file}.", f"Run: chmod 600 {file}")
    try:
        secret = password(file).encode() if b"ENCRYPTED" in data else None
        key = serialization.load_pem_private_key(data, secret)
    except (ValueError, TypeError) as error:
        raise ReleaseError(
            f"{file} is no private key, or its password is wrong.", "Give the right file and password."
        ) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ReleaseError(
            f"The key {file} is not of Ed25519.", "Make one by `python -m installer.publishing key`."
        )
    return CryptoSigner(key)


def read_public(file: Path) -> SSlibKey:
    """Return the public key in a file; raise ReleaseError if it holds none."""
    try:
        key = serialization.load_pem_public_key(_read(file))
    except ValueError as error:
        raise ReleaseError(
            f"{file} is no public key.", f"Give the file that ends with {PUBLIC}, not the private key."
        ) from error
    if not isinstance(key, Ed25519PublicKey):
        raise ReleaseError(
            f"The key {file} is not of Ed25519.", "Make one by `python -m installer.publishing key`."
        )
    return SSlibKey.from_crypto(key)


def read_signers(files: Sequence[Path], password: Password) -> list[CryptoSigner]:
    """Return the signers of several private keys; raise ReleaseError as `read_signer` does."""
    return [read_signer(file, password) for file in files]


def _read(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(_LARGEST)
    except OSError as error:
        raise ReleaseError(
            f"The key {file} cannot be read: {error.strerror or error}.", "Give the file of the key."
        ) from error


def _write_new(file: Path, data: bytes, mode: int) -> None:
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
    except OSError as error:
        raise ReleaseError(
            f"The key {file} cannot be written: {error.strerror or error}.",
            "Name a file that does not exist yet, in a folder that you may write to.",
        ) from error
