"""All readers draw the same deputies, and believe one only if another one, or records that they have read, agree."""

import random
from collections import Counter
from typing import Any

import pytest

from core.messages.reach import Reach
from core.swarm.membership.deputies import (
    DeputyRules,
    PresentPeers,
    Roster,
    accepted,
    admitted,
    agree,
    drawn,
    is_due,
    roster_of,
)
from core.swarm.membership.summarising import summarise
from core.swarm.wire.summaries import SummaryRecord
from tests.core.swarm.builders import certificate_of, digest_of, peer_bytes, progress

RULES = DeputyRules()
PREFIX = "tiny-0123456789abcdef-0"
SLOT = RULES.slot_seconds
NOW = 100 * SLOT + 900.0
ROSTER = Roster(frozenset(peer_bytes(number) for number in range(48)), NOW - 600.0)
ORDER = drawn(ROSTER, PREFIX, NOW, RULES)


def summary(
    writer: bytes, time: float = NOW, peers: int = 300, level: int = 4, **changed: Any
) -> SummaryRecord:
    records = [progress(1000 + number, time=time, **changed) for number in range(peers)]
    return summarise(records, peer_id=writer, level=level, now=time, chance=random.Random(1))


def believed(*held: SummaryRecord, checked: tuple[bytes, ...] = ()) -> list[bytes]:
    """Return the writers of the summaries that are believed."""
    return [item.peer_id for item in accepted(held, ROSTER, checked, PREFIX, NOW, RULES)]


# --- who is drawn ---


def test_the_draw_is_the_same_for_all_readers_and_within_a_slot() -> None:
    again = Roster(frozenset(sorted(ROSTER.peers)), ROSTER.since)
    assert drawn(again, PREFIX, NOW + SLOT / 4, RULES) == ORDER
    assert len(set(ORDER)) == RULES.deputies + RULES.reserves
    assert set(ORDER) <= ROSTER.peers


def test_other_runs_and_other_slots_have_other_deputies() -> None:
    assert drawn(ROSTER, "another run", NOW, RULES) != ORDER
    assert drawn(ROSTER, PREFIX, NOW + SLOT, RULES) != ORDER
    first = Counter(
        peer
        for slot in range(2000)
        for peer in drawn(ROSTER, f"{PREFIX}{slot}", NOW, RULES)[: RULES.deputies]
    )
    share = 2000 * RULES.deputies / len(ROSTER.peers)
    assert len(first) == len(ROSTER.peers)
    assert max(first.values()) < 2 * share, "the work is shared out"


def test_a_peer_that_is_missing_from_one_readers_roster_moves_the_others_up_and_no_more() -> None:
    smaller = Roster(ROSTER.peers - {ORDER[1]}, ROSTER.since)
    assert drawn(smaller, PREFIX, NOW, RULES)[: len(ORDER) - 1] == (ORDER[0], *ORDER[2:])


def test_nobody_is_drawn_without_a_roster_or_from_one_that_is_too_old() -> None:
    assert drawn(None, PREFIX, NOW, RULES) == ()
    assert drawn(Roster(ROSTER.peers, NOW - RULES.roster_seconds - 1.0), PREFIX, NOW, RULES) == ()


def test_the_roster_has_the_peers_that_are_named_and_answer_calls() -> None:
    records = [
        *(progress(number, time=NOW) for number in range(30)),
        *(progress(number, time=NOW, reach=Reach.RELAYED) for number in range(30, 60)),
        *(progress(number, time=NOW, reach=Reach.OUTGOING, reducing=False) for number in range(60, 90)),
        *(progress(number, time=NOW, paused=True) for number in range(90, 120)),
    ]
    made = summarise(records, peer_id=peer_bytes(999), level=2, now=NOW, chance=random.Random(1))
    roster = roster_of(made)
    assert roster.since == NOW
    assert len(roster.peers) >= 10
    assert roster.peers <= {peer_bytes(number) for number in range(30)}


def test_summaries_are_passed_on_of_the_present_slot_and_a_while_of_the_last_one() -> None:
    turn = 101 * SLOT
    before, after = (set(drawn(ROSTER, PREFIX, time, RULES)) for time in (turn - 1.0, turn))
    assert admitted(ROSTER, PREFIX, turn - 1.0, RULES) == before
    assert admitted(ROSTER, PREFIX, turn + 1.0, RULES) == before | after
    assert admitted(ROSTER, PREFIX, turn + RULES.fresh_seconds, RULES) == after


def test_no_key_can_be_made_to_be_drawn_before_its_peer_was_named() -> None:
    first, second = (roster_of(summary(peer_bytes(999), NOW - ago, peers=40)) for ago in (600.0, 630.0))
    assert first.peers == second.peers
    assert drawn(first, PREFIX, NOW, RULES) != drawn(second, PREFIX, NOW, RULES)


# --- whose turn it is ---


@pytest.mark.parametrize(
    ("rank", "at_work", "seconds", "expected"),
    [
        (0, (), 0.0, True),
        (2, (), 0.0, True),
        (2, (0, 1), 600.0, True),
        (3, (), 0.0, False),  # a reserve waits
        (3, (), 180.0, True),
        (3, (0, 1), 180.0, True),
        (3, (0, 1, 2), 600.0, False),
        (3, (0, 1, 5), 600.0, True),  # one behind it does not count
        (8, (), 359.0, False),
        (8, (), 360.0, True),
        (8, (1, 4, 6), 600.0, False),
    ],
)
def test_who_summarises(rank: int, at_work: tuple[int, ...], seconds: float, expected: bool) -> None:
    begun = 100 * SLOT + 300.0
    roster = Roster(ROSTER.peers, begun - RULES.fresh_seconds)
    now = begun + seconds
    held = [summary(ORDER[number], now - 60.0) for number in at_work]
    assert is_due(ORDER[rank], roster, held, PREFIX, now, RULES) is expected


def test_deputies_wait_until_the_last_summary_of_an_entrance_is_old() -> None:
    roster = Roster(ROSTER.peers, NOW - RULES.fresh_seconds + 1.0)
    assert not is_due(ORDER[0], roster, (), PREFIX, NOW, RULES)
    assert is_due(ORDER[0], roster, (), PREFIX, NOW + 1.0, RULES)


def test_one_that_is_not_drawn_never_has_its_turn() -> None:
    for other in ROSTER.peers.difference(ORDER):
        assert not is_due(other, ROSTER, (), PREFIX, NOW, RULES)
    assert not is_due(peer_bytes(1000), ROSTER, (), PREFIX, NOW, RULES)
    assert not is_due(ORDER[0], None, (), PREFIX, NOW, RULES)


def test_a_deputy_whose_summary_is_old_is_taken_to_be_gone() -> None:
    held = [summary(ORDER[number], NOW - RULES.fresh_seconds - 1.0) for number in range(3)]
    assert is_due(ORDER[3], ROSTER, held, PREFIX, NOW, RULES)


# --- who is believed ---


def test_two_that_agree_are_believed_and_one_alone_is_not() -> None:
    first, second, third = (summary(ORDER[number]) for number in range(3))
    assert believed(first) == []
    assert believed(third, first) == [ORDER[0], ORDER[2]]
    assert believed(third, second, first) == list(ORDER[:3])


def test_two_of_one_user_are_not_believed_for_agreeing() -> None:
    certificates = {"certificate": certificate_of("eve")}
    held = [summary(writer).model_copy(update=certificates) for writer in ORDER[:2]]
    assert believed(*held) == []
    assert believed(*held, summary(ORDER[2])) == [ORDER[0], ORDER[2]]


def test_one_alone_is_believed_if_drawn_records_do_not_contradict_it() -> None:
    assert believed(summary(ORDER[4]), checked=(ORDER[4],)) == [ORDER[4]]


def test_one_that_was_checked_comes_before_those_that_only_agree() -> None:
    held = [summary(ORDER[number]) for number in range(3)]
    assert believed(*held, checked=(ORDER[2],)) == [ORDER[2], ORDER[0], ORDER[1]]


def test_one_that_was_not_drawn_is_never_believed() -> None:
    other = next(iter(ROSTER.peers.difference(ORDER)))
    held = [summary(other), summary(ORDER[0])]
    assert believed(*held, checked=(other,)) == []


def test_a_reserve_does_not_displace_those_before_it() -> None:
    lying = [summary(ORDER[number], epoch=30) for number in (3, 4, 5)]
    held = [summary(ORDER[number]) for number in (0, 1, 2)]
    assert believed(*lying, *held) == list(ORDER[:3])


def test_a_summary_counts_for_the_slot_of_its_own_time() -> None:
    turn = 101 * SLOT
    roster = Roster(ROSTER.peers, turn - 600.0)
    before, after = drawn(roster, PREFIX, turn - 1.0, RULES), drawn(roster, PREFIX, turn, RULES)
    late = next(peer for peer in before if peer not in after)
    held = [summary(late, turn - 60.0)]
    now = turn + 60.0
    assert accepted(held, roster, {late}, PREFIX, now, RULES) == held
    told_later = [summary(late, turn + 30.0)]
    assert accepted(told_later, roster, {late}, PREFIX, now, RULES) == []
    assert accepted(held, roster, {late}, PREFIX, turn + RULES.fresh_seconds, RULES) == []


ALIKE: dict[str, dict[str, Any]] = {
    "the same": {},
    "other samples": {"samples": 5000},
    "a third more peers": {"peers": 400},
    "the next level": {"level": 5},
    "the next epoch": {"epoch": 8, "head": digest_of("next")},
}
UNLIKE: dict[str, dict[str, Any]] = {
    "far more peers": {"peers": 700, "level": 4},
    "far fewer peers": {"peers": 100},
    "a far level": {"level": 2},
    "a later epoch": {"epoch": 9},
    "another head": {"head": digest_of("another branch")},
    "no trainers": {"auxiliary": True},
}


@pytest.mark.parametrize("change", ALIKE)
def test_summaries_agree_that_lead_to_the_same_decisions(change: str) -> None:
    one, other = summary(ORDER[0]), summary(ORDER[1], **ALIKE[change])
    assert agree(one, other, RULES)
    assert agree(other, one, RULES)


@pytest.mark.parametrize("change", UNLIKE)
def test_summaries_do_not_agree_that_differ_in_what_decides(change: str) -> None:
    one, other = summary(ORDER[0]), summary(ORDER[1], **UNLIKE[change])
    assert not agree(one, other, RULES)
    assert not agree(other, one, RULES)


def test_one_an_epoch_ahead_on_another_branch_does_not_agree() -> None:
    ahead = [progress(1000 + number, epoch=8, head=digest_of("next"), time=NOW) for number in range(200)]
    behind = [progress(2000 + number, head=digest_of("another branch"), time=NOW) for number in range(100)]
    made = summarise([*ahead, *behind], peer_id=ORDER[1], level=4, now=NOW, chance=random.Random(1))
    assert not agree(summary(ORDER[0]), made, RULES)


# --- where no summary names any ---


def test_those_who_were_there_for_long_are_the_roster_where_no_summary_has_named_any() -> None:
    present = PresentPeers()
    stays, comes = [progress(number) for number in range(70)], [progress(100)]
    for second in range(0, 1801, 60):
        present.note(stays + (comes if second > 600 else []), NOW + second)
    roster = present.roster(NOW + 1800.0, RULES)
    assert roster == Roster(frozenset(item.peer_id for item in stays), NOW + 1800.0)


@pytest.mark.parametrize(("missing_seconds", "counts"), [(60.0, True), (240.0, False)])
def test_one_that_was_away_begins_again(missing_seconds: float, counts: bool) -> None:
    present, peers = PresentPeers(), [progress(1)]
    present.note(peers, NOW)
    present.note([], NOW + missing_seconds / 2)
    present.note([], NOW + missing_seconds)
    present.note(peers, NOW + missing_seconds + 1.0)
    present.note(peers, NOW + 1800.0)
    assert (present.roster(NOW + 1800.0, RULES) is not None) is counts
