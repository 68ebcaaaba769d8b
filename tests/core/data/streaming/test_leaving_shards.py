"""Training goes on without shards that cannot be used: told, resumed exactly, and at no cost in memory."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import psutil
import pyarrow.parquet as pq
import pytest

from core.data.shard_file import iterate_rows
from core.data.shards import encode_codes, write_shard
from core.data.streaming.walk import Position
from core.data.streaming.windows import NAMED, Windows, WindowSizes
from core.errors import DataError
from tests.core.data.streaming.numbered_rows import GRID, VOCAB, numbered, row, rows_of, stream, write_shards


def spoil(path: Path, how: str) -> None:
    """Leave a shard as a disk, a careless copy or another program might."""
    content = path.read_bytes()
    match how:
        case "missing":
            path.unlink()
        case "cut short":
            path.write_bytes(content[: len(content) // 2])
        case "overwritten":
            path.write_bytes(content[:4] + b"\xff" * 200 + content[204:])
        case "not Parquet":
            path.write_bytes(b"hello" * 100)
        case "without a column":
            pq.write_table(pq.read_table(path).drop_columns("NSFW"), path)
        case "of another codec":
            alien = encode_codes(np.array([0, 0, 0, VOCAB]))
            write_shard(path, [replace(row, code=alien) for row in iterate_rows(path)])
        case "of another size":
            write_shard(path, [replace(row, code=row.code[:-2]) for row in iterate_rows(path)])


DAMAGES = (
    *("missing", "cut short", "overwritten", "not Parquet"),
    *("without a column", "of another codec", "of another size"),
)


@pytest.mark.parametrize("damage", DAMAGES)
def test_training_goes_on_without_a_damaged_shard_and_says_so_once(tmp_path: Path, damage: str) -> None:
    rows = write_shards(tmp_path, numbered([40, 40, 40]), 40)
    spoil(tmp_path / "1.parquet", damage)
    notices: list[str] = []
    one = stream(rows, notify=notices.append)
    for _ in range(3):
        assert sorted(rows_of(one, 80)) == [*range(40), *range(80, 120)]
    assert len(notices) == 1
    assert "1.parquet" in notices[0]


def test_a_notice_names_the_row_that_cannot_be_used(tmp_path: Path) -> None:
    bad = replace(row(1), code=encode_codes(np.array([0, 0, 0, VOCAB])))
    rows = write_shards(tmp_path, [[row(0), row(2), row(3), bad], [row(4)]], 3)
    notices: list[str] = []
    stream(rows, notify=notices.append).take(20)
    assert len(notices) == 1
    assert "row 0 of row group 1 of 0.parquet holds 1024" in notices[0]


@pytest.mark.parametrize("damage", ["missing", "of another codec"])
def test_no_shard_that_can_be_used_is_an_error(tmp_path: Path, damage: str) -> None:
    rows = write_shards(tmp_path, numbered([40, 40]), 40)
    for path in tmp_path.glob("*.parquet"):
        spoil(path, damage)
    with pytest.raises(DataError, match=r"None of the run's 2 shards can be used.*\.parquet") as refusal:
        stream(rows).take(1)
    assert refusal.value.remedy


def test_a_stream_resumes_exactly_past_a_damaged_shard(tmp_path: Path) -> None:
    shards = numbered([30, 30, 30, 30])
    shards[2][17] = replace(shards[2][17], code=b"")
    rows = write_shards(tmp_path, shards, 7)
    uninterrupted = rows_of(stream(rows, window_rows=16), 300)
    seen: list[int] = []
    resumed = stream(rows, window_rows=16)
    for stop in (5, 40, 41, 3, 60, 100, 51):
        seen += rows_of(resumed, stop)
        saved = resumed.state_dict()
        resumed = stream(rows, window_rows=16)
        resumed.load_state_dict(saved)
    assert seen == uninterrupted
    assert not set(range(60, 90)) <= set(seen)


def test_of_many_damaged_shards_only_some_are_named(tmp_path: Path) -> None:
    rows = write_shards(tmp_path, numbered([2] * 12), 2)
    for index in range(1, 12):
        (tmp_path / f"{index}.parquet").unlink()
    notices: list[str] = []
    rows_of(stream(rows, notify=notices.append), 4)
    assert len(notices) == NAMED + 1


def test_a_dropped_row_may_hold_anything(tmp_path: Path) -> None:
    rows = write_shards(tmp_path, [[row(0), replace(row(1), code=b"odd", nsfw="NSFW")]], 3)
    assert rows_of(stream(rows), 2) == [0, 0]


def test_shards_that_are_left_leave_nothing_open(tmp_path: Path) -> None:
    rows = write_shards(tmp_path, numbered([1] * 40), 1)
    for path in tmp_path.glob("*.parquet"):
        spoil(path, "without a column")
    process, files = psutil.Process(), list[int]()
    windows = Windows(
        rows,
        lambda row, where: None,
        GRID**2,
        "seed",
        WindowSizes(8, 8),
        lambda name, error: files.append(len(process.open_files())),
    )
    with pytest.raises(DataError, match="None of the run's 40 shards"):
        next(windows.following(Position(), 0))
    assert max(files) <= files[0] + 1
