"""An index says what it lacks: shards that could not be read are looked for again, and two processes do not mix."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.data.listing import Shard
from core.data.shards import CodeRow, write_shard
from core.data.streaming.rows import ShardRows
from core.errors import DataError
from core.evaluation.caption_keys import caption_keys
from core.evaluation.index import PictureIndex, SeenShards, build_index
from core.evaluation.searches import known_captions
from core.evaluation.training_pictures import PictureEncoder, TrainingPictures
from core.storage.file_lock import alone
from tests.swarms.tiny_run import MODEL

SHARDS, ROWS = 3, 6
LONG = "red heart " * 60


def caption(shard: int, row: int) -> str:
    return LONG if (shard, row) == (0, 0) else f"picture {row} of {shard}"


def write_shards(folder: Path) -> tuple[Shard, ...]:
    """Write shards of two row groups each."""
    draws, shards = np.random.default_rng(0), list[Shard]()
    for shard in range(SHARDS):
        file = folder / f"{shard}.parquet"
        codes = draws.integers(0, MODEL.image_vocab, (ROWS, MODEL.image_length)).astype("<i2")
        rows = [CodeRow(caption(shard, row), codes[row].tobytes(), "UNLIKELY", 64, 64) for row in range(ROWS)]
        write_shard(file, rows, row_group_rows=ROWS // 2)
        shards.append(Shard(file.name, str(file), str(shard)))
    return tuple(shards)


@pytest.fixture
def pictures(training: TrainingPictures, tmp_path: Path) -> TrainingPictures:
    return replace(training, rows=ShardRows(write_shards(tmp_path)))


def captions(index: PictureIndex) -> set[str]:
    return {caption for part in index.parts() for caption in part.captions}


def reopened(pictures: TrainingPictures) -> TrainingPictures:
    """Return the pictures as the next process reads them."""
    return replace(pictures, rows=ShardRows(pictures.rows.shards))


EVERY = {caption(shard, row)[:300] for shard in range(SHARDS) for row in range(ROWS)}


def without_a_file(folder: Path, shard: int) -> None:
    (folder / f"{shard}.parquet").unlink()


def with_a_wrong_code(folder: Path, shard: int) -> None:
    """Write a code that is not in the codebook into the last row but one."""
    rows = [CodeRow(caption(shard, row), _code(row), "UNLIKELY", 64, 64) for row in range(ROWS)]
    write_shard(folder / f"{shard}.parquet", rows, row_group_rows=ROWS // 2)


def _code(row: int) -> bytes:
    wrong = MODEL.image_vocab if row == ROWS - 2 else 0
    return np.full(MODEL.image_length, wrong, "<i2").tobytes()


@pytest.mark.parametrize("damage", [without_a_file, with_a_wrong_code])
@pytest.mark.parametrize("place", range(SHARDS))
def test_a_shard_that_could_not_be_read_is_looked_for_again(
    pictures: TrainingPictures, encoder: PictureEncoder, tmp_path: Path, damage: object, place: int
) -> None:
    assert callable(damage)
    shard = next(number for number in range(SHARDS) if pictures.place_of(f"{number}.parquet") == place)
    damage(tmp_path, shard)
    folder = tmp_path / "index"
    for _ in range(2):
        found = build_index(folder, reopened(pictures), encoder, 100)
        assert (found.is_whole, found.shards.left) == (False, 1)
        assert captions(found) < EVERY
    before = found.pictures
    write_shards(tmp_path)
    whole = build_index(folder, reopened(pictures), encoder, 100)
    assert (whole.pictures, whole.is_whole) == (SHARDS * ROWS, True)
    assert whole.shards == SeenShards(SHARDS, 0, SHARDS)
    assert captions(whole) == EVERY
    assert before < whole.pictures


def test_an_index_of_exactly_all_pictures_is_whole(
    pictures: TrainingPictures, encoder: PictureEncoder, tmp_path: Path
) -> None:
    few = build_index(tmp_path / "index", pictures, encoder, ROWS + 1)
    assert (few.is_whole, few.shards) == (False, SeenShards(2, 0, SHARDS))
    assert build_index(tmp_path / "index", reopened(pictures), encoder, SHARDS * ROWS).is_whole
    less = build_index(tmp_path / "index", reopened(pictures), encoder, ROWS)
    assert (less.pictures, less.is_whole, less.shards.seen) == (ROWS, False, 2)


def test_only_one_process_extends_an_index(
    pictures: TrainingPictures, encoder: PictureEncoder, tmp_path: Path
) -> None:
    folder = tmp_path / "index"
    folder.mkdir()
    with alone(folder / "lock"), pytest.raises(DataError, match="Another evaluation"):
        build_index(folder, pictures, encoder, 5)
    assert build_index(folder, pictures, encoder, 5).pictures == 5


def test_a_part_of_another_place_is_not_taken(
    pictures: TrainingPictures, encoder: PictureEncoder, tmp_path: Path
) -> None:
    for most in (2, 4):
        index = build_index(tmp_path / "index", pictures, encoder, most)
    first, second = sorted((tmp_path / "index").glob("part-*"))
    second.write_bytes(first.read_bytes())
    with pytest.raises(DataError, match="not the part that belongs there"):
        captions(index)


def test_a_caption_is_known_by_all_its_words(
    pictures: TrainingPictures, encoder: PictureEncoder, tmp_path: Path
) -> None:
    index = build_index(tmp_path / "index", pictures, encoder, 100)
    assert known_captions(index, [LONG, LONG[:300], "picture 3 of 1"]) == [True, False, True]
    assert caption_keys([LONG]) in np.concatenate([part.keys for part in index.parts()])
