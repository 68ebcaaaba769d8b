"""A folder in the imagefolder layout is read line by line, and a malformed line is named."""

import json
import shutil
from pathlib import Path

import pytest

from core.data.images import BadCaptionError, BrokenImageError, NoCaptionError, NoImageError
from core.data.sources.folder import CaptionedFiles, ImageFolder
from core.errors import DataError


def folder(path: Path, *lines: object) -> ImageFolder:
    path.mkdir(exist_ok=True)
    (path / "metadata.jsonl").write_bytes(b"\n".join(encoded(line) for line in lines))
    return ImageFolder(path)


def encoded(line: object) -> bytes:
    if isinstance(line, bytes):
        return line
    return (line if isinstance(line, str) else json.dumps(line)).encode()


def test_a_line_gives_an_image(tmp_path: Path) -> None:
    source = folder(
        tmp_path,
        {"file_name": "a.png", "caption": "a cat", "split": ["train", "small"], "NSFW": "UNSURE"},
        "",
        {"file_name": "b.png", "text": "a dog", "licence": "extra columns are ignored"},
    )
    (tmp_path / "a.png").write_bytes(b"cat")
    cat, dog = source
    assert (cat.name, cat.caption, cat.nsfw, cat.splits) == ("a.png", "a cat", "UNSURE", ("train", "small"))
    assert cat.read() == b"cat"
    assert (dog.caption, dog.nsfw, dog.splits) == ("a dog", "UNLIKELY", ("train",))


def test_a_folder_without_metadata_says_what_to_put_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no metadata\.jsonl") as caught:
        ImageFolder(tmp_path)
    assert "file_name" in caught.value.remedy


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a JSON object"),
        (b'{"file_name": "a.png", "caption": "\xff"}', "is not JSON in UTF-8"),
        ("[" * 100_000, "is not JSON"),
        ({"caption": "a cat"}, "'file_name'"),
        ({"file_name": "a.png", "caption": "a cat", "NSFW": 1}, "'NSFW'"),
        ({"file_name": "a.png", "caption": "a cat", "split": "../up"}, "split"),
        ({"file_name": "a.png", "caption": "a cat", "split": []}, "split"),
        ({"file_name": "a.png", "caption": "a cat", "split": [1]}, "split"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, line: object, message: str) -> None:
    source = folder(tmp_path, {"file_name": "a.png", "caption": "fine"}, line)
    with pytest.raises(DataError, match=rf"line 2 of .*metadata\.jsonl.*{message}"):
        list(source)


@pytest.mark.parametrize(
    ("record", "error"),
    [
        ({"file_name": "a.png"}, NoCaptionError),
        ({"file_name": "a.png", "caption": ""}, NoCaptionError),
        ({"file_name": "a.png", "caption": None}, NoCaptionError),
        ({"file_name": "a.png", "caption": "half a \ud83d"}, BadCaptionError),
        ({"file_name": "a.png", "caption": 7}, BadCaptionError),
    ],
)
def test_an_image_without_a_usable_caption_is_left_out_and_the_next_is_read(
    tmp_path: Path, record: object, error: type[BrokenImageError]
) -> None:
    first, second = folder(tmp_path, record, {"file_name": "b.png", "caption": "fine"})
    with pytest.raises(error):
        first.read()
    assert (first.name, second.name, second.caption) == ("a.png", "b.png", "fine")


def test_an_empty_caption_of_a_csv_is_none(tmp_path: Path) -> None:
    (tmp_path / "metadata.csv").write_text("file_name,caption\na.png,\nb.png,fine\n")
    first, second = ImageFolder(tmp_path)
    with pytest.raises(NoCaptionError):
        first.read()
    assert second.caption == "fine"


def test_an_image_outside_of_the_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"secret")
    inner = tmp_path / "inner"
    source = folder(
        inner,
        {"file_name": "../secret.png", "caption": "above"},
        {"file_name": "link.png", "caption": "linked"},
        {"file_name": str(tmp_path / "secret.png"), "caption": "absolute"},
    )
    (inner / "link.png").symlink_to(tmp_path / "secret.png")
    for image in source:
        with pytest.raises(BrokenImageError, match="outside"):
            image.read()


def test_an_image_that_is_missing_or_too_large_is_refused(tmp_path: Path) -> None:
    source = folder(
        tmp_path,
        {"file_name": "absent.png", "caption": "absent"},
        {"file_name": "huge.png", "caption": "huge"},
    )
    with (tmp_path / "huge.png").open("wb") as file:
        file.truncate(1 << 30)
    absent, huge = source
    with pytest.raises(NoImageError, match=r"absent\.png is missing"):
        absent.read()
    with pytest.raises(BrokenImageError, match=r"huge\.png has more than"):
        huge.read()


def test_names_that_are_no_files_are_refused(tmp_path: Path) -> None:
    source = folder(tmp_path, *({"file_name": name, "caption": "none"} for name in ("a\0.png", "circle.png")))
    (tmp_path / "circle.png").symlink_to("circle.png")
    for image in source:
        with pytest.raises(BrokenImageError):
            image.read()


def test_images_that_vanish_with_their_folder_are_not_left_out(tmp_path: Path) -> None:
    source = folder(tmp_path / "disk", {"file_name": "a.png", "caption": "a cat"})
    (image,) = source
    shutil.rmtree(tmp_path / "disk")
    with pytest.raises(DataError, match="no longer exists") as caught:
        image.read()
    assert not isinstance(caught.value, BrokenImageError)
    with pytest.raises(DataError, match="cannot be read"):
        list(CaptionedFiles(tmp_path / "disk"))
