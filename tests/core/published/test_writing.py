"""Models are written whole or not at all, over nobody's files."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import torch

from core.codec.vqgan import load_codec
from core.errors import CheckpointError
from core.published.card import model_card
from core.published.document import RunOrigin
from core.published.model import CodecFiles, Model
from core.published.model_folder import is_model, open_model
from core.published.writing import write_model
from core.storage.disk import Disk
from tests.core.codec.test_codec_loading import tiny_document, write_codec
from tests.core.published.small_model import CONFIG, ORIGIN, contents, parameters
from tests.core.storage.test_checkpoint import DyingDisk, Killed, raise_killed


@pytest.mark.parametrize("name", ["thesis.txt", "README.md", ".git"])
def test_nobodys_files_are_replaced(tmp_path: Path, complete: Model, name: str) -> None:
    (tmp_path / name).write_text("years of work")
    with pytest.raises(CheckpointError, match=name):
        write_model(tmp_path, complete)
    assert (tmp_path / name).read_text() == "years of work"


def test_a_file_put_beside_a_model_keeps_it_from_being_replaced(folder: Path, complete: Model) -> None:
    (folder / ".git").mkdir()
    with pytest.raises(CheckpointError, match=r"\.git"):
        write_model(folder, complete)


def test_a_model_and_an_empty_folder_are_replaced(folder: Path, complete: Model, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write_model(tmp_path / "empty", complete)
    assert is_model(tmp_path / "empty")
    write_model(folder, complete)
    assert "README.md" not in contents(folder)


@pytest.mark.parametrize("license_id", [None, "apache-2.0"])
def test_a_card_is_replaced_unless_somebody_wrote_into_it(
    tmp_path: Path, complete: Model, license_id: str | None
) -> None:
    def write() -> None:
        write_model(tmp_path / "model", complete, partial(model_card, license_id=license_id))

    write()
    write()
    card = tmp_path / "model" / "README.md"
    for text in (card.read_text() + "\n![What it draws](hearts.png)\n", "x" * (2 << 20)):
        card.write_text(text)
        with pytest.raises(CheckpointError, match=r"README\.md is not as it was written"):
            write()
        assert card.read_text() == text


@pytest.mark.parametrize("name", ["codec/thesis.txt", "codec/.git"])
def test_nobodys_files_in_the_codecs_folder_are_replaced(folder: Path, complete: Model, name: str) -> None:
    (folder / name).write_text("years of work")
    with pytest.raises(CheckpointError, match=name):
        write_model(folder, complete)
    assert (folder / name).read_text() == "years of work"


def test_the_root_of_a_disk_is_not_replaced(complete: Model) -> None:
    with pytest.raises(CheckpointError, match="does not belong to a model"):
        write_model(Path("/"), complete)


def test_a_codec_that_was_published_as_a_pickle_becomes_safetensors(tmp_path: Path) -> None:
    config, weights = write_codec(tmp_path, tiny_document())
    state = load_codec(config, weights).weights()
    torch.save({"state_dict": state, "optimizer_states": []}, tmp_path / "last.ckpt")
    codec = CodecFiles(config, tmp_path / "last.ckpt")
    write_model(tmp_path / "model", Model(CONFIG, parameters(), ORIGIN, codec=codec))
    assert sorted(contents(tmp_path / "model" / "codec")) == ["config.yaml", "vqgan.safetensors"]
    read = open_model(tmp_path / "model").codec().weights()
    assert all(torch.equal(read[name], tensor) for name, tensor in state.items())


def killed(folder: Path, model: Model, steps: int) -> bool:
    """Return true if writing is killed after so many steps, and false if it completes before."""
    try:
        write_model(folder, model, model_card, disk=DyingDisk(steps, raise_killed))
    except Killed:
        return True
    return False


def test_a_kill_at_any_step_leaves_a_whole_model(folder: Path, complete: Model) -> None:
    """The old or the new one; and the next is written whatever the killed one left lying."""
    newer = replace(complete, origin=ORIGIN.model_copy(update={"epoch": 8}))
    epochs, steps = [], 0
    while killed(folder, newer, steps):
        origin = open_model(folder).model().origin
        assert isinstance(origin, RunOrigin)
        epochs.append(origin.epoch)
        write_model(folder, complete, model_card)
        assert list(folder.parent.iterdir()) == [folder]
        steps += 1
    assert epochs == sorted(epochs)
    assert set(epochs) == {7, 8}


class DiskWithoutText(Disk):
    def write_text(self, path: Path, text: str) -> None:
        raise OSError(28, "No space left on device")


def test_a_full_disk_is_reported_and_harms_nothing(folder: Path, complete: Model) -> None:
    before = contents(folder)
    with pytest.raises(CheckpointError, match="No space left"):
        write_model(folder, complete, disk=DiskWithoutText())
    assert contents(folder) == before
    assert list(folder.parent.iterdir()) == [folder]
