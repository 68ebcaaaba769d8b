"""Checkpoints: what is saved is loaded, damage is found, a kill at any moment leaves one that is whole."""

import json
import os
import re
import shutil
import signal
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import torch
from torch import Tensor

from core.digest import digest
from core.errors import CheckpointError
from core.storage.checkpoint import TrainingState, exists, load, save, verify
from core.storage.disk import Disk
from core.trainer.random_state import capture_random_state, restore_random_state
from tests.client.full_disk import mounted_at

FILES = ("checkpoint.json", "model.safetensors", "optimizer.safetensors")


def training_state(epoch: int = 3) -> TrainingState:
    generator = torch.Generator().manual_seed(epoch)
    return TrainingState(
        run="emoji",
        training_digest="c0ffee",
        epoch=epoch,
        parameters={"embedding.weight": torch.randn(6, 4, generator=generator), "bias": torch.zeros(0)},
        optimizer={
            "embedding.weight.exp_avg": torch.randint(0, 256, (24,), generator=generator).to(torch.uint8),
            "embedding.weight.step": torch.tensor(epoch),
        },
        cursor={"shard": 2, "row": 17, "seed": [1, 2]},
        random_state={"python": [3, [1, 2], None]},
        metadata={"loss": 1.25, "title": "Émoji ✨"},
    )


def assert_same(one: TrainingState, other: TrainingState) -> None:
    assert (one.run, one.training_digest, one.epoch) == (other.run, other.training_digest, other.epoch)
    assert (one.cursor, one.random_state, one.metadata) == (other.cursor, other.random_state, other.metadata)
    assert digest(one.parameters) == digest(other.parameters)
    assert digest(one.optimizer) == digest(other.optimizer)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    directory = tmp_path / "run" / "checkpoint"
    save(directory, training_state())
    return directory


def test_load_gives_what_was_saved(saved: Path) -> None:
    assert_same(load(saved), training_state())
    assert sorted(path.name for path in saved.iterdir()) == sorted(FILES)
    assert list(saved.parent.iterdir()) == [saved]


def test_views_strides_and_devices_do_not_matter(tmp_path: Path) -> None:
    flat = torch.arange(24.0)
    parameters = {"one": flat[:12].view(3, 4), "other": flat[12:].view(3, 4).t()}
    save(tmp_path / "c", TrainingState("run", "digest", 0, parameters, {}))
    assert digest(load(tmp_path / "c").parameters) == digest(parameters)


def test_a_link_to_a_directory_is_followed(saved: Path, tmp_path: Path) -> None:
    link = tmp_path / "elsewhere" / "link"
    link.parent.mkdir()
    link.symlink_to(saved)
    save(link, training_state(4))
    assert link.is_symlink()
    assert_same(load(saved), training_state(4))
    assert_same(load(link / ".." / "checkpoint"), training_state(4))


def test_saving_again_replaces(saved: Path) -> None:
    save(saved, training_state(4))
    assert_same(load(saved), training_state(4))
    assert list(saved.parent.iterdir()) == [saved]


@pytest.mark.parametrize("name", [".git", ".env", "notes.txt"])
def test_nobodys_files_are_taken_along(saved: Path, name: str) -> None:
    (saved / name).mkdir()
    (saved / name / "mine").write_text("precious")
    with pytest.raises(CheckpointError, match=f"{re.escape(name)}, which does not belong to a checkpoint"):
        save(saved, training_state(epoch=4))
    assert (saved / name / "mine").read_text() == "precious"
    assert load(saved).epoch == 3


@pytest.mark.parametrize("name", [".DS_Store", ".directory"])
def test_what_file_managers_leave_behind_does_not_keep_a_checkpoint_from_being_saved(
    saved: Path, name: str
) -> None:
    (saved / name).touch()
    save(saved, training_state(epoch=4))
    assert load(saved).epoch == 4


def test_loaded_tensors_outlive_the_files(saved: Path) -> None:
    state = load(saved)
    for path in saved.iterdir():
        path.write_bytes(b"")
    assert_same(state, training_state())


def test_verify_reports(saved: Path) -> None:
    report = verify(saved)
    assert (report.run, report.training_digest, report.epoch) == ("emoji", "c0ffee", 3)
    assert report.parameters == 24
    assert report.parameter_digest == digest(training_state().parameters)
    assert report.size == sum((saved / name).stat().st_size for name in FILES if name != "checkpoint.json")


def test_random_state_goes_through_a_checkpoint(tmp_path: Path) -> None:
    state = TrainingState("run", "digest", 0, {}, {}, random_state=capture_random_state())
    save(tmp_path / "c", state)
    first = torch.randn(5)
    restore_random_state(load(tmp_path / "c").random_state)
    assert torch.equal(torch.randn(5), first)


def damaged(saved: Path) -> str:
    """The error that both ways of reading give."""
    with pytest.raises(CheckpointError) as by_load:
        load(saved)
    with pytest.raises(CheckpointError) as by_verify:
        verify(saved)
    assert str(by_load.value) == str(by_verify.value)
    assert by_load.value.remedy
    return by_load.value.what


@pytest.mark.parametrize("name", FILES)
def test_every_single_byte_counts(saved: Path, name: str) -> None:
    original = (saved / name).read_bytes()
    for position in range(0, len(original), max(1, len(original) // 150)):
        changed = bytearray(original)
        changed[position] ^= 1 << (position % 8)
        (saved / name).write_bytes(changed)
        damaged(saved)
    (saved / name).write_bytes(original)
    load(saved)


@pytest.mark.parametrize("name", FILES)
def test_missing_files_are_named(saved: Path, name: str) -> None:
    (saved / name).unlink()
    what = damaged(saved)
    assert name in what
    assert "missing" in what


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("cut", [1, 10, 1 << 30])
def test_truncated_files_are_named(saved: Path, name: str, cut: int) -> None:
    content = (saved / name).read_bytes()
    (saved / name).write_bytes(content[: max(0, len(content) - cut)])
    assert name in damaged(saved)


@pytest.mark.parametrize("name", FILES)
def test_files_with_more_at_the_end_are_named(saved: Path, name: str) -> None:
    with (saved / name).open("ab") as file:
        file.write(b" ")
    assert name in damaged(saved)


def test_files_of_another_checkpoint_do_not_pass(saved: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    save(other, training_state(4))
    shutil.copy(other / "model.safetensors", saved / "model.safetensors")
    assert "model.safetensors" in damaged(saved)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", "not an Idlebrush checkpoint"),
        ("[1, 2]", "not an Idlebrush checkpoint"),
        ('{"format": "pt", "version": 1}', "not an Idlebrush checkpoint"),
        ("", "damaged"),
        ("{", "damaged"),
        ("\x00\xff", "damaged"),
        ("[" * 100_000, "damaged"),
        ('{"format": "idlebrush checkpoint", "version": 1}', "damaged"),
        ('{"format": "idlebrush checkpoint", "version": 1, "files": {"../../etc/passwd": {}}}', "damaged"),
    ],
)
def test_foreign_documents_are_refused(saved: Path, text: str, words: str) -> None:
    (saved / "checkpoint.json").write_text(text, encoding="latin-1")
    assert words in damaged(saved)


def test_a_newer_format_asks_for_an_update(saved: Path) -> None:
    document = json.loads((saved / "checkpoint.json").read_text())
    (saved / "checkpoint.json").write_text(json.dumps(document | {"version": 2, "new": True}))
    with pytest.raises(CheckpointError) as error:
        load(saved)
    assert "format 2" in error.value.what
    assert error.value.remedy == "Update Idlebrush."


def test_a_huge_document_is_not_read(saved: Path) -> None:
    with (saved / "checkpoint.json").open("r+b") as file:
        file.truncate(1 << 40)
    assert "too large" in damaged(saved)


def test_no_checkpoint_at_all(tmp_path: Path) -> None:
    assert "no checkpoint" in damaged(tmp_path / "nowhere")
    assert not exists(tmp_path / "nowhere")
    (tmp_path / "file").write_text("hello")
    assert "no checkpoint" in damaged(tmp_path / "file")


def test_a_directory_with_other_files_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(CheckpointError, match=r"thesis\.txt"):
        save(tmp_path, training_state())
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


class Killed(BaseException):
    """The process ends here: nothing below may catch it and clean up."""


def remove_one_file(directory: Path) -> None:
    for path in sorted(directory.glob("*"))[:1]:
        path.unlink()


class DyingDisk(Disk):
    """Does ``steps`` operations, then the next only by half, and dies."""

    def __init__(self, steps: int, die: Callable[[], None]) -> None:
        self.steps = steps
        self.die = die

    def _step(self, by_half: Callable[[], object] = lambda: None) -> None:
        if self.steps == 0:
            by_half()
            self.die()
        self.steps -= 1

    def create_directory(self, path: Path) -> None:
        self._step()
        super().create_directory(path)

    def write_text(self, path: Path, text: str) -> None:
        self._step(lambda: path.write_text(text[: len(text) // 2]))
        super().write_text(path, text)

    def write_tensors(
        self, path: Path, tensors: Mapping[str, Tensor], metadata: Mapping[str, str] | None = None
    ) -> None:
        self._step(lambda: path.write_bytes(b"half of it"))
        super().write_tensors(path, tensors, metadata)

    def rename(self, source: Path, target: Path) -> None:
        self._step()
        super().rename(source, target)

    def remove(self, directory: Path) -> None:
        self._step(lambda: remove_one_file(directory))
        super().remove(directory)

    def flush(self, path: Path) -> None:
        self._step()
        super().flush(path)


def raise_killed() -> None:
    raise Killed


def kill_self() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def save_in_process(directory: Path, state: TrainingState, steps: int) -> bool:
    """Return true if the save completed."""
    try:
        save(directory, state, disk=DyingDisk(steps, raise_killed))
    except Killed:
        return False
    return True


def save_in_child(directory: Path, state: TrainingState, steps: int) -> bool:
    """The same in a real process that is killed by SIGKILL."""
    child = os.fork()
    if child == 0:
        save(directory, state, disk=DyingDisk(steps, kill_self))
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("attempt", [save_in_process, save_in_child])
def test_a_kill_at_any_step_leaves_a_whole_checkpoint(
    saved: Path, attempt: Callable[[Path, TrainingState, int], bool]
) -> None:
    """The old or the new one; and the next save succeeds whatever the killed one left lying."""
    epochs, steps = [], 0
    while True:
        finished = attempt(saved, training_state(4), steps)
        state = load(saved)
        assert_same(state, training_state(state.epoch))
        epochs.append(state.epoch)
        save(saved, training_state(3))
        assert_same(load(saved), training_state(3))
        assert list(saved.parent.iterdir()) == [saved]
        if finished:
            break
        steps += 1
    assert steps > 12
    assert epochs == sorted(epochs)
    assert set(epochs) == {3, 4}


def test_a_kill_during_the_repair_of_a_kill_is_survived(saved: Path) -> None:
    """Killed between the two renames, then killed at every step of the next save."""
    steps = 0
    while True:
        saved.rename(saved.with_name(".checkpoint.previous"))
        assert exists(saved)
        finished = save_in_process(saved, training_state(4), steps)
        state = load(saved)
        assert_same(state, training_state(state.epoch))
        save(saved, training_state(3))
        if finished:
            break
        steps += 1


class FullDisk(Disk):
    def write_tensors(
        self, path: Path, tensors: Mapping[str, Tensor], metadata: Mapping[str, str] | None = None
    ) -> None:
        path.write_bytes(b"as much as fits")
        raise OSError(28, "No space left on device")


def test_a_full_disk_is_reported_and_harms_nothing(saved: Path) -> None:
    with pytest.raises(CheckpointError, match="No space left"):
        save(saved, training_state(4), disk=FullDisk())
    assert_same(load(saved), training_state(3))


def test_a_place_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CheckpointError, match="could not be written"):
        save(tmp_path / "file" / "checkpoint", training_state())


def test_on_a_full_disk_saving_fails_in_words_and_neither_loses_nor_leaves_anything(tmp_path: Path) -> None:
    directory = tmp_path / "checkpoint"
    with mounted_at(tmp_path) as disk:
        save(directory, training_state(3))
        with disk.full(), pytest.raises(CheckpointError, match="could not be written"):
            save(directory, training_state(4))
        assert_same(load(directory), training_state(3))
        assert [path.name for path in tmp_path.iterdir()] == ["checkpoint"]
        save(directory, training_state(4))
        assert_same(load(directory), training_state(4))
