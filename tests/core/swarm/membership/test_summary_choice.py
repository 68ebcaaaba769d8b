"""A peer goes by the newest summary of those that have not lied, and by its own commits where that is older."""

import random
from typing import Any

import pytest

from core.swarm.membership.cohorts import cohorts_in
from core.swarm.membership.summarising import summarise
from core.swarm.membership.summary_choice import FollowedCommits, SummaryChoice
from core.swarm.membership.swarm_view import SwarmView
from tests.core.swarm.builders import HandClock, digest_of, peer_bytes, progress

PEERS = [progress(number, time=50.0) for number in range(1, 100)]


def summary(summariser: int = 500, time: float = 50.0, level: int = 3, **changed: Any) -> dict[str, Any]:
    records = [item.model_copy(update=changed) for item in PEERS]
    made = summarise(records, peer_id=peer_bytes(summariser), level=level, now=time, chance=random.Random(1))
    return made.pack()


def fresh_one(choice: SummaryChoice) -> bytes | None:
    """Return the id of the summariser whose summary is fresh."""
    return choice.fresh.peer_id if choice.fresh is not None else None


def test_the_newest_summary_counts_while_it_is_fresh_and_its_level_as_long_as_none_is_newer() -> None:
    clock = HandClock()
    choice = SummaryChoice(clock)
    assert (fresh_one(choice), choice.level) == (None, 0)
    choice.take([summary(500, 30.0, 2), summary(501, 49.0, 3), summary(502, 40.0, 4)])
    assert (fresh_one(choice), choice.level) == (peer_bytes(501), 3)
    clock.now += 1000.0
    assert (fresh_one(choice), choice.level) == (None, 3)


def test_what_is_no_summary_and_what_comes_from_the_future_is_left_out() -> None:
    choice = SummaryChoice(HandClock())
    choice.take([None, {"peer_id": b""}, summary() | {"rows": b"x"}, summary(time=50.0 + 600.0, level=5)])
    assert (choice.newest, choice.level) == (None, 0)


def test_a_summariser_that_lied_is_not_believed_for_an_hour(caplog: pytest.LogCaptureFixture) -> None:
    choice = SummaryChoice(HandClock())
    honest, lying = summary(500, 45.0), summary(501, 50.0, epoch=300)
    choice.take([honest, lying])
    choice.check(PEERS[:30], 3)
    assert fresh_one(choice) == peer_bytes(500)
    choice.take([honest, lying])
    assert fresh_one(choice) == peer_bytes(500)
    assert "is not believed" in caplog.text


def test_peers_are_taken_to_have_followed_a_commit_until_they_could_have_told() -> None:
    commits, cohorts = (
        FollowedCommits(),
        cohorts_in(summarise(PEERS, peer_id=peer_bytes(500), level=3, now=50.0, chance=random.Random(1))),
    )
    after = progress(0, epoch=8, head=digest_of("next"), time=60.0, epoch_seconds=2.0)
    commits.note(progress(0))
    assert commits.applied(cohorts, 50.0, 60.0) == cohorts
    commits.note(after)
    moved = SwarmView(60.0, tuple(commits.applied(cohorts, 50.0, 60.0)))
    assert moved.near(after) == len(PEERS)
    assert moved.epoch_seconds(after, 60.0) == pytest.approx(2.0)
    assert commits.applied(cohorts, 58.0 + 100.0, 160.0) == cohorts, "they are seen where they stayed"


def test_a_peer_that_joins_or_fetches_a_state_tells_nothing_of_the_others_way() -> None:
    commits, cohorts = (
        FollowedCommits(),
        cohorts_in(summarise(PEERS, peer_id=peer_bytes(500), level=3, now=50.0, chance=random.Random(1))),
    )
    commits.note(progress(0, synchronised=False))
    commits.note(progress(0, epoch=8, head=digest_of("next")))
    commits.note(progress(0, epoch=12, head=digest_of("far")))
    assert commits.applied(cohorts, 50.0, 60.0) == cohorts
