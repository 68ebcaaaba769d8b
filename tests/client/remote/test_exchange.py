"""The key exchange: both sides agree if code and certificates do, and whatever differs shows in the proofs."""

import base64
from dataclasses import replace

import pytest
from pydantic import SecretStr
from spake2 import SPAKE2_A

from client.api.errors import RemoteError
from client.remote.carrying_out import carry_out
from client.remote.pairing import Exchange, PairingOffer, clean_name, identity_of, same_proof, to_b64
from client.remote.tasks import AnswerPairing, BeginPairing, FinishPairing, PairingBegun, PairingKey

LAPTOP, DESKTOP, MALLORY = b"certificate of A", b"certificate of B", b"certificate of M"


def begin(code: str, own: bytes = LAPTOP, seen: bytes = DESKTOP) -> PairingBegun:
    task = BeginPairing(
        code=SecretStr(code),
        controlling=to_b64(identity_of(own, controls=True)),
        controlled=to_b64(identity_of(seen, controls=False)),
    )
    found = carry_out(task)
    assert isinstance(found, PairingBegun)
    return found


def answer(code: str, share: str, offered: bytes = LAPTOP, own: bytes = DESKTOP) -> PairingKey:
    task = AnswerPairing(
        code=SecretStr(code),
        controlling=to_b64(identity_of(offered, controls=True)),
        controlled=to_b64(identity_of(own, controls=False)),
        share=share,
    )
    found = carry_out(task)
    assert isinstance(found, PairingKey)
    return found


def finish(begun: PairingBegun, share: str) -> str:
    found = carry_out(FinishPairing(state=begun.state, share=share))
    assert isinstance(found, PairingKey)
    return found.key.get_secret_value()


def test_the_same_code_gives_the_same_key() -> None:
    begun = begin("ABCD2345")
    answered = answer("ABCD2345", begun.share)
    assert finish(begun, answered.share) == answered.key.get_secret_value()


@pytest.mark.parametrize(
    ("typed", "seen", "offered"),
    [
        ("ABCD2346", DESKTOP, LAPTOP),
        ("ABCD2345", MALLORY, LAPTOP),  # the certificate of whoever ends the TLS connection in between
        ("ABCD2345", DESKTOP, MALLORY),  # a certificate that was exchanged on the way
    ],
)
def test_another_code_or_certificate_gives_another_key(typed: str, seen: bytes, offered: bytes) -> None:
    begun = begin(typed, seen=seen)
    answered = answer("ABCD2345", begun.share, offered=offered)
    assert finish(begun, answered.share) != answered.key.get_secret_value()


@pytest.mark.parametrize(
    "share",
    [
        b"",
        b"A",
        b"A" + bytes(31),
        b"A" + bytes(33),
        b"A" + bytes(32),  # not of the group
        b"A" + b"\1" + bytes(31),  # the neutral element
        b"A" + b"\xff" * 32,
        b"B" + bytes(32),
        b"C" + bytes(32),
    ],
)
def test_what_is_no_point_of_the_group_is_refused(share: bytes) -> None:
    with pytest.raises(RemoteError, match="invalid message"):
        answer("ABCD2345", base64.b64encode(share).decode() or "AA==")


def test_an_echo_is_refused() -> None:
    begun = begin("ABCD2345")
    with pytest.raises(RemoteError, match="invalid message"):
        finish(begun, begun.share)
    other_side = b"B" + base64.b64decode(begun.share)[1:]
    with pytest.raises(RemoteError, match="invalid message"):
        finish(begun, to_b64(other_side))


def test_two_exchanges_have_nothing_in_common() -> None:
    assert begin("ABCD2345").share != begin("ABCD2345").share
    assert SPAKE2_A(b"x").start() != SPAKE2_A(b"x").start()


EXCHANGE = Exchange(
    PairingOffer(name="Laptop", certificate=to_b64(LAPTOP), share=to_b64(b"A1")),
    DESKTOP,
    "Desktop",
    to_b64(b"B1"),
)
KEY = bytes(range(32))


@pytest.mark.parametrize(
    "other",
    [
        replace(EXCHANGE, certificate=MALLORY),
        replace(EXCHANGE, name="Desktop 2"),
        replace(EXCHANGE, share=to_b64(b"B2")),
        replace(EXCHANGE, offer=EXCHANGE.offer.model_copy(update={"certificate": to_b64(MALLORY)})),
        replace(EXCHANGE, offer=EXCHANGE.offer.model_copy(update={"name": "Laptop 2"})),
        replace(EXCHANGE, offer=EXCHANGE.offer.model_copy(update={"share": to_b64(b"A2")})),
        replace(EXCHANGE, offer=EXCHANGE.offer.model_copy(update={"name": "LaptopD"}), name="esktop"),
    ],
)
def test_the_proofs_cover_all_that_was_said(other: Exchange) -> None:
    for own, changed in zip(EXCHANGE.proofs(KEY), other.proofs(KEY), strict=True):
        assert not same_proof(own, changed)


def test_each_side_has_a_proof_of_its_own() -> None:
    one, other = EXCHANGE.proofs(KEY)
    assert not same_proof(one, other)
    assert EXCHANGE.proofs(bytes(32)) != (one, other)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("  My\tdesk \n top ", "My desk top"),
        ("\x1b[2J", "[2J"),
        ("", "Computer"),
        ("ü" * 200, "ü" * 63 + "…"),
    ],
)
def test_a_name_from_elsewhere_fits_one_line(given: str, shown: str) -> None:
    assert clean_name(given) == shown
