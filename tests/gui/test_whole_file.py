"""Files are written as a whole, or not at all."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gui.whole_file import copy, write

BOUND = 4_096


@contextmanager
def little_room() -> Iterator[None]:
    """No file can grow beyond a few kilobytes, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (BOUND, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_written_over(tmp_path: Path) -> None:
    write(tmp_path / "given.csv", b"samples\n1\n")
    write(tmp_path / "given.csv", b"samples\n2\n")
    assert (tmp_path / "given.csv").read_text() == "samples\n2\n"
    assert names(tmp_path) == ["given.csv"]


def test_what_a_full_disk_cannot_take_leaves_what_was_there(tmp_path: Path) -> None:
    drawn, kept = tmp_path / "drawn.png", tmp_path / "kept.png"
    drawn.write_bytes(b"x" * 10 * BOUND)
    kept.write_bytes(b"before")
    with little_room(), pytest.raises(OSError, match=r"\w"):
        copy(drawn, kept)
    assert kept.read_bytes() == b"before"
    assert names(tmp_path) == ["drawn.png", "kept.png"]


def test_a_file_that_cannot_be_written_says_why(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"\w"):
        write(tmp_path / "nowhere" / "given.csv", b"samples\n")


def test_a_file_can_be_copied_onto_itself(tmp_path: Path) -> None:
    (tmp_path / "drawn.png").write_bytes(b"x")
    copy(tmp_path / "drawn.png", tmp_path / "drawn.png")
    assert (tmp_path / "drawn.png").read_bytes() == b"x"
