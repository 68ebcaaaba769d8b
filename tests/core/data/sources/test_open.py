"""A text names a source of one kind, and what names none is told what would."""

import io
import json
import tarfile
from pathlib import Path

import pytest

from core.data.images import NoCaptionError
from core.data.sources.folder import CaptionedFiles, ImageFolder
from core.data.sources.img2dataset import Img2Dataset
from core.data.sources.open import expand_braces, open_source
from core.data.sources.webdataset import WebDataset
from core.errors import DataError
from tests.core.data.sources.test_img2dataset import write_output
from tests.core.data.tiny_codec import picture


def archive(path: Path) -> None:
    data = picture(0)
    with tarfile.open(path, "w") as file:
        member = tarfile.TarInfo("0.png")
        member.size = len(data)
        file.addfile(member, io.BytesIO(data))


def test_a_folder_is_what_lies_in_it(tmp_path: Path) -> None:
    lines, table, pairs, archives, output = (tmp_path / name for name in ("l", "t", "p", "a", "o"))
    for folder in (lines, table, pairs, archives):
        folder.mkdir()
    (lines / "metadata.jsonl").write_text(json.dumps({"file_name": "a.png", "caption": "a cat"}))
    (table / "metadata.csv").write_text("file_name,text\na.png,a cat\n")
    (pairs / "a.png").write_bytes(picture(0))
    (pairs / "a.txt").write_text("a cat")
    archive(archives / "0.tar")
    write_output(output, "webdataset")
    kinds = [type(open_source(str(folder))) for folder in (lines, table, pairs, archives, output)]
    assert kinds == [ImageFolder, ImageFolder, CaptionedFiles, WebDataset, Img2Dataset]


def test_archives_are_named_by_a_pattern(tmp_path: Path) -> None:
    for number in range(3):
        archive(tmp_path / f"{number:02d}.tar")
    source = open_source(f"{tmp_path}/{{00..02}}.tar")
    assert [image.name for image in source] == ["00.tar/0", "01.tar/0", "02.tar/0"]
    with pytest.raises(DataError, match=r"no archive .*03\.tar"):
        open_source(f"{tmp_path}/{{00..03}}.tar")


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("a.tar", ["a.tar"]),
        ("{8..11}", ["8", "9", "10", "11"]),
        ("{008..010}", ["008", "009", "010"]),
        ("{a,b}{0..1}", ["a0", "a1", "b0", "b1"]),
        ("{3..1}", []),
        ("{}", [""]),
        ("{x", ["{x"]),
    ],
)
def test_braces_are_expanded_as_by_a_shell(pattern: str, names: list[str]) -> None:
    assert expand_braces(pattern) == names


@pytest.mark.parametrize("pattern", ["{0..999999999}", "{0..99999}{0..99999}{0..99999}"])
def test_a_pattern_for_too_many_archives_is_refused(pattern: str) -> None:
    with pytest.raises(DataError, match="stands for more than"):
        expand_braces(pattern)


@pytest.mark.parametrize(
    "text", ["a cat.png", "/no/such/folder", "http://example.org/x", "a/b/c", "data.tar.gz"]
)
def test_for_what_is_no_source_the_error_names_what_would_be(text: str) -> None:
    with pytest.raises(DataError, match="not a source of images") as caught:
        open_source(text)
    assert "metadata.jsonl" in caught.value.remedy


def test_a_folder_without_captions_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(picture(0))
    with pytest.raises(DataError, match="holds no images with captions"):
        open_source(str(tmp_path))


def test_text_files_beside_images_are_their_captions(tmp_path: Path) -> None:
    inner = tmp_path / "b"
    inner.mkdir()
    for path, caption in (
        (inner / "2.png", "second\n"),
        (tmp_path / "1.JPG", "first"),
        (tmp_path / "0.png", None),
    ):
        path.write_bytes(picture(1))
        if caption:
            path.with_suffix(".txt").write_text(caption)
    (tmp_path / "notes.txt").write_text("of no image")
    source = open_source(str(tmp_path))
    without, first, second = source
    assert source.length == 3
    assert [image.name for image in source] == ["0.png", "1.JPG", "b/2.png"]
    assert (first.caption, second.caption) == ("first", "second")
    assert second.read() == picture(1)
    assert [image.name for image in source.images(first.after)] == ["b/2.png"]
    with pytest.raises(NoCaptionError, match=r"Write its caption into 0\.txt"):
        without.read()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_the_columns_of_a_csv_are_those_of_the_lines(tmp_path: Path, encoding: str) -> None:
    text = (
        'file_name,caption,NSFW,split\na.png,"a cat, asleep",UNLIKELY,train\nb.png,"two\nlines",UNSURE,test\n'
    )
    (tmp_path / "metadata.csv").write_text(text, encoding=encoding)
    source = open_source(str(tmp_path))
    cat, two = source
    assert (cat.name, cat.caption, cat.nsfw, cat.splits) == ("a.png", "a cat, asleep", "UNLIKELY", ("train",))
    assert (two.caption, two.nsfw, two.splits) == ("two\nlines", "UNSURE", ("test",))
    assert [image.name for image in source.images(cat.after)] == ["b.png"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("caption\na cat\n", "line 2 .*'file_name'"),
        ('file_name,caption\na.png,"a "cat\n', "line 2 .*is not CSV"),
        ("file_name,caption\na.png," + "x" * (1 << 20) + "\n", "line 2 .*has more than"),
    ],
)
def test_a_malformed_line_of_a_csv_is_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "metadata.csv").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(DataError, match=message):
        list(open_source(str(tmp_path)))


def test_the_ending_of_a_name_may_be_in_capitals(tmp_path: Path) -> None:
    (tmp_path / "1.JPG").write_bytes(picture(1))
    (tmp_path / "1.txt").write_text("a cat")
    assert [image.caption for image in open_source(str(tmp_path))] == ["a cat"]
