"""The arithmetic of the hostility benchmark: waits, parts of others, peers that differ, loss at equal samples."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.hostility.course import (
    HonestLossCurve,
    PeerCourse,
    ReachedEpoch,
    apart,
    at_equal_samples,
    between,
    divergent,
    epoch_costs,
    epochs_between,
    epochs_until_out,
    foreign_shares,
    longest_wait,
)
from benchmarks.hostility.outcome import RowOutcome, shown


def course(name: str, *epochs: tuple[float, int, str, int], samples: float = 100.0) -> PeerCourse:
    """A peer's course by times, epochs, digests and own samples."""
    return PeerCourse(
        name, tuple(ReachedEpoch(time, epoch, samples, own, 3, digest) for time, epoch, digest, own in epochs)
    )


ADA = course("ada", (10.0, 1, "a", 50), (20.0, 2, "b", 50), (30.0, 3, "c", 20))
BOB = course("bob", (11.0, 1, "a", 50), (21.0, 2, "b", 50), (33.0, 3, "c", 20))


def test_the_longest_wait_is_that_of_the_peer_that_waits_longest_up_to_the_end() -> None:
    assert longest_wait([ADA, BOB], 15.0, 40.0) == 12.0  # of bob, from 21 to 33
    assert longest_wait([ADA, BOB], 15.0, 60.0) == 30.0  # of ada, from 30 to the end
    assert longest_wait([ADA, PeerCourse("none")], 15.0, 40.0) == 25.0
    assert longest_wait([], 15.0, 40.0) == 25.0


def test_epochs_are_counted_from_the_one_that_was_reached_before() -> None:
    assert epochs_between(ADA, 15.0, 40.0) == 2
    assert epochs_between(ADA, 31.0, 40.0) == 0
    assert epochs_between(PeerCourse("none"), 0.0, 40.0) == 0


def test_an_epoch_costs_seconds_and_bytes_between_the_first_and_the_last() -> None:
    sender = replace(ADA, sent=((0.0, 0), (10.0, 1_000), (30.0, 5_000), (90.0, 99_000)))
    assert epoch_costs([sender, BOB], 0.0, 40.0) == (42 / 4, 4_000 / 4)
    assert epoch_costs([sender], 25.0, 40.0) is None
    assert epoch_costs([], 0.0, 40.0) is None


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        (course("eve", (12.0, 1, "a", 0), (22.0, 2, "b", 0)), []),
        (course("eve", (12.0, 1, "a", 0), (22.0, 2, "x", 0)), ["eve"]),
        (course("eve", (12.0, 1, "x", 0), (22.0, 2, "b", 0)), []),  # it came back
        (course("eve", (12.0, 1, "x", 0), (92.0, 9, "y", 0)), ["eve"]),  # alone at its last epoch
        (PeerCourse("eve"), []),
    ],
)
def test_a_peer_is_divergent_by_its_last_epoch_that_others_reached(
    other: PeerCourse, expected: list[str]
) -> None:
    assert divergent([ADA, BOB, other]) == expected


def test_peers_that_went_ahead_or_fell_behind_are_apart() -> None:
    far, near = course("far", (12.0, 6, "z", 0)), course("near", (12.0, 5, "y", 0))
    assert apart([ADA, BOB, far]) == ["far"]
    assert apart([ADA, BOB, near]) == []
    assert apart([ADA, BOB, PeerCourse("none")]) == ["none"]


def test_the_share_of_others_is_what_honest_peers_did_not_compute() -> None:
    assert foreign_shares([ADA, BOB], 0.0) == {1: 0.0, 2: 0.0, 3: pytest.approx(0.6)}
    assert list(foreign_shares([ADA, BOB], 25.0)) == [3]
    strayed = course("eve", (31.0, 3, "x", 90))
    assert foreign_shares([ADA, BOB, strayed], 25.0) == {3: pytest.approx(0.6)}


@pytest.mark.parametrize(
    ("shares", "expected"),
    [
        ([0.0, 0.0, 0.0, 0.0], 0),
        ([0.9, 0.9, 0.0, 0.0, 0.0], 2),
        ([0.0, 0.9, 0.0, 0.0, 0.0], 2),
        ([0.9, 0.9, 0.0, 0.0], None),  # quiet for too short a time
        ([0.9, 0.01, 0.01, 0.01], 1),
        ([0.9], None),
    ],
)
def test_others_are_out_after_some_epochs_without_a_part_of_theirs(
    shares: list[float], expected: int | None
) -> None:
    assert epochs_until_out(dict(enumerate(shares, 7))) == expected


def test_a_value_between_points_lies_on_the_line_and_outside_it_is_that_of_the_nearest() -> None:
    points = [(0.0, 10.0), (10.0, 20.0), (10.0, 30.0), (20.0, 30.0)]
    assert [between(points, at) for at in (-1.0, 5.0, 10.0, 15.0, 99.0)] == [10.0, 15.0, 20.0, 30.0, 30.0]


def test_losses_are_compared_at_the_samples_that_both_have() -> None:
    attacked, clean = (
        HonestLossCurve(((0.0, 6.0), (100.0, 5.0))),
        HonestLossCurve(((0.0, 6.0), (200.0, 2.0))),
    )
    assert at_equal_samples(attacked, clean) == (100.0, 5.0, 4.0)
    assert at_equal_samples(attacked, HonestLossCurve(())) == (100.0, 5.0, None)
    assert at_equal_samples(HonestLossCurve(()), HonestLossCurve(())) == (0.0, None, None)


def test_a_course_is_read_from_the_lines_that_are_whole(tmp_path: Path) -> None:
    file = tmp_path / "ada.jsonl"
    events = [
        {"kind": "began", "time": 1.0},
        {"kind": "progress", "time": 2.0, "micro_steps": 5, "bytes_sent": 7, "epoch": 0},
        {"kind": "snapshot", "time": 3.0, "epoch": 2, "file": "somewhere"},
        {
            "kind": "epoch_committed",
            "time": 4.0,
            "epoch": 2,
            "samples": 64,
            "own_samples": 32,
            "peers": 2,
            "parameter_digest": "d",
            "loss": 1.0,
        },
        {"kind": "ended", "time": 5.0, "code": "SwarmError", "what": "It failed."},
    ]
    file.write_text("".join(json.dumps(event) + "\n" for event in events) + '{"kind": "prog')
    found = PeerCourse.read("ada", file, micro_batch=4)
    assert (found.began, found.last_epoch, found.ended) == (1.0, 2, "SwarmError: It failed.")
    assert found.sent == ((2.0, 7),)
    assert found.epochs == (ReachedEpoch(4.0, 2, 64, 32, 2, "d"),)
    assert [found.samples_at(time) for time in (1.0, 2.0, 9.0)] == [10.0, 20.0, 20.0]
    assert PeerCourse.read("bob", tmp_path / "none.jsonl", micro_batch=4) == PeerCourse("bob")


def test_a_line_compares_with_the_clean_row_and_says_if_the_swarm_halted() -> None:
    clean = HonestLossCurve(((0.0, 6.0), (200.0, 4.0)))
    outcome = RowOutcome(
        "5",
        (ADA, BOB),
        begin=15.0,
        end=60.0,
        limit_seconds=15.0,
        curve=HonestLossCurve(((0.0, 6.0), (200.0, 5.0))),
        honest_ended=["bob"],
        hostile=1,
        hostile_ended=[],
        entrance_bytes=(1 << 20, 3 << 20),
        newcomer=course("late", (40.0, 3, "x", 0), (50.0, 4, "y", 0)),
    )
    line = outcome.line(clean)
    assert (line["epochs"], line["longest_wait"], line["halted"]) == (2, 30.0, True)
    assert (line["loss"], line["clean_loss"], line["over_clean"]) == (5.0, 4.0, 0.25)
    assert (line["hostile_share"], line["epochs_until_out"]) == (0.3, None)
    assert (line["ended"], line["divergent"], line["entrance_mib"]) == (1, 0, "1 to 3")
    assert set(shown(line).values()) <= set(line.values())
    newcomer = outcome.details()["newcomer"]
    assert (newcomer["seconds_to_first_epoch"], newcomer["is_divergent"]) == (40.0, True)
