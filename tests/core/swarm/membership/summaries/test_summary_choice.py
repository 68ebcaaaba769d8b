"""A peer goes by the newest summary of those that have not lied, and by its own commits where that is older."""

import random
from typing import Any

import pytest

from core.swarm.membership.cohorts import cohorts_in
from core.swarm.membership.deputies import DeputyRules, Roster, drawn, roster_of
from core.swarm.membership.summarising import summarise
from core.swarm.membership.summary_choice import FollowedCommits, SummaryChoice
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.wire.summaries import SummaryRecord
from tests.core.swarm.builders import HandClock, digest_of, peer_bytes, progress

PEERS = [progress(number, time=50.0) for number in range(1, 100)]


def summary(summariser: int = 500, made_at: float = 50.0, level: int = 3, **changed: Any) -> dict[str, Any]:
    records = [item.model_copy(update=changed) for item in PEERS]
    made = summarise(
        records, peer_id=peer_bytes(summariser), level=level, now=made_at, chance=random.Random(1)
    )
    return made.pack()


def choice_of(clock: HandClock) -> SummaryChoice:
    """Return the choice of a peer that has entered the swarm by three peers."""
    return SummaryChoice([peer_bytes(number) for number in (500, 501, 502)], "tiny", dht_clock=clock)


def fresh_one(choice: SummaryChoice) -> bytes | None:
    """Return the id of the summariser whose summary is fresh."""
    return choice.fresh.peer_id if choice.fresh is not None else None


def test_the_newest_summary_counts_while_it_is_fresh_and_its_level_as_long_as_none_is_newer() -> None:
    clock = HandClock()
    choice = choice_of(clock)
    assert (fresh_one(choice), choice.level) == (None, 0)
    choice.take([summary(500, 30.0, 2), summary(501, 49.0, 3), summary(502, 40.0, 4)])
    assert (fresh_one(choice), choice.level) == (peer_bytes(501), 3)
    clock.now += 1000.0
    assert (fresh_one(choice), choice.level) == (None, 3)


def test_what_is_no_summary_and_what_comes_from_the_future_is_left_out() -> None:
    choice = choice_of(HandClock())
    choice.take([None, {"peer_id": b""}, summary() | {"rows": b"x"}, summary(made_at=50.0 + 600.0, level=5)])
    assert (choice.newest, choice.level) == (None, 0)


def test_a_summariser_that_lied_is_not_believed_for_an_hour(caplog: pytest.LogCaptureFixture) -> None:
    choice = choice_of(HandClock())
    honest, lying = summary(500, 45.0), summary(501, 50.0, epoch=300)
    choice.take([honest, lying])
    choice.check(PEERS[:30], 3)
    assert fresh_one(choice) == peer_bytes(500)
    choice.take([honest, lying])
    assert fresh_one(choice) == peer_bytes(500)
    assert "is not believed" in caplog.text


# --- deputies ---

RULES = DeputyRules(deputies=2, reserves=1)
LEVEL_OF_ENTRANCE = 3


def left_alone(clock: HandClock) -> tuple[SummaryChoice, list[int]]:
    """Return the choice of a peer whose last summary of an entrance is old, and who is drawn, in the order."""
    clock.now = 1000.0
    choice = SummaryChoice([peer_bytes(500)], "tiny", dht_clock=clock, rules=RULES)
    last = summary(500, 1000.0, LEVEL_OF_ENTRANCE, time=1000.0)
    choice.take([last])
    clock.now += RULES.fresh_seconds + 30.0
    order = drawn(roster_of(SummaryRecord.model_validate(last)), "tiny", clock.now, RULES)
    return choice, [next(number for number in range(1, 100) if peer_bytes(number) == peer) for peer in order]


def test_deputies_are_admitted_once_no_summary_of_an_entrance_is_fresh() -> None:
    clock = HandClock()
    choice, order = left_alone(clock)
    assert choice.admitted.peers == {peer_bytes(number) for number in order}
    assert [choice.is_deputy(peer_bytes(number)) for number in (*order, 500)] == [True, True, False, False]
    clock.now -= 31.0
    assert choice.admitted.peers == frozenset()
    assert not choice.is_deputy(peer_bytes(order[0]))


def test_two_deputies_that_agree_are_followed_and_a_fresh_summary_of_an_entrance_wins() -> None:
    clock = HandClock()
    choice, order = left_alone(clock)
    held = [summary(number, clock.now, 4, time=clock.now) for number in order[:2]]
    choice.take(held[:1])
    assert (fresh_one(choice), choice.level) == (None, LEVEL_OF_ENTRANCE)
    choice.take(held)
    assert (fresh_one(choice), choice.level) == (peer_bytes(order[0]), 4)
    choice.take([*held, summary(500, clock.now - 10.0, 2, time=clock.now)])
    assert (fresh_one(choice), choice.level) == (peer_bytes(500), 2)


def test_a_lone_deputy_is_followed_once_a_drawn_shard_has_not_contradicted_it() -> None:
    clock = HandClock()
    choice, order = left_alone(clock)
    choice.take([summary(order[0], clock.now, LEVEL_OF_ENTRANCE, time=clock.now)])
    assert choice.has_deputies
    assert fresh_one(choice) is None
    choice.check([item.model_copy(update={"time": clock.now}) for item in PEERS[:2]], 1)
    assert fresh_one(choice) is None, "two records are not enough"
    choice.check([item.model_copy(update={"time": clock.now}) for item in PEERS[:12]], 1)
    assert fresh_one(choice) == peer_bytes(order[0])


def test_a_deputy_that_lied_is_dropped_though_another_one_lies_alike() -> None:
    clock = HandClock()
    choice, order = left_alone(clock)
    lying = [summary(number, clock.now, LEVEL_OF_ENTRANCE, time=clock.now, epoch=300) for number in order[:2]]
    choice.take(lying)
    assert fresh_one(choice) == peer_bytes(order[0]), "two that lie alike are believed until a check"
    choice.check([item.model_copy(update={"time": clock.now}) for item in PEERS[:30]], 3)
    assert fresh_one(choice) is None
    assert choice.admitted.peers == {peer_bytes(order[2])}
    honest = summary(order[2], clock.now, LEVEL_OF_ENTRANCE, time=clock.now)
    choice.take([*lying, honest])
    choice.check([item.model_copy(update={"time": clock.now}) for item in PEERS[:30]], 3)
    assert fresh_one(choice) == peer_bytes(order[2])


def test_a_summary_is_not_held_against_shards_of_another_level() -> None:
    clock = HandClock()
    choice, order = left_alone(clock)
    choice.take([summary(order[0], clock.now, 5, time=clock.now)])
    choice.check([item.model_copy(update={"time": clock.now}) for item in PEERS[:30]], 3)
    assert choice.admitted.peers == {peer_bytes(number) for number in order}


def test_the_roster_of_a_liar_is_none() -> None:
    clock = HandClock()
    choice, order = left_alone(clock)
    assert order
    choice.take([summary(500, clock.now, LEVEL_OF_ENTRANCE, time=clock.now, epoch=300)])
    choice.check([item.model_copy(update={"time": clock.now}) for item in PEERS[:30]], 3)
    assert choice.admitted.peers == frozenset()
    own = Roster(frozenset(peer_bytes(number) for number in range(60, 90)), clock.now)
    choice.draw_from(own)
    assert choice.admitted.peers <= own.peers
    assert len(choice.admitted.peers) == 3


def test_no_roster_of_ones_own_replaces_that_of_an_entrance() -> None:
    choice, order = left_alone(HandClock())
    choice.draw_from(Roster(frozenset({peer_bytes(1000)}), 1000.0))
    assert choice.admitted.peers == {peer_bytes(number) for number in order}


def test_one_who_says_that_the_swarm_is_small_is_dropped_where_the_records_show_a_large_one() -> None:
    choice = choice_of(HandClock())
    choice.take([summary(500, 49.0, 0)])
    assert (fresh_one(choice), choice.level) == (peer_bytes(500), 0)
    choice.follow(4)
    assert (fresh_one(choice), choice.level) == (None, 4)
    choice.take([summary(500, 50.0, 0), summary(501, 40.0, 0)])
    assert (fresh_one(choice), choice.level) == (None, 4)
    choice.take([summary(501, 51.0, 5)])
    assert (fresh_one(choice), choice.level) == (peer_bytes(501), 5), "others are believed"


def test_an_old_summary_that_says_that_the_swarm_is_small_makes_nobody_a_liar() -> None:
    clock = HandClock()
    choice = choice_of(clock)
    choice.take([summary(500, 50.0, 0)])
    clock.now += 400.0
    choice.follow(4)
    choice.take([summary(500, 50.0, 0)])
    assert choice.level == 4
    choice.take([summary(500, clock.now + 1.0, 3)])
    assert (fresh_one(choice), choice.level) == (peer_bytes(500), 3)


# --- commits ---


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
