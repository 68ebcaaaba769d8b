"""Codes of a pairing: hard to guess, easy to type, and valid for few attempts in little time."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from client.api.errors import RemoteError
from client.api.remote.control import PairingStage
from client.remote.codes import (
    ALPHABET,
    ATTEMPTS,
    LENGTH,
    VALID_FOR,
    PairingWindow,
    new_code,
    read_code,
    written,
)

NOW = datetime(2026, 3, 1, tzinfo=UTC)
LATER = NOW + VALID_FOR


def test_a_code_can_be_typed_in_any_way() -> None:
    code = new_code()
    assert len(code) == LENGTH
    assert set(code) <= set(ALPHABET)
    for typed in (code, code.lower(), written(code), f" {code[:3]} {code[3:]}\n", "-".join(code)):
        assert read_code(typed) == code


def test_codes_differ() -> None:
    assert len({new_code() for _ in range(1_000)}) == 1_000
    assert len(ALPHABET) ** LENGTH / ATTEMPTS > 2**37, "a guess hits one time in so many"


@pytest.mark.parametrize(
    "typed", ["", "ABCD-234", "ABCD-23456", "ABCD-0345", "ABCD-234O", "ABCD-234Ä", "²" * 8]
)
def test_what_cannot_be_a_code_is_refused(typed: str) -> None:
    with pytest.raises(RemoteError, match="A code has 8 letters"):
        read_code(typed)


def tried(window: PairingWindow, times: int) -> PairingWindow:
    for _ in range(times):
        window = window.attempted(NOW).failed()
    return window


OPENED = PairingWindow.opened(NOW, "ABCD2345")


@pytest.mark.parametrize(
    ("window", "stage"),
    [
        (OPENED.at(LATER - timedelta(seconds=1)), PairingStage.OPEN),
        (OPENED.at(LATER), PairingStage.EXPIRED),
        (tried(OPENED, 1), PairingStage.OPEN),
        (tried(OPENED, ATTEMPTS), PairingStage.VOID),
        (tried(OPENED, ATTEMPTS).at(LATER), PairingStage.VOID),
        (OPENED.closed(), PairingStage.CLOSED),
        (tried(OPENED, ATTEMPTS).closed(), PairingStage.VOID),
        (OPENED.attempted(NOW).succeeded("x"), PairingStage.PAIRED),
        (OPENED.attempted(NOW).succeeded("x").failed().at(LATER).closed(), PairingStage.PAIRED),
        (tried(OPENED, ATTEMPTS - 1).attempted(NOW).succeeded("x"), PairingStage.PAIRED),
    ],
    ids=lambda value: value.name if isinstance(value, PairingStage) else "",
)
def test_the_stages_of_a_code(window: PairingWindow, stage: PairingStage) -> None:
    assert window.stage is stage


@pytest.mark.parametrize(
    "attempt",
    [
        lambda: OPENED.attempted(LATER),
        lambda: OPENED.closed().attempted(NOW),
        lambda: tried(OPENED, ATTEMPTS).attempted(NOW),
        lambda: OPENED.attempted(NOW).succeeded("x").attempted(NOW),
        lambda: OPENED.attempted(NOW).closed().succeeded("x"),
        lambda: OPENED.attempted(NOW).at(LATER).succeeded("x"),
    ],
)
def test_a_code_that_is_not_valid_pairs_no_computer(attempt: Callable[[], PairingWindow]) -> None:
    with pytest.raises(RemoteError):
        attempt()


def test_attempts_that_run_at_once_are_counted_before_they_end() -> None:
    window = OPENED
    for _ in range(ATTEMPTS):
        window = window.attempted(NOW)
    with pytest.raises(RemoteError):
        window.attempted(NOW)
