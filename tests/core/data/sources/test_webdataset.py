"""Archives are read sample by sample from any place on, and hostile ones cost neither files, memory nor time."""

import gzip
import io
import json
import shutil
import tarfile
import tracemalloc
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.data.images import BrokenImageError
from core.data.sources.source import MAX_IMAGE_BYTES, ImageSource, SourceImage
from core.data.sources.webdataset import WebDataset
from core.errors import DataError
from tests.core.data.tiny_codec import picture

File = tuple[str, bytes]


def write_archive(path: Path, files: Sequence[File | tarfile.TarInfo]) -> Path:
    with tarfile.open(path, "w") as archive:
        for file in files:
            member = file if isinstance(file, tarfile.TarInfo) else tarfile.TarInfo(file[0])
            data = b"" if isinstance(file, tarfile.TarInfo) else file[1]
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return path


def sample(number: int, **metadata: object) -> list[File]:
    key = f"{number:05d}"
    return [
        (f"{key}.jpg", picture(number, kind="JPEG")),
        (f"{key}.txt", f"picture {number}\n".encode()),
        *([(f"{key}.json", json.dumps(metadata).encode())] if metadata else []),
    ]


def problem(image: SourceImage) -> str:
    with pytest.raises(BrokenImageError) as caught:
        image.read()
    return caught.value.what


def test_the_files_of_a_key_are_one_image(tmp_path: Path) -> None:
    metadata = {
        "caption": "of the JSON",
        "NSFW": "UNSURE",
        "original_width": 640,
        "original_height": 480,
        "key": "x",
    }
    archive = write_archive(
        tmp_path / "a.tar",
        [
            *sample(0),
            *sample(1, **metadata),
            ("deep/folder/2.seg.png", b"a mask"),
            ("deep/folder/2.PNG", picture(2)),
            ("deep/folder/2.json", json.dumps({"caption": "only in JSON", "split": ["a", "b"]}).encode()),
            ("__key__.txt", b"metadata"),
        ],
    )
    first, second, third = WebDataset([archive])
    assert (first.name, first.caption) == ("a.tar/00000", "picture 0")
    assert (first.nsfw, first.splits, first.size) == ("UNLIKELY", ("train",), None)
    assert first.read() == picture(0, kind="JPEG")
    assert (second.caption, second.nsfw, second.size) == ("picture 1", "UNSURE", (640, 480))
    assert (third.name, third.caption, third.splits) == ("a.tar/deep/folder/2", "only in JSON", ("a", "b"))
    assert third.read() == picture(2)


def test_the_images_after_a_place_are_those_that_follow(tmp_path: Path) -> None:
    archives = [
        write_archive(
            tmp_path / f"{index}.tar", [file for number in range(3) for file in sample(3 * index + number)]
        )
        for index in range(3)
    ]
    source = WebDataset(archives)
    images = list(source)
    assert [image.caption for image in images] == [f"picture {number}" for number in range(9)]
    for number, image in enumerate(images, 1):
        assert names_after(source, image) == [later.name for later in images[number:]]


def names_after(source: ImageSource, image: SourceImage) -> list[str]:
    return [later.name for later in source.images(image.after)]


def test_a_sample_without_caption_or_image_is_listed(tmp_path: Path) -> None:
    archive = write_archive(
        tmp_path / "a.tar",
        [
            ("0.jpg", b""),
            ("1.txt", b"a caption"),
            ("2.png", b""),
            ("2.txt", b"half a \xff"),
            ("3.png", b""),
            ("3.json", b"[" * 100_000),
            ("4.png", b""),
            ("4.json", b'{"caption": 5}'),
        ],
    )
    problems = [problem(image) for image in WebDataset([archive])]
    assert [words[:20] for words in problems] == [
        "It has no caption.",
        "It has no image.",
        "It has no text under",
        "Its JSON cannot be r",
        "It has no text under",
    ]


def link(name: str, kind: bytes, target: str) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, target
    return member


def test_links_and_devices_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(picture(0))
    kinds = {"0": tarfile.SYMTYPE, "1": tarfile.LNKTYPE, "2": tarfile.CHRTYPE, "3": tarfile.FIFOTYPE}
    files: list[File | tarfile.TarInfo] = []
    for key, kind in kinds.items():
        files += [link(f"{key}.png", kind, str(tmp_path / "secret.png")), (f"{key}.txt", b"a secret")]
    images = list(WebDataset([write_archive(tmp_path / "a.tar", files)]))
    assert [problem(image) for image in images] == ["It is a link or a special file."] * 4


def test_names_in_an_archive_are_no_paths(tmp_path: Path) -> None:
    names = ["../../up", "/etc/passwd"]
    files = [file for name in names for file in ((f"{name}.png", picture(0)), (f"{name}.txt", b"words"))]
    images = list(WebDataset([write_archive(tmp_path / "a.tar", files)]))
    assert [image.read() for image in images] == [picture(0)] * 2
    assert [path.name for path in tmp_path.iterdir()] == ["a.tar"]


def raw(name: str, kind: bytes = tarfile.REGTYPE, size: int = 0, data: bytes = b"") -> bytes:
    """A file of an archive whose header states the size that it is told."""
    member = tarfile.TarInfo(name)
    member.type, member.size = kind, size or len(data)
    return member.tobuf(tarfile.GNU_FORMAT) + data + bytes(-len(data) % tarfile.BLOCKSIZE)


SPARSE = b"22 GNU.sparse.major=1\n22 GNU.sparse.minor=0\n"
NEGATIVE = b"21 size=-99999999999\n"
HOSTILE = {
    "1 TiB in a file": raw("1.png", size=1 << 40),
    "1 TiB in an extended header": raw("1.png", tarfile.XHDTYPE, size=1 << 40),
    "1 TiB in a long name": raw("1.png", tarfile.GNUTYPE_LONGNAME, size=1 << 40),
    "endless extended headers": raw("x", tarfile.XHDTYPE, data=b"9 a=bcde\n") * 10_000,
    "an endless map of holes": raw("x", tarfile.XHDTYPE, data=SPARSE) + raw("1.png", data=b"9" * 500_000),
    "a negative size": raw("x", tarfile.XHDTYPE, data=NEGATIVE) + raw("1.png"),
    "an absurd number": raw("x", tarfile.XHDTYPE, data=b"9" * 5000 + b" a=b\n") + raw("1.png"),
    "noise": b"noise" * 1000,
    "a header cut short": raw("1.png")[:100],
    "an image cut short": raw("1.png", data=picture(1))[:600],
}


@pytest.mark.parametrize("tail", HOSTILE.values(), ids=HOSTILE.keys())
def test_what_comes_before_damage_is_used_and_the_damage_is_listed(tmp_path: Path, tail: bytes) -> None:
    good = raw("0.png", data=picture(0)) + raw("0.txt", data=b"a caption")
    (tmp_path / "a.tar").write_bytes(good + tail)
    next_one = write_archive(tmp_path / "b.tar", sample(2))
    tracemalloc.start()
    try:
        first, *unusable, last = WebDataset([tmp_path / "a.tar", next_one])
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()
    assert first.read() == picture(0)
    assert problem(unusable[-1]).startswith("The archive is damaged after byte")
    assert last.caption == "picture 2"


def test_an_archive_that_is_none_is_listed(tmp_path: Path) -> None:
    (tmp_path / "a.tar").write_bytes(gzip.compress(b"packed"))
    (only,) = WebDataset([tmp_path / "a.tar"])
    assert (only.name, problem(only)[:33]) == ("a.tar", "The archive is damaged after byte")


def test_an_image_above_the_limit_is_not_read(tmp_path: Path) -> None:
    huge = MAX_IMAGE_BYTES + 1
    with (tmp_path / "a.tar").open("wb") as file:
        file.write(raw("0.txt", data=b"a caption") + raw("0.png", size=huge))
        file.truncate(file.tell() + huge + 4 * tarfile.BLOCKSIZE)  # a file with a hole: it takes no space
    (only,) = WebDataset([tmp_path / "a.tar"])
    assert problem(only) == f"It states {huge} bytes, more than {MAX_IMAGE_BYTES}."


def test_the_identity_follows_the_archives(tmp_path: Path) -> None:
    archive = write_archive(tmp_path / "a.tar", sample(0))
    before = WebDataset([archive]).identity
    assert WebDataset([archive]).identity == before
    assert WebDataset([archive]).length is None
    write_archive(archive, [file for number in range(20) for file in sample(number)])
    assert WebDataset([archive]).identity != before


def test_archives_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"There is no archive .*absent\.tar\."):
        WebDataset([write_archive(tmp_path / "there.tar", sample(0)), tmp_path / "absent.tar"])
    with pytest.raises(DataError, match="No archive is given"):
        WebDataset([])


def test_archives_that_vanish_are_not_left_out(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    images = iter(WebDataset([write_archive(disk / f"{n}.tar", sample(n)) for n in range(2)]))
    first = next(images)
    shutil.rmtree(disk)
    for go_on in (first.read, lambda: list(images)):
        with pytest.raises(DataError, match=r"\.tar no longer exists") as caught:
            go_on()
        assert not isinstance(caught.value, BrokenImageError)
