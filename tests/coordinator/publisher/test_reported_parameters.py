"""A state is believed if half of the volunteers say they have it; the checkpoint is offered where it is lacked."""

import random
from dataclasses import replace
from typing import Any

import pytest

from coordinator.peer_users import PeerUsers
from coordinator.publisher.offers import MissingState, is_wanted
from coordinator.publisher.reported_parameters import ReportedParameters
from core.swarm.membership.cohorts import Cohort, cohorts_in
from core.swarm.membership.summarising import summarise
from core.swarm.state.beginning import Beginning
from core.swarm.state.replica import Place
from tests.core.swarm.builders import digest_of, peer_bytes, progress

BEGINNING = Beginning(digest_of("genesis"), 4)
HONEST = Place(7, digest_of("head"), digest_of("parameters").hex(), (3.0, -4.0, 0.0))
LIE = {"parameters": digest_of("lie"), "sketch": [3.0, -4.1, 0.0]}
UNLIKE = {"parameters": digest_of("other last bits"), "sketch": [3.0, -4.0001, 0.0]}
"""Fields that differ in the record of an honest machine of another kind."""


@pytest.mark.parametrize(
    ("changes", "believed"),
    [
        ([{}], True),
        ([{}, {}, LIE], True),
        ([{}, LIE], True),
        ([{}, LIE, LIE], False),
        ([LIE], False),
        ([UNLIKE, UNLIKE | {"parameters": digest_of("others yet")}, LIE], True),
        ([{}, LIE, LIE | {"parameters": digest_of("another lie")}], False),
        ([UNLIKE | {"sketch": []}], False),
        ([UNLIKE | {"head": digest_of("elsewhere")}], False),
        ([], False),
        ([{"epoch": 8}], False),
        ([{"head": digest_of("elsewhere")}], False),
        ([{"synchronised": False}], False),
        ([{"auxiliary": True}], False),
    ],
)
def test_a_state_needs_half_of_the_users_whatever_the_last_bits_of_their_machines(
    changes: list[dict[str, Any]], believed: bool
) -> None:
    reported = ReportedParameters(BEGINNING, PeerUsers(None), 1e-3)
    reported.see([progress(number, **changed) for number, changed in enumerate(changes)])
    assert (reported.refusal(HONEST) is None) == believed


def test_an_answer_is_remembered_for_the_time_that_a_download_takes() -> None:
    reported = ReportedParameters(BEGINNING, PeerUsers(None), 1e-3)
    for epoch in range(7, 60):
        reported.see([progress(0, epoch=epoch)])
    assert reported.refusal(HONEST) is None
    for epoch in range(60, 90):
        reported.see([progress(0, epoch=epoch)])
    assert reported.refusal(HONEST) is not None


@pytest.mark.parametrize(
    ("epochs", "believed"),
    [
        ([50], True),
        ([50, 50], True),
        ([50, 49], True),
        ([50, 50, 7], True),
        ([50, 7], False),
        ([50, 7, 7], False),
        ([50, 48, 48, 50, 47], False),
    ],
)
def test_an_epoch_that_the_swarm_has_not_reached_is_not_believed_whoever_reports_it(
    epochs: list[int], believed: bool
) -> None:
    reported = ReportedParameters(BEGINNING, PeerUsers(None), 1e-3)
    reported.see([progress(number, epoch=epoch) for number, epoch in enumerate(epochs)])
    reported.see([])
    assert (reported.refusal(replace(HONEST, epoch=50)) is None) == believed


def test_who_names_many_epochs_pushes_out_nobodys_claims() -> None:
    reported = ReportedParameters(BEGINNING, PeerUsers(None), 1e-3)
    for epoch in range(100, 300):
        reported.see([progress(0), progress(1), progress(2, epoch=epoch)])
    assert reported.refusal(HONEST) is None


def test_a_peer_counts_once_an_epoch() -> None:
    reported = ReportedParameters(BEGINNING, PeerUsers(None), 1e-3)
    reported.see([progress(0), progress(1)])
    for _ in range(5):
        reported.see([progress(2, **LIE)])
    assert reported.refusal(HONEST) is None


def test_those_who_agree_with_most_are_asked_first_and_only_those_who_can_give() -> None:
    records = [
        progress(0, **LIE),
        progress(1),
        progress(2),
        progress(3, reducing=False),
        progress(4, paused=True),
        progress(5, auxiliary=True),
        progress(6, epoch=3),
        progress(7, synchronised=False),
    ]
    assert ReportedParameters(BEGINNING, PeerUsers(None), 1e-3).donors(records) == [
        peer_bytes(1),
        peer_bytes(2),
        peer_bytes(0),
    ]


JOINING: dict[str, Any] = {"epoch": 0, "synchronised": False}


@pytest.mark.parametrize(
    ("others", "wanted"),
    [
        ([], False),
        ([JOINING], True),
        ([JOINING, {"epoch": 6}], True),
        ([JOINING, {"epoch": 7}], False),
        ([JOINING, {"epoch": 9}], False),
        ([JOINING, {"epoch": 9, "paused": True}], True),
        ([JOINING, {"epoch": 9, "reducing": False}], True),
        ([{"epoch": 9, "synchronised": False}], False),
        ([{"epoch": 0, "auxiliary": True}], False),
    ],
)
def test_a_checkpoint_is_given_where_somebody_lacks_it_and_nobody_else_can(
    others: list[dict[str, Any]], wanted: bool
) -> None:
    assert is_wanted([progress(number, **changed) for number, changed in enumerate(others)], 7) == wanted


PROMISE: dict[str, Any] = {"epoch": 9}
"""The record of a witness who claims to have the state."""


@pytest.mark.parametrize(
    ("looks", "given"),
    [
        ([(0, [PROMISE, JOINING])], False),
        ([(0, [PROMISE, JOINING]), (239, [PROMISE, JOINING])], False),
        ([(0, [PROMISE, JOINING]), (241, [PROMISE, JOINING])], True),
        ([(0, [PROMISE, JOINING]), (200, [PROMISE]), (241, [PROMISE, JOINING])], False),
        ([(0, [PROMISE, JOINING]), (241, [PROMISE, {"epoch": 9}, JOINING])], False),
        ([(0, [PROMISE, JOINING | {"paused": True}]), (241, [PROMISE, JOINING | {"paused": True}])], False),
    ],
)
def test_who_only_says_that_it_has_the_state_keeps_it_from_nobody_for_long(
    looks: list[tuple[float, list[dict[str, Any]]]], given: bool
) -> None:
    missing = MissingState(iter([at for at, _ in looks]).__next__)
    found = [
        missing.is_of([progress(number, **changed) for number, changed in enumerate(others)], 7)
        for _, others in looks
    ]
    assert found[-1] == given


# --- a large swarm, known by summaries --------------------------------------------------------------------------

ELSEWHERE: dict[str, Any] = {"head": digest_of("elsewhere")}
AHEAD: dict[str, Any] = {"epoch": 8, "head": digest_of("next")}


def summary_of(*groups: tuple[int, dict[str, Any]], seed: int = 1) -> list[Cohort]:
    """The cohorts of so many peers with these changes."""
    changes = [changed for count, changed in groups for _ in range(count)]
    records = [progress(number, **changed) for number, changed in enumerate(changes)]
    made = summarise(records, peer_id=peer_bytes(999), level=2, now=1000.0, chance=random.Random(seed))
    return list(cohorts_in(made))


@pytest.mark.parametrize(
    ("summaries", "believed"),
    [
        ([[(100, {})]], True),
        ([[(60, {}), (40, ELSEWHERE)]], True),
        ([[(40, {}), (60, ELSEWHERE)]], False),
        ([[(60, {}), (40, LIE)]], True),  # a place has the parameters of most peers there
        ([[(40, {}), (60, LIE)]], False),
        ([[(100, LIE | UNLIKE)]], True),
        ([[(100, {"synchronised": False})]], False),
        ([[(100, AHEAD)]], False),
        # stragglers that stay behind are not all that were there
        ([[(100, {})], [(90, AHEAD), (10, ELSEWHERE)]], True),
        ([[(10, ELSEWHERE), (90, {"epoch": 6})], [(100, {})]], True),
    ],
)
def test_a_state_needs_half_of_the_peers_that_summaries_have_at_its_epoch(
    summaries: list[list[tuple[int, dict[str, Any]]]], believed: bool
) -> None:
    reported = ReportedParameters(BEGINNING, PeerUsers(None), 1e-3)
    for seed, groups in enumerate(summaries):
        reported.see(summary_of(*groups, seed=seed))
        reported.see(summary_of(*groups, seed=seed + 10))  # the same peers, of whom others are named
    assert (reported.objection(HONEST) is None) == believed


def test_summaries_are_remembered_as_long_as_a_user_s_claims() -> None:
    reported = ReportedParameters(BEGINNING, PeerUsers(None), 1e-3)
    for epoch in range(7, 90):
        reported.see(summary_of((100, {"epoch": epoch})))
        assert (reported.objection(HONEST) is None) == (epoch < 7 + 64)


def test_donors_of_the_place_of_most_peers_are_asked_first() -> None:
    cohorts = summary_of((70, ELSEWHERE), (130, {}))
    found = ReportedParameters(BEGINNING, PeerUsers(None), 1e-3).donors(cohorts)
    places = {cohort.peer_id: cohort.head for cohort in cohorts}
    heads = [places[peer] for peer in found]
    assert len(found) > 20
    assert heads == sorted(heads, key=lambda head: head == digest_of("elsewhere"))


@pytest.mark.parametrize(
    ("behind", "given"), [(100, True), (60, True), (40, False)], ids=["most", "half", "newcomers"]
)
def test_half_of_a_large_swarm_that_lacks_a_state_is_no_newcomers(behind: int, given: bool) -> None:
    """Each summary names others; and to a large swarm some peers have always just come."""
    missing = MissingState(iter([0.0, 241.0]).__next__)
    found = [
        missing.is_of(summary_of((behind, JOINING), (110 - behind, PROMISE), seed=seed), 7)
        for seed in range(2)
    ]
    assert found == [False, given]
