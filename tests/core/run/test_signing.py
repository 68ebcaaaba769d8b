"""Signing keys as files, and their fingerprints."""

import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519, x25519

from core.errors import ManifestError
from core.fingerprint import fingerprint_of
from core.signing import SigningKey, canonical, is_signed


@pytest.mark.posix
def test_a_key_survives_its_file_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    key = SigningKey.generate()
    key.save(tmp_path / "run.key")
    assert stat.S_IMODE((tmp_path / "run.key").stat().st_mode) == 0o600
    assert is_signed(b"hello", SigningKey.load(tmp_path / "run.key").sign(b"hello"), key.public_key)


def test_a_key_is_never_overwritten(tmp_path: Path) -> None:
    SigningKey.generate().save(tmp_path / "run.key")
    with pytest.raises(ManifestError, match="already"):
        SigningKey.generate().save(tmp_path / "run.key")


def pem(key: ed25519.Ed25519PrivateKey | x25519.X25519PrivateKey, password: bytes | None = None) -> bytes:
    encryption = serialization.BestAvailableEncryption(password) if password else serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption)


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"", "no usable signing key"),
        (b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "no usable signing key"),
        (pem(ed25519.Ed25519PrivateKey.generate(), b"secret"), "no usable signing key"),
        (pem(x25519.X25519PrivateKey.generate()), "another kind"),
        (b"x" * 100_000, "no usable signing key"),
    ],
    ids=["empty", "garbage", "encrypted", "wrong kind", "too large"],
)
def test_other_files_are_no_keys(tmp_path: Path, content: bytes, named: str) -> None:
    (tmp_path / "run.key").touch(mode=0o600)
    (tmp_path / "run.key").write_bytes(content)
    with pytest.raises(ManifestError, match=named):
        SigningKey.load(tmp_path / "run.key")


@pytest.mark.posix
def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    SigningKey.generate().save(tmp_path / "run.key")
    (tmp_path / "run.key").chmod(0o644)
    with pytest.raises(ManifestError, match="chmod 600"):
        SigningKey.load(tmp_path / "run.key")


def test_a_missing_key_is_named(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match=r"nowhere\.key"):
        SigningKey.load(tmp_path / "nowhere.key")


def test_signatures_bind_message_and_key() -> None:
    key = SigningKey.generate()
    signature = key.sign(b"message")
    assert is_signed(b"message", signature, key.public_key)
    assert not is_signed(b"massage", signature, key.public_key)
    assert not is_signed(b"message", signature, SigningKey.generate().public_key)
    assert not is_signed(b"message", "ab", key.public_key)


def test_one_value_has_one_encoding() -> None:
    assert canonical({"b": 1, "a": [1.5, "é"]}) == b'{"a":[1.5,"\\u00e9"],"b":1}'
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical({"a": float("nan")})


def test_fingerprints_are_short_groups() -> None:
    assert fingerprint_of("00" * 32) == "mzuh-vlpy-mk6x-o3ep-ygfy-5h4o"
    assert fingerprint_of("00" * 32) != fingerprint_of("00" * 31 + "01")
