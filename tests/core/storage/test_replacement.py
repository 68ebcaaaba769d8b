"""Whatever fails while a directory is replaced, the old one is under its name, and nobody else's is touched."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.storage.disk import Disk
from core.storage.replacement import clear_up, place, replace_directory

FILE = "content.txt"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / FILE).write_text("old")
    return tmp_path / "model"


def write_new(incoming: Path) -> None:
    (incoming / FILE).write_text("new")


class FailingDisk(Disk):
    """Fails at the step of that number of those that renaming takes."""

    def __init__(self, step: int, error: BaseException) -> None:
        self._left, self._error = step, error

    def rename(self, source: Path, target: Path) -> None:
        self._left -= 1
        if self._left == 0:
            raise self._error
        super().rename(source, target)


@pytest.mark.parametrize("step", [1, 2])
@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), KeyboardInterrupt()])
def test_what_fails_leaves_the_old_directory_and_nothing_else(
    directory: Path, step: int, error: BaseException
) -> None:
    with pytest.raises(type(error)):
        replace_directory(directory, write_new, FailingDisk(step, error))
    assert (directory / FILE).read_text() == "old"
    assert list(directory.parent.iterdir()) == [directory]


def fail(incoming: Path) -> None:
    write_new(incoming)
    raise OSError(28, "No space left on device")


def interrupt(incoming: Path) -> None:
    write_new(incoming)
    raise KeyboardInterrupt


@pytest.mark.parametrize(("write", "raised"), [(fail, OSError), (interrupt, KeyboardInterrupt)])
def test_what_is_half_written_does_not_keep_the_disk_full(
    directory: Path, write: Callable[[Path], None], raised: type[BaseException]
) -> None:
    with pytest.raises(raised):
        replace_directory(directory, write, Disk())
    assert (directory / FILE).read_text() == "old"
    assert list(directory.parent.iterdir()) == [directory]


@pytest.mark.parametrize("name", ["model.previous", "model.incoming", "model.old", "model.bak"])
def test_a_copy_that_somebody_keeps_beside_it_is_not_taken_for_a_leftover(directory: Path, name: str) -> None:
    kept = directory.rename(directory.with_name(name))
    assert place(directory, FILE) is None
    clear_up(directory, Disk())
    replace_directory(directory, write_new, Disk())
    assert (kept / FILE).read_text() == "old"
    assert (directory / FILE).read_text() == "new"
