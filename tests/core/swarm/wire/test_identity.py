"""A peer is its key: libp2p, the signature validator and we derive the same name from it."""

import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519
from hivemind.dht.crypto import RSASignatureValidator
from hivemind.p2p import PeerID

from core.errors import SwarmError
from core.swarm.wire.identity import PeerIdentity, owner_key, peer_id_of
from tests.core.swarm.builders import identity


def test_the_owner_key_names_the_peer_that_libp2p_names(tmp_path: Path) -> None:
    made = PeerIdentity.load_or_create(tmp_path / "identity")
    assert made.peer_id == PeerID.from_identity((tmp_path / "identity").read_bytes())
    assert peer_id_of(made.owner) == made.peer_id


def test_the_owner_key_is_what_the_signature_validator_signs_for() -> None:
    validator = RSASignatureValidator(identity(0).private_key)
    assert validator.local_public_key == identity(0).owner


def test_an_identity_is_made_once(tmp_path: Path) -> None:
    path = tmp_path / "deeper" / "identity"
    made = PeerIdentity.load_or_create(path)
    again = PeerIdentity.load_or_create(path)
    assert (again.peer_id, again.owner) == (made.peer_id, made.owner)
    assert made.owner != identity(1).owner


def test_only_the_owner_can_read_the_file(tmp_path: Path) -> None:
    PeerIdentity.load_or_create(tmp_path / "identity")
    mode = stat.S_IMODE((tmp_path / "identity").stat().st_mode)
    assert mode & (stat.S_IRWXG | stat.S_IRWXO) == 0


@pytest.mark.parametrize("damage", ["empty", "truncated", "text", "random", "zeros"])
def test_a_damaged_file_is_named_with_what_to_do(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "identity"
    PeerIdentity.load_or_create(path)
    whole = path.read_bytes()
    path.chmod(0o600)
    path.write_bytes(
        {
            "empty": b"",
            "truncated": whole[: len(whole) // 2],
            "text": b"-----BEGIN PRIVATE KEY-----\n",
            "random": bytes(range(255, 0, -1)),
            "zeros": bytes(len(whole)),
        }[damage]
    )
    with pytest.raises(SwarmError, match=r"identity .* cannot be read.*Delete that file"):
        PeerIdentity.load_or_create(path)


def test_a_folder_in_its_place_is_named_too(tmp_path: Path) -> None:
    (tmp_path / "identity").mkdir()
    with pytest.raises(SwarmError, match="cannot be read"):
        PeerIdentity.load_or_create(tmp_path / "identity")


def other_kind_of_key() -> bytes:
    public = ed25519.Ed25519PrivateKey.generate().public_key()
    return public.public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH)


@pytest.mark.parametrize(
    "owner",
    [
        b"",
        b"owner",
        b"[owner:]",
        b"[owner:ssh-rsa AAAA]",
        b"[owner:ssh-rsa not base64!]",
        owner_key(other_kind_of_key()),
        identity(0).owner + b" and more",
        b"more and " + identity(0).owner,
        identity(0).owner + identity(1).owner,
    ],
    ids=("empty", "bare", "no key", "short", "no base64", "another kind", "more after", "more before", "two"),
)
def test_marks_without_one_rsa_key_name_nobody(owner: bytes) -> None:
    assert peer_id_of(owner) is None
