"""A certificate is an access token without what its reader knows: together they are what the gate signed."""

import json

import pytest
from jwt.utils import base64url_decode, base64url_encode

from core.admission.access_token import AccessToken, issue, read
from core.admission.gate_certificate import MAX_CERTIFICATE_BYTES, GateCertificate, user_in
from core.errors import AdmissionError
from core.signing import SigningKey

_NO_CERTIFICATE = "certificate|ascii"
GATE = SigningKey.generate()
RUN, PEER = "ab" * 32, "QmfSGLBhviqSdmuhiaeCxScyFhn5piCxhHUR3kg2WZi4fX"
TOKEN = AccessToken(RUN, "ada", PEER, issued=1_000_000, expires=1_000_600)


def certificate_of(token: AccessToken = TOKEN) -> bytes:
    return GateCertificate.of_token(issue(token, GATE)).pack()


@pytest.mark.parametrize("name", ["a", "ada", "x" * 96])
def test_it_gives_the_very_text_that_the_gate_signed(name: str) -> None:
    text = issue(AccessToken(RUN, name, PEER, issued=1_000_000, expires=1_000_600), GATE)
    packed = GateCertificate.of_token(text).pack()
    assert len(packed) == 92 + len(name) <= MAX_CERTIFICATE_BYTES
    assert GateCertificate.unpack(packed).token(run=RUN, peer=PEER) == text


@pytest.mark.parametrize(
    ("run", "peer"), [("cd" * 32, PEER), (RUN, "QmYyQSo1c1Ym7orWxLYvCrM2EmxFTANf8wXmmE7DWjhx5N")]
)
def test_another_run_or_peer_makes_a_text_that_the_gate_did_not_sign(run: str, peer: str) -> None:
    text = GateCertificate.unpack(certificate_of()).token(run=run, peer=peer)
    with pytest.raises(AdmissionError):
        read(text, gate=GATE.public_key, run=run, now=1_000_300)


def test_another_name_is_not_signed() -> None:
    packed = certificate_of().replace(b"ada", b"bob")
    assert user_in(packed) == "bob"
    with pytest.raises(AdmissionError):
        read(
            GateCertificate.unpack(packed).token(run=RUN, peer=PEER),
            gate=GATE.public_key,
            run=RUN,
            now=1_000_300,
        )


@pytest.mark.parametrize("packed", [b"", b"x" * 92, b"x" * 300, b"\xff" * 100])
def test_other_bytes_are_no_certificate(packed: bytes) -> None:
    with pytest.raises(ValueError, match=_NO_CERTIFICATE):
        GateCertificate.unpack(packed)
    assert user_in(packed) == ""


@pytest.mark.parametrize("text", ["", "a.b", "a.b.c", issue(TOKEN, GATE) + "x"])
def test_a_text_that_is_no_token_of_ours_has_none(text: str) -> None:
    with pytest.raises(AdmissionError):
        GateCertificate.of_token(text)


@pytest.mark.parametrize("number", ["A" * 15 + ":", "\N{SNOWMAN}" * 16, "=" * 16, "A" * 15])
def test_a_token_with_another_number_than_ours_has_none(number: str) -> None:
    header, claims, signature = issue(TOKEN, GATE).split(".")
    changed = {**json.loads(base64url_decode(claims)), "jti": number}
    text = ".".join((header, base64url_encode(json.dumps(changed).encode()).decode(), signature))
    with pytest.raises(AdmissionError):
        GateCertificate.of_token(text)
