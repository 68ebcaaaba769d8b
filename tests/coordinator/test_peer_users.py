"""A user counts once, however many computers; in an open run each computer counts."""

import random

import pytest

from coordinator.database.connect import Database
from coordinator.database.tables import KnownPeer, User
from coordinator.peer_users import PeerUsers
from coordinator.publisher.reported_parameters import ReportedParameters
from core.swarm.membership.cohorts import cohorts_in
from core.swarm.membership.majority import leading_place
from core.swarm.membership.summarising import summarise
from core.swarm.membership.swarm_view import peers_of
from core.swarm.state.beginning import Beginning
from core.swarm.state.replica import Place
from core.swarm.wire.records import ProgressRecord
from tests.coordinator.homes import NOW
from tests.coordinator.recorder.stand_in_swarm import name_of
from tests.core.swarm.builders import digest_of, peer_bytes, progress

HONEST = range(3)
"""Peers of users of their own."""
LIARS = range(3, 30)
"""Peers of one user."""
ELSEWHERE, LIE = digest_of("elsewhere"), digest_of("lie")


@pytest.fixture
def gated(database: Database) -> Database:
    with database.session() as session:
        for name, peers in [*((f"user-{number}", [number]) for number in HONEST), ("mallory", LIARS)]:
            user = User(name=name, created=NOW)
            session.add(user)
            session.flush()
            session.add_all(KnownPeer(peer_id=name_of(peer), user_id=user.id, created=NOW) for peer in peers)
    return database


def records() -> list[ProgressRecord]:
    return [
        *(progress(number) for number in HONEST),
        *(progress(number, epoch=90, head=ELSEWHERE) for number in LIARS),
    ]


def test_who_brings_many_computers_moves_the_swarm_nowhere(gated: Database) -> None:
    assert leading_place(PeerUsers(gated).one_per_user(records())) == (7, digest_of("head"))
    assert leading_place(PeerUsers(None).one_per_user(records())) == (90, ELSEWHERE), (
        "each counts where it is open"
    )


def test_a_user_stands_where_most_of_its_computers_do(gated: Database) -> None:
    records = [
        progress(3, epoch=5),
        progress(4, epoch=7),
        progress(5, epoch=7, paused=True),
        progress(6, epoch=7),
    ]
    (spokesman,) = PeerUsers(gated).one_per_user(records)
    assert (spokesman.epoch, spokesman.paused) == (7, False)


def test_a_computer_that_only_helps_or_follows_speaks_for_nobody(gated: Database) -> None:
    assert PeerUsers(gated).one_per_user([progress(0, auxiliary=True), progress(1, synchronised=False)]) == []


def test_who_joins_later_is_known_then(gated: Database) -> None:
    users, newcomer = PeerUsers(gated), peer_bytes(99)
    assert users.of([newcomer]) == {newcomer: newcomer}
    with gated.session() as session:
        user = session.query(User).filter_by(name="mallory").one().id
        session.add(KnownPeer(peer_id=name_of(99), user_id=user, created=NOW))
    assert users.of([newcomer, peer_bytes(3)]) == {newcomer: user, peer_bytes(3): user}


def test_a_summary_counts_peers_since_it_tells_no_users_apart(gated: Database) -> None:
    """One user may have 32 computers, which are less than half of any swarm that is known by a summary."""
    crowd = [progress(number) for number in range(100, 140)]
    made = summarise(
        [*records(), *crowd, progress(200, auxiliary=True), progress(201, synchronised=False)],
        peer_id=peer_bytes(999),
        level=2,
        now=1000.0,
        chance=random.Random(3),
    )
    one_each = PeerUsers(gated).one_per_user(cohorts_in(made))
    assert peers_of(one_each) == len(records()) + len(crowd)
    assert leading_place(one_each) == (7, digest_of("head"))


def test_a_state_that_one_user_vouches_for_with_many_computers_is_not_believed(gated: Database) -> None:
    liars = (progress(number, head=ELSEWHERE, parameters=LIE) for number in LIARS)
    records = [*liars, *(progress(number) for number in HONEST)]
    reported = ReportedParameters(Beginning(digest_of("genesis"), 4), PeerUsers(gated), 1e-3)
    reported.see(records)
    assert reported.refusal(Place(7, ELSEWHERE, LIE.hex(), ())) is not None
    assert reported.refusal(Place(7, digest_of("head"), digest_of("parameters").hex(), ())) is None
    donors = reported.donors(records)
    assert set(donors[:3]) == {peer_bytes(number) for number in HONEST}
    assert len(donors) == 4, "one of each user's"
