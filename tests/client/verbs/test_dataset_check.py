"""`dataset check` as a user types it: what it says of sound shards, of damaged ones, and beside their images."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.data.index import ShardEntry, ShardIndex
from core.data.shard_file import shard_digest
from core.data.shards import CodeRow, encode_codes, write_shard
from core.storage.files import sha256_of
from tests.command_line import idlebrush

CAPTIONS = ("a red cat", "a blue dog", "a red cat", "a very small green bird")
TOKENIZER = Path(__file__).parents[3] / "assets" / "embedded" / "tokenizer.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "shards" / "train-00000.parquet"
    path.parent.mkdir()
    codes = np.array([0, 1, 2, 3])
    write_shard(path, (CodeRow(caption, encode_codes(codes), "UNLIKELY", 64, 64) for caption in CAPTIONS))
    entry = ShardEntry(file=path.name, rows=len(CAPTIONS), sha256=shard_digest(path))
    index = ShardIndex(grid=2, vocab=16, images=4, left_out={}, source_bytes=4000, splits={"train": (entry,)})
    index.save(path.parent)
    return path.parent


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "images"
    folder.mkdir()
    noise = np.random.default_rng(0).integers(0, 256, (300, 400, 3), np.uint8)
    Image.fromarray(noise).save(folder / "noise.png")
    Image.fromarray(noise[:60, :60]).save(folder / "small.png")
    (folder / "broken.png").write_bytes(b"no picture")
    lines = [{"file_name": f"{name}.png", "caption": name} for name in ("noise", "broken", "small")]
    (folder / "metadata.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder


def test_what_the_rows_are_like_is_shown(folder: Path) -> None:
    ended = idlebrush("dataset", "check", folder, "--tokenizer", TOKENIZER)
    assert ended.returncode == 0, ended.stderr
    for words in (
        "train: 4 sound rows",
        "4 of 16 codes occur (25.0%)",
        "2.00 bits per code (order 0), equal to 4 equally frequent codes",
        "1 (25.0%) repeat an earlier row",
        "1,000 bytes an image",
        "Captions by tokens",
    ):
        assert words in ended.stdout


def test_programs_get_the_same_as_json(folder: Path) -> None:
    found = json.loads(idlebrush("dataset", "check", folder, "--json").stdout)
    stored = found["statistics"]["stored"]
    assert (found["sound"], found["rows"], found["problems"]) == (True, {"train": 4}, [])
    assert found["statistics"]["codebook"]["perplexity"] == pytest.approx(4)
    assert found["statistics"]["stored_bits_per_code"] == pytest.approx(8 * stored["codes"] / 16)
    assert (found["source_bytes"], found["images"]) == (1000, None)


def test_the_size_of_rows_is_compared_with_that_of_their_images(folder: Path, source: Path) -> None:
    images = json.loads(idlebrush("dataset", "check", folder, "--source", source, "--json").stdout)["images"]
    sizes = [(source / name).stat().st_size for name in ("noise.png", "small.png")]
    assert (images["images"], images["source"]) == (2, sum(sizes) / 2)
    assert 256 * 256 / 4 < images["jpeg"]["75"] < images["jpeg"]["90"] < images["jpeg"]["95"]
    output = " ".join(idlebrush("dataset", "check", folder, "--source", source).stdout.split())
    assert "JPEG at 256 px, quality 90" in output
    assert "images are not enlarged for JPEG" in output


def test_damage_is_reported_and_the_exit_status_says_so(folder: Path) -> None:
    (folder / "train-00000.parquet").write_bytes(b"PAR1")
    ended = idlebrush("dataset", "check", folder)
    assert ended.returncode == 1
    assert "train-00000.parquet is not the shard that the index lists" in ended.stdout


@pytest.mark.parametrize(("is_same", "status"), [(True, 0), (False, 1)])
def test_codes_of_another_codec_are_reported(
    folder: Path, tmp_path: Path, is_same: bool, status: int
) -> None:
    codec = tmp_path / "codec"
    codec.mkdir()
    (codec / "vqgan.safetensors").write_bytes(b"weights")
    digest = sha256_of(codec / "vqgan.safetensors") if is_same else "ab" * 32
    ShardIndex.load(folder).model_copy(update={"codec_sha256": digest}).save(folder)
    ended = idlebrush("dataset", "check", folder, "--codec", codec)
    assert ended.returncode == status, ended.stderr
    assert ("The shards were made with another codec" in ended.stdout) != is_same


def test_a_published_set_is_checked_without_an_index(folder: Path) -> None:
    (folder / "index.json").unlink()
    ended = idlebrush("dataset", "check", folder, "--grid", 2, "--vocab", 16)
    assert (ended.returncode, "train-00000.parquet: 4 sound rows" in ended.stdout) == (0, True)
    assert "holds 3" in idlebrush("dataset", "check", folder, "--grid", 2, "--vocab", 3).stdout


@pytest.mark.parametrize(
    "options", [["--grid", 2], ["--vocab", 16], ["--grid", 2, "--vocab", 16, "--codec", "."]]
)
def test_half_of_what_an_index_would_tell_is_refused(folder: Path, options: list[object]) -> None:
    ended = idlebrush("dataset", "check", folder, *options)
    assert ended.returncode == 2
    assert "omit --codec" in ended.stderr
