"""A peer judges the others only by what it saw since its last move, and by nothing if it is alone."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from core.run.rules import SwarmRules
from core.swarm.membership.agreement import Course
from core.swarm.membership.membership import Alone, Swarm, seconds_to_round
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.wire.records import ProgressRecord
from tests.core.swarm.builders import HandClock, progress, seen

RULES = SwarmRules(target_batch_size=100)
DEEDS = dict.fromkeys(("start", "publish", "rest", "set_aside", "stop"))
"""What a tracker does, for the tests in which it does nothing."""


def swarm(*others: ProgressRecord) -> Swarm:
    """A swarm that was just looked at."""
    view = seen(0, others)
    return Swarm(cast(Any, SimpleNamespace(view=view, lost=False, is_quiet=True, **DEEDS)), RULES)


def test_a_verdict_needs_a_look_since_the_last_move() -> None:
    membership, own = swarm(progress(1)), progress(0)
    verdict = membership.verdict(own)
    assert verdict is not None
    assert verdict.course is Course.FOLLOW
    membership.moved()
    assert membership.verdict(own) is None


@pytest.mark.parametrize("jump", [-3600.0, 3600.0])
def test_a_clock_that_is_set_neither_hides_a_new_look_nor_shows_an_old_one(jump: float) -> None:
    """Views have the time of the DHT, which is the computer's, too; it does not decide which is newer."""
    clock, dht_time = HandClock(), 1_800_000_000.0
    tracker = cast(Any, SimpleNamespace(view=None, **DEEDS))
    membership, own = Swarm(tracker, RULES, clock=clock), progress(0)
    tracker.view = SwarmView(dht_time, seen_at=clock.now)
    clock.now += 5.0
    membership.moved()
    tracker.view = SwarmView(dht_time + jump, seen_at=clock.now - 1.0)
    assert membership.verdict(own) is None, "that look began before the move"
    tracker.view = SwarmView(dht_time + jump + 2.0, seen_at=clock.now + 1.0)
    assert membership.verdict(own) is not None


@pytest.mark.parametrize(
    ("others", "finite"),
    [
        ((), False),
        ((progress(1, epoch=3),), False),
        ((progress(1, paused=True),), False),
        ((progress(1, samples_per_second=5.0),), True),
    ],
    ids=["nobody", "elsewhere", "paused", "here"],
)
def test_a_round_is_looked_for_only_where_another_works_on_the_same_batch(
    others: tuple[ProgressRecord, ...], finite: bool
) -> None:
    assert (seconds_to_round(swarm(*others), progress(0), RULES) < float("inf")) == finite


def test_only_a_newcomer_waits_for_a_peer_that_gave_nothing() -> None:
    """A trainer that made epochs goes on beside one false claim."""
    ahead = seen(60, aside=(progress(1, epoch=150),))
    tracker = SimpleNamespace(view=ahead, **DEEDS)
    membership = Swarm(cast(Any, tracker), RULES)
    places = [(7, False), (7, True), (9, False), (9, True), (9, False)]
    verdicts = [
        membership.verdict(progress(0, epoch=epoch, synchronised=in_step)) for epoch, in_step in places
    ]
    courses = [verdict.course for verdict in verdicts if verdict is not None]
    assert courses == [Course.AWAIT] * 3 + [Course.FOLLOW] * 2


def test_who_is_alone_agrees_with_itself_and_waits_for_nobody() -> None:
    membership, own = Alone(), progress(0, samples=7)
    assert membership.verdict(own).course is Course.FOLLOW
    assert (membership.partners(own), seconds_to_round(membership, own, RULES)) == (0, float("inf"))
    complete = progress(0, samples=RULES.target_batch_size)
    assert seconds_to_round(membership, complete, RULES) == 0
    assert membership.is_quiet
    assert not membership.view.others
