"""Free memory and disk of this machine."""

import subprocess
import sys
import time
from pathlib import Path

from client.machine.readings import Known, Unknown
from client.machine.sensors.ram import disk_used, read_free_disk, read_free_ram
from tests.waiting import wait_until

COMING_AND_GOING = """
import pathlib, shutil, sys
folder = pathlib.Path(sys.argv[1]) / "incoming"
while True:
    (folder / "part" / "deeper").mkdir(parents=True)
    (folder / "part" / "file").write_bytes(b"x" * 100)
    shutil.rmtree(folder)
"""


def test_free_memory_is_known() -> None:
    reading = read_free_ram()
    assert isinstance(reading, Known)
    assert reading.value > 0


def test_free_disk_is_that_of_the_folder(tmp_path: Path) -> None:
    reading = read_free_disk(tmp_path)
    assert isinstance(reading, Known)
    assert reading.value > 0
    assert str(tmp_path) in reading.source


def test_a_folder_that_is_not_there_yet_is_read_above(tmp_path: Path) -> None:
    reading = read_free_disk(tmp_path / "not" / "yet")
    assert isinstance(reading, Known)
    assert reading.source == f"the file system of {tmp_path}"


def test_what_cannot_be_reached_is_unknown(tmp_path: Path) -> None:
    folder = tmp_path / ("x" * 300)
    assert read_free_disk(folder) == Unknown(
        f"The free space of {folder} cannot be read: File name too long."
    )


def test_what_is_used_is_the_sum_of_all_files(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "one").write_bytes(b"1")
    (tmp_path / "a" / "b" / "four").write_bytes(b"4444")
    (tmp_path / "a" / "again").symlink_to(tmp_path / "a")  # a way round in circles
    assert disk_used(tmp_path) == 5
    assert disk_used(tmp_path / "nowhere") == 0


def test_folders_that_come_and_go_are_no_problem(tmp_path: Path) -> None:
    (tmp_path / "stays").write_bytes(b"stays")
    coming_and_going = subprocess.Popen([sys.executable, "-c", COMING_AND_GOING, str(tmp_path)])
    try:
        sizes = {disk_used(tmp_path)}
        wait_until(lambda: disk_used(tmp_path) not in sizes, "nothing comes")
        until = time.monotonic() + 1.0
        while time.monotonic() < until:
            sizes.add(disk_used(tmp_path))
    finally:
        coming_and_going.kill()
        coming_and_going.wait()
    assert min(sizes) >= len(b"stays")
