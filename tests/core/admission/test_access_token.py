"""An access token is what the run's gate signed for that run, and only while it is good."""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jwt
import pytest

from core.admission.access_token import LONGEST_SECONDS, AccessToken, issue, read
from core.errors import AdmissionError
from core.signing import SigningKey

GATE = SigningKey.generate()
RUN, OTHER_RUN = "ab" * 32, "cd" * 32
PEER = "QmfSGLBhviqSdmuhiaeCxScyFhn5piCxhHUR3kg2WZi4fX"
TOKEN = AccessToken(RUN, "ada", PEER, issued=1_000_000, expires=1_000_600)
CLAIMS: dict[str, Any] = {
    "aud": RUN,
    "sub": "ada",
    "cnf": {"peer": PEER},
    "iat": 1_000_000,
    "exp": 1_000_600,
    "jti": "1",
}


def test_a_token_says_to_others_what_the_gate_signed() -> None:
    assert read(issue(TOKEN, GATE), gate=GATE.public_key, run=RUN, now=1_000_300) == TOKEN


def test_no_two_tokens_are_alike() -> None:
    assert issue(TOKEN, GATE) != issue(TOKEN, GATE)


def signed(key: SigningKey = GATE, header: dict[str, Any] | None = None, **changes: Any) -> str:
    """A token with other claims; None leaves one out."""
    claims = {name: value for name, value in {**CLAIMS, **changes}.items() if value is not None}
    return jwt.encode(claims, key.private, "EdDSA", headers={"typ": "at+jwt", **(header or {})})


def forged(header: dict[str, Any], sign: Callable[[bytes], bytes]) -> str:
    """A token as an attacker puts it together by hand."""
    parts = [json.dumps(part).encode() for part in ({"typ": "at+jwt", **header}, CLAIMS)]
    message = b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in parts)
    return (message + b"." + base64.urlsafe_b64encode(sign(message)).rstrip(b"=")).decode()


def hmac_by(secret: bytes) -> str:
    return forged({"alg": "HS256"}, lambda message: hmac.digest(secret, message, hashlib.sha256))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("Bearer " + signed(), id="more than a token"),
        pytest.param("ä.ö.ü", id="no ASCII"),
        pytest.param("a.b.c", id="garbage"),
        pytest.param(signed()[:-5], id="cut off"),
        pytest.param(signed() + "A" * 2000, id="oversized"),
        pytest.param("." * 1000, id="dots"),
        pytest.param(forged({"alg": "none"}, lambda _: b""), id="signed by nobody"),
        pytest.param(hmac_by(bytes.fromhex(GATE.public_key)), id="the public key as a secret"),
        pytest.param(hmac_by(GATE.public_key.encode()), id="the public key's text as a secret"),
        pytest.param(signed(SigningKey.generate()), id="another gate's"),
        pytest.param(signed(header={"jwk": {"kty": "OKP"}}, key=SigningKey.generate()), id="brings its key"),
        pytest.param(signed(header={"typ": "JWT"}), id="of another kind"),
        pytest.param(signed(header={"crit": ["b64"], "b64": False}), id="asks for what we do not know"),
        pytest.param(signed(aud=OTHER_RUN), id="another run's"),
        pytest.param(signed(aud=[RUN, OTHER_RUN]), id="for several runs"),
        pytest.param(signed(aud=None), id="for no run"),
        pytest.param(signed(sub="ada\x1b[2J"), id="a name that moves the cursor"),
        pytest.param(signed(sub="x" * 200), id="a name that is too long"),
        pytest.param(signed(cnf=None), id="for any peer"),
        pytest.param(signed(cnf={"peer": ""}), id="for a peer without a name"),
        pytest.param(signed(cnf={"peer": PEER, "jkt": "x"}), id="for another key as well"),
        pytest.param(signed(exp=1_000_300), id="expired just now"),
        pytest.param(signed(exp=None), id="for ever"),
        pytest.param(signed(exp=1_000_000 + LONGEST_SECONDS + 1), id="for too long"),
        pytest.param(signed(exp=10**18), id="beyond all time"),
        pytest.param(signed(exp="1000600"), id="until a text"),
        pytest.param(signed(iat=1_000_400), id="from the future"),
        pytest.param(signed(admin=True), id="more than we know"),
    ],
)
def test_nothing_else_is_one(text: str) -> None:
    with pytest.raises(AdmissionError) as refusal:
        read(text, gate=GATE.public_key, run=RUN, now=1_000_300)
    assert len(str(refusal.value)) < 200


def test_what_these_are_built_from_is_one() -> None:
    assert read(signed(), gate=GATE.public_key, run=RUN, now=1_000_300) == TOKEN


@pytest.mark.parametrize(
    "token",
    [
        replace(TOKEN, expires=TOKEN.issued),
        replace(TOKEN, expires=TOKEN.issued + LONGEST_SECONDS + 1),
        replace(TOKEN, name="a b"),
        replace(TOKEN, peer="not base58: 0OIl"),
        replace(TOKEN, run="short"),
    ],
)
def test_a_gate_signs_nothing_that_nobody_would_take(token: AccessToken) -> None:
    with pytest.raises(ValueError, match=r"may be good|valid"):
        issue(token, GATE)
