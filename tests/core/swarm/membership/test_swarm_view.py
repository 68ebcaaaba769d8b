"""A peer derives from records who counts, and how many samples there are."""

import math
from typing import Any

import pytest

from core.swarm.membership.swarm_view import SwarmView, seconds_until, timely
from tests.core.swarm.builders import digest_of, progress

NOW = 1000.0
OWN = progress(0)


def view(*others: object) -> SwarmView:
    return SwarmView(NOW, tuple(others))  # type: ignore[arg-type]


def test_at_the_same_place_are_those_of_the_same_epoch_and_chain() -> None:
    here = progress(1)
    elsewhere = (
        progress(2, epoch=6),
        progress(3, epoch=8),
        progress(4, head=digest_of("another branch")),
        progress(5, synchronised=False),
    )
    assert view(here, *elsewhere).at(OWN) == (here,)


def test_near_are_those_here_and_those_about_to_arrive() -> None:
    others = (
        progress(1),
        progress(2, epoch=6, head=digest_of("before")),
        progress(3, epoch=6, synchronised=False),
        progress(4, synchronised=False),
        progress(5, epoch=5),
        progress(6, epoch=8),
        progress(7, head=digest_of("another branch")),
    )
    assert view(*others).near(OWN) == 4  # those that are catching up, too


def test_paused_peers_are_neither_waited_for_nor_counted_on() -> None:
    seen = view(progress(1, paused=True), progress(2, epoch=6, paused=True), progress(3))
    own = progress(0)
    assert [record.peer_id for record in seen.at(own)] == [progress(3).peer_id]
    assert seen.near(own) == 1
    assert seen.trainers() == 2
    assert seen.samples(own, 64, 1000.0) == own.samples + progress(3).samples
    assert seen.samples_per_second(own) == own.samples_per_second + progress(3).samples_per_second


@pytest.mark.parametrize(
    ("changed", "is_expected"),
    [
        ({}, True),
        ({"samples": 0}, True),  # its next micro-step ends within the round
        ({"samples": 0, "samples_per_second": 0.01}, False),
        ({"samples": 0, "samples_per_second": 0.0}, False),
        ({"samples": 0, "samples_per_second": 0.0, "epoch_seconds": 14.0}, True),  # it has just come
        ({"samples": 1, "samples_per_second": 0.0}, True),
        ({"samples": 0, "samples_per_second": 0.0, "epoch": 6, "head": digest_of("before")}, True),
        ({"samples": 0, "samples_per_second": 0.0, "auxiliary": True}, True),
    ],
    ids=["has some", "soon", "slow", "none", "new", "began", "arrives", "helps"],
)
def test_trainers_without_a_sample_are_not_expected_in_a_round(
    changed: dict[str, Any], is_expected: bool
) -> None:
    other = progress(1, **{"epoch_seconds": 60.0, **changed})
    assert view(other).near(OWN) == 1
    assert view(other).without_idle(OWN, 15.0).near(OWN) == is_expected


def test_auxiliary_peers_are_no_trainers() -> None:
    assert view(progress(1), progress(2, auxiliary=True)).trainers() == 2
    assert view().trainers() == 1


@pytest.mark.parametrize(
    ("elapsed", "target", "expected"),
    [
        (0.0, 64, 20.0),
        (2.0, 64, 24.0),
        (500.0, 64, 32.0),
        (500.0, 4, 21.6),
        (500.0, 100_000, 60.0),
        (-60.0, 64, 20.0),
    ],
    ids=[
        "now",
        "two seconds ago",
        "two periods of an epoch of 16 s at most",
        "two periods of an epoch of a second",
        "twenty seconds of a long epoch",
        "a clock ahead",
    ],
)
def test_samples_are_extrapolated_until_their_peer_should_have_published_again(
    elapsed: float, target: int, expected: float
) -> None:
    other = progress(1, samples=10, samples_per_second=2.0, time=NOW - elapsed)
    assert view(other).samples(OWN, target, NOW) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("changed", "reducers", "donors"),
    [
        pytest.param({}, 1, 1, id="a trainer"),
        pytest.param({"auxiliary": True}, 1, 0, id="an auxiliary peer has no state"),
        pytest.param({"auxiliary": True, "paused": True, "donates": True}, 0, 1, id="a follower"),
        pytest.param({"reducing": False, "gives": True}, 0, 1, id="it only gives"),
        pytest.param({"reducing": False}, 0, 0, id="it accepts no connections"),
        pytest.param({"synchronised": False}, 0, 0, id="it is joining"),
        pytest.param({"paused": True}, 0, 0, id="it pauses"),
        pytest.param({"epoch": OWN.epoch - 1}, 1, 1, id="it is about to arrive"),
        pytest.param({"epoch": OWN.epoch + 3}, 0, 0, id="it claims to be elsewhere"),
        pytest.param({"head": digest_of("another branch")}, 0, 0, id="it is on another branch"),
    ],
)
def test_who_reduces_and_who_gives_its_state_at_a_place(
    changed: dict[str, Any], reducers: int, donors: int
) -> None:
    found = view(progress(1, **changed))
    assert len(found.reducers(OWN.epoch, OWN.head)) == reducers
    assert len(found.donors(OWN.epoch, OWN.head)) == donors


def test_samples_and_rates_of_other_places_do_not_count() -> None:
    found = view(progress(1, epoch=8, samples=1000), progress(2, samples=5, samples_per_second=3.0))
    assert found.samples(OWN, 64, NOW) == 15
    assert found.samples_per_second(OWN) == 5.0


@pytest.mark.parametrize(
    ("time", "counts"),
    [
        (NOW, True),
        (NOW - 12, True),
        (NOW + 12, True),
        (NOW - 13, False),
        (NOW + 13, False),
        (4e9, False),
        (0.0, False),
    ],
)
def test_a_record_that_was_left_behind_for_years_speaks_for_nobody(time: float, counts: bool) -> None:
    assert timely([progress(1, time=time)], NOW) == ([progress(1, time=time)] if counts else [])


@pytest.mark.parametrize(
    ("samples", "rate", "expected"),
    [
        (0.0, 2.0, 32.0),
        (60.0, 2.0, 2.0),
        (64.0, 2.0, 0.0),
        (100.0, 2.0, 0.0),
        (0.0, 0.0, math.inf),
        (64.0, 0.0, 0.0),
    ],
)
def test_seconds_until_a_batch_is_complete(samples: float, rate: float, expected: float) -> None:
    assert seconds_until(64, samples, rate) == expected


@pytest.mark.parametrize(
    ("own", "others", "expected"),
    [
        (5.0, (), 5.0),
        (5.0, (60.0,), 60.0),
        (60.0, (5.0,), 60.0),
        (60.0, (5.0, 1e9), 60.0),
        (5.0, (50.0, 60.0), 50.0),
    ],
)
def test_the_age_of_an_epoch_is_what_half_of_its_peers_say(
    own: float, others: tuple[float, ...], expected: float
) -> None:
    records = tuple(
        progress(number, epoch=7, epoch_seconds=seconds, time=NOW) for number, seconds in enumerate(others, 1)
    )
    assert SwarmView(NOW, records).epoch_seconds(progress(0, epoch=7, epoch_seconds=own), NOW) == expected
