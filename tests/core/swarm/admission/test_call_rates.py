"""A peer makes so many calls at once and so many a second, and the log tells of one that makes more once."""

from contextlib import ExitStack

import pytest
from hivemind.p2p import PeerID

from core.errors import SwarmError
from core.swarm.admission.call_rates import CallRate, CallRates, TooManyCalls, WaitingCalls
from tests.core.swarm.builders import peer_bytes
from tests.moved_clock import MovedClock

ONE, OTHER = (PeerID(peer_bytes(number)) for number in range(2))
RATE = CallRate(per_second=2.0, at_once=5)


def passed(rates: CallRates, peer: PeerID, calls: int) -> int:
    """How many of so many calls are answered."""
    answered = 0
    for _ in range(calls):
        try:
            rates.require(peer)
        except TooManyCalls:
            continue
        answered += 1
    return answered


@pytest.mark.parametrize(("seconds", "expected"), [(0.0, 0), (0.5, 1), (1.0, 2), (2.6, 5), (3600.0, 5)])
def test_calls_come_back_with_time_and_are_never_more_than_at_once(seconds: float, expected: int) -> None:
    clock = MovedClock(100.0)
    rates = CallRates("rpc_news", RATE, clock)
    assert passed(rates, ONE, 100) == 5
    clock.now += seconds
    assert passed(rates, ONE, 100) == expected


def test_one_peer_takes_nothing_from_another() -> None:
    rates = CallRates("rpc_news", RATE, MovedClock(100.0))
    assert passed(rates, ONE, 100) == 5
    assert passed(rates, OTHER, 5) == 5


def test_the_error_says_what_a_peer_may_do() -> None:
    rates = CallRates("rpc_news", CallRate(per_second=2.0, at_once=0), MovedClock(100.0))
    with pytest.raises(
        SwarmError, match=r"may call rpc_news 0 times at once, and then 2 times a second\. Call it"
    ):
        rates.require(ONE)


def test_it_is_logged_once_for_each_peer_and_fills_no_log(caplog: pytest.LogCaptureFixture) -> None:
    clock = MovedClock(100.0)
    rates = CallRates("rpc_news", RATE, clock)
    for _ in range(10):
        passed(rates, ONE, 100)
        clock.now += 2.0
    assert caplog.messages == [f"Peer {ONE} calls rpc_news too often: it is refused while it does."]
    for number in range(2, 200):
        passed(rates, PeerID(peer_bytes(number)), 10)
    assert len(caplog.messages) == 2


def test_it_remembers_a_bounded_number_of_peers() -> None:
    rates = CallRates("rpc_news", RATE, MovedClock(100.0))
    for number in range(5000):
        rates.require(PeerID(peer_bytes(number)))
    assert len(rates._callers) == 4096


def test_what_waiting_calls_hold_is_bounded_for_a_user_and_for_all() -> None:
    """Each holds a part of a round that was read: a user with 32 peers could have filled 4 GiB."""
    waiting = WaitingCalls(most_bytes=60, of_user=40)
    with ExitStack() as calls:
        taken = [calls.enter_context(waiting.one_of(b"ada", size)) for size in (20, 20, 1, 0)]
        assert taken == [True, True, False, True]
        others = [calls.enter_context(waiting.one_of(user, 10)) for user in (b"ben", b"cy", b"dee")]
        assert others == [True, True, False]
    with waiting.one_of(b"ada", 40) as may_wait:
        assert may_wait
    assert not waiting._held
