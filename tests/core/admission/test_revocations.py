"""The gate's list of those who are refused at once: signed, bounded, for one run."""

import json
from dataclasses import replace

import pytest

from core.admission.access_token import AccessToken
from core.admission.revocations import Revocations, read, sign
from core.admission.signed_lists import MAX_BYTES
from core.errors import AdmissionError
from core.signing import SigningKey, canonical, is_signed

GATE = SigningKey.generate()
RUN = "ab" * 32
PEER = "QmfSGLBhviqSdmuhiaeCxScyFhn5piCxhHUR3kg2WZi4fX"
LISTED = Revocations(RUN, serial=3, issued=1_000_000, names=("mallory",), peers=(PEER,))


def test_a_list_says_to_others_what_the_gate_signed() -> None:
    assert read(sign(LISTED, GATE), gate=GATE.public_key, run=RUN) == LISTED


@pytest.mark.parametrize(
    ("name", "peer", "forbidden"),
    [
        ("mallory", "QmOther", True),
        ("ada", PEER, True),
        ("ada", "QmOther", False),
        ("Mallory", "QmOther", False),
    ],
)
def test_a_token_is_forbidden_by_its_user_or_its_peer(name: str, peer: str, forbidden: bool) -> None:
    assert LISTED.forbids(AccessToken(RUN, name, peer, 0, 1)) is forbidden


def changed(field: str, value: object) -> bytes:
    content = json.loads(sign(LISTED, GATE))
    content["list"][field] = value
    return json.dumps(content).encode()


@pytest.mark.parametrize(
    "signed",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"[" * 10_000, id="garbage"),
        pytest.param(sign(LISTED, GATE) + b" " * MAX_BYTES, id="oversized"),
        pytest.param(sign(LISTED, SigningKey.generate()), id="another key's"),
        pytest.param(sign(replace(LISTED, run="cd" * 32), GATE), id="another run's"),
        pytest.param(changed("names", []), id="a name was taken out"),
        pytest.param(changed("serial", 4), id="made newer"),
        pytest.param(changed("issued", 2_000_000), id="made to last"),
        pytest.param(changed("more", 1), id="more than we know"),
    ],
)
def test_nothing_else_is_one(signed: bytes) -> None:
    with pytest.raises(AdmissionError):
        read(signed, gate=GATE.public_key, run=RUN)


def test_what_is_signed_says_that_it_is_such_a_list() -> None:
    """The gate signs other things with that key."""
    found = json.loads(sign(LISTED, GATE))
    content = canonical(found["list"])
    assert is_signed(b"idlebrush/1/revocations\n" + content, found["signature"], GATE.public_key)
    assert not is_signed(content, found["signature"], GATE.public_key)


def test_a_list_that_would_not_fit_a_record_is_not_signed() -> None:
    with pytest.raises(ValueError, match="too long"):
        sign(replace(LISTED, names=tuple(f"{number:040}" for number in range(400))), GATE)


def test_a_later_list_outlives_an_earlier_one() -> None:
    assert replace(LISTED, serial=4, issued=1_000_001).expires > LISTED.expires
