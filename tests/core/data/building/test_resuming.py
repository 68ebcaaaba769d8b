"""A build that was killed or interrupted goes on, and makes what it would have made undisturbed."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from core.codec.vqgan import ImageCodec
from core.data.building.build import BuildProgress, build_shards
from core.data.building.journal import JOURNAL_NAME, open_journal
from core.data.building.writing import UNFINISHED_NAME
from core.data.layout import Compression
from core.data.sources.folder import ImageFolder
from core.errors import DataError
from core.run.filters import FilterSettings
from tests.command_line import idlebrush
from tests.core.data.building.tiny_builds import SETTINGS, contents
from tests.core.data.tiny_codec import picture, write_source


@pytest.fixture
def source(tmp_path: Path) -> ImageFolder:
    """Nine good pictures in three splits, and two that are left out, between them."""
    pictures: list[tuple[str, bytes, dict[str, object]]] = [
        (f"picture {seed}.png", picture(seed), {"split": ["a", "bc"[seed % 2]]}) for seed in range(9)
    ]
    pictures.insert(4, ("no picture.png", b"words", {}))
    pictures.insert(8, ("ab.png", picture(9), {}))
    return write_source(tmp_path / "source", pictures)


def run_module(name: str, *words: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", f"tests.core.data.building.{name}", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False)


class InterruptAt:
    """Presses Ctrl-C once so many images are dealt with."""

    def __init__(self, done: int, seen: list[BuildProgress]) -> None:
        self._done, self._seen = done, seen

    def __call__(self, progress: BuildProgress) -> None:
        self._seen.append(progress)
        if progress.tally.done >= self._done:
            signal.raise_signal(signal.SIGINT)


def test_killed_at_any_operation_it_goes_on_to_the_same_bytes(
    source: ImageFolder, codec_folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "builds").mkdir()
    done = run_module("killed_builds", tmp_path / "source", codec_folder, tmp_path / "builds")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["deaths"] > 10
    assert found["survivors"] == found["differing"] == []
    assert found["deaths of one"] >= 2
    assert found["files"] == [
        *("a-00000.parquet", "a-00001.parquet", "a-00002.parquet", "b-00000.parquet", "b-00001.parquet"),
        *("c-00000.parquet", "index.json", "left_out.jsonl"),
    ]


def test_ctrl_c_loses_at_most_a_batch(source: ImageFolder, codec: ImageCodec, tmp_path: Path) -> None:
    build_shards(source, codec, tmp_path / "whole", SETTINGS)
    seen: list[BuildProgress] = []
    with pytest.raises(KeyboardInterrupt):
        build_shards(source, codec, tmp_path / "out", SETTINGS, InterruptAt(4, seen))
    assert not (tmp_path / "out" / "index.json").exists()
    again: list[BuildProgress] = []
    build_shards(source, codec, tmp_path / "out", SETTINGS, again.append)
    assert again[0] == seen[-1]
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_an_earlier_build_stays_until_the_new_one_is_whole(
    source: ImageFolder, codec: ImageCodec, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    build_shards(source, codec, out, SETTINGS)
    before = contents(out)
    longer = SETTINGS.model_copy(update={"shard_rows": 5})
    with pytest.raises(KeyboardInterrupt):
        build_shards(source, codec, out, longer, InterruptAt(8, []))
    (out / UNFINISHED_NAME).rename(tmp_path / "aside")
    assert contents(out) == before
    (tmp_path / "aside").rename(out / UNFINISHED_NAME)
    build_shards(source, codec, out, longer)
    assert sorted(contents(out)) == [
        *("a-00000.parquet", "a-00001.parquet", "b-00000.parquet", "c-00000.parquet"),
        *("index.json", "left_out.jsonl"),
    ]


@pytest.fixture
def unfinished(source: ImageFolder, codec: ImageCodec, tmp_path: Path) -> Path:
    with pytest.raises(KeyboardInterrupt):
        build_shards(source, codec, tmp_path / "out", SETTINGS, InterruptAt(4, []))
    return tmp_path / "out"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"batch_size": 4}, "batch size 3, not 4"),
        ({"shard_rows": 5}, "shard rows 4, not 5"),
        ({"grid": 4}, "grid 2, not 4"),
        ({"compression": Compression.HIGH}, "compression standard, not high"),
        ({"filters": FilterSettings(min_caption_length=1)}, "min caption length 3, not 1"),
        ({"filters": FilterSettings(safe_labels=frozenset({"UNLIKELY", "X"}))}, "safe labels .*UNLIKELY.*X"),
    ],
)
def test_other_settings_are_refused_unless_it_is_begun_again(
    unfinished: Path, source: ImageFolder, codec: ImageCodec, change: dict[str, object], message: str
) -> None:
    other = SETTINGS.model_copy(update=change)
    with pytest.raises(DataError, match=message) as caught:
        build_shards(source, codec, unfinished, other)
    assert "--restart" in caught.value.remedy
    seen: list[BuildProgress] = []
    assert build_shards(source, codec, unfinished, other, seen.append, restart=True).images >= 9
    assert seen[0].tally.done == 0


def test_a_source_that_was_changed_is_refused(unfinished: Path, codec: ImageCodec, tmp_path: Path) -> None:
    with (tmp_path / "source" / "metadata.jsonl").open("a") as lines:
        lines.write('\n{"file_name": "picture 0.png", "caption": "once more"}')
    with pytest.raises(DataError, match="begun with source"):
        build_shards(ImageFolder(tmp_path / "source"), codec, unfinished, SETTINGS)


def test_another_codec_is_refused(unfinished: Path, source: ImageFolder, codec: ImageCodec) -> None:
    with pytest.raises(DataError, match="begun with codec None, not aa"):
        build_shards(source, codec, unfinished, SETTINGS, codec_sha256="a" * 64)


@pytest.mark.parametrize("restart", [False, True])
def test_two_builds_do_not_work_in_one_folder(
    unfinished: Path, source: ImageFolder, codec: ImageCodec, restart: bool
) -> None:
    before = contents(unfinished / UNFINISHED_NAME)
    with (
        open_journal(unfinished / UNFINISHED_NAME, begun_job(unfinished)),
        pytest.raises(DataError, match="Another build is at work"),
    ):
        build_shards(source, codec, unfinished, SETTINGS, restart=restart)
    assert contents(unfinished / UNFINISHED_NAME) == before


def begun_job(out: Path) -> dict[str, str]:
    with closing(sqlite3.connect(out / UNFINISHED_NAME / JOURNAL_NAME)) as connection:
        job: dict[str, str] = json.loads(connection.execute("SELECT job FROM build").fetchone()[0])
        return job


def test_a_damaged_journal_is_reported(unfinished: Path, source: ImageFolder, codec: ImageCodec) -> None:
    (unfinished / UNFINISHED_NAME / JOURNAL_NAME).write_bytes(b"These are words, and no journal. " * 100)
    with pytest.raises(DataError, match="is damaged") as caught:
        build_shards(source, codec, unfinished, SETTINGS)
    assert "--restart" in caught.value.remedy
    assert build_shards(source, codec, unfinished, SETTINGS, restart=True).images == 9


def test_a_shard_that_is_lost_is_reported(unfinished: Path, source: ImageFolder, codec: ImageCodec) -> None:
    (unfinished / UNFINISHED_NAME / "a-00000.parquet").unlink()
    with pytest.raises(DataError, match=r"a-00000\.parquet no longer exists") as caught:
        build_shards(source, codec, unfinished, SETTINGS)
    assert "--restart" in caught.value.remedy


def test_a_journal_that_cannot_be_opened_is_reported(
    source: ImageFolder, codec: ImageCodec, tmp_path: Path
) -> None:
    (tmp_path / "out" / UNFINISHED_NAME / JOURNAL_NAME).mkdir(parents=True)
    with pytest.raises(DataError, match="unable to open"):
        build_shards(source, codec, tmp_path / "out", SETTINGS)


def test_the_command_goes_on_after_ctrl_c(source: ImageFolder, codec_folder: Path, tmp_path: Path) -> None:
    words = ["dataset", "build", tmp_path / "source", "--out", tmp_path / "out", "--codec", codec_folder]
    words += ["--batch-size", "3", "--shard-rows", "4"]
    interrupted = run_module("interrupted_command", tmp_path / "out", *words)
    assert interrupted.returncode == 130, interrupted.stderr
    assert "Run the same command again to resume" in " ".join(interrupted.stderr.split())
    assert not (tmp_path / "out" / "index.json").exists()
    done = idlebrush(*words, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["left_out"] == {"broken image": 1, "short caption": 1}
    assert (tmp_path / "out" / "index.json").exists()
    assert not (tmp_path / "out" / UNFINISHED_NAME).exists()
