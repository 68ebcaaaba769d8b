"""`dataset build` as a user types it: what it says, what it makes, and what it refuses before it begins."""

import json
from pathlib import Path

import pytest

from core.data.shard_file import iterate_rows
from tests.command_line import idlebrush
from tests.core.data.tiny_codec import picture, write_codec, write_source


@pytest.fixture
def words(tmp_path: Path) -> list[object]:
    """A build of five pictures, of which one has too short a caption."""
    codec, source = tmp_path / "codec", tmp_path / "source"
    codec.mkdir()
    pictures: list[tuple[str, bytes, dict[str, object]]] = [
        (f"{n}.png", picture(n), {"caption": f"number {n}"}) for n in range(4)
    ]
    write_source(source, [*pictures, ("ab.png", picture(4), {})])
    return ["dataset", "build", source, "--codec", write_codec(codec), "--device", "cpu", "--grid", 2]


def test_what_was_built_and_what_was_left_out_is_reported(words: list[object], tmp_path: Path) -> None:
    ended = idlebrush(*words, "--out", tmp_path / "out")
    assert ended.returncode == 0, ended.stderr
    output = " ".join(ended.stdout.split())
    assert "4 images in" in output
    assert "short caption 1 20.0%" in output
    assert idlebrush("dataset", "check", tmp_path / "out").returncode == 0


def test_each_reason_for_leaving_an_image_out_is_counted_by_itself(tmp_path: Path) -> None:
    codec, source = tmp_path / "codec", tmp_path / "source"
    for folder in (codec, source):
        folder.mkdir()
    for name, size in {
        "good": (20, 16),
        "point": (1, 1),
        "narrow": (4, 3),
        "mute": (20, 16),
        "odd": (20, 16),
    }.items():
        (source / f"{name}.png").write_bytes(picture(0, size))
        (source / f"{name}.txt").write_bytes(b"half a \xff" if name == "odd" else b"a caption")
    (source / "mute.txt").unlink()
    (source / "broken.png").write_bytes(b"no image")
    (source / "broken.txt").write_text("a caption")
    ended = idlebrush(
        "dataset",
        "build",
        source,
        "--codec",
        write_codec(codec),
        "--device",
        "cpu",
        "--json",
        "--out",
        tmp_path / "out",
    )
    assert json.loads(ended.stdout)["left_out"] == {
        "broken image": 1,
        "no caption": 1,
        "too small": 2,
        "unusable caption": 1,
    }, ended.stderr
    lines = [json.loads(line) for line in (tmp_path / "out" / "left_out.jsonl").read_text().splitlines()]
    details = {line["file_name"]: line["detail"] for line in lines}
    assert details["point.png"] == "It has 1 x 1 pixels, fewer than 4 x 4 codes stand for."
    assert details["mute.png"] == "It has no text file beside it."


def test_what_was_built_before_is_reported_and_not_encoded_again(words: list[object], tmp_path: Path) -> None:
    first, again = (idlebrush(*words, "--out", tmp_path / "out", "--json") for _ in range(2))
    assert (again.returncode, again.stdout) == (0, first.stdout)
    assert "already complete" not in first.stderr
    assert "already complete. --restart builds it again" in again.stderr


def test_shards_of_every_compression_hold_the_same_rows(words: list[object], tmp_path: Path) -> None:
    built = {}
    for compression in ("standard", "high"):
        ended = idlebrush(*words, "--out", tmp_path / compression, "--compression", compression, "--json")
        assert json.loads(ended.stdout)["rows"] == {"train": 4}, ended.stderr
        built[compression] = tmp_path / compression / "train-00000.parquet"
    assert list(iterate_rows(built["high"])) == list(iterate_rows(built["standard"]))


def test_filters_are_as_given(words: list[object], tmp_path: Path) -> None:
    loose = ["--min-caption-length", 2, "--max-aspect-ratio", 1.3, "--safe-label", "UNLIKELY"]
    ended = idlebrush(*words, "--out", tmp_path / "out", *loose, "--json")
    assert json.loads(ended.stdout)["left_out"] == {}, ended.stderr
    strict = ["--max-aspect-ratio", 1.2, "--restart"]
    ended = idlebrush(*words, "--out", tmp_path / "strict", *strict)
    assert ended.returncode == 2
    assert "No image of the source could be used (4 extreme aspect ratio, 1 short caption)" in ended.stderr


@pytest.mark.parametrize("ratio", ["inf", "nan", "0.5"])
def test_a_ratio_that_is_none_is_refused(words: list[object], tmp_path: Path, ratio: str) -> None:
    ended = idlebrush(*words, "--out", tmp_path / "out", "--max-aspect-ratio", ratio)
    assert ended.returncode == 2
    assert "--max-aspect-ratio" in ended.stderr
    assert not (tmp_path / "out").exists()
