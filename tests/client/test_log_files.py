"""Log files are read from their ends, and followed while they grow, are rotated and are emptied."""

import os
from pathlib import Path

from client.log_files import LogFollower, NoLogs, found, last_lines
from core.children import logs


def test_the_last_lines_of_a_long_file_and_no_half_line(tmp_path: Path) -> None:
    path = tmp_path / "trainer.log"
    path.write_text("".join(f"line {number} {'x' * 100}\n" for number in range(5000)) + "half")
    assert [line.split()[1] for line in last_lines(path, 3)] == ["4997", "4998", "4999"]
    assert len(last_lines(path, 9999)) == 5000
    assert last_lines(tmp_path / "gone.log", 3) == []


def test_what_a_log_held_before_it_was_begun_again_is_shown_before_it(tmp_path: Path) -> None:
    path = tmp_path / "trainer.log"
    path.write_text("".join(f"{number}\n" for number in range(5)))
    logs.rotate(path, largest=1)
    assert last_lines(path, 2) == ["3", "4"]
    path.write_text("5\n6\n")
    assert last_lines(path, 4) == ["3", "4", "5", "6"]
    assert last_lines(path, 2) == ["5", "6"]
    follower = LogFollower(path)
    assert follower.skip(3) == ["4", "5", "6"]
    assert list(follower.new_lines()) == []


def test_what_is_appended_is_followed_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "trainer.log"
    path.write_text("old\n")
    follower = LogFollower(path)
    assert follower.skip(10) == ["old"]
    with path.open("a") as log:
        log.write("one\ntw")
        log.flush()
        assert list(follower.new_lines()) == ["one"]
        log.write("o\n")
        log.flush()
        assert list(follower.new_lines()) == ["two"]
    assert list(follower.new_lines()) == []


def test_a_rotated_and_an_emptied_log_go_on(tmp_path: Path) -> None:
    path = tmp_path / "trainer.log"
    path.write_text("a long line of the past\n")
    follower = LogFollower(path)
    follower.skip(1)
    with path.open("a") as log:
        log.write("its last line\n")
    logs.rotate(path, largest=1)
    assert list(follower.new_lines()) == []
    path.write_text("rotated\n")
    assert list(follower.new_lines()) == ["its last line", "rotated"]
    logs.bound(path, largest=1)
    assert list(follower.new_lines()) == []
    with path.open("a") as log:
        log.write("new\n")
    assert list(follower.new_lines()) == ["new"]


def test_logs_are_found_by_name_the_newest_last(tmp_path: Path) -> None:
    for age, name in enumerate(("daemon", "trainer", "tasks")):
        (tmp_path / f"{name}.log").write_text("")
        os.utime(tmp_path / f"{name}.log", (1000 - age, 1000 - age))
    (tmp_path / "trainer.log.1").write_text("")
    assert [path.stem for path in found(tmp_path)] == ["tasks", "trainer", "daemon"]
    assert [path.stem for path in found(tmp_path, ["daemon"])] == ["daemon"]
    assert found(tmp_path, ["generator"]) == ()
    assert "no log named generator in" in NoLogs(tmp_path, ["generator"]).what
