import json
import os
import shutil
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
import typer
from rich.console import Console, RenderableType
from typer.testing import CliRunner

from client.api.errors import StatsError
from client.api.history import BadgeView
from client.console.stats_page import INTENSITIES, bar, calendar_page, in_energy, page
from client.console.stats_report import SPANS, StatsReport, read_report
from client.contribution.database import ContributionDatabase, UnwrittenAmounts
from client.contribution.tally import COLUMNS, Amounts, Calendar, Period, PeriodTally, Streak
from client.paths import HOME_VARIABLE, Paths
from client.verbs import stats
from core.contribution.year import year_of

NOW = datetime(2026, 5, 6, 10, 30, tzinfo=UTC)
HERE = Calendar(UTC)
EMOJI, EMOJI_AGAIN, BIRDS = "d" * 64, "e" * 64, "f" * 64


def hour(ago: timedelta, now: datetime = NOW) -> int:
    return HERE.start(Period.HOUR, now - ago)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "stats.sqlite"
    unwritten = UnwrittenAmounts(runs={EMOJI: "emoji", EMOJI_AGAIN: "emoji", BIRDS: "birds"})
    unwritten.add(EMOJI, hour(timedelta()), Amounts(samples=1, epochs=1, joules=5.0))
    unwritten.add(EMOJI_AGAIN, hour(timedelta(days=1)), Amounts(samples=10, epochs=2))
    unwritten.add(BIRDS, hour(timedelta(days=2)), Amounts(samples=100, epochs=3, bytes_sent=7))
    unwritten.add(BIRDS, hour(timedelta(days=400)), Amounts(samples=1000))
    with closing(ContributionDatabase.open(path)) as opened:
        opened.write(unwritten)
    return path


@pytest.mark.parametrize(
    ("run", "samples", "in_a_row"),
    [(None, 1111, 3), ("emoji", 11, 2), ("birds", 1100, 0), (EMOJI, 1, 1), (EMOJI_AGAIN[:8], 10, 1)],
)
def test_a_report_is_of_all_runs_or_of_one(
    database: Path, run: str | None, samples: int, in_a_row: int
) -> None:
    report = read_report(database, run, Period.DAY, NOW, HERE)
    assert (report.total.samples, report.streak.current) == (samples, in_a_row)


@pytest.mark.parametrize("by", Period)
def test_a_report_looks_back_and_ends_with_the_present(database: Path, by: Period) -> None:
    report = read_report(database, None, by, NOW, HERE)
    assert len(report.spans) == SPANS[by]
    assert report.spans[-1].start == HERE.local(HERE.start(by, NOW))
    assert report.spans[-1].tally.samples > 0


def test_an_unknown_run_is_answered_with_those_that_are_known(database: Path) -> None:
    with pytest.raises(StatsError, match=r"named 'cats'.*Known runs: birds, emoji"):
        read_report(database, "cats", Period.DAY, NOW, HERE)


def test_a_database_that_cannot_be_read_is_reported_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "stats.sqlite"
    path.write_bytes(b"scribble" * 1000)
    with pytest.raises(StatsError, match="cannot be read"):
        read_report(path, None, Period.DAY, NOW, HERE)
    assert path.read_bytes() == b"scribble" * 1000


def test_a_database_on_a_disk_that_cannot_be_written_to_can_be_read(database: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy" / "stats.sqlite"
    copy.parent.mkdir()
    shutil.copy(database, copy)
    copy.chmod(0o400)
    assert read_report(copy, None, Period.DAY, NOW, HERE).total.samples == 1111


def test_json_says_all_of_it(database: Path) -> None:
    data = json.loads(json.dumps(read_report(database, "birds", Period.DAY, NOW, HERE).as_json()))
    assert {"schema": data["schema"], "run": data["run"], "by": data["by"]} == {
        "schema": 1,
        "run": "birds",
        "by": "day",
    }
    assert data["streak_days"] == {"current": 0, "longest": 1}
    assert data["total"]["samples"] == 1100
    assert data["badges"] == {
        "epochs_1": "2026-05-04",
        "samples_100": "2025-04-01",
        "samples_1000": "2025-04-01",
    }
    (row,) = [row for row in data["periods"] if row["samples"]]
    assert row["start"] == "2026-05-04T00:00:00+00:00"
    assert (row["epochs"], row["bytes_sent"]) == (3, 7)
    assert set(row) == {"start", *COLUMNS}


PAGE = """\
Your contribution to emoji
1,234,500 samples in 17 epochs, 27 h 46 min of computing
sent 1.5 MB, received 3.0 GB
used 1.00 kWh of the GPU, 0.10 kWh of the processor, 0.33 EUR, 1.2 kg of CO2
2 days in a row; your longest streak is 9 days.
Badges: 1 epoch, 10,000 samples, 7 days in a row, 1 night.

day                     samples epochs   computing   sent received   energy
Mon 04 May                    –
Tue 05 May ▏                500      1 16 min 40 s    0 B      0 B   0.0 Wh
Wed 06 May ██████████ 1,234,000     16 27 h 30 min 1.5 MB   3.0 GB 1.10 kWh
"""


def drawn(report: StatsReport, draw: Callable[[StatsReport], RenderableType] = page) -> str:
    console = Console(width=80, color_system=None)
    with console.capture() as capture:
        console.print(draw(report))
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def test_the_page_shows_totals_and_a_bar_for_each_day() -> None:
    little = Amounts(samples=500, epochs=1, compute_seconds=1000.0)
    much = Amounts(1_234_000, 7, 99_000.0, 16, 1_500_000, 3_000_000_000, 3.6e6, 3.6e5, 0.33, 1_234.0)
    tallies = (Amounts(), little, much)
    spans = tuple(
        PeriodTally(datetime(2026, 5, day, tzinfo=UTC), tally) for day, tally in enumerate(tallies, start=4)
    )
    earned = ("epochs_1", "samples_1000", "samples_10000", "streak_3", "streak_7", "nights_1")
    badges = tuple(BadgeView(code=code, reached=date(2026, 5, 6), progress=1.0) for code in earned)
    report = StatsReport("emoji", Period.DAY, little + much, Streak(2, 9), spans, badges, "EUR")
    assert drawn(report) == PAGE


CALENDAR = """\
Your days
1,560 samples on 4 days of the last 12 months. Your longest streak was 2 days.

       Jun  Jul Aug  Sep Oct Nov  Dec Jan Feb Mar  Apr May
Mon ░····················································
    ·····················································
Wed ····················································█
    ····················································
Fri ···················································▓
    ···················································▒
Sun ····················································

    less ·░▒▓█ more
"""


def test_the_calendar_has_a_column_for_each_week_of_a_year() -> None:
    given = {date(2025, 5, 5): 10.0, date(2026, 5, 1): 500.0, date(2026, 5, 2): 50.0, NOW.date(): 1000.0}
    report = StatsReport(None, Period.DAY, streak=Streak(0, 2), calendar=year_of(given, NOW.date()))
    drawing = drawn(report, calendar_page)
    assert drawing == CALENDAR
    assert all(len(line) <= 80 for line in drawing.splitlines())


def test_the_calendar_of_a_new_volunteer_is_friendly(tmp_path: Path) -> None:
    report = read_report(tmp_path / "none.sqlite", None, Period.DAY, NOW, HERE)
    assert "contributed nothing yet." in drawn(report, calendar_page)
    assert report.calendar_as_json() == {"schema": 1, "run": None, "days": []}


def test_the_calendar_is_of_all_runs_or_of_one_and_of_a_year_alone(database: Path) -> None:
    everything = read_report(database, None, Period.DAY, NOW, HERE).calendar_as_json()
    assert everything["days"] == [
        {"day": "2026-05-04", "samples": 100, "level": 4},
        {"day": "2026-05-05", "samples": 10, "level": 3},
        {"day": "2026-05-06", "samples": 1, "level": 2},
    ]
    birds = read_report(database, "birds", Period.MONTH, NOW, HERE).calendar_as_json()
    assert [day["day"] for day in birds["days"]] == ["2026-05-04"]


def test_the_page_of_a_new_volunteer_is_friendly(tmp_path: Path) -> None:
    report = read_report(tmp_path / "none.sqlite", None, Period.DAY, NOW, HERE)
    assert "contributed nothing yet." in drawn(report)


def test_the_contribution_to_each_run_is_shown_where_there_are_several(database: Path) -> None:
    report = read_report(database, None, Period.DAY, NOW, HERE)
    assert [(run.name, run.samples) for run in report.runs] == [("birds", 1100), ("emoji", 10), ("emoji", 1)]
    assert report.as_json()["runs"][0]["digest"] == BIRDS
    rows = [" ".join(line.split()) for line in drawn(report).splitlines()[-3:]]
    assert rows == [
        "birds ffffffff 1,100 3 0 s",
        "emoji eeeeeeee 10 2 0 s",
        "emoji dddddddd 1 1 0 s",
    ]
    assert "ffffffff" not in drawn(read_report(database, "birds", Period.DAY, NOW, HERE))


def test_energy_that_was_never_measured_has_no_column(database: Path) -> None:
    assert "energy" in drawn(read_report(database, "emoji", Period.DAY, NOW, HERE))
    assert "energy" not in drawn(read_report(database, "birds", Period.DAY, NOW, HERE))


@pytest.mark.parametrize("by", Period)
def test_the_page_fits_80_columns_whatever_the_numbers(by: Period) -> None:
    huge = Amounts(999_999, 9_999_999, 2_678_000.0, 99_999, 10**14, 10**14, 9e9, 9e9, 1e6, 1e6)
    drawing = drawn(StatsReport("emoji", by, huge, Streak(2, 9), (PeriodTally(NOW, huge),)))
    assert "…" not in drawing
    assert all(len(line) <= 80 for line in drawing.splitlines())


@pytest.mark.parametrize(
    ("value", "greatest", "expected"),
    [(0, 0, ""), (0, 5, ""), (5, 5, "████"), (1, 1000, "▏"), (1, 2, "██"), (3, 8, "█▌"), (31, 32, "███▉")],
)
def test_bars_show_shares(value: float, greatest: float, expected: str) -> None:
    assert bar(value, greatest, 4) == expected


@pytest.mark.parametrize(
    ("joules", "expected"), [(3600, "1.0 Wh"), (3.6e5, "0.10 kWh"), (1, "0.0 Wh"), (1e9, "278 kWh")]
)
def test_energy_reads_well(joules: float, expected: str) -> None:
    assert in_energy(joules) == expected


def run_verb(home: Path, *options: str) -> str:
    app = typer.Typer()
    stats.register(app)
    result = CliRunner().invoke(app, options, env={HOME_VARIABLE: str(home)}, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_verb_reads_the_volunteers_database_with_no_daemon(tmp_path: Path, database: Path) -> None:
    paths = Paths.of_user({**os.environ, HOME_VARIABLE: str(tmp_path / "home")})
    paths.prepare()
    shutil.copy(database, paths.stats)
    assert "1,111 samples in 6 epochs" in run_verb(tmp_path / "home")
    assert json.loads(run_verb(tmp_path / "home", "--run", "emoji", "--by", "hour", "--json"))["by"] == "hour"
    assert INTENSITIES in run_verb(tmp_path / "home", "--calendar")
    assert json.loads(run_verb(tmp_path / "home", "--calendar", "--json"))["run"] is None


def test_the_verb_makes_nothing_where_nothing_is(tmp_path: Path) -> None:
    assert "contributed nothing yet." in run_verb(tmp_path / "home")
    assert not (tmp_path / "home").exists()
