"""An output of img2dataset is read alike in its three formats, from any row on, with its failures listed."""

import io
import json
import shutil
import tarfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.data.images import BrokenImageError, NotDownloadedError
from core.data.sources.img2dataset import Img2Dataset, rows, tables_of
from core.data.sources.source import SourceImage
from core.errors import DataError
from tests.core.data.tiny_codec import picture

FORMATS = ("files", "webdataset", "parquet")
ROW_GROUP_ROWS = 4
"""Rows of a row group; img2dataset has 100."""


def row(number: int) -> dict[str, Any]:
    """Return a row as img2dataset 1.47 writes it; every third image could not be downloaded."""
    failed = number % 3 == 2
    return {
        "url": f"http://example.org/{number}.jpg",
        "caption": f"picture {number}",
        "NSFW": [None, "UNLIKELY", "UNSURE"][number % 3],
        "similarity": 0.3,
        "key": f"{number:09d}",
        "status": "failed_to_download" if failed else "success",
        "error_message": "HTTP Error 404: Not Found" if failed else None,
        "width": None if failed else 16,
        "height": None if failed else 20,
        "original_width": None if failed else 640,
        "original_height": None if failed else 480,
    }


def write_table(path: Path, numbers: range, layout: str) -> None:
    rows = [row(number) for number in numbers]
    if layout == "parquet":
        rows = [
            {**one, "txt": one["caption"], "jpg": picture(number) if one["status"] == "success" else None}
            for number, one in zip(numbers, rows, strict=True)
        ]
    pq.write_table(pa.Table.from_pylist(rows), path, row_group_size=ROW_GROUP_ROWS)


def write_files(folder: Path, numbers: range) -> None:
    folder.mkdir()
    for number in numbers:
        if row(number)["status"] == "success":
            for suffix, data in files_of(number).items():
                (folder / f"{number:09d}.{suffix}").write_bytes(data)


def write_archive(path: Path, numbers: range) -> None:
    with tarfile.open(path, "w") as archive:
        for number in reversed(numbers):  # the order of the table is the one that counts
            if row(number)["status"] == "success":
                for suffix, data in files_of(number).items():
                    member = tarfile.TarInfo(f"{number:09d}.{suffix}")
                    member.size = len(data)
                    archive.addfile(member, io.BytesIO(data))


def files_of(number: int) -> dict[str, bytes]:
    fields = row(number)
    return {
        "jpg": picture(number),
        "txt": fields["caption"].encode(),
        "json": json.dumps(fields, indent=4).encode(),
    }


def write_output(folder: Path, layout: str) -> Path:
    """Two shards of nine and four images."""
    folder.mkdir(exist_ok=True)
    for shard, numbers in (("00000", range(9)), ("00001", range(9, 13))):
        write_table(folder / f"{shard}.parquet", numbers, layout)
        (folder / f"{shard}_stats.json").write_text("{}")
        if layout == "files":
            write_files(folder / shard, numbers)
        elif layout == "webdataset":
            write_archive(folder / f"{shard}.tar", numbers)
    return folder


def content_of(image: SourceImage) -> tuple[object, ...]:
    return image.name, image.caption, image.nsfw, image.size, image.after


def problem(image: SourceImage) -> str:
    with pytest.raises(BrokenImageError) as caught:
        image.read()
    return caught.value.what


@pytest.mark.parametrize("layout", FORMATS)
def test_the_formats_are_read_alike(tmp_path: Path, layout: str) -> None:
    source = Img2Dataset(write_output(tmp_path, layout))
    images = list(source)
    assert source.length == len(images) == 13
    assert content_of(images[0]) == ("00000/000000000", "picture 0", "", (640, 480), (0, 1))
    assert content_of(images[12]) == ("00001/000000012", "picture 12", "", (640, 480), (1, 4))
    for number, image in enumerate(images):
        if number % 3 == 2:
            with pytest.raises(NotDownloadedError, match="failed_to_download: HTTP Error 404"):
                image.read()
        else:
            assert image.read() == picture(number)


@pytest.mark.parametrize("layout", FORMATS)
def test_the_images_after_a_place_are_those_that_follow(tmp_path: Path, layout: str) -> None:
    source = Img2Dataset(write_output(tmp_path, layout))
    images = [content_of(image) for image in source]
    for number, image in enumerate(source, 1):
        assert [content_of(later) for later in source.images(image.after)] == images[number:]


def test_what_a_table_names_but_nobody_has_is_listed(tmp_path: Path) -> None:
    write_output(tmp_path, "webdataset")
    (tmp_path / "00000.tar").write_bytes((tmp_path / "00000.tar").read_bytes()[:4096])
    first, *_ = Img2Dataset(tmp_path)
    assert problem(first) == "It is not in 00000.tar."
    (tmp_path / "00001.tar").unlink()
    *_, last = Img2Dataset(tmp_path)
    assert problem(last).startswith("It is not in ")


@pytest.mark.parametrize("layout", FORMATS)
def test_the_identity_follows_the_tables_and_archives(tmp_path: Path, layout: str) -> None:
    folder = write_output(tmp_path, layout)
    before = Img2Dataset(folder).identity
    assert Img2Dataset(folder).identity == before
    changed = folder / ("00001.tar" if layout == "webdataset" else "00001.parquet")
    changed.write_bytes(changed.read_bytes() + b"more")
    assert Img2Dataset(folder).identity != before


def test_keys_are_no_paths(tmp_path: Path) -> None:
    (tmp_path / "secret.jpg").write_bytes(picture(0))
    output = tmp_path / "output"
    output.mkdir()
    keys = ["../secret", "../../secret", str(tmp_path / "secret")]
    hostile = [{**row(0), "key": key} for key in keys]
    pq.write_table(pa.Table.from_pylist(hostile), output / "00000.parquet")
    (output / "00000").mkdir()
    (output / "00000" / "link.jpg").symlink_to(tmp_path / "secret.jpg")
    pq.write_table(pa.Table.from_pylist([*hostile, {**row(0), "key": "link"}]), output / "00000.parquet")
    problems = [problem(image) for image in Img2Dataset(output)]
    assert all("outside" in words or "not in" in words for words in problems)
    assert len(problems) == 4


def test_a_table_without_its_end_is_reported_at_once(tmp_path: Path) -> None:
    write_output(tmp_path, "files")
    table = tmp_path / "00001.parquet"
    table.write_bytes(table.read_bytes()[:-20])
    with pytest.raises(DataError, match=r"00001\.parquet is not sound Parquet"):
        _ = Img2Dataset(tmp_path).length


def test_a_table_that_is_damaged_within_is_listed_and_the_next_one_used(tmp_path: Path) -> None:
    write_output(tmp_path, "parquet")
    table = tmp_path / "00000.parquet"
    data = bytearray(table.read_bytes())
    data[4:600] = bytes(596)
    table.write_bytes(data)
    images = list(Img2Dataset(tmp_path))
    (damage,) = [image for image in images if image.name == "00000.parquet"]
    assert problem(damage).startswith(f"Row group 0 of {table} is damaged")
    assert damage.after == (1, 0)
    assert [image.after for image in images][-4:] == [(1, 1), (1, 2), (1, 3), (1, 4)]


def test_a_row_group_that_unpacks_to_too_much_is_not_read(tmp_path: Path) -> None:
    table = write_output(tmp_path, "parquet") / "00000.parquet"
    with pytest.raises(DataError, match="more than can be read safely"):
        next(rows(table, ["jpg"], limit=1000))
    assert len(list(rows(table, ["jpg"]))) == 9


def test_a_large_value_that_every_row_repeats_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "00000.parquet"
    table = pa.table({"jpg": pa.array([bytes(40 << 20)]).dictionary_encode().take(pa.array([0] * 16))})
    pq.write_table(table, path, dictionary_pagesize_limit=1 << 30, compression="brotli")
    assert path.stat().st_size < 10_000
    with pytest.raises(DataError, match="more than can be read safely"):
        next(rows(path, ["jpg"]))


def test_tables_that_vanish_are_not_left_out(tmp_path: Path) -> None:
    images = iter(Img2Dataset(write_output(tmp_path / "disk", "parquet")))
    next(images)
    shutil.rmtree(tmp_path / "disk")
    with pytest.raises(DataError, match=r"00001\.parquet no longer exists"):
        list(images)


def test_other_tables_are_not_taken_for_its_output(tmp_path: Path) -> None:
    assert tables_of(tmp_path) == ()
    pq.write_table(pa.table({"caption": ["a cat"]}), tmp_path / "train.parquet")
    assert tables_of(tmp_path) == ()
