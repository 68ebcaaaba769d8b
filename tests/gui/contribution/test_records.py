"""The history as a file."""

import csv
import io
import json
from datetime import date, datetime

from client.api.history import BadgeView, ContributionHistory, ContributionRow, Period
from gui.contribution.records import Format, exported


def row(day: int, samples: int) -> ContributionRow:
    return ContributionRow(
        start=datetime(2026, 3, day),
        samples=samples,
        epochs=2,
        compute_seconds=1.5,
        joules=7.25,
        bytes_sent=10,
        bytes_received=20,
        cpu_joules=3.5,
        cost=0.25,
        carbon_grams=90.0,
    )


HISTORY = ContributionHistory(
    by=Period.DAY,
    rows=(row(1, 5), row(4, 7)),
    total=row(1, 12),
    streak_days=1,
    longest_streak_days=3,
    badges=(BadgeView(code="samples_1", reached=date(2026, 3, 1), progress=1.0),),
)


def test_a_table_has_a_row_for_each_day_and_numbers_that_any_program_reads() -> None:
    first, *rest = csv.reader(io.StringIO(exported(HISTORY, Format.CSV)))
    assert first == [
        "day", "samples", "epochs", "compute_seconds", "joules", "bytes_sent", "bytes_received",
        "cpu_joules", "cost", "carbon_grams",
    ]  # fmt: skip
    assert rest == [
        ["2026-03-01", "5", "2", "1.5", "7.25", "10", "20", "3.5", "0.25", "90.0"],
        ["2026-03-04", "7", "2", "1.5", "7.25", "10", "20", "3.5", "0.25", "90.0"],
    ]


def test_the_file_for_programs_can_be_read_back() -> None:
    document = json.loads(exported(HISTORY, Format.JSON))
    assert document.pop("schema") == 1
    assert [row["samples"] for row in document["rows"]] == [5, 7]
    assert document["badges"] == [{"code": "samples_1", "reached": "2026-03-01"}]
