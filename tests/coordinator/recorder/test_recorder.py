"""The recorder's ledger against a swarm that commits what the test says: each epoch once, and nothing made up."""

import logging
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from coordinator.database.connect import Database
from coordinator.database.tables import Doubt, Epoch, KnownPeer, User
from coordinator.ledger.credit import CreditReason
from coordinator.messages import RelaysNow
from coordinator.recorder.recorder import Recorder
from core.messages.reach import RelayUsedUp
from core.run.contact import GateRules
from core.swarm.rounds.combination import ReducedGroup
from tests.coordinator.forking import dies_at_statement
from tests.coordinator.ledger_rows import credits_of, now_of, rows
from tests.coordinator.recorder.stand_in_swarm import START, RecorderClock, StandInSwarm, name_of, turn
from tests.core.swarm.builders import digest_of, peer_bytes

PAIR = {0: 40.0, 1: 24.0}


def epoch(swarm: StandInSwarm, recorder: Recorder, clock: RecorderClock, seconds: float = 10.0) -> None:
    """An epoch of peers 0 and 1 that is seen from its beginning to its end."""
    swarm.gather({0: 40, 1: 24}, rate=3.0)
    turn(recorder)
    clock.pass_(seconds)
    swarm.commit(PAIR)
    turn(recorder)


def epochs_of(database: Database) -> dict[int, float]:
    """The epochs in the ledger, with the seconds that each took."""
    return {row.epoch: row.seconds for row in rows(database, Epoch)}


def test_an_epoch_is_entered_with_all_that_its_commit_proves(
    swarm: StandInSwarm, recorder: Recorder, database: Database, clock: RecorderClock
) -> None:
    epoch(swarm, recorder, clock)
    (row,) = rows(database, Epoch)
    wire = sum(part.wire_bytes + part.aggregate_bytes for part in swarm.parts)
    assert (row.generation, row.epoch, row.root) == (0, 1, swarm.heads[1].hex())
    assert (row.loss, row.samples, row.peers, row.traffic) == (2.0, 64, 2, wire)
    assert (row.time, row.seconds) == (START + timedelta(seconds=10), 10.0)
    assert credits_of(database) == {(1, name_of(0)): 40, (1, name_of(1)): 24}
    assert {peer.device for peer in rows(database, KnownPeer)} == {"cpu"}


def test_turns_without_news_change_nothing(
    swarm: StandInSwarm, recorder: Recorder, database: Database, clock: RecorderClock
) -> None:
    epoch(swarm, recorder, clock)
    before = credits_of(database)
    for _ in range(3):
        turn(recorder)
    assert (credits_of(database), len(swarm.asked)) == (before, 1)


def test_epochs_that_nobody_watched_are_caught_up_on_and_share_the_time(
    swarm: StandInSwarm, recorder: Recorder, database: Database, clock: RecorderClock
) -> None:
    epoch(swarm, recorder, clock)
    for _ in range(5):
        swarm.commit(PAIR)
    clock.pass_(100.0)
    turn(swarm.recorder(database, clock))
    assert epochs_of(database) == {1: 10.0, **dict.fromkeys(range(2, 7), 20.0)}
    assert [row.time for row in rows(database, Epoch)][-1] == clock.time
    assert sum(credits_of(database).values()) == 6 * 64


def test_a_liar_is_credited_no_more_than_it_had_claimed_before(
    swarm: StandInSwarm, recorder: Recorder, database: Database, clock: RecorderClock
) -> None:
    """Peer 1 tells its group of 1,000 samples, and had told the swarm of 10, at two a second."""
    swarm.gather({0: 40, 1: 10}, rate=2.0)
    turn(recorder)
    clock.pass_(10)
    swarm.commit({0: 40.0, 1: 1000.0})
    turn(recorder)
    found = credits_of(database)
    assert found[1, name_of(0)] == 40
    assert 10 <= found[1, name_of(1)] <= 10 + 2 * 10
    (doubt,) = rows(database, Doubt)
    assert (doubt.claimed, doubt.why) == (1000.0, CreditReason.ABOVE_CLAIM)


def test_what_is_forgotten_is_waited_for_and_then_left_out(
    swarm: StandInSwarm, recorder: Recorder, database: Database, clock: RecorderClock
) -> None:
    epoch(swarm, recorder, clock)
    for _ in range(4):
        swarm.commit(PAIR)
    swarm.forget(3)
    turn(recorder)
    assert sorted(epochs_of(database)) == [1], "a peer may still give it"
    clock.pass_(11)
    turn(recorder)
    assert sorted(epochs_of(database)) == [1, 4, 5], "nothing is made up"
    swarm.commit(PAIR)
    turn(recorder)
    assert sorted(epochs_of(database)) == [1, 4, 5, 6]


def test_a_summary_that_is_late_closes_the_gap(
    swarm: StandInSwarm, recorder: Recorder, database: Database, clock: RecorderClock
) -> None:
    epoch(swarm, recorder, clock)
    swarm.commit(PAIR)
    late = swarm.summaries.pop(swarm.heads[2])
    turn(recorder)
    swarm.commit(PAIR)
    clock.pass_(5)
    turn(recorder)
    swarm.summaries[late.record.root] = late
    turn(recorder)
    assert sorted(epochs_of(database)) == [1, 2, 3]


def test_what_is_recorded_stays_when_the_swarm_goes_on_from_another_branch(
    swarm: StandInSwarm, recorder: Recorder, database: Database, clock: RecorderClock
) -> None:
    epoch(swarm, recorder, clock)
    swarm.commit(PAIR, branch="the losing one")
    turn(recorder)
    lost = swarm.heads.pop()
    swarm.commit({0: 64.0})
    swarm.commit(PAIR)
    turn(recorder)
    found = {row.epoch: row.root for row in rows(database, Epoch)}
    assert found == {1: swarm.heads[1].hex(), 2: lost.hex(), 3: swarm.heads[3].hex()}
    assert credits_of(database)[2, name_of(0)] == 40, "nobody is credited twice for an epoch"


def test_a_place_that_peers_do_not_stand_at_by_right_is_not_recorded(
    swarm: StandInSwarm, recorder: Recorder, database: Database
) -> None:
    """Liars have the root of the first epoch, and say that it is the hundredth."""
    swarm.commit(PAIR)
    swarm.peers = tuple(record.model_copy(update={"epoch": 100}) for record in swarm.peers)
    turn(recorder)
    assert not epochs_of(database)


@pytest.mark.parametrize("gate", [None, GateRules(key="ab" * 32)])
def test_one_user_s_many_computers_write_no_history_behind_a_gate(
    tmp_path: Path, database: Database, clock: RecorderClock, gate: GateRules | None
) -> None:
    """Liars commit epochs among themselves, and are more than the two who do not know of these."""
    swarm, liars = StandInSwarm(tmp_path / "run", gate=gate), range(2, 9)
    with database.session() as session:
        for name, peers in {"ada": [0], "bob": [1], "mallory": liars}.items():
            user = User(name=name, created=START)
            session.add(user)
            session.flush()
            session.add_all(
                KnownPeer(peer_id=name_of(peer), user_id=user.id, created=START) for peer in peers
            )
    swarm.commit(PAIR)
    honest = swarm.peers
    swarm.commit(dict.fromkeys(liars, 64.0))
    swarm.peers = (*honest, *swarm.peers)
    turn(swarm.recorder(database, clock))
    assert set(epochs_of(database)) == ({1} if gate else {1, 2})


def test_the_swarm_is_reported_as_it_changes_and_now_and_then(
    swarm: StandInSwarm, recorder: Recorder, database: Database, clock: RecorderClock
) -> None:
    swarm.gather({0: 8, 1: 24}, rate=2.0)
    turn(recorder)
    now = now_of(database)
    assert (now.epoch, now.gathered, now.target, now.seconds_to_next) == (0, 32, 64, 8.0)
    clock.pass_(2)
    turn(recorder)
    assert now_of(database).time == now.time
    clock.pass_(4)
    turn(recorder)
    assert now_of(database).time == clock.time
    epoch(swarm, recorder, clock)
    now = now_of(database)
    assert (now.epoch, now.loss, now.exchanged_bytes) == (1, 2.0, rows(database, Epoch)[0].traffic)


def test_rounds_that_never_succeed_are_warned_of_in_the_state_and_the_log(
    swarm: StandInSwarm,
    recorder: Recorder,
    database: Database,
    clock: RecorderClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Both state that they accept connections, have a whole batch, and can't reach each other."""
    swarm.gather({0: 64, 1: 64}, rate=0.01)  # a batch takes them an hour: no epoch is overdue yet
    with caplog.at_level(logging.INFO, "coordinator.recorder.recorder"):
        for _ in range(5):
            turn(recorder)
            clock.pass_(50)
        assert (now_of(database).warning or "").startswith("2 computers have the samples of the next epoch")
        warned = [record.levelno for record in caplog.records if "no round has succeeded" in record.message]
        assert warned == [logging.WARNING], "once, whatever its numbers are"
        swarm.commit(PAIR)
        turn(recorder)
    assert now_of(database).warning is None
    assert caplog.messages[-1] == "The last warning is over."


def test_a_relay_that_has_used_up_its_total_is_warned_of_beside_other_warnings(
    swarm: StandInSwarm,
    recorder: Recorder,
    database: Database,
    clock: RecorderClock,
    caplog: pytest.LogCaptureFixture,
) -> None:
    used_up = RelayUsedUp(gigabytes=10.0, total=10.0, since=START, until=START + timedelta(hours=14))
    swarm.gather({0: 64, 1: 64}, rate=0.01)
    with caplog.at_level(logging.INFO, "coordinator.recorder.recorder"):
        turn(recorder)
        swarm.relays.hear(RelaysNow(used_up={"bootstrap": used_up}))
        turn(recorder)
        now = now_of(database)
        assert now.used_up_relays["bootstrap"].until == START + timedelta(hours=14)
        assert (now.warning or "").startswith(
            "The bootstrap peer has used up its relay total of the day (10 GB)"
        )
        for _ in range(4):
            clock.pass_(50)
            turn(recorder)
        holdup, relay = (now_of(database).warning or "").split("\n\n")
        assert holdup.startswith("2 computers have the samples of the next epoch")
        assert relay == now.warning
        swarm.commit(PAIR)
        turn(recorder)
        assert now_of(database).warning == relay
        swarm.relays.hear(RelaysNow(used_up={}))
        turn(recorder)
    assert (now_of(database).warning, now_of(database).used_up_relays) == (None, {})
    warned = [record.message for record in caplog.records if record.levelno == logging.WARNING]
    assert [text.partition(" used")[0] for text in warned if "used up" in text] == ["The bootstrap peer has"]
    assert len(warned) == 2, "each is there once"
    assert caplog.messages[-1] == "The last warning is over."


def test_a_batch_that_waits_while_epochs_are_made_is_no_holdup(
    swarm: StandInSwarm, recorder: Recorder, database: Database, clock: RecorderClock
) -> None:
    """Trainers that go on during a round have the next batch before it ends."""
    for _ in range(5):
        swarm.commit(PAIR)
        swarm.gather({0: 64, 1: 64}, rate=0.01)
        turn(recorder)
        clock.pass_(50)
        assert now_of(database).warning is None


def test_trainers_on_branches_of_their_own_are_warned_of(
    swarm: StandInSwarm, recorder: Recorder, database: Database, clock: RecorderClock
) -> None:
    swarm.gather({0: 8, 1: 8, 2: 8})
    swarm.peers = tuple(
        record.model_copy(update={"head": digest_of(f"branch {number}")})
        for number, record in enumerate(swarm.peers)
    )
    turn(recorder)
    assert now_of(database).warning is None
    clock.pass_(121)
    turn(recorder)
    assert (now_of(database).warning or "").startswith("Only 1 of 3 computers is in step")


def test_a_recorder_that_is_killed_anywhere_leaves_the_same_ledger(
    swarm: StandInSwarm, address: str, clock: RecorderClock
) -> None:
    for _ in range(3):
        swarm.commit(PAIR)
    clock.pass_(30)

    def record() -> None:
        database = Database.open(address)
        turn(swarm.recorder(database, clock))
        database.close()

    number, deaths = 1, 0
    while dies_at_statement(number, record):
        number, deaths = number + 7, deaths + 1
    database = Database.open(address)
    assert deaths > 3
    assert sorted(epochs_of(database)) == [1, 2, 3]
    assert sum(credits_of(database).values()) == 3 * 64
    database.close()


def test_an_epoch_of_several_groups_counts_the_peers_whose_list_is_lost(
    swarm: StandInSwarm, recorder: Recorder, database: Database, clock: RecorderClock
) -> None:
    swarm.gather({0: 40, 1: 24}, rate=3.0)
    turn(recorder)
    clock.pass_(10)
    swarm.commit(PAIR)
    whole = swarm.summaries[swarm.heads[-1]]
    groups = tuple(
        ReducedGroup(digest_of(f"group {number}")[:20], samples, 1, (peer_bytes(number),))
        for number, samples in PAIR.items()
    )
    last = replace(whole.last, contributors=(), groups=groups)
    swarm.summaries[swarm.heads[-1]] = replace(whole, last=last, named=whole.last.contributors[:1])
    turn(recorder)
    (row,) = rows(database, Epoch)
    wire = sum(part.wire_bytes + part.aggregate_bytes for part in swarm.parts)
    assert (row.samples, row.peers, row.traffic) == (64, 2, wire)
    assert credits_of(database) == {(1, name_of(0)): 40}
