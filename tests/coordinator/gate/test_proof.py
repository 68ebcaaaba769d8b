"""Proofs of identity are verified as their key's kind demands, whatever they say of themselves."""

from datetime import UTC, datetime
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm
from jwt.utils import base64url_decode, base64url_encode

from coordinator.errors import ProofRefused
from coordinator.gate.issuer import Issuer
from coordinator.gate.proof import ProofReader
from tests.hub.hub_server import CLIENT_ID, HubServer
from tests.hub.openid import first_key

KEYS: dict[str, tuple[Any, Any]] = {
    "RS256": (first_key().private, RSAAlgorithm),
    "ES256": (ec.generate_private_key(ec.SECP256R1()), ECAlgorithm),
    "EdDSA": (ed25519.Ed25519PrivateKey.generate(), OKPAlgorithm),
    "ES384": (ec.generate_private_key(ec.SECP384R1()), ECAlgorithm),
}

P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


@pytest.fixture
def reader(hub: HubServer) -> ProofReader:
    """A reader for a Hub that shows one key of each kind, named after its algorithm."""
    keys = [
        {**kind.to_jwk(private.public_key(), as_dict=True), "kid": name}
        for name, (private, kind) in KEYS.items()
    ]
    hub.openid.jwks = lambda: {"keys": keys}  # type: ignore[method-assign]
    return ProofReader(Issuer(hub.address), CLIENT_ID)


def proof(hub: HubServer, key: str, algorithm: str, kid: str, expires: float | None = None) -> str:
    now = int(datetime.now(UTC).timestamp())
    claims = {
        "iss": hub.address,
        "aud": CLIENT_ID,
        "sub": "id-ada",
        "preferred_username": "ada",
        "iat": now,
        "exp": expires or now + 60,
    }
    return jwt.encode(claims, KEYS[key][0], algorithm=algorithm, headers={"kid": kid})


@pytest.mark.parametrize("algorithm", ["RS256", "ES256", "EdDSA"])
def test_a_proof_by_a_key_of_each_kind_is_taken(hub: HubServer, reader: ProofReader, algorithm: str) -> None:
    found = reader.read(proof(hub, algorithm, algorithm, algorithm), datetime.now(UTC))
    assert (found.subject, found.name, found.nonce) == ("id-ada", "ada", None)


@pytest.mark.parametrize(
    ("key", "algorithm", "kid"),
    [
        ("RS256", "RS512", "RS256"),
        ("RS256", "PS256", "RS256"),
        ("ES384", "ES384", "ES384"),
        ("EdDSA", "EdDSA", "ES256"),
        ("RS256", "RS256", "EdDSA"),
    ],
)
def test_no_other_algorithm_and_no_other_key_will_do(
    hub: HubServer, reader: ProofReader, key: str, algorithm: str, kid: str
) -> None:
    with pytest.raises(ProofRefused):
        reader.read(proof(hub, key, algorithm, kid), datetime.now(UTC))


def test_a_proof_with_its_signature_s_twin_is_the_same_proof(hub: HubServer, reader: ProofReader) -> None:
    """If (r, s) is valid, so is (r, n - s); a caller who computes it must not obtain a fresh proof."""
    given = proof(hub, "ES256", "ES256", "ES256")
    signed, _, signature = given.rpartition(".")
    raw = base64url_decode(signature)
    twin = (P256_ORDER - int.from_bytes(raw[32:])).to_bytes(32)
    varied = f"{signed}.{base64url_encode(raw[:32] + twin).decode()}"
    now = datetime.now(UTC)
    assert varied != given
    assert reader.read(varied, now).digest == reader.read(given, now).digest


@pytest.mark.parametrize("expires", [2.0**39, 1e300])
def test_a_proof_that_expires_in_no_year_is_refused(
    hub: HubServer, reader: ProofReader, expires: float
) -> None:
    with pytest.raises(ProofRefused):
        reader.read(proof(hub, "RS256", "RS256", "RS256", expires), datetime.now(UTC))
