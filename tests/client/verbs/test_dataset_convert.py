"""`dataset convert` as somebody types it."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.data.shards import CodeRow, encode_codes, iterate_rows, write_shard
from tests.command_line import idlebrush

ROWS = [CodeRow(f"picture {n}", encode_codes(np.full(16, n % 5)), "UNLIKELY", 64, 64) for n in range(300)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "published" / "000.parquet"
    path.parent.mkdir()
    write_shard(path, ROWS)
    return path.parent


def test_a_published_set_is_packed_and_comes_back(folder: Path, tmp_path: Path) -> None:
    packed, again = tmp_path / "packed", tmp_path / "again"
    ended = idlebrush("dataset", "convert", folder, "--out", packed, "--grid", 4, "--vocab", 1024)
    assert ended.returncode == 0, ended.stderr
    assert "300 rows in" in ended.stdout
    assert "bytes a row where there were" in ended.stdout
    assert idlebrush("dataset", "check", packed).returncode == 0
    back = idlebrush("dataset", "convert", packed, "--out", again, "--layout", "published", "--json")
    assert json.loads(back.stdout)["rows"] == 300
    assert list(iterate_rows(again / "train-00000.parquet")) == ROWS


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--grid", 4], "--grid and --vocab"),
        ([], "index.json cannot be read"),
        (["--grid", 8, "--vocab", 1024], "8 x 8 codes take 128"),
    ],
)
def test_what_it_cannot_do_it_says(folder: Path, tmp_path: Path, options: list[object], said: str) -> None:
    ended = idlebrush("dataset", "convert", folder, "--out", tmp_path / "packed", *options)
    assert ended.returncode != 0
    assert said in ended.stderr
    assert not (tmp_path / "packed").exists()
