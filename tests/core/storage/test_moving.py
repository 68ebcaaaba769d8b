"""Renames that Windows refuses for a while are tried again; whatever else fails, fails at once."""

from collections.abc import Callable
from pathlib import Path

import pytest

from core.storage.moving import HELD, PATIENCE, discard_folder, persistently, remove, remove_folder, replace
from tests.core.storage.waiting_clock import WaitingClock

SHARING_VIOLATION = 32
FILE_NOT_FOUND = 2


def refusing(code: int | None, time: WaitingClock, until: float) -> Callable[[], str]:
    """Return an operation that fails with that code of Windows', or with none, until that time."""

    def operation() -> str:
        if time.now >= until:
            return "done"
        error = PermissionError("the file is in use")
        if code is not None:
            setattr(error, "winerror", code)  # noqa: B010 - an attribute of Windows' errors alone
        raise error

    return operation


@pytest.mark.parametrize("code", sorted(HELD))
def test_what_is_in_use_for_a_moment_is_tried_until_it_is_not(code: int) -> None:
    time = WaitingClock()
    assert persistently(refusing(code, time, 0.5), clock=time.clock, sleep=time.sleep) == "done"
    assert 0.5 <= time.now < 0.7


@pytest.mark.parametrize("code", sorted(HELD))
def test_what_stays_in_use_is_an_error_in_the_end(code: int) -> None:
    time = WaitingClock()
    with pytest.raises(PermissionError):
        persistently(refusing(code, time, 1e9), clock=time.clock, sleep=time.sleep)
    assert PATIENCE <= time.now < PATIENCE + 0.2


@pytest.mark.parametrize("code", [None, FILE_NOT_FOUND])
def test_other_errors_and_those_of_other_systems_are_raised_at_once(code: int | None) -> None:
    time = WaitingClock()
    with pytest.raises(PermissionError):
        persistently(refusing(code, time, 0.5), clock=time.clock, sleep=time.sleep)
    assert time.now == 0.0


def test_a_file_takes_the_place_of_another(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(b"new")
    target.write_bytes(b"old")
    replace(source, target)
    assert target.read_bytes() == b"new"
    assert not source.exists()


def test_what_is_not_there_is_removed_already_but_for_a_folder_that_has_to_be(tmp_path: Path) -> None:
    remove(tmp_path / "none")
    discard_folder(tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        remove_folder(tmp_path / "none")


def test_a_folder_goes_with_what_is_in_it(tmp_path: Path) -> None:
    for take in (remove_folder, discard_folder):
        folder = tmp_path / "folder"
        (folder / "inner").mkdir(parents=True)
        (folder / "inner" / "file").touch()
        take(folder)
        assert not folder.exists()
