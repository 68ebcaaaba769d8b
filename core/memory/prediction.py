"""How many bytes training takes on the GPU and in RAM, line by line, at the moment that takes the most."""

from collections.abc import Iterator
from dataclasses import dataclass

from core.memory.activations import moments_of
from core.memory.fitness import check_techniques, checked_length, with_shared_layers
from core.memory.footprint import Step
from core.memory.lasting import LAMB, lasting_lines, placed
from core.memory.line import Line, Place
from core.memory.models import AnyModel, known_model
from core.memory.optimizer import step_item
from core.memory.parameters import parameters
from core.memory.process import (
    IN_SWARM,
    PLAIN,
    WITH_TRANSFORMERS,
    ProcessMemory,
    unused_bytes,
    unused_line,
)
from core.memory.setting import Setting
from core.memory.techniques import Activations, Techniques
from core.model.config import ModelConfig


@dataclass(frozen=True)
class Moment:
    """A moment of a training step and everything that is held at it."""

    name: str
    lines: tuple[Line, ...]
    unused: int = 0
    """Bytes that the allocator of RAM holds beside them: freed, and not given back."""

    def bytes_in(self, place: Place) -> int:
        """All that is held there."""
        return sum(line.bytes for line in self.lines if line.place is place)


@dataclass(frozen=True)
class Prediction:
    """The moments of a training step that may be its peak, in their order."""

    moments: tuple[Moment, ...]
    process: ProcessMemory
    """What the trainer's process takes beside its tensors."""

    def peak(self, place: Place) -> Moment:
        """The moment at which the most is held there; the first of several."""
        return max(self.moments, key=lambda moment: moment.bytes_in(place))

    @property
    def lines(self) -> tuple[Line, ...]:
        """The peak broken down: on the GPU at its moment, in RAM at its own."""
        return tuple(
            line for place in Place for line in self.peak(place).lines if line.place is place and line.bytes
        )

    @property
    def gpu_bytes(self) -> int:
        """The most that tensors take on the GPU."""
        return self.peak(Place.GPU).bytes_in(Place.GPU)

    @property
    def ram_bytes(self) -> int:
        """The most that tensors take in RAM."""
        return self.peak(Place.RAM).bytes_in(Place.RAM)

    @property
    def resident_bytes(self) -> int:
        """The most RAM that the processes hold, tensors and all: what the system shows as resident."""
        return sum(line.bytes for line in self.resident_lines)

    @property
    def resident_lines(self) -> tuple[Line, ...]:
        """Resident memory broken down, at the moment that has the most of it."""
        moment = max(self.moments, key=lambda item: item.bytes_in(Place.RAM) + item.unused)
        tensors = (line for line in moment.lines if line.place is Place.RAM and line.bytes)
        unused = (unused_line(moment.unused),) if moment.unused else ()
        return (*self.process.lines, *tensors, *unused)


def predict(
    model: str | AnyModel,
    techniques: Techniques = Techniques(),  # noqa: B008 - frozen
    *,
    sequence_length: int | None = None,
    shared_layers: int | None = None,
    device_is_gpu: bool = True,
    in_swarm: bool = False,
) -> Prediction:
    """What training takes: micro-steps whose gradients add up, and the optimizer's step.

    Args:
        model: a name of ``core.memory.models.MODELS``, or the sizes of a model.
        sequence_length: positions of a sample; None: the most that the model has, 512 for T5 (of source and
            target each). That of DALL-E is fixed.
        shared_layers: sets of weights that the layers use in turns; None: as the model has it; 0: each layer
            has its own.
        device_is_gpu: False for a machine that trains on its CPU: everything lies in RAM.
        in_swarm: for a trainer of a swarm: optimizer and masters lie in RAM, with buffers for averaging, DHT,
            averager and libp2p daemon.

    Raises:
        MemoryPlanError: an unknown name, or numbers or techniques that the model cannot have.
    """
    found = known_model(model).architecture if isinstance(model, str) else model
    if isinstance(found, ModelConfig) and shared_layers is not None:
        found = with_shared_layers(found, shared_layers)
    length = checked_length(found, sequence_length)
    check_techniques(found, techniques, shared_layers)
    step = Step(
        techniques.micro_batch,
        length,
        techniques.precision.bytes_per_value,
        device_is_gpu,
        techniques.activations is Activations.CHECKPOINT,
    )
    setting = Setting(found, techniques, step, shared_layers or 0, in_swarm)
    return Prediction(tuple(_moments(setting)), _process(found, in_swarm))


def _process(model: AnyModel, in_swarm: bool) -> ProcessMemory:
    if in_swarm:
        return IN_SWARM
    return PLAIN if isinstance(model, ModelConfig) else WITH_TRANSFORMERS


def _moments(setting: Setting) -> Iterator[Moment]:
    found = parameters(setting.model, setting.shared_layers)
    always = tuple(lasting_lines(setting, found))
    micro_step, source = moments_of(setting.model, setting.step, setting.techniques, setting.shared_layers)
    unused = unused_bytes(found, setting.gradient_bytes) if setting.scatters_gradients else 0
    for moment in micro_step:
        lines = placed(moment.items, setting.device, source)
        yield Moment(moment.name, (*always, *lines), unused=unused)
    step = step_item(found, copied=setting.copies_gradients)
    lines = placed((step,), setting.state_place, LAMB)
    yield Moment("step of the optimizer", (*always, *lines), unused=max(0, unused - step.bytes))
