"""Contributions are counted once each, however often, late or inconsistently they are reported."""

import math
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.api.errors import StatsError
from client.api.messages import Traffic, TrainerMessage
from client.contribution.database import ContributionDatabase
from client.contribution.stats import WRITE_EVERY, Contribution, TrainedRun
from client.contribution.tally import Amounts, Calendar
from core.messages.events import Progress
from tests.client.contribution.reports import NOON, OTHER, PEER, RUN, Begin, committed, progress


def test_counters_count_by_how_far_they_rose_in_each_life(begin: Begin) -> None:
    contribution = begin()
    contribution.heard(RUN, "a", progress(4, 2.0, 100, 50), NOON)
    contribution.heard(RUN, "a", progress(6, 3.5, 150, 70), NOON)
    contribution.heard(RUN, "b", progress(1, 0.5, 20, 5), NOON)
    view = contribution.summary(RUN, NOON)
    assert (view.compute_seconds, view.bytes_sent, view.bytes_received) == (4.0, 170, 75)
    contribution.write(NOON)
    assert contribution.summary(RUN, NOON) == view


@pytest.mark.parametrize(
    "again",
    [progress(6, 3.0, 60, 6), progress(2, 1.0, 20, 2), progress(6, math.nan, 2**80, -1)],
    ids=["repeated", "late", "senseless"],
)
def test_a_message_that_tells_nothing_new_counts_nothing(begin: Begin, again: Progress) -> None:
    contribution = begin()
    contribution.heard(RUN, "a", progress(6, 3.0, 60, 6), NOON)
    view = contribution.summary(RUN, NOON)
    contribution.heard(RUN, "a", again, NOON)
    contribution.write(NOON)
    assert contribution.summary(RUN, NOON) == view


@pytest.mark.parametrize(
    ("reports", "counted"),
    [
        ([("one", 0)], 0),
        ([("one", 5), ("one", 9)], 9),
        ([("one", 9), ("one", 9)], 9),
        ([("one", 9), ("one", 5)], 9),
        ([("one", 9), ("one", 2**60)], 9),
        ([("one", 9), ("another", 5)], 14),
    ],
    ids=["nothing", "rising", "repeated", "late", "senseless", "two generators"],
)
def test_what_generators_download_counts_as_what_trainers_receive_does(
    begin: Begin, reports: list[tuple[str, int]], counted: int
) -> None:
    contribution = begin()
    contribution.heard(RUN, "trainer", progress(4, 2.0, 100, 50), NOON)
    for life, received in reports:
        contribution.heard(RUN, life, Traffic(bytes_received=received), NOON)
    contribution.close(NOON)
    contribution = begin()
    view = contribution.summary(RUN, NOON)
    assert (view.bytes_sent, view.bytes_received, view.compute_seconds) == (100, 50 + counted, 2.0)
    assert contribution.month_bytes(NOON) == 150 + counted


def test_an_epoch_counts_once_for_a_peer_and_again_after_a_rollback(begin: Begin) -> None:
    contribution = begin()
    for life in ("a", "b"):
        contribution.heard(RUN, life, PEER, NOON)
        contribution.heard(RUN, life, committed(7), NOON)
    assert contribution.summary(RUN, NOON).samples == 10
    rolled_back = TrainedRun(RUN.digest, RUN.name, generation=1)
    contribution.heard(rolled_back, "b", committed(7, 3), NOON)
    view = contribution.summary(RUN, NOON)
    assert (view.samples, view.epochs) == (13, 2)


def test_an_epoch_without_own_samples_is_none_that_was_taken_part_in(begin: Begin) -> None:
    contribution = begin()
    contribution.heard(RUN, "a", committed(1, 0), NOON)
    assert contribution.summary(RUN, NOON).epochs == 0


@pytest.mark.parametrize("epoch", [-1, 2**63, 2**200])
def test_an_epoch_that_cannot_be_is_not_counted(begin: Begin, epoch: int) -> None:
    contribution = begin()
    contribution.heard(RUN, "a", committed(epoch), NOON)
    assert contribution.summary(RUN, NOON).samples == 0


def test_nothing_is_counted_twice_across_lives_of_the_daemon(begin: Begin) -> None:
    messages: list[TrainerMessage] = [
        PEER,
        progress(5, 5.0, 5, 5),
        committed(1),
        progress(9, 9.0, 9, 9),
        committed(2),
    ]
    for _ in range(3):
        contribution = begin()
        for message in messages:
            contribution.heard(RUN, "a", message, NOON)
        contribution.close(NOON)
    view = begin().summary(RUN, NOON)
    assert (view.samples, view.epochs, view.compute_seconds, view.bytes_sent) == (20, 2, 9.0, 9)


def test_runs_are_counted_apart_and_the_month_is_that_of_all(begin: Begin) -> None:
    contribution = begin()
    contribution.heard(RUN, "a", progress(sent=100), NOON)
    contribution.heard(OTHER, "b", progress(received=10), NOON)
    assert contribution.summary(RUN, NOON).bytes_sent == 100
    assert contribution.summary(OTHER, NOON).bytes_sent == 0
    assert contribution.month_bytes(NOON) == 110


def test_today_and_the_month_begin_at_the_volunteers_midnight(
    tmp_path: Path, problems: list[StatsError]
) -> None:
    contribution = Contribution(
        tmp_path / "stats.sqlite", problems.append, Calendar(ZoneInfo("Asia/Kolkata"))
    )
    late = datetime(2026, 3, 31, 18, 29, tzinfo=UTC)  # 23:59 in Kolkata
    contribution.heard(RUN, "a", progress(sent=5), late)
    contribution.heard(RUN, "a", committed(1), late)
    assert contribution.summary(RUN, late).samples_today == 10
    assert contribution.month_bytes(late) == 5
    after = late + timedelta(minutes=1)
    view = contribution.summary(RUN, after)
    assert (view.samples_today, view.samples, view.month_bytes) == (0, 10, 0)


def test_energy_adds_up(begin: Begin, tmp_path: Path) -> None:
    contribution = begin()
    for joules in (30.0, math.nan, -5.0, math.inf, 12.5):
        contribution.add_energy(RUN, Amounts(joules=joules), NOON)
    contribution.add_energy(RUN, Amounts(cpu_joules=7.0, cost=0.5, carbon_grams=90.0), NOON)
    contribution.add_energy(RUN, Amounts(cpu_joules=7.0, cost=math.nan), NOON)
    contribution.close(NOON)
    with closing(ContributionDatabase.read(tmp_path / "stats.sqlite")) as database:
        counted = Amounts(joules=42.5, cpu_joules=7.0, cost=0.5, carbon_grams=90.0)
        assert database.since(RUN.digest, 0) == counted


def test_counters_are_written_now_and_then_and_epochs_at_once(begin: Begin, tmp_path: Path) -> None:
    contribution = begin()

    def on_disk() -> Amounts:
        with closing(ContributionDatabase.read(tmp_path / "stats.sqlite")) as database:
            return database.since(RUN.digest, 0)

    contribution.heard(RUN, "a", progress(1), NOON)
    contribution.heard(RUN, "a", progress(2), NOON + WRITE_EVERY / 2)
    assert on_disk().micro_steps == 1
    contribution.heard(RUN, "a", progress(3), NOON + WRITE_EVERY)
    assert on_disk().micro_steps == 3
    contribution.heard(RUN, "a", progress(4), NOON + WRITE_EVERY)
    contribution.heard(RUN, "a", committed(1), NOON + WRITE_EVERY)
    assert (on_disk().micro_steps, on_disk().samples) == (4, 10)
    contribution.heard(RUN, "a", progress(5), NOON - timedelta(hours=1))  # the clock was set back
    assert on_disk().micro_steps == 5


LIVES, EPOCHS = ("a", "b", "c"), 6
REPORTS = st.tuples(st.sampled_from(LIVES), st.integers(0, 99) | st.integers(1, EPOCHS).map(lambda n: -n))
"""A life, and its micro-steps so far or, negative, an epoch that it took part in."""


@settings(max_examples=25)
@given(st.lists(st.none() | REPORTS, max_size=40))
def test_whatever_is_reported_in_whatever_order_counts_once(
    reports: list[tuple[str, int] | None],
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "stats.sqlite"
        contribution = Contribution(path, print, Calendar(UTC))
        for report in reports:
            if report is None:  # the daemon ends and starts
                contribution.close(NOON)
                contribution = Contribution(path, print, Calendar(UTC))
                continue
            life, number = report
            contribution.heard(RUN, life, committed(-number) if number < 0 else progress(number), NOON)
        contribution.close(NOON)
        with closing(ContributionDatabase.open(path)) as database:
            total = database.since(RUN.digest, 0)
    heard = [report for report in reports if report is not None]
    assert total.samples == 10 * len({number for _, number in heard if number < 0})
    assert total.micro_steps == sum(
        max((number for life, number in heard if life == own and number > 0), default=0) for own in LIVES
    )
