"""The ring of checkpoints on disk and in the database: whole, bounded, and in step after any death."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from coordinator.errors import PublishError
from coordinator.home import Home
from coordinator.publisher.archive import Archive, as_beginning
from core.errors import CheckpointError
from core.storage.disk import Disk
from core.swarm.state.beginning import Beginning
from core.swarm.state.pieces import outline_of
from tests.coordinator.publisher.states import (
    NOW,
    ProcessKilled,
    RunStore,
    enter,
    new_store,
    state_of,
    take_back_to,
)


@pytest.fixture
def store(tmp_path: Path, made_home: Home) -> Iterator[RunStore]:
    with new_store(tmp_path, made_home) as found:
        yield found


def folders(store: RunStore) -> set[str]:
    return {path.name for path in store.home.checkpoints.iterdir()}


def epochs(archive: Archive) -> list[int]:
    return [kept.epoch for kept in archive.kept()]


def test_what_is_kept_is_given_back_as_it_was(store: RunStore) -> None:
    state = state_of(store.manifest, 10)
    archive = store.archive()
    found = archive.state(enter(archive, state, 5.5))
    assert (found.epoch, found.head) == (state.epoch, state.head)
    assert outline_of(found) == outline_of(state)
    assert list(found.tensors) == list(state.tensors)  # the order in which they travel
    assert archive.kept()[0].loss == 5.5


def test_the_log_names_what_is_kept_and_where(store: RunStore, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "coordinator")
    moments = [NOW, NOW + timedelta(seconds=2), NOW + timedelta(seconds=2.5)]
    archive = Archive(store.home.checkpoints, store.database, store.manifest, 3, clock=lambda: moments.pop(0))
    kept = enter(archive, state_of(store.manifest, 10))
    written = sum(path.stat().st_size for path in archive.path(kept).iterdir())
    (line,) = [record.getMessage() for record in caplog.records if "checkpoint" in record.getMessage()]
    assert line == (
        f"The checkpoint of epoch 10 is kept in {archive.path(kept)}: {written} bytes, written in 2.5 s."
    )


def test_the_ring_holds_the_newest_and_the_disk_no_more(store: RunStore) -> None:
    store.keep(10, 20, 30, 40, keep=2)
    assert epochs(store.archive()) == [30, 40]
    assert folders(store) == {kept.folder for kept in store.archive().kept()}


def test_where_a_generation_begins_stays_while_it_lasts(store: RunStore) -> None:
    first = store.keep(10)[0]
    take_back_to(store, first.epoch)
    store.keep(20, 30, 40, keep=1)
    assert epochs(store.archive()) == [10, 40]
    assert store.archive().beginning() == first


def test_the_beginning_has_the_head_that_its_generation_begins_with(store: RunStore) -> None:
    kept = store.keep(10)[0]
    take_back_to(store, 10)
    archive, beginning = store.archive(), Beginning.of(store.manifest)
    state = archive.state(kept)
    assert beginning.is_named(state)
    assert beginning.refusal(state) is not None
    assert beginning.refusal(as_beginning(state, beginning)) is None
    assert archive.newest() == kept


class DiskKilledAtRename(Disk):
    """The disk of a process that is killed when all is written, before it is in its place."""

    def rename(self, source: Path, target: Path) -> None:
        raise ProcessKilled


def test_a_writer_that_dies_leaves_nothing_that_is_believed_or_stays(store: RunStore) -> None:
    archive = Archive(store.home.checkpoints, store.database, store.manifest, 3, disk=DiskKilledAtRename())
    with pytest.raises(ProcessKilled):
        enter(archive, state_of(store.manifest, 10))
    assert any(store.home.checkpoints.iterdir())
    store.archive().clear_up()
    assert (folders(store), epochs(store.archive())) == (set(), [])


def test_a_folder_that_went_unnamed_is_removed_and_one_that_is_gone_is_named_no_more(store: RunStore) -> None:
    old, new = store.keep(10, 20)
    Disk().remove(store.archive().path(old))
    (store.home.checkpoints / "generation-0-epoch-00000015").mkdir()
    store.archive().clear_up()
    assert epochs(store.archive()) == [20]
    assert folders(store) == {new.folder}


def test_a_disk_with_too_little_room_is_reported_before_anything_is_written(store: RunStore) -> None:
    archive = Archive(
        store.home.checkpoints, store.database, store.manifest, 3, free=lambda folder: 256 << 20
    )
    with pytest.raises(PublishError, match="are free on its disk"):
        enter(archive, state_of(store.manifest, 10))
    assert folders(store) == set()


@pytest.mark.parametrize("file", ["model.safetensors", "optimizer.safetensors", "checkpoint.json"])
def test_a_damaged_checkpoint_is_not_given_away(store: RunStore, file: str) -> None:
    kept = store.keep(10)[0]
    path = store.archive().path(kept) / file
    data = bytearray(path.read_bytes())
    data[-9] ^= 1
    path.write_bytes(data)
    with pytest.raises(CheckpointError):
        store.archive().state(kept)
