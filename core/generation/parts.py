"""Loads the parts that draw a run's pictures from its files: model, tokenizer, codec and ranker."""

import logging
from dataclasses import dataclass
from pathlib import Path

import torch

from core.codec.vqgan import ImageCodec, load_codec
from core.errors import CheckpointError, CoreError, MemoryPlanError
from core.generation.cache_layout import bytes_of_text, bytes_per_image
from core.memory.machine import Allowance, MachineResources
from core.memory.units import format_size
from core.model.config import ModelConfig
from core.model.gpu import emptiest_gpu
from core.model.techniques import Precision
from core.model.transformer import Transformer
from core.ranking.arrival import Arrived
from core.ranking.choose import load_ranker
from core.ranking.ranker import Ranker
from core.run.describe import parameter_count
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.storage.checkpoint import load_weights
from core.storage.files import resolve_file
from core.text import CaptionTokenizer

_log = logging.getLogger(__name__)

_LEAST_CODEC_BYTES = 64 << 20
_CODEC_BYTES_OF_CODE = 1 << 20
"""Bytes of codec and ranker for each code of a picture, as one picture is decoded at a time. The paper's codec was
seen to take 499 MiB on a CPU, 233 of them to decode; CLIP has 151 million parameters."""
_PRECISIONS = {
    torch.float32: Precision.FLOAT32,
    torch.bfloat16: Precision.BFLOAT16,
    torch.float16: Precision.FLOAT16,
}
_SHORT = (Precision.BFLOAT16, Precision.FLOAT16)


def _ignore_progress(arrived: int, total: int) -> None:
    """Ignore the progress of a download."""


@dataclass(frozen=True)
class ModelSource:
    """A trained model's checkpoint, and the files of its run."""

    manifest: RunManifest
    base: Path
    """The folder of the manifest's files."""
    checkpoint: Path
    is_shipped: bool = False
    """True if the checkpoint comes with the program; this computer did not train it."""

    @property
    def config(self) -> ModelConfig:
        """Sizes of the model."""
        return picture_rules(self.manifest.training).model

    @property
    def usual_guidance(self) -> float:
        """Factor by which the run's sample prompts are guided, without a unit; 1 if its model cannot be guided."""
        return picture_rules(self.manifest.training).data.usual_guidance

    def tokenizer(self) -> CaptionTokenizer:
        """Return the run's tokenizer, which is read from its file."""
        return CaptionTokenizer.of_run(picture_rules(self.manifest.training).text, self.base)


@dataclass(frozen=True)
class Origin:
    """Identity of the model that drew pictures."""

    run: str
    epoch: int
    parameter_digest: str
    title: str = ""
    """Title of the run for people; empty if it is not known."""
    is_shipped: bool = False
    """True if the model comes with the program."""


@dataclass(frozen=True)
class DrawingParts:
    """The parts that drawing needs."""

    model: Transformer
    tokenizer: CaptionTokenizer
    codec: ImageCodec
    ranker: Ranker | None
    origin: Origin
    room: int
    """Bytes that the images drawn at once may take, on the model's device."""
    unranked: str = ""
    """Reason why there is no ranker, for people."""
    usual_guidance: float = 1.0
    """Guidance of the run's sample prompts; 1 if the model cannot be guided."""


@dataclass(frozen=True)
class DrawingDevice:
    """Device and precision to compute in, and the bytes that drawing may take beside the model."""

    device: torch.device
    precision: Precision
    room: int
    """Bytes that drawing may take beside the model."""

    @classmethod
    def of(
        cls, config: ModelConfig, machine: MachineResources, allowance: Allowance, *, guided: bool = False
    ) -> "DrawingDevice":
        """Return the GPU if a model and a picture fit there, else the processor.

        Args:
            config: Sizes of the model.
            machine: Resources of this machine.
            allowance: Bytes that its owner allows.
            guided: True if each picture is computed with and without its prompt.

        Raises:
            MemoryPlanError: they fit neither.
        """
        usable = allowance.of(machine).usable
        if machine.gpu_bytes is not None and torch.cuda.is_available():
            precision = next((item for item in _SHORT if item in machine.precisions), Precision.FLOAT32)
            if usable.gpu >= _needed(config, precision, guided=guided):
                return cls(emptiest_gpu(), precision, usable.gpu - _model_bytes(config, precision))
        needed = _needed(config, Precision.FLOAT32, guided=guided)
        if usable.ram >= needed:
            room = usable.ram - _model_bytes(config, Precision.FLOAT32)
            return cls(torch.device("cpu"), Precision.FLOAT32, room)
        raise _too_little(needed, usable.ram, "Close other programs")


def _summary_of(place: DrawingDevice, config: ModelConfig) -> str:
    """Return the memory plan for drawing at ``place`` with a model of those sizes, for a log."""
    model = format_size(_model_bytes(config, place.precision))
    return (
        f"The model draws on {place.device} in {place.precision}. Predicted: {model} for model, codec and ranker, "
        f"and at most {format_size(place.room)} for pictures."
    )


def precision_of(model: Transformer) -> Precision:
    """Return the precision in which ``model`` computes."""
    return _PRECISIONS[model.vocabulary.weight.dtype]


def room_beside(model: Transformer, free: int, *, guided: bool = False) -> int:
    """Return the bytes that a copy of ``model`` and its codec leave of ``free`` bytes.

    ``guided`` is True if each picture is computed with and without its prompt. Raises MemoryPlanError if no picture
    fits there.
    """
    precision = precision_of(model)
    if free < (needed := _needed(model.config, precision, guided=guided)):
        raise _too_little(needed, free, "Pause training and ask again")
    return free - _model_bytes(model.config, precision)


def _too_little(needed: int, free: int, remedy: str) -> MemoryPlanError:
    return MemoryPlanError(
        f"Drawing with this model needs {format_size(needed)} of memory, but only {format_size(free)} is available.",
        f"{remedy}, or allow Idlebrush to take more memory.",
    )


def _model_bytes(config: ModelConfig, precision: Precision) -> int:
    """Return the bytes of the model, and of the codec and ranker."""
    codec = _LEAST_CODEC_BYTES + config.image_length * _CODEC_BYTES_OF_CODE
    return parameter_count(config) * precision.bytes_per_value + codec


def _needed(config: ModelConfig, precision: Precision, *, guided: bool) -> int:
    """Return the bytes that drawing a single picture takes, the model included."""
    rows = 1 + guided
    a_picture = bytes_of_text(config, rows, precision) + rows * bytes_per_image(config, precision)
    return _model_bytes(config, precision) + a_picture


def load_parts(
    source: ModelSource,
    tokenizer: CaptionTokenizer,
    place: DrawingDevice,
    arrived: Arrived = _ignore_progress,
) -> DrawingParts:
    """Load all parts but the tokenizer, which the caller has already used to check prompts.

    Args:
        source: Checkpoint and files of the run.
        tokenizer: The run's tokenizer.
        place: Device and precision to compute in.
        arrived: Called with the progress of a ranker's download.

    Raises:
        CoreError: a part is missing, damaged or of another run; a ranker that cannot be loaded is left out
            instead.
    """
    _log.info("Memory plan: %s", _summary_of(place, source.config))
    model, origin = _load_model(source)
    _log.info("The model is that of epoch %d of run %s.", origin.epoch, origin.run)
    model.compute_in(place.precision)
    model.to(place.device)
    return complete(model, origin, source.manifest, source.base, tokenizer, place.room, arrived)


def complete(
    model: Transformer,
    origin: Origin,
    manifest: RunManifest,
    base: Path,
    tokenizer: CaptionTokenizer,
    room: int,
    arrived: Arrived = _ignore_progress,
) -> DrawingParts:
    """Load what a model lacks for drawing, to its device; a ranker that cannot be loaded is left out.

    Args:
        model: Model that draws.
        origin: Identity of the model.
        manifest: The run's manifest.
        base: Folder of the manifest's files.
        tokenizer: The run's tokenizer.
        room: Bytes that the images drawn at once may take, on the model's device.
        arrived: Called with the progress of a ranker's download.
    """
    training = picture_rules(manifest.training)
    files, device = training.codec, next(model.parameters()).device
    codec = load_codec(resolve_file(files.config, base), resolve_file(files.weights, base)).to(device)
    ranker, unranked = None, "The run names no ranker."
    try:
        ranker = load_ranker(manifest.contact.ranking, base, tokenizer, device=device, arrived=arrived)
    except CoreError as error:
        unranked = str(error)
        _log.warning("Pictures are not ranked: %s", error)
    guidance = training.data.usual_guidance
    return DrawingParts(model, tokenizer, codec, ranker, origin, room, unranked, guidance)


def _load_model(source: ModelSource) -> tuple[Transformer, Origin]:
    training = picture_rules(source.manifest.training)
    model = Transformer(training.model).requires_grad_(False)
    expected = {name: tensor.shape for name, tensor in model.state_dict().items()}
    saved = load_weights(source.checkpoint, expected)
    if saved.training_digest != source.manifest.training_digest:
        raise CheckpointError(
            f"The checkpoint in {source.checkpoint} belongs to another run ({saved.run}).",
            "Give the run that it belongs to, or another checkpoint.",
        )
    model.load_state_dict(dict(saved.parameters))
    title = source.manifest.contact.title
    return model, Origin(saved.run, saved.epoch, saved.parameter_digest, title, source.is_shipped)
