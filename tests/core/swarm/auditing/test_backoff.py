"""A fault costs a peer rounds: few after an accident, ever more for one that fails whenever it may."""

import pytest

from core.swarm.auditing.backoff import USUAL, Conduct, Exclusion, PeerFault, after_fault, exclusion, forgiven

LOST, SILENT, GROUP, AGGREGATE = (
    PeerFault.LOST_PARTS,
    PeerFault.SILENT_SENDER,
    PeerFault.FALSE_GROUP,
    PeerFault.FALSE_AGGREGATE,
)


@pytest.mark.parametrize(
    ("before", "fault", "now", "after"),
    [
        (Conduct(), LOST, 10, Conduct(1, 13)),
        (Conduct(), SILENT, 10, Conduct(1, 13)),
        (Conduct(), GROUP, 10, Conduct(6, 75)),
        (Conduct(), PeerFault.UNKNOWN_GROUP, 10, Conduct(2, 15)),
        (Conduct(), AGGREGATE, 10, Conduct(4, 27)),
        (Conduct(1, 13), LOST, 13, Conduct(2, 18)),
        (Conduct(2, 18), LOST, 18, Conduct(3, 27)),
        # while it is excluded it may fail all the same: it sends nothing, say
        (Conduct(2, 18), SILENT, 14, Conduct(3, 23)),
        # what it had before has been forgiven
        (Conduct(1, 13), LOST, 21, Conduct(1, 24)),
        (Conduct(3, 13), LOST, 21, Conduct(3, 30)),
        # it never counts for less than it did
        (Conduct(1, 400), LOST, 10, Conduct(2, 400)),
        (Conduct(60, 13), AGGREGATE, 13, Conduct(64, 14 + USUAL.most_rounds)),
        # what may be an accident never excludes from groups, and takes nothing from what a peer had before
        (Conduct(4, 13), LOST, 13, Conduct(5, 46)),
        (Conduct(5, 46), LOST, 46, Conduct(5, 79)),
        (Conduct(5, 46), SILENT, 46, Conduct(5, 79)),
        (Conduct(5, 46), PeerFault.NO_ACCOUNT, 46, Conduct(5, 79)),
        (Conduct(5, 46), PeerFault.FALSE_FINDING, 46, Conduct(5, 79)),
        (Conduct(8, 13), LOST, 13, Conduct(8, 14 + USUAL.most_rounds)),
        (Conduct(5, 46), AGGREGATE, 46, Conduct(9, 47 + USUAL.most_rounds)),
    ],
)
def test_a_fault_excludes_for_twice_as_long_as_the_one_before(
    before: Conduct, fault: PeerFault, now: int, after: Conduct
) -> None:
    assert after_fault(before, fault, now) == after


@pytest.mark.parametrize(
    ("conduct", "now", "excluded"),
    [
        (Conduct(), 0, Exclusion.NONE),
        (Conduct(1, 13), 12, Exclusion.REDUCING),
        (Conduct(1, 13), 13, Exclusion.NONE),
        (Conduct(5, 13), 12, Exclusion.REDUCING),
        (Conduct(6, 13), 12, Exclusion.GROUPS),
        (Conduct(6, 13), 13, Exclusion.NONE),
    ],
)
def test_few_strikes_cost_the_share_of_reducing_and_many_the_group(
    conduct: Conduct, now: int, excluded: Exclusion
) -> None:
    assert exclusion(conduct, now) is excluded


@pytest.mark.parametrize(
    ("now", "strikes"), [(13, 3), (20, 3), (21, 2), (28, 2), (29, 1), (37, 0), (1000, 0)]
)
def test_strikes_are_forgiven_one_by_one(now: int, strikes: int) -> None:
    assert forgiven(Conduct(3, 13), now).strikes == strikes


def test_a_peer_that_fails_whenever_it_may_costs_few_rounds() -> None:
    conduct, failed = Conduct(), 0
    for now in range(300):
        if exclusion(conduct, now) is Exclusion.NONE:
            conduct, failed = after_fault(conduct, LOST, now), failed + 1
    assert failed <= 13


@pytest.mark.parametrize("fault", [LOST, SILENT])
def test_a_slow_peer_that_fails_in_every_round_stays_in_groups(fault: PeerFault) -> None:
    conduct = Conduct()
    for now in range(300):
        conduct = after_fault(conduct, fault, now)
        assert exclusion(conduct, now + 1) is Exclusion.REDUCING


def test_a_peer_with_a_lost_line_now_and_then_reduces_in_most_rounds() -> None:
    conduct, reduced = Conduct(), 0
    for now in range(300):
        reduced += exclusion(conduct, now) is Exclusion.NONE
        if now % 30 == 0:
            conduct = after_fault(conduct, LOST, now)
        assert exclusion(conduct, now) is not Exclusion.GROUPS
    assert reduced >= 270
