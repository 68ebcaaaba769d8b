"""Coming to be admitted, against the real gate: what it is given, what it is not, and whom it is refused by."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import requests
from pydantic import SecretStr

from client.admission.coordinator import CoordinatorClient
from client.admission.entering import enter, renew
from client.admission.gate_info import GateInfo
from client.admission.tasks import AddressShown, Enter, GateAdmission, RenewAccess
from client.api.errors import (
    ClientError,
    CoordinatorAway,
    GateError,
    HubError,
    MembershipEnded,
    SignInError,
    WrongClock,
)
from client.task_kinds import Shown
from coordinator.settings import Admits
from core.admission import access_token
from core.admission.peer_key import PeerKey
from tests.gate.served_gate import Instead, ServedGate, see, served_gate
from tests.hub.hub_server import HubServer

OFFERED = "This must not be quoted: "


@dataclass
class Visitor:
    """A volunteer's task process, and their browser."""

    gate: ServedGate
    identity: Path
    name: str = "anna"
    put_off: list[float] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)

    @property
    def coordinator(self) -> CoordinatorClient:
        return CoordinatorClient(self.gate.address, self.put_off.append)

    def task(self, **changes: Any) -> Enter:
        asked: dict[str, Any] = {
            "coordinator": self.gate.address,
            "run": self.gate.run,
            "gate": self.gate.gate,
            "identity": self.identity,
            "hub": self.gate.hub.address,
            "flow": "browser",
        }
        return Enter(**{**asked, **changes})

    def enter(self, now: Callable[[], float] = time.time, **changes: Any) -> GateAdmission:
        return enter(self.task(**changes), self._look, self.coordinator, now)

    def renewal(self, admitted: GateAdmission) -> RenewAccess:
        task = self.task()
        return RenewAccess(
            coordinator=task.coordinator,
            membership=admitted.membership,
            gate=task.gate,
            identity=task.identity,
        )

    def _look(self, shown: Shown) -> None:
        if isinstance(shown, AddressShown):
            self.opened.append(shown.address)
            see(self.gate.hub, shown.address, self.name)
        else:
            self.gate.hub.approve(shown.code, self.name)


@pytest.fixture
def anna(gate: ServedGate, identity: Path) -> Visitor:
    return Visitor(gate, identity)


def is_anywhere(secret: str, received: list[bytes]) -> bool:
    return any(secret.encode() in request for request in received)


@pytest.mark.parametrize("flow", ["browser", "device"])
def test_who_proves_who_they_are_is_admitted_by_name_and_key(anna: Visitor, flow: str) -> None:
    anna.gate.hub.openid.echoes_device_nonce = True
    admitted = anna.enter(flow=flow)
    assert admitted.membership.name == "anna"
    key = PeerKey.load_or_create(anna.identity)
    text = admitted.token.get_secret_value()
    token = access_token.read(text, gate=anna.gate.gate, run=anna.gate.run, now=anna.gate.clock().timestamp())
    assert (token.name, token.peer) == ("anna", key.peer_id)
    again = renew(anna.renewal(admitted), anna.coordinator)
    assert again.token != admitted.token


@pytest.mark.parametrize("flow", ["browser", "device"])
def test_what_a_hostile_coordinator_was_sent_opens_nothing_elsewhere(
    anna: Visitor, hub: HubServer, tmp_path: Path, flow: str
) -> None:
    hub.openid.echoes_device_nonce, hub.revocation = True, False
    anna.enter(flow=flow)
    secrets = [secret for secret in hub.issued() if secret.startswith("hf_")]
    assert secrets
    assert not any(is_anywhere(secret, anna.gate.received) for secret in secrets)
    (sent,) = (request for request in anna.gate.received if request.startswith(b"POST /api/members"))
    body = json.loads(sent.split(b"\n")[-1])
    for text in (value for value in body.values() if value):
        headers = {"Authorization": f"Bearer {text}"}
        for path in ("/oauth/userinfo", "/api/whoami-v2"):
            assert requests.get(hub.address + path, headers=headers, timeout=10).status_code == 401
    with served_gate(tmp_path / "another", hub) as another:
        answer = requests.post(f"{another.address}/api/members", json=body, timeout=10)
        assert answer.status_code == 403


def test_a_coordinator_that_passes_anothers_challenge_on_gets_a_proof_that_the_other_refuses(
    anna: Visitor, hub: HubServer, tmp_path: Path
) -> None:
    with served_gate(tmp_path / "another", hub) as another:
        challenge = requests.post(f"{another.address}/api/challenges", json={"flow": "browser"}, timeout=10)
        anna.gate.instead["/api/challenges"] = Instead(201, challenge.content)
        with pytest.raises(ClientError):
            anna.enter()  # it uses a challenge that the hostile one did not make, and which that one refuses
        (sent,) = (request for request in anna.gate.received if request.startswith(b"POST /api/members"))
        body = json.loads(sent.split(b"\n")[-1])
        answer = requests.post(f"{another.address}/api/members", json=body, timeout=10)
        assert (answer.status_code, answer.json()["code"]) == (403, "proof")


def test_what_the_hub_gives_beside_the_proof_is_worthless_afterwards(anna: Visitor, hub: HubServer) -> None:
    anna.enter()
    assert len(hub.revoked) == 2
    assert not hub.tokens
    assert not hub.refresh_tokens


def test_the_browser_is_asked_for_a_code_with_everything_that_guards_it(anna: Visitor) -> None:
    anna.enter()
    (address,) = anna.opened
    for word in ("code_challenge_method=S256", "state=", "nonce=", "scope=openid+profile", "127.0.0.1"):
        assert word in address
    assert is_anywhere("state=", [address.encode()])


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "another-app"},
        {"aud": ["idlebrush-test-app", "another-app"]},
        {"nonce": "f" * 64},
        {"nonce": None},
    ],
    ids=str,
)
def test_a_proof_that_was_made_for_somebody_else_goes_nowhere(anna: Visitor, claims: dict[str, Any]) -> None:
    anna.gate.hub.openid.claims = claims
    with pytest.raises(SignInError, match="for another app"):
        anna.enter()
    assert anna.gate.asked("POST /api/members") == 0


ELSEWHERE = "https://elsewhere.example"


@pytest.mark.parametrize(
    ("says", "answers", "error", "words", "is_opened"),
    [
        ({"issuer": ELSEWHERE}, {}, HubError, "asks you to sign in at another site", False),
        ({"authorization_endpoint": f"{ELSEWHERE}/login"}, {}, HubError, "sign in at another site", False),
        ({}, {"iss": ELSEWHERE}, SignInError, "A site other than the Hub answered", True),
        ({}, {"error": "access_denied"}, SignInError, "declined", True),
        ({}, {"error": "server_error"}, SignInError, "The Hub refused the sign-in", True),
    ],
    ids=["its issuer", "its page", "its answer", "a refusal of the volunteer", "a refusal of the Hub"],
)
def test_a_sign_in_that_another_site_takes_part_in_ends_without_a_proof(
    anna: Visitor,
    says: dict[str, str],
    answers: dict[str, str],
    error: type[ClientError],
    words: str,
    is_opened: bool,
) -> None:
    anna.gate.hub.openid.says, anna.gate.hub.openid.answers = says, answers
    with pytest.raises(error, match=words):
        anna.enter()
    assert bool(anna.opened) is is_opened
    assert anna.gate.hub.requests("/oauth/token") == []
    assert anna.gate.asked("POST /api/members") == 0


def test_nobody_is_sent_to_another_hub_than_their_own(anna: Visitor) -> None:
    with pytest.raises(GateError, match="sign in at"):
        anna.enter(hub="https://hub.example")
    assert not anna.opened
    assert anna.gate.asked("/api/challenges") == 0


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"run": "f" * 64}, "another run"),
        ({"client_id": "https://another.example/app.json"}, "proof of your identity"),
    ],
)
def test_a_gate_that_is_not_what_it_says_is_not_signed_in_to(
    anna: Visitor, changes: dict[str, str], words: str
) -> None:
    honest = GateInfo.model_validate(requests.get(f"{anna.gate.address}/api/gate", timeout=10).json())
    document = honest.model_copy(update=changes).model_dump_json().encode()
    anna.gate.instead["/api/gate"] = Instead(200, document)
    with pytest.raises(GateError, match=words):
        anna.enter()
    assert not anna.opened


def test_who_declines_in_the_browser_is_notified(anna: Visitor) -> None:
    anna.name = ""
    with pytest.raises(SignInError, match="declined"):
        anna.enter()


def test_an_invitation_opens_a_gate_once(tmp_path: Path, hub: HubServer, identity: Path) -> None:
    with served_gate(tmp_path / "coordinator", hub, admits=Admits.INVITATION) as gate:
        code = SecretStr(gate.invite())
        with pytest.raises(GateError):
            Visitor(gate, identity).enter()
        assert Visitor(gate, identity).enter(invitation=code).membership.name == "anna"
        with pytest.raises(GateError):
            Visitor(gate, identity, "bert").enter(invitation=code)


def test_who_was_banned_learns_why_and_that_it_is_over(gate: ServedGate, tmp_path: Path) -> None:
    mallory = Visitor(gate, tmp_path / "identity", "mallory")
    admitted = mallory.enter()
    gate.ban("mallory", "They trained on noise.")
    with pytest.raises(MembershipEnded, match="They trained on noise"):
        renew(mallory.renewal(admitted), mallory.coordinator)


def test_a_membership_is_of_no_use_with_another_key(anna: Visitor, tmp_path: Path) -> None:
    admitted = anna.enter()
    thief = Visitor(anna.gate, tmp_path / "thief")
    with pytest.raises(GateError):
        renew(thief.renewal(admitted), thief.coordinator)


@pytest.mark.parametrize(
    ("answer", "asked"),
    [
        (Instead(429, b"{}", {"retry-after": "77"}), 77.0),
        (Instead(503, b"<html>", {"retry-after": "999999"}), 3600.0),
        (Instead(502, b""), 0.0),
        (Instead(302, b"", {"location": "https://elsewhere.example"}), 0.0),
    ],
    ids=["too many", "a fault for long", "a fault", "elsewhere"],
)
def test_a_coordinator_that_cannot_answer_now_is_left_alone_for_as_long_as_it_asks(
    anna: Visitor, answer: Instead, asked: float
) -> None:
    admitted = anna.enter()
    anna.gate.instead["/api/tokens"] = answer
    with pytest.raises(CoordinatorAway):
        renew(anna.renewal(admitted), anna.coordinator)
    assert anna.put_off == [asked]


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"null", b"x" * 300_000, b'{"access_token": "a", "expires_in": -1}', b'{"access_token": 7}'],
    ids=lambda body: str(body[:12]),
)
def test_garbage_is_no_access_token(anna: Visitor, body: bytes) -> None:
    admitted = anna.enter()
    anna.gate.instead["/api/tokens"] = Instead(200, body)
    with pytest.raises(CoordinatorAway):
        renew(anna.renewal(admitted), anna.coordinator)


def forged(anna: Visitor, admitted: GateAdmission) -> str:
    return "eyJ.eyJ.sig"


def of_another_peer(anna: Visitor, admitted: GateAdmission) -> str:
    return Visitor(anna.gate, anna.identity.with_name("other"), "bert").enter().token.get_secret_value()


@pytest.mark.parametrize("make", [forged, of_another_peer])
def test_an_access_token_that_the_swarm_would_refuse_is_reported_at_once(
    anna: Visitor, make: Callable[[Visitor, GateAdmission], str]
) -> None:
    admitted = anna.enter()
    answer = {"access_token": make(anna, admitted), "expires_in": 600}
    anna.gate.instead["/api/tokens"] = Instead(200, json.dumps(answer).encode())
    with pytest.raises(GateError, match="access token"):
        renew(anna.renewal(admitted), anna.coordinator)


@pytest.mark.parametrize(
    ("off", "words"),
    [(3600.0, "36.. seconds ahead of"), (-3600.0, "3... seconds behind"), (-15.0, "1. seconds behind")],
)
def test_a_clock_that_is_wrong_is_named_and_not_the_coordinator(
    anna: Visitor, off: float, words: str
) -> None:
    with pytest.raises(WrongClock, match=words):
        anna.enter(lambda: time.time() + off)
    admitted = anna.enter()
    with pytest.raises(WrongClock, match=words):
        renew(anna.renewal(admitted), anna.coordinator, lambda: time.time() + off)


@pytest.mark.parametrize(("off", "words"), [(90.0, "ahead of ours"), (-90.0, "behind ours")])
def test_a_renewal_by_a_clock_that_is_wrong_is_refused_as_such(anna: Visitor, off: float, words: str) -> None:
    admitted = anna.enter()
    coordinator = CoordinatorClient(anna.gate.address, clock=lambda: time.time() + off)
    with pytest.raises(WrongClock, match=words):
        renew(anna.renewal(admitted), coordinator)


def test_what_a_coordinator_says_is_shown_on_one_line_and_without_our_secret(anna: Visitor) -> None:
    admitted = anna.enter()
    secret = admitted.membership.secret.get_secret_value()
    for what, shown in (
        ("Go\x1b[2J away\nnow", "Go [2J away now"),
        (f"You said {secret}", "nothing that can"),
    ):
        refusal = {"code": "banned", "what": what, "remedy": "None."}
        anna.gate.instead["/api/tokens"] = Instead(403, json.dumps(refusal).encode())
        with pytest.raises(MembershipEnded) as caught:
            renew(anna.renewal(admitted), anna.coordinator)
        assert shown in str(caught.value)
        assert secret not in str(caught.value)


@pytest.mark.parametrize(
    "address", ["http://train.example.org", "https://user:pw@host", "ftp://host", "https://"]
)
def test_nothing_secret_is_sent_to_an_address_that_cannot_keep_it(address: str) -> None:
    with pytest.raises(CoordinatorAway, match="cannot be sent there safely"):
        CoordinatorClient(address)
