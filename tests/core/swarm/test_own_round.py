"""A peer averages alone only where the others can have what it commits, and claims no more than reducers take."""

import math
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
import torch

from core.run.rules import SwarmRules
from core.swarm.own_round import OwnRound, may_average_alone
from core.swarm.quorum.electorate import Electorate
from core.swarm.rounds.round import RoundFailed, RoundOutcome, RoundRequest, RoundStatus
from core.swarm.state.accumulator import Accumulator
from core.swarm.state.replica import Place
from tests.core.swarm.builders import digest_of


@pytest.mark.parametrize(
    ("accepts_connections", "others", "trainers", "failures", "is_called", "expected"),
    [
        (True, 0, 0, 0, False, True),  # nobody is there
        (True, 0, 0, 9, False, True),  # those that were there have died
        (True, 1, 1, 0, True, False),
        (True, 1, 1, 1, True, False),
        (True, 1, 1, 2, True, True),  # they can fetch what it commits
        (True, 1, 1, 2, False, False),  # two homes that cannot reach each other
        (True, 1, 1, 3, False, False),
        (True, 1, 1, 4, False, True),  # the votes of the others decide then
        (True, 9, 8, 99, False, True),
        (True, 1, 0, 1, False, False),
        (True, 1, 0, 2, False, True),  # an auxiliary peer that does not work holds nobody up
        (False, 0, 0, 9, True, False),  # in client mode, from which nobody can fetch
        (False, 1, 1, 9, True, False),
    ],
)
def test_who_may_average_alone(
    accepts_connections: bool, others: int, trainers: int, failures: int, is_called: bool, expected: bool
) -> None:
    found = may_average_alone(
        accepts_connections=accepts_connections,
        others=others,
        trainers=trainers,
        failures=failures,
        is_called=is_called,
    )
    assert found is expected


def committed(*included: int, counted: bool = True) -> RoundOutcome:
    return RoundOutcome(
        7,
        digest_of("next"),
        RoundStatus.AVERAGED,
        frozenset(included),
        10.0,
        2,
        matchmaking_seconds=1.0,
        exchange_seconds=0.5,
        counted=counted,
    )


def round_of(step: SimpleNamespace) -> tuple[OwnRound, Accumulator]:
    """Return the rounds of a peer in client mode, whose averager begins ``step``, and what the peer gathers."""
    averager = SimpleNamespace(
        client_mode=True,
        seconds_since_call=float("inf"),
        begin=lambda request: step,
        get_tensors=lambda: nullcontext([torch.zeros(1)]),
    )
    work = Accumulator([])
    return OwnRound(cast(Any, averager), work, SwarmRules(target_batch_size=10), lambda text: None), work


@pytest.mark.parametrize(
    ("gathered", "claimed", "counts"), [(40, 40, True), (160, 160, True), (170, 160, True), (40, 40, False)]
)
def test_samples_gathered_while_rounds_fail_are_claimed_only_as_far_as_reducers_take_them(
    gathered: int, claimed: int, counts: bool
) -> None:
    step = SimpleNamespace(allow_allreduce=lambda: None, weight=0.0)
    own, work = round_of(step)
    work.add(1.0, gathered)
    assert own.start(Place(7, digest_of("head"), digest_of("parameters").hex(), (3.0,)), others=1)
    assert step.weight == claimed
    assert own.take_own(committed(0, counted=counts)) == (claimed if counts else 0)


@pytest.mark.parametrize(("weight", "own"), [(None, 40), (40.0, 40), (12.0, 12), (12.5, 12)])
def test_samples_beyond_the_cap_of_the_group_are_not_counted_as_own(weight: float | None, own: int) -> None:
    rounds, work = round_of(SimpleNamespace(allow_allreduce=lambda: None, weight=0.0))
    work.add(1.0, 40)
    rounds.start(Place(7, digest_of("head"), digest_of("parameters").hex(), (3.0,)), others=3)
    assert rounds.take_own(replace(committed(0), own_weight=weight)) == own


def test_values_that_are_not_finite_are_given_to_no_round() -> None:
    """They are discarded, as one of them would spoil the epoch of the whole swarm."""
    told = list[str]()
    work = Accumulator([])
    own = OwnRound(cast(Any, SimpleNamespace(client_mode=True)), work, SwarmRules(), told.append)
    work.add(math.nan, 40)
    place = Place(7, digest_of("head"), digest_of("parameters").hex(), (3.0,))
    assert not own.start(place, others=1)
    assert work.samples == 0
    assert work.is_finite()
    assert told == ["Some samples of this peer produced values that are not finite. They were discarded."]


def test_a_peer_votes_in_the_background_once_at_each_place_until_it_looks_for_a_group() -> None:
    asked = list[object]()

    def attend(request: object) -> SimpleNamespace:
        asked.append(request and cast(Any, request).epoch)
        return SimpleNamespace(done=lambda: bool(ends), result=lambda: ends[-1])

    ends = list[bool]()
    """How the averager's votes ended."""
    step = SimpleNamespace(done=lambda: False, cancel=lambda: None)
    averager = SimpleNamespace(
        client_mode=True, seconds_since_call=math.inf, attend=attend, begin=lambda request: step
    )
    names = {"own", "other"}
    own = OwnRound(
        cast(Any, averager),
        Accumulator([]),
        SwarmRules(),
        lambda text: None,
        electorate=lambda: Electorate(len(names), frozenset(names), own="own"),
    )
    here, next_place = (
        Place(epoch, digest_of("head"), digest_of("parameters").hex(), (3.0,)) for epoch in (7, 8)
    )
    found = [own.is_quiet]
    own.attend(here)
    own.attend(here)
    own.attend(next_place)
    found.append(own.is_quiet)
    assert (asked, found) == ([7, 8], [True, False])
    own.seek(next_place, 1)
    own.attend(next_place)
    assert asked == [7, 8], "its round is where it votes"
    own.cancel()
    own.attend(next_place)
    own.stop_attending()
    own.stop_attending()
    assert asked == [7, 8, 8, None]
    own.attend(here)
    ends.append(False)
    own.attend(here)
    assert asked[4:] == [7, 7], "an error, or a look for the commit, has ended them"
    ends.append(True)
    own.attend(here)
    assert asked[6:] == [], "the epoch is committed"
    names.remove("other")
    own.attend(next_place)
    assert asked[6:] == [], "no other user needs its vote"


def test_samples_that_do_not_count_are_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    step = SimpleNamespace(allow_allreduce=lambda: None, weight=0.0, done=lambda: True)
    own, work = round_of(step)
    for gathered in (160, 170, 180):
        work.add(1.0, gathered)
        own.start(Place(7, digest_of("head"), digest_of("parameters").hex(), (3.0,)), others=1)
        own.take_own(committed(0))
    assert [record.message for record in caplog.records if "count" in record.message] == [
        "Of the 170 samples that this peer brings to a round, 160 count: the most by the run's rules."
    ]


def test_a_user_that_neither_joins_nor_votes_holds_a_lone_peer_for_four_rounds_once() -> None:
    names, expected = {"own", "ghost"}, list[int]()
    step = SimpleNamespace(allow_allreduce=lambda: None, weight=0.0, began_allreduce=False, done=lambda: True)
    alone = replace(committed(0), members=1, votes=1.0, seats=1.0)

    def fail() -> None:
        raise RoundFailed("No group formed in time.")

    def begin(request: RoundRequest) -> SimpleNamespace:
        expected.append(request.expected_peers)
        return step

    averager = SimpleNamespace(
        client_mode=False,
        seconds_since_call=math.inf,
        begin=begin,
        get_tensors=lambda: nullcontext([torch.zeros(1)]),
    )
    own = OwnRound(
        cast(Any, averager),
        Accumulator([]),
        SwarmRules(),
        lambda text: None,
        electorate=lambda: Electorate(len(names), frozenset(names), own="own"),
    )

    def rounds(outcome: RoundOutcome | None, count: int = 1) -> list[int]:
        """Make a number of rounds that end with ``outcome``, or fail; return how many peers each expects."""
        step.result = fail if outcome is None else lambda: outcome
        for _ in range(count):
            assert own.start(
                Place(7, digest_of("head"), digest_of("parameters").hex(), (3.0,)), others=len(names) - 1
            )
            own.collect(7)
        return expected[-count:]

    assert rounds(None, 4) == [2, 2, 2, 2]
    assert rounds(alone, 4) == [1, 1, 1, 1], "it is not waited for in the next epochs either"
    names.add("newcomer")
    assert rounds(None, 4) == [3, 3, 3, 3], "each user may come once"
    assert rounds(alone, 2) == [1, 1]
    assert rounds(replace(alone, votes=2.0)) == [1]
    assert rounds(None) == [3], "one of them is there again"


def test_only_a_failed_exchange_makes_the_next_one_more_patient() -> None:
    exchanged = committed(0)
    step = SimpleNamespace(allow_allreduce=lambda: None, weight=0.0, began_allreduce=False)
    step.result, step.done = lambda: exchanged, lambda: True

    def fail() -> None:
        raise RoundFailed("A reducer was lost.")

    averager = SimpleNamespace(
        client_mode=True,
        seconds_since_call=float("inf"),
        begin=lambda request: step,
        get_tensors=lambda: nullcontext([torch.zeros(1)]),
    )
    own = OwnRound(cast(Any, averager), Accumulator([]), SwarmRules(), lambda text: None)
    found = []
    for result, began in ((lambda: exchanged, True), (fail, False), (fail, True), (lambda: exchanged, True)):
        step.result, step.began_allreduce = result, began
        assert own.start(Place(7, digest_of("head"), digest_of("parameters").hex(), (3.0,)), others=1)
        own.collect(7)
        found.append(own.limits.allreduce_seconds)
    assert found == [6.0, 6.0, 12.0, 6.0]
