"""Free memory and disk of this machine."""

from pathlib import Path

from client.machine.readings import Known, Unknown
from client.machine.space import read_free_disk, read_free_ram


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
