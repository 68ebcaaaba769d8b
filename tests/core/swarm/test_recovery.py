"""A peer that cannot catch up tries again after longer and longer pauses for as long as others are ahead."""

from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from core.run.rules import SwarmRules
from core.swarm.membership.agreement import Course, Verdict
from core.swarm.recovery import AttemptFailed, ClaimUnfounded, Recovery
from core.swarm.state.donors import DonorsBusy, StateUnavailable
from core.swarm.state.stalls import DownloadBrokeOff
from tests.core.swarm.builders import HandClock, peer_bytes

NOTHING, PIECES = StateUnavailable("Nothing came."), DownloadBrokeOff("Some pieces came.")
BUSY = DonorsBusy("All are busy.")
ONE, TWO = (peer_bytes(1),), (peer_bytes(1), peer_bytes(2))


class FailingRecovery:
    """The attempts of a recovery whose downloads fail as a test says."""

    def __init__(self, donors: tuple[bytes, ...], claimants: int | None = None) -> None:
        self.clock, self.aside = HandClock(), list[bytes]()
        self._verdict, self._error = Verdict(Course.DOWNLOAD, donors), NOTHING
        self._verdict = replace(self._verdict, claimants=len(donors) if claimants is None else claimants)
        self.recovery = Recovery(
            cast(Any, SimpleNamespace(download_state=self._download)),
            SwarmRules(),
            lambda peers, seconds: self.aside.extend(peers),
            clock=self.clock,
        )

    def _download(self, donors: Sequence[object], *, goes_on: bool, **options: Any) -> Future[Any]:
        assert goes_on, "an hour would end it"
        failed: Future[Any] = Future()
        failed.set_exception(self._error)
        return failed

    def is_stuck(self) -> bool:
        return self.recovery.is_stuck

    def fail(self, error: StateUnavailable) -> float:
        """Make an attempt that fails with ``error``, and return the seconds until the next may begin."""
        self._error, began = error, self.clock.now
        request = SimpleNamespace(limits=SimpleNamespace(allreduce_seconds=30.0))
        self.recovery.start(self._verdict, cast(Any, request))
        with suppress(AttemptFailed):
            while self.recovery.poll() is None:
                self.clock.now += 1.0
        return self.clock.now - began


def test_several_donors_that_fail_are_asked_again_after_longer_and_longer_pauses() -> None:
    attempts = FailingRecovery(TWO)
    assert [attempts.fail(NOTHING) for _ in range(4)] == [5.0, 10.0, 20.0, 40.0]
    assert not attempts.is_stuck()
    assert [attempts.fail(NOTHING) for _ in range(20)] == [60.0] * 20, "no number of attempts ends a trainer"
    assert attempts.is_stuck()
    assert not attempts.aside
    attempts.recovery.agreed()
    assert not attempts.is_stuck()


def test_the_donors_of_the_only_user_ahead_are_set_aside_together() -> None:
    attempts = FailingRecovery(TWO, claimants=1)
    with pytest.raises(ClaimUnfounded):
        attempts.fail(NOTHING)
    assert attempts.aside == [*TWO]


@pytest.mark.parametrize("donors", [ONE, TWO])
def test_an_attempt_that_brought_pieces_does_not_count(donors: tuple[bytes, ...]) -> None:
    attempts = FailingRecovery(donors)
    assert [attempts.fail(PIECES) for _ in range(20)] == [5.0] * 20
    assert not attempts.aside, "it gives, if slowly"


def test_the_only_peer_ahead_is_asked_again_for_as_long_as_it_is_there() -> None:
    attempts = FailingRecovery(ONE)
    for _ in range(20):
        with pytest.raises(ClaimUnfounded):
            attempts.fail(NOTHING)
    assert attempts.aside == [*ONE] * 20


def test_one_busy_answer_in_many_counts_as_an_attempt() -> None:
    attempts, counted = FailingRecovery(TWO), list[int]()
    for answer in range(4 * 61):
        with suppress(DonorsBusy):
            attempts.fail(BUSY)
            counted.append(answer)
    assert counted == [60, 121, 182, 243]
