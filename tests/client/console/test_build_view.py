"""A build shows how far it is and how fast, and at its end what it left out."""

import io
import json
from collections import Counter
from pathlib import Path

import pytest
from rich.console import Console

from client.console.build_view import BuildPace, document, progress_on, report
from core.data.building.build import BuildProgress
from core.data.building.journal import BuildTally
from core.data.index import ShardEntry, ShardIndex
from tests.moved_clock import MovedClock

INDEX = ShardIndex(
    grid=2,
    vocab=16,
    images=6,
    left_out={"broken image": 1, "short caption": 3},
    source_bytes=6_500,
    splits={"train": (ShardEntry(file="train-00000.parquet", rows=6, sha256="a" * 64),)},
)


def progress(images: int, left_out: int = 0, length: int | None = None) -> BuildProgress:
    return BuildProgress(BuildTally(images, 1000 * images, Counter(broken=left_out)), 70 * images, length)


@pytest.fixture
def clock() -> MovedClock[float]:
    return MovedClock(100.0)


def test_the_pace_is_that_of_this_attempt(clock: MovedClock[float]) -> None:
    pace = BuildPace(clock)
    assert pace.line(progress(1000, 24, 5024)) == (
        "1,024 of 5,024 images · 24 left out · 1.0 MB of images · 70.0 kB of shards"
    )
    clock.now += 10
    assert pace.line(progress(1990, 34, 5024)).endswith("100.0 images/s · 30 s left")


def test_without_a_length_no_time_is_promised(clock: MovedClock[float]) -> None:
    pace = BuildPace(clock)
    pace.line(progress(0))
    clock.now += 2
    assert (
        pace.line(progress(10))
        == "10 images · 0 left out · 10.0 kB of images · 700 B of shards · 5.0 images/s"
    )


def test_a_log_gets_a_line_now_and_then(clock: MovedClock[float]) -> None:
    written = io.StringIO()
    with progress_on(Console(file=written, width=200), clock) as show:
        for images in range(10):
            show(progress(images))
            clock.now += 5
    assert written.getvalue().count("images/s") == 3


def test_a_terminal_gets_a_bar_that_is_gone_at_the_end() -> None:
    written = io.StringIO()
    with progress_on(Console(file=written, width=200, force_terminal=True)) as show:
        show(progress(3, length=10))
    assert "3 of 10 images" in written.getvalue()
    assert written.getvalue().endswith("\x1b[2K")


def test_the_report_counts_the_reasons(tmp_path: Path) -> None:
    (tmp_path / "train-00000.parquet").write_bytes(bytes(321))
    written = io.StringIO()
    Console(file=written, width=200).print(report(INDEX, tmp_path))
    words = " ".join(written.getvalue().split())
    assert "6 images in" in words
    assert "(train: 6 rows): 321 B, from 6.5 kB" in words
    assert "short caption 3 30.0% broken image 1 10.0%" in words
    assert "left_out.jsonl names them." in words


def test_the_document_says_the_same(tmp_path: Path) -> None:
    assert json.loads(document(INDEX, tmp_path)) == {
        "folder": str(tmp_path),
        "images": 6,
        "rows": {"train": 6},
        "left_out": {"broken image": 1, "short caption": 3},
        "source_bytes": 6_500,
    }


def test_a_source_that_has_more_than_it_says_promises_no_time_gone_by(clock: MovedClock[float]) -> None:
    pace = BuildPace(clock)
    pace.line(progress(0, length=10))
    clock.now += 2
    assert pace.line(progress(20, length=10)).endswith("0 s left")
