"""A peer's key is libp2p's, and what it signs convinces whoever has its public half."""

import multiprocessing
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hivemind.p2p import P2P, PeerID

from core.admission.peer_key import PeerKey, peer_id_of, verify
from core.errors import SwarmError
from core.swarm.wire.identity import PeerIdentity


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> PeerKey:
    return PeerKey.load_or_create(tmp_path_factory.mktemp("key") / "identity")


def test_libp2p_reads_the_file_that_it_makes(tmp_path: Path) -> None:
    made = PeerKey.load_or_create(tmp_path / "deeper" / "identity")
    assert made.peer_id == PeerID.from_identity((tmp_path / "deeper" / "identity").read_bytes()).to_base58()
    assert made.peer_id == PeerIdentity.load_or_create(tmp_path / "deeper" / "identity").peer_id.to_base58()
    assert stat.S_IMODE((tmp_path / "deeper" / "identity").stat().st_mode) == 0o400
    assert [item.name for item in (tmp_path / "deeper").iterdir()] == ["identity"]


def test_it_reads_the_file_that_libp2p_makes(tmp_path: Path) -> None:
    path = tmp_path / "identity"
    P2P.generate_identity(str(path))
    assert PeerKey.load_or_create(path).peer_id == PeerID.from_identity(path.read_bytes()).to_base58()


def test_the_public_key_names_the_peer(key: PeerKey) -> None:
    assert peer_id_of(key.public_key) == key.peer_id


def test_processes_that_make_it_at_once_agree_on_one(tmp_path: Path) -> None:
    with multiprocessing.get_context("fork").Pool(4) as pool:
        found = pool.map(_made_at, [tmp_path / "identity"] * 4)
    assert len(set(found)) == 1


def _made_at(path: Path) -> str:
    return PeerKey.load_or_create(path).peer_id


def test_a_proof_holds_for_its_key_and_message_alone(key: PeerKey, tmp_path: Path) -> None:
    proof = key.sign(b"join this run")
    other = PeerKey.load_or_create(tmp_path / "other")
    assert verify(key.public_key, b"join this run", proof)
    assert not verify(key.public_key, b"join that run", proof)
    assert not verify(other.public_key, b"join this run", proof)
    assert not verify(key.public_key, b"join this run", b"")


def test_what_is_signed_for_the_swarm_is_no_proof(key: PeerKey, tmp_path: Path) -> None:
    identity = PeerIdentity.load_or_create(tmp_path / "identity")
    record = identity.private_key.sign(b"join this run")
    assert identity.private_key.get_public_key().verify(b"join this run", record)
    assert not verify(identity.private_key.get_public_key().to_bytes(), b"join this run", record)


def openssh(private: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey) -> bytes:
    return private.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)


HOSTILE = [
    pytest.param(b"", id="nothing"),
    pytest.param(b"ssh-rsa AAAA", id="garbage"),
    pytest.param(b"ssh-rsa " + b"A" * 100_000, id="oversized"),
    pytest.param(openssh(ed25519.Ed25519PrivateKey.generate()), id="Ed25519"),
    pytest.param(openssh(ec.generate_private_key(ec.SECP256R1())), id="ECDSA"),
    pytest.param(openssh(rsa.generate_private_key(65_537, 1024)), id="short enough to be broken"),
    pytest.param(openssh(rsa.generate_private_key(3, 2048)), id="an exponent that no peer has"),
]


@pytest.mark.parametrize("public_key", HOSTILE)
def test_no_peer_has_another_kind_of_key(public_key: bytes) -> None:
    assert not verify(public_key, b"join", b"proof")
    with pytest.raises(ValueError, match="key"):
        peer_id_of(public_key)


@pytest.mark.parametrize("addition", [b" a comment", b"\n", b" "])
def test_a_key_is_written_in_one_way(key: PeerKey, addition: bytes) -> None:
    with pytest.raises(ValueError, match="key"):
        peer_id_of(key.public_key + addition)


@pytest.mark.parametrize(
    "damage", [b"", b"\x08\x00\x12\xff\xff\xff\xff\xff\x01", b"\x08\x01\x12\x00", bytes(900)]
)
def test_a_damaged_file_is_named(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "identity").write_bytes(damage)
    with pytest.raises(SwarmError, match=r"identity .* cannot be read.*Delete that file"):
        PeerKey.load_or_create(tmp_path / "identity")


def test_a_file_with_any_byte_changed_is_named(tmp_path: Path) -> None:
    path = tmp_path / "identity"
    PeerKey.load_or_create(path)
    whole = path.read_bytes()
    for place in range(len(whole)):
        changed = bytearray(whole)
        changed[place] ^= 1
        with pytest.raises(SwarmError, match="no identity"):
            PeerKey.parse(bytes(changed))
