"""`dataset build` as somebody types it: what it says, what it makes, and what it refuses before it begins."""

import json
from pathlib import Path

import pytest

from core.data.shards import iterate_rows
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


def test_what_was_built_and_what_was_left_out_is_told(words: list[object], tmp_path: Path) -> None:
    ended = idlebrush(*words, "--out", tmp_path / "out")
    assert ended.returncode == 0, ended.stderr
    told = " ".join(ended.stdout.split())
    assert "4 images in" in told
    assert "short caption 1 20.0%" in told
    assert idlebrush("dataset", "check", tmp_path / "out").returncode == 0


def test_what_was_built_before_is_told_and_not_encoded_again(words: list[object], tmp_path: Path) -> None:
    first, again = (idlebrush(*words, "--out", tmp_path / "out", "--json") for _ in range(2))
    assert (again.returncode, again.stdout) == (0, first.stdout)
    assert "built before" not in first.stderr
    assert "built before, and is whole. --restart builds it anew" in again.stderr


def test_the_layouts_hold_the_same_rows(words: list[object], tmp_path: Path) -> None:
    built = {}
    for layout in ("published", "packed"):
        ended = idlebrush(*words, "--out", tmp_path / layout, "--layout", layout, "--json")
        assert json.loads(ended.stdout)["rows"] == {"train": 4}, ended.stderr
        built[layout] = tmp_path / layout / "train-00000.parquet"
    assert list(iterate_rows(built["packed"])) == list(iterate_rows(built["published"]))
    assert built["packed"].read_bytes() != built["published"].read_bytes()


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
