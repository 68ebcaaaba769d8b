"""One process at a time: who comes second waits for as long as it likes, and no longer."""

import os
from pathlib import Path

import pytest

from core.storage.file_lock import alone, lock
from tests.core.storage.waiting_clock import WaitingClock


def test_who_comes_second_is_refused_at_once_or_after_its_patience(tmp_path: Path) -> None:
    path, second = tmp_path / "lock", WaitingClock()
    with alone(path):
        with pytest.raises(BlockingIOError), alone(path):
            pass
        with pytest.raises(BlockingIOError), alone(path, 5.0, second.clock, second.sleep):
            pass
    assert second.now == pytest.approx(5.0, abs=0.1)


def test_a_lock_that_is_held_is_told_from_the_error_of_an_earlier_call(tmp_path: Path) -> None:
    with alone(tmp_path / "lock"), (tmp_path / "lock").open("r+b") as second:
        with pytest.raises(FileNotFoundError):
            os.open(tmp_path / "missing", os.O_RDONLY)
        with pytest.raises(BlockingIOError):
            lock(second.fileno())


def test_a_lock_is_free_after_its_holder_whatever_happened(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with pytest.raises(ZeroDivisionError), alone(path):
        raise ZeroDivisionError
    with alone(path):
        assert path.exists()
