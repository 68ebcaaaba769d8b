"""Exclusive applications, among real processes and in tables made for it."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from client.machine.processes import ProcessTable
from client.machine.readings import Known, Reading
from client.machine.sensors.applications import Applications, program_name
from core.children.processes import Process
from tests.waiting import wait_until

SLEEP = shutil.which("sleep") or "sleep"


def found(reading: Reading[tuple[str, ...]]) -> tuple[str, ...]:
    assert isinstance(reading, Known)
    return reading.value


@contextmanager
def running(program: Path) -> Iterator[None]:
    shutil.copy(SLEEP, program)
    process = subprocess.Popen([program, "60"])
    try:
        yield
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("name", ["game", "A Game With (a) Long Name", "game.exe"])
def test_a_real_process_is_found_by_its_name(tmp_path: Path, name: str) -> None:
    with running(tmp_path / name):

        def look() -> tuple[str, ...]:
            return found(
                Applications(lambda: (name.upper(), "no such program"), ProcessTable(time.monotonic)).read()
            )

        wait_until(lambda: look() == (name.upper(),), "it is not found")


class MadeProcesses:
    """A table and a folder like /proc."""

    def __init__(self, proc: Path) -> None:
        self.proc = proc
        self.rows: list[Process] = []
        self.now = 0.0

    def add(self, pid: int, name: str, command: bytes = b"", program: str = "", parent: int = 1) -> None:
        self.rows.append(Process(pid, parent, 1, name))
        folder = self.proc / str(pid)
        folder.mkdir(exist_ok=True)
        (folder / "cmdline").write_bytes(command)
        if program:
            (folder / "exe").symlink_to(program)

    def applications(self, *wanted: str) -> Applications:
        return Applications(lambda: wanted, ProcessTable(lambda: self.now, lambda: self.rows), self.proc)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("Blender", True),
        ("/usr/bin/blender", True),
        ("Cyberpunk2077.exe", True),
        ("cyberpunk2077", True),
        ("GameThread", True),
        ("shooter-linux", True),
        ("wine64-preloader", True),
        ("Cyberpunk", False),
        ("python3", False),
        ("kworker/0:1", False),
        ("", False),
    ],
)
def test_names_are_those_of_process_file_and_command(tmp_path: Path, wanted: str, expected: bool) -> None:
    made = MadeProcesses(tmp_path)
    made.add(10, "blender", b"blender\0-b\0python3\0", "/usr/bin/blender")
    made.add(11, "Cyberpunk2077.e", b"Z:\\games\\bin\\Cyberpunk2077.exe\0-x\0", "/opt/wine/wine64-preloader")
    made.add(12, "GameThread", b"/home/me/shooter-linux\0", "/home/me/shooter-linux (deleted)")
    made.add(13, "kworker/0:1", parent=2)
    assert found(made.applications(wanted).read()) == ((wanted,) if expected else ())


def test_without_a_folder_of_processes_the_names_of_the_table_are_enough(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [Process(4, 0, 0, "System"), Process(4242, 4, 0, "Cyberpunk2077.exe")]
    table = ProcessTable(lambda: 0.0, lambda: rows)
    applications = Applications(lambda: ("cyberpunk2077", "blender"), table, tmp_path / "missing")
    assert found(applications.read()) == ("cyberpunk2077",)
    assert caplog.records == []


def test_where_nothing_is_wanted_nothing_is_scanned(tmp_path: Path) -> None:
    def scan() -> list[Process]:
        raise AssertionError("scanned")

    reading = Applications(lambda: (), ProcessTable(lambda: 0.0, scan), tmp_path).read()
    assert reading == Known((), "no exclusive applications are set")


def test_a_process_that_starts_another_program_is_looked_at_again(tmp_path: Path) -> None:
    made = MadeProcesses(tmp_path)
    made.add(10, "bash", b"bash\0", "/bin/bash")
    applications = made.applications("game", "bash")
    assert found(applications.read()) == ("bash",)
    made.rows = []
    (tmp_path / "10" / "exe").unlink()
    made.add(10, "game", b"game\0", "/bin/game")
    assert found(applications.read()) == ("bash",), "the table is read every ten seconds"
    made.now = 10.0
    assert found(applications.read()) == ("game",)
    made.rows, made.now = [], 20.0
    assert found(applications.read()) == ()


@pytest.mark.parametrize(
    ("path", "expected"),
    [("C:\\Games\\A Game.EXE", "a game"), ("/usr/bin/x", "x"), ("x (deleted)", "x"), ("", ""), ("/", "")],
)
def test_only_the_last_part_of_a_path_counts(path: str, expected: str) -> None:
    assert program_name(path) == expected


def test_a_list_that_cannot_be_read_is_never_taken_for_an_empty_one(tmp_path: Path) -> None:
    now, is_listed = 0.0, True

    def scan() -> list[Process]:
        if not is_listed:
            raise PermissionError("not permitted")
        return [Process(7, 1, 0, "game")]

    applications = Applications(lambda: ("game",), ProcessTable(lambda: now, scan), tmp_path)
    assert found(applications.read()) == ("game",)
    is_listed, now = False, 10.0
    while now < 40:
        with pytest.raises(OSError, match="not permitted"):
            applications.read()
        now += 5
    is_listed = True
    assert found(applications.read()) == ("game",)
