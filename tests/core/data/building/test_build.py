"""A folder of pictures becomes shards, the same ones every time, and what was left out is accounted for."""

import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from core.codec.autoencoder import Autoencoder
from core.codec.config import read_config
from core.codec.vqgan import ImageCodec
from core.data.building.build import BuildProgress, BuildSettings, build_from_folder, build_shards, finished
from core.data.building.writing import LEFT_OUT_NAME
from core.data.checking.check import check_shards, check_without_index
from core.data.images import BrokenImageError
from core.data.index import INDEX_NAME, ShardIndex
from core.data.layout import Compression
from core.data.shard_file import iterate_codes, iterate_rows
from core.data.shards import write_shard
from core.data.sources.folder import ImageFolder
from core.data.sources.source import MAX_SPLITS
from core.errors import CodecError, DataError
from core.run.filters import DropReason
from core.storage.files import sha256_of
from tests.core.data.building.tiny_builds import SETTINGS, contents
from tests.core.data.tiny_codec import CODEC_CONFIG, picture, write_source


@pytest.fixture
def source(tmp_path: Path) -> ImageFolder:
    """Six good pictures, one of them in two splits, and one for each reason to leave a picture out."""
    return write_source(
        tmp_path / "source",
        [
            *((f"picture {seed}.png", picture(seed), {}) for seed in range(5)),
            ("in both.png", picture(5), {"split": ["train", "test"]}),
            ("ab.png", picture(6), {}),
            ("unsafe.png", picture(7), {"NSFW": "UNSURE"}),
            ("a long banner.png", picture(8, (10, 30)), {}),
            ("cut short.png", picture(9)[:300], {}),
            ("no picture.png", b"These are words.", {}),
        ],
    )


def test_pictures_become_shards_that_check(source: ImageFolder, codec: ImageCodec, tmp_path: Path) -> None:
    out = tmp_path / "out"
    index = build_shards(source, codec, out, SETTINGS)
    assert ShardIndex.load(out) == index
    assert [(entry.file, entry.rows) for entry in index.splits["train"]] == [
        ("train-00000.parquet", 4),
        ("train-00001.parquet", 2),
    ]
    assert index.rows("test") == 1
    report = check_shards(out)
    assert report.sound
    assert report.rows == {"test": 1, "train": 6}


def test_rows_hold_what_the_codec_makes_of_the_picture(
    source: ImageFolder, codec: ImageCodec, tmp_path: Path
) -> None:
    build_shards(source, codec, tmp_path / "out", SETTINGS)
    (row, codes), *_ = iterate_codes(tmp_path / "out" / "train-00000.parquet", 2, codec.codebook_size)
    assert (row.caption, row.nsfw, row.original_width, row.original_height) == (
        "picture 0",
        "UNLIKELY",
        16,
        20,
    )
    side = 2 * codec.downsampling
    square = (
        Image.open(io.BytesIO(picture(0))).crop((0, 2, 16, 18)).resize((side, side), Image.Resampling.LANCZOS)
    )
    pixels = torch.from_numpy(np.asarray(square, dtype=np.float32) / 255).permute(2, 0, 1)[None]
    assert codes.tolist() == codec.encode(pixels).flatten().tolist()


def test_what_is_left_out_is_counted_and_named(
    source: ImageFolder, codec: ImageCodec, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    index = build_shards(source, codec, out, SETTINGS)
    assert index.images == 6
    assert index.left_out == {
        BrokenImageError.reason: 2,
        DropReason.EXTREME_ASPECT_RATIO: 1,
        DropReason.NSFW: 1,
        DropReason.SHORT_CAPTION: 1,
    }
    lines = [json.loads(line) for line in (out / LEFT_OUT_NAME).read_text().splitlines()]
    assert {line["file_name"]: line["reason"] for line in lines} == {
        "ab.png": DropReason.SHORT_CAPTION,
        "unsafe.png": DropReason.NSFW,
        "a long banner.png": DropReason.EXTREME_ASPECT_RATIO,
        "cut short.png": BrokenImageError.reason,
        "no picture.png": BrokenImageError.reason,
    }


def test_two_builds_give_the_same_bytes(source: ImageFolder, codec: ImageCodec, tmp_path: Path) -> None:
    build_shards(source, codec, tmp_path / "one", SETTINGS)
    build_shards(source, codec, tmp_path / "two", SETTINGS)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


@pytest.mark.parametrize("restart", [False, True])
def test_what_is_finished_is_not_built_again_unless_that_is_asked_for(
    source: ImageFolder, codec: ImageCodec, tmp_path: Path, restart: bool
) -> None:
    out, seen = tmp_path / "out", list[BuildProgress]()
    index = build_shards(source, codec, out, SETTINGS)
    assert finished(source, codec, out, SETTINGS) == index
    assert build_shards(source, codec, out, SETTINGS, seen.append, restart=restart) == index
    assert bool(seen) == restart


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_bytes(b"something else")])
def test_a_finished_build_that_was_damaged_is_made_whole(
    source: ImageFolder, codec: ImageCodec, tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    out = tmp_path / "out"
    build_shards(source, codec, out, SETTINGS)
    whole = contents(out)
    damage(out / "train-00001.parquet")
    assert finished(source, codec, out, SETTINGS) is None
    build_shards(source, codec, out, SETTINGS)
    assert contents(out) == whole


def test_other_settings_or_another_source_are_built(
    source: ImageFolder, codec: ImageCodec, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    build_shards(source, codec, out, SETTINGS)
    assert finished(source, codec, out, SETTINGS.model_copy(update={"grid": 4})) is None
    with (tmp_path / "source" / "metadata.jsonl").open("a") as lines:
        lines.write('\n{"file_name": "picture 0.png", "caption": "once more"}')
    assert finished(ImageFolder(tmp_path / "source"), codec, out, SETTINGS) is None


def test_a_new_build_replaces_the_earlier_one(source: ImageFolder, codec: ImageCodec, tmp_path: Path) -> None:
    out = tmp_path / "out"
    build_shards(source, codec, out, BuildSettings(grid=2, shard_rows=1))
    build_shards(source, codec, out, SETTINGS)
    assert sorted(contents(out)) == [
        INDEX_NAME,
        LEFT_OUT_NAME,
        "test-00000.parquet",
        "train-00000.parquet",
        "train-00001.parquet",
    ]


def test_a_failed_build_leaves_the_earlier_one(
    source: ImageFolder, codec: ImageCodec, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    build_shards(source, codec, out, SETTINGS)
    before = contents(out)
    malformed = write_source(tmp_path / "malformed", [("a picture.png", picture(0), {"split": "/"})])
    with pytest.raises(DataError, match="line 1"):
        build_shards(malformed, codec, out, SETTINGS)
    assert contents(out) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["malformed", "out", "source"]


def test_a_folder_is_built_with_a_codec_of_another_folder(
    source: ImageFolder, codec_folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    index = build_from_folder(tmp_path / "source", codec_folder, out, BuildSettings())
    assert (index.grid, index.vocab) == (4, 16)
    assert check_shards(out, sha256_of(codec_folder / "vqgan.safetensors")).sound
    with pytest.raises(CodecError, match="holds 0 files of weights"):
        build_from_folder(tmp_path / "source", tmp_path, out, BuildSettings())


def test_shards_of_unknown_origin_are_not_overwritten(
    source: ImageFolder, codec: ImageCodec, tmp_path: Path
) -> None:
    (tmp_path / "train-00000.parquet").write_bytes(b"somebody else's")
    with pytest.raises(DataError, match=r"train-00000\.parquet"):
        build_shards(source, codec, tmp_path, SETTINGS)
    assert (tmp_path / "train-00000.parquet").read_bytes() == b"somebody else's"


def test_a_codebook_that_16_bits_cannot_number_is_refused(source: ImageFolder, tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(CODEC_CONFIG.replace("n_embed: 16", "n_embed: 40000"))
    codec = ImageCodec(Autoencoder(read_config(tmp_path / "config.yaml")))
    with pytest.raises(CodecError, match="40000 codes"):
        build_shards(source, codec, tmp_path / "out", SETTINGS)


def test_a_folder_that_cannot_be_written_is_named(
    source: ImageFolder, codec: ImageCodec, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(DataError, match="out cannot be written"):
        build_shards(source, codec, tmp_path / "file" / "out", SETTINGS)


def test_a_source_without_one_usable_picture_says_why(codec: ImageCodec, tmp_path: Path) -> None:
    source = write_source(tmp_path / "source", [("no picture.png", b"", {}), ("ab.png", picture(0), {})])
    with pytest.raises(DataError, match="1 broken image, 1 short caption"):
        build_shards(source, codec, tmp_path / "out", SETTINGS)


def test_progress_counts_every_picture(source: ImageFolder, codec: ImageCodec, tmp_path: Path) -> None:
    seen: list[BuildProgress] = []
    build_shards(source, codec, tmp_path / "out", SETTINGS, seen.append)
    assert [(progress.tally.done, progress.tally.images) for progress in seen] == [
        (0, 0),
        (3, 3),
        (6, 6),
        (11, 6),
    ]
    assert seen[-1].length == 11
    assert seen[-1].shard_bytes == (tmp_path / "out" / "train-00000.parquet").stat().st_size


@pytest.fixture
def built(source: ImageFolder, codec: ImageCodec, tmp_path: Path) -> Path:
    build_shards(source, codec, tmp_path / "out", SETTINGS, codec_sha256="a" * 64)
    return tmp_path / "out"


def test_a_check_finds_damage_and_strays(built: Path) -> None:
    first, second = built / "train-00000.parquet", built / "train-00001.parquet"
    first.write_bytes(first.read_bytes()[:-40])
    second.unlink()
    write_shard(built / "stray.parquet", [])
    report = check_shards(built)
    assert not report.sound
    assert report.rows == {"test": 1, "train": 0}
    stray, damaged, absent = report.problems
    assert "stray.parquet is not listed" in stray
    assert "train-00000.parquet is not the shard that the index lists" in damaged
    assert "train-00001.parquet" in absent


def test_a_check_finds_codes_out_of_range(built: Path, codec: ImageCodec) -> None:
    index = ShardIndex.load(built)
    index.model_copy(update={"vocab": 1}).save(built)
    report = check_shards(built)
    assert "this run's codebook has the codes 0 to 0" in report.problems[0]


def test_a_check_tells_shards_of_another_codec(built: Path) -> None:
    assert check_shards(built, codec_sha256="a" * 64).sound
    assert "another codec" in check_shards(built, codec_sha256="b" * 64).problems[0]
    ShardIndex.load(built).model_copy(update={"codec_sha256": None}).save(built)
    assert "does not name the codec" in check_shards(built, codec_sha256="a" * 64).problems[0]
    assert check_shards(built).sound


def test_published_shards_are_checked_without_an_index(built: Path, codec: ImageCodec) -> None:
    (built / INDEX_NAME).unlink()
    with pytest.raises(DataError, match=r"index\.json cannot be read"):
        check_shards(built)
    (built / "train-00001.parquet").write_bytes(b"no shard")
    report = check_without_index(built, 2, codec.codebook_size)
    assert report.rows == {"test-00000.parquet": 1, "train-00000.parquet": 4, "train-00001.parquet": 0}
    assert len(report.problems) == 1
    with pytest.raises(DataError, match="no shard in"):
        check_without_index(built / "absent", 2, codec.codebook_size)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "malformed"),
        ('{"layout": 2}', "malformed at layout"),
        ('{"layout": 1, "grid": "eight"}', "malformed at grid"),
    ],
)
def test_a_malformed_index_is_refused(built: Path, text: str, message: str) -> None:
    (built / INDEX_NAME).write_text(text)
    with pytest.raises(DataError, match=message):
        check_shards(built)


def test_an_index_cannot_name_files_elsewhere(built: Path) -> None:
    text = (built / INDEX_NAME).read_text().replace("test-00000.parquet", "../secret.parquet")
    (built / INDEX_NAME).write_text(text)
    with pytest.raises(DataError, match="file"):
        check_shards(built)


def test_high_compression_holds_the_same_rows(source: ImageFolder, codec: ImageCodec, tmp_path: Path) -> None:
    high = SETTINGS.model_copy(update={"compression": Compression.HIGH})
    build_shards(source, codec, tmp_path / "standard", SETTINGS)
    index = build_shards(source, codec, tmp_path / "high", high)
    build_shards(source, codec, tmp_path / "again", high)
    assert contents(tmp_path / "high") == contents(tmp_path / "again")
    assert check_shards(tmp_path / "high").sound
    for entry in index.splits["train"]:
        rows = list(iterate_rows(tmp_path / "high" / entry.file))
        assert rows == list(iterate_rows(tmp_path / "standard" / entry.file))


def test_a_source_with_a_split_for_every_image_is_refused(codec: ImageCodec, tmp_path: Path) -> None:
    pictures: list[tuple[str, bytes, dict[str, object]]] = [
        (f"picture {n}.png", picture(n), {"split": f"s{n}"}) for n in range(MAX_SPLITS + 1)
    ]
    source = write_source(tmp_path / "source", pictures)
    with pytest.raises(DataError, match="more than 64 splits"):
        build_shards(source, codec, tmp_path / "out", SETTINGS)
    assert not list((tmp_path / "out").glob("*.parquet"))
