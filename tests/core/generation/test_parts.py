"""Drawing uses the right model, on a device with enough memory, or raises a clear error."""

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from core.errors import CheckpointError, ManifestError, MemoryPlanError
from core.generation.parts import DrawingDevice, ModelSource, load_parts, precision_of
from core.memory.machine import Allowance, MachineResources
from core.model.config import preset
from core.model.techniques import Precision
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.storage import checkpoint
from core.storage.checkpoint import TrainingState
from core.text import CaptionTokenizer
from tests.swarms.drawable_run import ROOM, untrained, write_drawable_run
from tests.swarms.tiny_run import MODEL

CPU = DrawingDevice(torch.device("cpu"), Precision.FLOAT32, ROOM)


def source_in(folder: Path) -> tuple[ModelSource, CaptionTokenizer]:
    manifest = RunManifest.load(write_drawable_run(folder, saved=True))
    tokenizer = CaptionTokenizer.of_run(picture_rules(manifest.training).text, folder)
    return ModelSource(manifest, folder, folder / "peer" / "checkpoint"), tokenizer


def test_the_model_is_that_of_the_checkpoint(tmp_path: Path) -> None:
    parts = load_parts(*source_in(tmp_path), CPU)
    assert (parts.origin.run, parts.origin.epoch) == ("tiny", 7)
    assert (
        parts.origin.parameter_digest == checkpoint.verify(tmp_path / "peer" / "checkpoint").parameter_digest
    )
    own = parts.model.state_dict()
    assert all(torch.equal(own[name], tensor) for name, tensor in untrained().state_dict().items())
    assert (parts.ranker, parts.unranked) == (None, "The run names no ranker.")


def test_a_model_in_16_bits_says_so(tmp_path: Path) -> None:
    parts = load_parts(*source_in(tmp_path), DrawingDevice(CPU.device, Precision.BFLOAT16, ROOM))
    assert precision_of(parts.model) is Precision.BFLOAT16


def of_another_run(source: ModelSource) -> None:
    save(source, untrained().state_dict(), digest="cd" * 32)


def of_another_model(source: ModelSource) -> None:
    save(source, {"norm.weight": torch.zeros(3)})


def with_a_value_that_is_no_number(source: ModelSource) -> None:
    state = untrained().state_dict()
    state["norm.weight"][0] = float("nan")
    save(source, state)


def cut_off(source: ModelSource) -> None:
    file = source.checkpoint / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-1])


def with_a_header_of_terabytes(source: ModelSource) -> None:
    file = source.checkpoint / "model.safetensors"
    file.write_bytes((1 << 42).to_bytes(8, "little") + file.read_bytes()[8:])


def gone(source: ModelSource) -> None:
    (source.checkpoint / "checkpoint.json").unlink()


def pickled(source: ModelSource) -> None:
    torch.save(untrained().state_dict(), source.checkpoint / "model.safetensors")


def save(source: ModelSource, state: dict[str, torch.Tensor], digest: str | None = None) -> None:
    digest = digest or source.manifest.training_digest
    checkpoint.save(source.checkpoint, TrainingState("other", digest, 1, state, {"none": torch.zeros(1)}))


@pytest.mark.parametrize(
    ("deed", "says"),
    [
        (of_another_run, "belongs to another run"),
        (of_another_model, "is of another model"),
        (with_a_value_that_is_no_number, "does not hold finite floating-point numbers"),
        (cut_off, "bytes instead of"),
        (with_a_header_of_terabytes, "its content has changed"),
        (gone, "no checkpoint"),
        (pickled, "bytes instead of"),
    ],
)
def test_a_checkpoint_that_cannot_be_used_is_refused(
    tmp_path: Path, deed: Callable[[ModelSource], None], says: str
) -> None:
    source, tokenizer = source_in(tmp_path)
    deed(source)
    with pytest.raises(CheckpointError, match=says):
        load_parts(source, tokenizer, CPU)


@pytest.mark.parametrize("file", ["config.yaml", "vqgan.safetensors", "tokenizer.json"])
def test_the_runs_files_are_verified(tmp_path: Path, file: str) -> None:
    source, _ = source_in(tmp_path)
    (tmp_path / file).write_bytes((tmp_path / file).read_bytes() + b" ")
    with pytest.raises(ManifestError, match=file):
        load_parts(
            source, CaptionTokenizer.of_run(picture_rules(source.manifest.training).text, tmp_path), CPU
        )


@pytest.mark.parametrize(("ram", "allowed"), [(8 << 30, 1 << 20), (70 << 20, None), (0, None)])
def test_without_room_for_a_picture_it_says_how_much_is_needed(ram: int, allowed: int | None) -> None:
    with pytest.raises(MemoryPlanError, match=r"needs 80.\d MiB of memory, but only .* is available"):
        DrawingDevice.of(MODEL, MachineResources(ram), Allowance(ram_bytes=allowed))


def test_what_the_model_leaves_is_room_for_pictures() -> None:
    place = DrawingDevice.of(MODEL, MachineResources(110 << 20), Allowance())
    assert (place.device, place.precision) == (torch.device("cpu"), Precision.FLOAT32)
    assert 10 << 20 < place.room < 30 << 20


def test_a_guided_picture_needs_more_room() -> None:
    assert least_room(guided=True) - least_room(guided=False) > 100 << 20


def least_room(*, guided: bool) -> int:
    """Return the fewest bytes, to the MiB, with which the paper's model begins to draw."""
    low, high = 0, 1 << 33
    while high - low > 1 << 20:
        middle = (low + high) // 2
        try:
            DrawingDevice.of(preset("dalle"), MachineResources(middle), Allowance(), guided=guided)
        except MemoryPlanError:
            low = middle
        else:
            high = middle
    return high


def test_the_papers_model_needs_about_a_gigabyte() -> None:
    with pytest.raises(MemoryPlanError, match="GiB of memory"):
        DrawingDevice.of(preset("dalle"), MachineResources(1 << 30), Allowance())
    assert DrawingDevice.of(preset("dalle"), MachineResources(4 << 30), Allowance()).room > 1 << 30
