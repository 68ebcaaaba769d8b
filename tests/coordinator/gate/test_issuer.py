"""The provider's keys: looked for with restraint, in bounded time and size, and of fitting kinds only."""

import pytest

from coordinator.errors import HubAway, ProofRefused
from coordinator.gate.issuer import Issuer
from tests.coordinator.gate.conftest import SecondsClock
from tests.hub.hub_server import Canned, HubServer

KEYS, METADATA = "/oauth/jwks", "/.well-known/openid-configuration"


@pytest.fixture
def issuer(hub: HubServer, clock: SecondsClock) -> Issuer:
    return Issuer(hub.address, clock)


def test_a_key_is_fetched_once_an_hour(hub: HubServer, issuer: Issuer, clock: SecondsClock) -> None:
    for _ in range(3):
        assert issuer.key("first").algorithm_name == "RS256"
    assert len(hub.requests(KEYS)) == 1
    clock.now += 3601
    issuer.key("first")
    assert len(hub.requests(KEYS)) == 2


def test_a_key_that_was_taken_back_is_good_for_an_hour_at_most(
    hub: HubServer, issuer: Issuer, clock: SecondsClock
) -> None:
    issuer.key("first")
    hub.openid.rotate()
    clock.now += 3601
    with pytest.raises(ProofRefused):
        issuer.key("first")


def test_a_new_key_is_looked_for_once_a_minute_at_most(
    hub: HubServer, issuer: Issuer, clock: SecondsClock
) -> None:
    issuer.key("first")
    hub.openid.rotate()
    new = hub.openid.keys[-1].kid
    for kid in (new, "made up", "made up too"):
        with pytest.raises(ProofRefused):
            issuer.key(kid)
    assert len(hub.requests(KEYS)) == 1
    clock.now += 61
    assert issuer.key(new).key_id == new
    assert len(hub.requests(KEYS)) == 2


@pytest.mark.parametrize(
    ("path", "canned"),
    [
        (METADATA, Canned(500)),
        (METADATA, Canned(body=b'{"issuer": "https://evil.example", "jwks_uri": "https://evil.example/k"}')),
        (METADATA, Canned(body=b"[" * 100_000)),
        (KEYS, Canned(404)),
        (KEYS, Canned(302, headers={"Location": "http://127.0.0.1:1/"})),
        (KEYS, Canned(body=b'{"keys": [' + b"{}," * 100 + b"{}]}")),
        (KEYS, Canned(body=b" " * (2 << 20))),
    ],
    ids=["fault", "another issuer", "deep", "no keys", "elsewhere", "too many", "too much"],
)
def test_a_provider_that_misbehaves_is_away(
    hub: HubServer, issuer: Issuer, clock: SecondsClock, path: str, canned: Canned
) -> None:
    hub.canned[path] = canned
    with pytest.raises(HubAway):
        issuer.key("first")
    hub.canned.clear()
    with pytest.raises(HubAway):  # and is left in peace for a minute
        issuer.key("first")
    clock.now += 61
    assert issuer.key("first").key_id == "first"


def test_known_keys_hold_for_an_hour_while_the_provider_is_away(
    hub: HubServer, issuer: Issuer, clock: SecondsClock
) -> None:
    issuer.key("first")
    hub.canned[METADATA] = Canned(500)
    clock.now += 3590
    assert issuer.key("first").key_id == "first"
    for _ in range(2):
        clock.now += 30
        with pytest.raises(HubAway):
            issuer.key("first")


@pytest.mark.parametrize(
    "key",
    [
        {"kty": "oct", "kid": "odd", "k": "c2VjcmV0"},
        {"kty": "EC", "kid": "odd", "crv": "secp256k1", "x": "AA", "y": "AA"},
        {"kty": "RSA", "kid": "odd", "use": "enc", "n": "AQAB", "e": "AQAB"},
        {"kty": "RSA", "kid": "odd", "n": "!", "e": "AQAB"},
        {"kid": "odd"},
        {"kty": 7, "kid": ["odd"]},
    ],
)
def test_keys_of_other_kinds_are_left_alone(hub: HubServer, issuer: Issuer, key: dict[str, object]) -> None:
    document = {"keys": [key, *hub.openid.jwks()["keys"]]}
    hub.openid.jwks = lambda: document  # type: ignore[method-assign]
    with pytest.raises(ProofRefused):
        issuer.key("odd")
    assert issuer.key("first").key_id == "first"
