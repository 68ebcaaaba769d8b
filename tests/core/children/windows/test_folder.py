"""Temporary folders are there while their supervisor lives, and are found once it is dead."""

import os
from pathlib import Path

import pytest

from core.children.windows.folder import ChildFolder, remove_left_behind
from core.storage.file_lock import alone


def contents(root: Path) -> set[Path]:
    return set(root.iterdir())


def test_a_folder_goes_with_all_that_is_in_it(tmp_path: Path) -> None:
    folder = ChildFolder.create(tmp_path)
    (folder.path / "socket").touch()
    folder.remove()
    assert not contents(tmp_path)


def test_the_folder_of_a_dead_supervisor_is_removed_and_others_are_not(tmp_path: Path) -> None:
    living, dead = ChildFolder.create(tmp_path), ChildFolder.create(tmp_path)
    (dead.path / "file").touch()
    (tmp_path / "a user's folder").mkdir()
    os.close(dead._lock_file)  # as the system does with the files of a process that ends
    remove_left_behind(tmp_path)
    assert living.path.is_dir()
    assert not dead.path.exists()
    assert len(contents(tmp_path)) == 3, "a folder, its lock, and the user's folder"
    living.remove()


def test_a_lock_without_a_folder_is_removed_too(tmp_path: Path) -> None:
    (tmp_path / "idlebrush-child-0123456789abcdef.lock").touch()
    remove_left_behind(tmp_path)
    assert not contents(tmp_path)


def test_the_lock_of_a_folder_is_held(tmp_path: Path) -> None:
    folder = ChildFolder.create(tmp_path)
    with pytest.raises(BlockingIOError), alone(tmp_path / f"{folder.path.name}.lock"):
        pass
    folder.remove()


def test_where_no_folder_can_be_made_that_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        ChildFolder.create(tmp_path / "none")
