"""The pure parts of the benchmark of an honest hour: who dies, what logs tell, and how far processes grow."""

from collections import Counter
from pathlib import Path

from benchmarks.hostility.course import HonestLossCurve
from benchmarks.hostility.honest_hour import accusations, audits, compared, deaths, growth, unlike
from benchmarks.hostility.seat import PeerSeat
from core.model.techniques import Precision

SEATS = [
    PeerSeat(Path("x"), f"honest-{number}", Path("run.toml"), (), ("token",), number, 1.0, 4, 2)
    for number in range(4)
]


def test_peers_have_unlike_threads_and_precisions() -> None:
    seats = [unlike(seat, number) for number, seat in enumerate(SEATS)]
    assert {seat.threads for seat in seats} == {1, 2}
    assert {seat.precision for seat in seats} == {Precision.FLOAT32, Precision.BFLOAT16}


def test_deaths_are_spread_over_the_time_and_drawn_by_the_seed() -> None:
    due = deaths(SEATS, 3600.0, 1.5, seed=3)
    assert [moment for moment, _ in due] == [300.0, 900.0, 1500.0, 2100.0, 2700.0, 3300.0]
    assert due == deaths(SEATS, 3600.0, 1.5, seed=3)
    assert len({seat.name for _, seat in due}) > 1
    assert deaths(SEATS, 60.0, 0.3, seed=3) == []


def test_blame_is_counted_by_its_fault() -> None:
    lines = [
        "WARNING conduct: Peer Qm1 did not return the parts that it was to reduce (1 strikes): this peer asks",
        "WARNING conduct: Peer Qm1 sent other values than the rows that it names give (6 strikes): this peer forms",
        "WARNING work_auditor: Peer Qm2 doubts the work of peer Qm3: it is audited soon.",
        "INFO commit: Epoch 3: commit record 1234",
    ]
    assert accusations(lines) == {"lost_parts": 1, "false_work": 1, "suspicion": 1}


def test_audits_are_counted_by_their_outcome() -> None:
    lines = [
        "INFO auditor: Epoch 0: audit of part 12 of reducer Qm1: sound.",
        "INFO recomputation: Epoch 4: audit of the work of peer Qm1 on 24 rows: sound; it differs by 0.01.",
        "WARNING recomputation: Epoch 4: audit of the work of peer Qm1 on 24 rows: other values than its rows give; "
        "it differs by 1.2.",
        "INFO drift_test: Epoch 4: the drift of peer Qm1 lowers the loss by 0.1 on its own rows, and by 0.2 on "
        "others: less gain on its rows than on others.",
        "INFO work_check: Epoch 4: the work of peer Qm1 is not verified: it names no rows.",
    ]
    assert audits(lines) == Counter(
        {"sound": 2, "other values than its rows give": 1, "less gain on its rows than on others": 1}
    )


def test_growth_is_that_of_processes_that_lived_from_the_second_sixth_to_the_last() -> None:
    steady = [(float(at), 100 << 20) for at in range(0, 60, 5)]
    grown = [(float(at), 100 << 20 if at < 30 else 120 << 20) for at in range(0, 60, 5)]
    young = [(50.0, 1), (55.0, 900)]
    memory = {("trainer", 1): steady, ("p2pd", 2): grown, ("trainer", 3): young}
    assert growth(memory, 0.0, 60.0) == (120 / 100 - 1, "p2pd", 100.0, 120.0)
    assert growth({}, 0.0, 60.0) == (0.0, "", 0.0, 0.0)


def test_losses_are_compared_at_equal_samples() -> None:
    curve = HonestLossCurve(((0.0, 4.0), (100.0, 2.02)))
    reference = HonestLossCurve(((0.0, 4.0), (200.0, 0.0)))
    found = compared(curve, reference)
    assert (found["samples"], found["reference_loss"], found["over_reference"]) == (100, 2.0, 0.01)
