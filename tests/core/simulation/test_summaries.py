"""Peers of a large simulated swarm share what a summary tells them, and see what each would see by itself."""

from hypothesis import given
from hypothesis import strategies as st

from core.simulation.summaries import KnownSummary
from core.swarm.membership.cohorts import cohorts_in, others_in
from core.swarm.membership.summary_choice import FollowedCommits
from core.swarm.membership.swarm_view import SwarmView
from core.swarm.wire.records import ProgressRecord
from tests.core.swarm.builders import FIFTY_EXAMPLES, digest_of, progress
from tests.core.swarm.membership.test_cohorts import NOW, summary_of, swarm


def known(records: list[ProgressRecord], seed: int) -> KnownSummary:
    return KnownSummary(1, NOW, 2, cohorts_in(summary_of(records, seed=seed)), size=5_000)


def followed(record: ProgressRecord, landed: float) -> tuple[FollowedCommits, ProgressRecord]:
    """Return the commits of a peer that went from the place of ``record`` to the next, and its record after that."""
    commits = FollowedCommits()
    commits.note(record)
    after = record.model_copy(
        update={"epoch": 8, "head": digest_of("head 8"), "time": landed + 3.0, "epoch_seconds": 3.0}
    )
    commits.note(after)
    return commits, after


@FIFTY_EXAMPLES
@given(st.integers(65, 300), st.integers(0, 10**6), st.lists(st.floats(0.0, 20.0), min_size=2, max_size=5))
def test_a_shared_view_answers_as_the_view_of_each_peer(size: int, seed: int, landings: list[float]) -> None:
    records = swarm(size, seed)
    summary = known(records, seed)
    standing = [record for record in records if record.epoch == 7 and not record.paused]
    now = NOW + 30.0
    for record, delay in zip(standing, landings, strict=False):
        commits, own = followed(record, NOW + delay)
        counted = record
        found = commits.applied(others_in(summary.cohorts, own.peer_id, counted), NOW, now)
        real = SwarmView(now, tuple(found), seen_at=now)
        shared = summary.seen_by(SwarmView(now, seen_at=now), own.peer_id, counted, commits, now)
        assert shared.seen_at == now
        assert shared.near(own) == real.near(own)
        assert shared.trainers() == real.trainers()
        assert shared.trainers_near(own) == real.trainers_near(own)
        assert sorted(shared.reducers(8, own.head)) == sorted(real.reducers(8, own.head))
        assert sorted(shared.donors(8, own.head)) == sorted(real.donors(8, own.head))
        assert shared.epoch_seconds(own, now) == real.epoch_seconds(own, now)


def test_peers_that_are_alike_share_their_answers_and_one_that_is_named_does_not_ask_itself() -> None:
    records = [progress(number, time=NOW - 5.0) for number in range(1, 101)]
    summary = known(records, seed=3)
    named = {cohort.peer_id for cohort in summary.cohorts}
    began, commits = SwarmView(NOW), FollowedCommits()
    views = {
        record.peer_id: summary.seen_by(began, record.peer_id, record, commits, NOW) for record in records
    }
    assert len({id(view.answers) for peer, view in views.items() if peer not in named}) == 1
    for peer in named:
        assert not any(record.can_be_asked for record in views[peer].others if record.peer_id == peer)
