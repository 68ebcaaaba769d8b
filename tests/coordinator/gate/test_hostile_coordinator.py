"""A hostile coordinator keeps all that an honest volunteer sends it, and finds nothing that is good elsewhere."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import requests

from core.admission import proofs
from core.admission.access_token import read
from core.errors import AdmissionError
from tests.coordinator.gate.conftest import Person
from tests.gate.gate_life import GateOverHttp, GateVolunteer, running_coordinator, signed
from tests.hub.hub_server import HubServer


@dataclass
class Loot:
    """All bodies and headers that the hostile coordinator received."""

    texts: list[str]
    values: list[str]


@pytest.fixture
def honest(tmp_path: Path, hub: HubServer) -> Iterator[GateOverHttp]:
    with running_coordinator(tmp_path / "honest", hub, client_id="honest-app") as coordinator:
        yield coordinator


@pytest.fixture
def hostile(tmp_path: Path, hub: HubServer) -> Iterator[GateOverHttp]:
    with running_coordinator(tmp_path / "hostile", hub, client_id="hostile-app") as coordinator:
        yield coordinator


def plundered(hostile: GateOverHttp, ada: GateVolunteer) -> Loot:
    """Ada joins the hostile one's run and renews there; all that arrives is kept."""
    loot = Loot([], [])

    def keep(request: Any) -> None:
        body = request.read().decode()
        loot.texts += [body, *map(str, request.headers.values())]

    hostile.http.event_hooks["request"].append(keep)
    application = ada.application(hostile)
    joined = hostile.http.post("/api/members", json=application)
    ada.membership, ada.access_token = joined.json()["membership"], joined.json()["access_token"]
    renewal = ada.renewal(hostile)
    assert hostile.http.post("/api/tokens", json=renewal, headers=ada.bearer).status_code == 200
    sent = {**application, **renewal, **joined.json()}
    loot.values += [value for value in sent.values() if isinstance(value, str)]
    return loot


def test_it_is_never_sent_what_the_hub_takes(hostile: GateOverHttp, person: Person) -> None:
    ada = person("ada")
    loot = plundered(hostile, ada)
    assert ada.hub_token.startswith("hf_")
    for secret in hostile.hub.issued():
        assert not any(secret in text for text in loot.texts)


def test_nothing_of_it_opens_the_hub(hostile: GateOverHttp, person: Person) -> None:
    loot = plundered(hostile, person("ada"))
    hub = hostile.hub.address
    for value in loot.values:
        bearer = {"Authorization": f"Bearer {value}"}
        for place in ("/api/whoami-v2", "/oauth/userinfo"):
            assert requests.get(hub + place, headers=bearer, timeout=10).status_code == 401
        for grant in ("refresh_token", "authorization_code"):
            form = {"client_id": "hostile-app", "grant_type": grant, "refresh_token": value, "code": value}
            assert requests.post(f"{hub}/oauth/token", form, timeout=10).status_code == 400


def test_nothing_of_it_opens_another_coordinator(
    hostile: GateOverHttp, honest: GateOverHttp, person: Person
) -> None:
    ada, eve = person("ada"), person("eve", 1)
    application = ada.application(hostile)
    loot = plundered(hostile, ada)
    assert honest.http.post("/api/members", json=application).status_code == 403
    challenge = honest.challenge()
    application |= {
        "nonce": challenge,
        "public_key": eve.public_key,
        "proof": signed(eve.key, proofs.joining(honest.run, challenge)),
    }
    assert honest.http.post("/api/members", json=application).status_code == 403
    for value in loot.values:
        bearer = {"Authorization": f"Bearer {value}"}
        assert honest.http.get("/api/receipts", headers=bearer).status_code == 401
        assert honest.http.post("/api/tokens", json=ada.renewal(honest), headers=bearer).status_code == 401


@pytest.mark.parametrize("whose_key", ["the volunteer's", "the hostile one's"])
def test_passing_on_another_coordinator_s_challenge_is_in_vain(
    tmp_path: Path, hub: HubServer, honest: GateOverHttp, person: Person, whose_key: str
) -> None:
    """The hostile one names the honest one's app and challenge, so the Hub makes the proof for the honest one."""
    ada, eve = person("ada"), person("eve", 1)
    with running_coordinator(tmp_path / "hostile", hub, client_id=honest.client_id) as hostile:
        challenge = honest.challenge()
        nonce = proofs.identity_nonce(hostile.run, challenge, ada.key.public_key)
        proof = ada.prove_by_browser(hub, honest.client_id, nonce)
        signature = signed(ada.key, proofs.joining(hostile.run, challenge))
    key = ada.public_key
    if whose_key == "the hostile one's":
        key, signature = eve.public_key, signed(eve.key, proofs.joining(honest.run, challenge))
    passed_on = {"id_token": proof, "nonce": challenge, "public_key": key, "proof": signature}
    answer = honest.http.post("/api/members", json=passed_on)
    assert (answer.status_code, answer.json()["code"]) == (403, "proof")


@pytest.mark.parametrize("nonce", ["echoed", "ignored"])
def test_passing_on_a_sign_in_by_device_code_is_in_vain(
    honest: GateOverHttp, person: Person, nonce: str
) -> None:
    ada, eve = person("ada"), person("eve", 1)
    honest.hub.openid.echoes_device_nonce = nonce == "echoed"
    challenge = honest.challenge("device")
    asked = proofs.identity_nonce("ab" * 32, challenge, ada.key.public_key)
    passed_on = {
        "id_token": ada.prove_by_device_code(honest.hub, honest.client_id, asked),
        "nonce": challenge,
        "public_key": eve.public_key,
        "proof": signed(eve.key, proofs.joining(honest.run, challenge)),
    }
    answer = honest.http.post("/api/members", json=passed_on)
    assert (answer.status_code, answer.json()["code"]) == (403, "proof")


def test_an_access_token_of_its_own_is_none_of_the_other_run(
    hostile: GateOverHttp, honest: GateOverHttp, person: Person
) -> None:
    """The token's audience is the run and its signature is the gate's, so the other run's swarm refuses it."""
    ada = person("ada")
    plundered(hostile, ada)
    for gate in (honest, hostile):
        with pytest.raises(AdmissionError):
            read(
                ada.access_token,
                gate=gate.context.gate_key.public_key,
                run=honest.run,
                now=honest.clock().timestamp(),
            )
