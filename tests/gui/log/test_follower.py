"""Following log files whatever becomes of them."""

from pathlib import Path

import pytest

from gui.log.follower import Tail, log_files


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "daemon.log"


def append(log: Path, text: str) -> None:
    with log.open("a") as file:
        file.write(text)


def test_lines_come_once_and_whole(log: Path) -> None:
    append(log, "one\ntwo\nthr")
    tail = Tail(log)
    assert tail.read().lines == ("one", "two")
    assert tail.read().lines == ()
    append(log, "ee\n")
    assert tail.read().lines == ("three",)


def test_it_begins_near_the_end_with_a_whole_line(log: Path) -> None:
    append(log, "".join(f"line {number}\n" for number in range(100)))
    lines = Tail(log, window=20).read().lines
    assert lines == ("line 98", "line 99")


def test_a_long_file_comes_in_pieces(log: Path) -> None:
    append(log, "".join(f"line {number}\n" for number in range(100)))
    tail, lines, pieces = Tail(log, piece=64), list[str](), 0
    while not (piece := tail.read()).is_last:
        lines += piece.lines
        pieces += 1
    assert [*lines, *piece.lines] == [f"line {number}" for number in range(100)]
    assert pieces > 5


@pytest.mark.parametrize("how", ["moved away", "emptied", "removed"])
def test_a_file_that_begins_again_is_followed(log: Path, how: str) -> None:
    append(log, "an old line that is long\n")
    tail = Tail(log)
    tail.read()
    match how:
        case "moved away":
            log.rename(log.with_name("daemon.log.1"))
        case "emptied":
            log.write_bytes(b"")
        case "removed":
            log.unlink()
    assert tail.read().lines == ()
    append(log, "new\n")
    assert tail.read().lines == ("new",)


def test_what_was_written_before_a_rotation_is_shown_as_well(log: Path) -> None:
    append(log, "one\nbeg")
    tail = Tail(log, piece=64)
    assert tail.read().lines == ("one",)
    before, after = ([f"{name} {number}" for number in range(20)] for name in ("before", "after"))
    append(log, "un\n" + "".join(f"{line}\n" for line in before))
    log.rename(log.with_name("daemon.log.1"))
    append(log, "".join(f"{line}\n" for line in after))
    lines = list[str]()
    while not (piece := tail.read()).is_last:
        lines += piece.lines
    assert [*lines, *piece.lines] == ["begun", *before, *after]


def test_the_earlier_file_of_another_log_is_not_shown(log: Path) -> None:
    append(log, "an old line that is long\n")
    append(log.with_name("daemon.log.1"), "a line that was shown before\n" * 3)
    tail = Tail(log)
    tail.read()
    log.write_bytes(b"")
    append(log, "new\n")
    assert tail.read().lines == ("new",)


def test_what_never_ends_is_shown_in_parts_and_never_held(log: Path) -> None:
    append(log, "x" * 300)
    tail = Tail(log, piece=100)
    lengths = [len(line) for _ in range(4) for line in tail.read().lines]
    assert lengths == [200]


def test_bytes_that_are_no_text_are_shown_as_such(log: Path) -> None:
    log.write_bytes(b"caf\xe9\n")
    assert Tail(log).read().lines == ("caf�",)


def test_a_file_that_is_not_there_has_no_lines_yet(log: Path) -> None:
    assert Tail(log).read().lines == ()


def test_log_files_are_listed_by_name(tmp_path: Path) -> None:
    for name in ("trainer.log", "daemon.log", "daemon.log.1", "notes.txt"):
        (tmp_path / name).touch()
    assert [path.name for path in log_files(tmp_path)] == ["daemon.log", "daemon.log.1", "trainer.log"]
    assert log_files(tmp_path / "nowhere") == ()
