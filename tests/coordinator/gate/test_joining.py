"""Joining through the gate: what proves who a user is, and what does not."""

import base64
import json
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import select

from coordinator.database.tables import KnownPeer, User
from core.admission import proofs
from core.admission.access_token import read
from tests.coordinator.gate.conftest import Person
from tests.gate.gate_life import ADDRESS, GateOverHttp, running_coordinator, signed
from tests.hub.hub_server import HubServer

CIMD = f"{ADDRESS}/.well-known/oauth-cimd"


def test_a_proof_of_identity_gives_a_membership_and_a_token_for_that_peer(
    standing: GateOverHttp, person: Person
) -> None:
    ada = person("ada")
    answer = ada.join(standing)
    assert answer.status_code == 201
    assert answer.json()["name"] == "ada"
    token = read(
        ada.access_token,
        gate=standing.context.gate_key.public_key,
        run=standing.run,
        now=standing.clock().timestamp(),
    )
    assert (token.name, token.peer) == ("ada", ada.key.peer_id)
    assert token.expires - token.issued == answer.json()["expires_in"] == 600


def test_the_gate_says_what_must_be_known_to_sign_in(standing: GateOverHttp) -> None:
    gate = standing.http.get("/api/gate").json()
    assert gate == {
        "format": 1,
        "run": standing.run,
        "title": "Painters <together>",
        "issuer": standing.hub.address,
        "client_id": standing.client_id,
        "scopes": ["openid", "profile"],
        "token_seconds": 600,
        "admits": "anyone",
        "organisation": None,
    }


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "another-app"},
        {"aud": ["idlebrush-test-app", "another-app"]},
        {"aud": None},
        {"azp": "another-app"},
        {"iss": "https://evil.example"},
        {"iss": None},
        {"exp": int(time.time()) - 120},
        {"exp": None},
        {"iat": int(time.time()) + 86_400},
        {"nbf": int(time.time()) + 86_400},
        {"nonce": "another"},
        {"nonce": None},
        {"sub": None},
        {"sub": ""},
        {"preferred_username": None},
        {"preferred_username": "<script>"},
        {"preferred_username": "../ada"},
        {"preferred_username": "coordinator"},
        {"exp": 1e300},
        {"aud": {"idlebrush-test-app": 1}},
    ],
    ids=lambda claims: next(iter(claims)),
)
def test_a_proof_that_claims_anything_amiss_is_refused(
    standing: GateOverHttp, person: Person, claims: dict[str, Any]
) -> None:
    standing.hub.openid.claims = claims
    answer = person("ada").join(standing)
    assert (answer.status_code, answer.json()["code"]) in {(403, "proof"), (403, "not_admitted")}


def test_a_list_of_this_audience_alone_is_as_good(standing: GateOverHttp, person: Person) -> None:
    standing.hub.openid.claims = {"aud": [standing.client_id], "azp": standing.client_id}
    assert person("ada").join(standing).status_code == 201


def unsigned(token: str, _: HubServer) -> str:
    claims = jwt.decode(token, options={"verify_signature": False})
    return jwt.encode(claims, "", algorithm="none", headers={"kid": "first"})


def signed_with_the_public_key(token: str, hub: HubServer) -> str:
    claims = jwt.decode(token, options={"verify_signature": False})
    public = hub.openid.keys[-1].private.public_key()
    pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    header = {"alg": "HS256", "kid": "first", "typ": "JWT"}
    message = b".".join(encoded(json.dumps(part).encode()) for part in (header, claims))
    mac = jwt.algorithms.HMACAlgorithm(jwt.algorithms.HMACAlgorithm.SHA256)
    return (message + b"." + encoded(mac.sign(message, pem))).decode()


def encoded(data: bytes) -> bytes:
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def signed_again(**header: Any) -> Callable[[str, HubServer], str]:
    """Return a function that signs a proof again with the Hub's own key and other headers."""

    def sign(token: str, hub: HubServer) -> str:
        claims = jwt.decode(token, options={"verify_signature": False})
        return jwt.encode(
            claims, hub.openid.keys[-1].private, algorithm="RS256", headers={"kid": "first", **header}
        )

    return sign


def signed_by_another(token: str, hub: HubServer) -> str:
    hub.openid.keys.append(type(hub.openid.keys[-1])("first"))
    forged = signed_again()(token, hub)
    del hub.openid.keys[-1]
    return forged


@pytest.mark.parametrize(
    "forge",
    [
        unsigned,
        signed_with_the_public_key,
        signed_by_another,
        signed_again(kid="unknown"),
        signed_again(typ="at+jwt"),
        signed_again(crit=["exp"]),
        lambda token, hub: token[:-8],
        lambda token, hub: token.rpartition(".")[0] + ".",
        lambda token, hub: "a.b.c",
        lambda token, hub: "x" * 16_000,
        lambda token, hub: "." * 16_000,
    ],
)
def test_a_proof_that_the_hub_did_not_sign_is_refused(
    standing: GateOverHttp, person: Person, forge: Callable[[str, HubServer], str]
) -> None:
    ada = person("ada")
    application = ada.application(standing)
    application["id_token"] = forge(application["id_token"], standing.hub)
    answer = standing.http.post("/api/members", json=application)
    assert (answer.status_code, answer.json()["code"]) == (403, "proof")


def test_a_proof_and_its_challenge_are_good_once(standing: GateOverHttp, person: Person) -> None:
    application = person("ada").application(standing)
    assert standing.http.post("/api/members", json=application).status_code == 201
    again = standing.http.post("/api/members", json=application)
    assert (again.status_code, again.json()["code"]) == (403, "proof")


def test_a_challenge_is_good_for_ten_minutes(coordinator: GateOverHttp, person: Person) -> None:
    application = person("ada").application(coordinator)
    coordinator.clock.pass_by(minutes=10, seconds=1)
    assert "ten minutes" in coordinator.http.post("/api/members", json=application).json()["what"]


@pytest.mark.parametrize("nonce", ["A" * 55, "x" * 20, "-" * 100])
def test_a_challenge_that_was_made_up_is_refused(standing: GateOverHttp, person: Person, nonce: str) -> None:
    answer = person("ada").join(standing, nonce=nonce)
    assert "not one of this coordinator's" in answer.json()["what"]


def test_a_challenge_of_the_device_flow_needs_a_proof_of_that_flow_or_our_nonce(
    standing: GateOverHttp, person: Person
) -> None:
    ada = person("ada")
    challenge = standing.challenge("browser")
    proof = ada.prove_by_device_code(standing.hub, standing.client_id, "")
    answer = ada.join(
        standing,
        id_token=proof,
        nonce=challenge,
        proof=signed(ada.key, proofs.joining(standing.run, challenge)),
    )
    assert (answer.status_code, answer.json()["code"]) == (403, "proof")


@pytest.mark.parametrize(
    "wrong", ["another key", "another run", "another challenge", "no key", "no signature"]
)
def test_a_peer_is_admitted_only_by_its_own_key(standing: GateOverHttp, person: Person, wrong: str) -> None:
    ada, other = person("ada"), person("ben", 1)
    application = ada.application(standing)
    message = proofs.joining(standing.run, application["nonce"])
    application |= {
        "another key": {"proof": signed(other.key, message)},
        "another run": {"proof": signed(ada.key, proofs.joining("ab" * 32, application["nonce"]))},
        "another challenge": {"proof": signed(ada.key, proofs.joining(standing.run, "x" * 55))},
        "no key": {"public_key": base64.b64encode(b"ssh-rsa AAAA").decode()},
        "no signature": {"proof": "AAAA"},
    }[wrong]
    answer = standing.http.post("/api/members", json=application)
    assert (answer.status_code, answer.json()["code"]) == (403, "proof")


def test_a_proof_made_for_one_peer_admits_no_other(standing: GateOverHttp, person: Person) -> None:
    thief, application = person("eve", 1), person("ada").application(standing)
    application["public_key"] = thief.public_key
    application["proof"] = signed(thief.key, proofs.joining(standing.run, application["nonce"]))
    answer = standing.http.post("/api/members", json=application)
    assert "does not answer our challenge" in answer.json()["what"]


def test_a_device_code_is_taken_where_the_hub_passes_our_nonce_on(
    coordinator: GateOverHttp, person: Person
) -> None:
    coordinator.hub.openid.echoes_device_nonce = True
    assert person("ada").join(coordinator, "device").status_code == 201


@pytest.mark.parametrize(
    ("gate", "status"),
    [({}, 403), ({"unbound_device_codes": True}, 201), ({"client_id": CIMD}, 201)],
    ids=["by default", "where the organiser takes it", "where the audience is our own address"],
)
def test_a_device_code_without_our_nonce_is_taken(
    tmp_path: Path, hub: HubServer, person: Person, gate: dict[str, Any], status: int
) -> None:
    with running_coordinator(tmp_path, hub, **gate) as coordinator:
        ada = person("ada")
        application = ada.application(coordinator, "device")
        assert coordinator.http.post("/api/members", json=application).status_code == status
        challenge = coordinator.challenge("device")
        application |= {
            "nonce": challenge,
            "proof": signed(ada.key, proofs.joining(coordinator.run, challenge)),
        }
        assert coordinator.http.post("/api/members", json=application).status_code == 403
        hub.openid.claims = {"iat": int(time.time()) - 600}
        assert ada.join(coordinator, "device").status_code == 403


def test_an_app_that_is_an_address_is_described_there(tmp_path: Path, hub: HubServer) -> None:
    with running_coordinator(tmp_path / "one", hub, client_id=CIMD) as coordinator:
        described = coordinator.http.get("/.well-known/oauth-cimd").json()
        assert described["client_id"] == CIMD
        assert described["token_endpoint_auth_method"] == "none"
    with running_coordinator(tmp_path / "other", hub) as coordinator:
        assert coordinator.http.get("/.well-known/oauth-cimd").status_code == 404


def test_an_open_run_has_no_gate(tmp_path: Path, hub: HubServer) -> None:
    with running_coordinator(tmp_path, hub, open=True) as coordinator:
        assert coordinator.http.get("/api/gate").status_code == 404
        assert coordinator.http.post("/api/challenges", json={"flow": "device"}).status_code == 404


def test_a_key_that_is_one_member_s_is_not_another_s_before_they_left(
    coordinator: GateOverHttp, person: Person
) -> None:
    ada, ben = person("ada"), person("ben")
    ada.join(coordinator)
    refused = ben.join(coordinator)
    assert "another member" in refused.json()["what"]
    assert coordinator.http.delete("/api/members", headers=ada.bearer).status_code == 204
    assert ben.join(coordinator).status_code == 201


def test_a_user_has_a_bounded_number_of_peers_in_use(coordinator: GateOverHttp, person: Person) -> None:
    ada = person("ada")
    ada.join(coordinator)
    now = coordinator.clock()
    with coordinator.database.session() as session:
        user = session.scalars(select(User).where(User.name == "ada")).one()
        others = [
            KnownPeer(peer_id=f"peer{n}", user_id=user.id, created=now, token_until=now) for n in range(31)
        ]
        session.add_all(others)
    assert "has 32 peers" in person("ada", 1).join(coordinator).json()["what"]
    assert ada.join(coordinator).status_code == 201
    with coordinator.database.session() as session:
        session.get_one(KnownPeer, others[0].id).token_until = now - timedelta(days=31)
    assert person("ada", 1).join(coordinator).status_code == 201
