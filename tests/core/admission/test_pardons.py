"""A list of pardons is the gate's word about one run, or nothing."""

from dataclasses import replace

import pytest

from core.admission.pardons import Pardon, Pardons, read, sign
from core.admission.signed_lists import MAX_BYTES
from core.errors import AdmissionError
from core.signing import SigningKey

KEY, RUN = SigningKey.generate(), "ab" * 32
LIST = Pardons(RUN, serial=7, issued=1_700_000_000, pardons=(Pardon("ada", 0, 12), Pardon("ada", 1, 3)))


def test_what_the_gate_signed_is_read() -> None:
    assert read(sign(LIST, KEY), gate=KEY.public_key, run=RUN) == LIST


def test_the_last_pardoned_place_counts() -> None:
    assert LIST.pardons_at("ada") == (1, 3)
    assert LIST.pardons_at("grace") is None


@pytest.mark.parametrize(
    "signed",
    [
        b"",
        b"{}",
        sign(LIST, SigningKey.generate()),
        sign(replace(LIST, run="cd" * 32), KEY),
        sign(LIST, KEY).replace(b'"epoch":12', b'"epoch":13'),
        bytes(MAX_BYTES + 1),
    ],
    ids=["nothing", "empty", "another key", "another run", "changed", "too long"],
)
def test_nothing_else_is(signed: bytes) -> None:
    with pytest.raises(AdmissionError, match="not signed by this run's gate"):
        read(signed, gate=KEY.public_key, run=RUN)


def test_one_that_is_too_long_for_the_swarm_is_not_signed() -> None:
    many = tuple(Pardon(f"{number:090d}", 0, 1) for number in range(200))
    with pytest.raises(ValueError, match="too long"):
        sign(replace(LIST, pardons=many), KEY)
