"""Bytes that training takes on the GPU and in RAM, line by line, at the moment that takes the most."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.memory.activations_dalle import SOURCE, dalle_moments
from core.memory.activations_encoder import bert_footprint, t5_footprint
from core.memory.activations_gpt import gpt2_footprint, gptj_footprint, original_dalle_footprint
from core.memory.backward import ActivationMoment, activation_moments
from core.memory.fitness import check_techniques, checked_length, with_shared_layers
from core.memory.footprint import Footprint, MemoryLine, MemoryPlace, StackFootprint, StepSizes
from core.memory.lasting import (
    IN_SWARM,
    OPTIMIZER,
    PLAIN,
    WITH_TRANSFORMERS,
    ProcessMemory,
    Setting,
    lasting_lines,
    low_rank_step,
    placed,
    step_item,
    unused_bytes,
    unused_line,
)
from core.memory.models import GPT2, GPTJ, T5, AnyModel, Architecture, Bert, OwnModel, known_model
from core.memory.parameters import layer_elements, parameters
from core.model.config import ModelConfig
from core.model.factors import FactorSizes
from core.model.family.config import FamilyConfig
from core.model.techniques import Activations, Techniques


def with_sharing(footprint: Footprint, model: Architecture, shared_layers: int, step: StepSizes) -> Footprint:
    """Return a footprint together with what autograd holds of shared weights' gradients until all uses are done.

    Args:
        footprint: Activations of the model.
        model: Sizes of the model.
        shared_layers: Sets of weights that layers share.
        step: Sizes of the micro-step.
    """
    if not 0 < shared_layers < model.layers:
        return footprint
    sizes = layer_elements(model)
    stacks = tuple(
        _shared(stack, size * step.value, shared_layers)
        for stack, size in zip(footprint.stacks, sizes, strict=True)
    )
    return replace(footprint, stacks=stacks)


def _shared(stack: StackFootprint, parameter_bytes: int, sets: int) -> StackFootprint:
    return replace(stack, parameter_bytes=parameter_bytes, sets=sets)


def moments_of(
    model: AnyModel, step: StepSizes, techniques: Techniques, shared_layers: int
) -> tuple[list[ActivationMoment], str]:
    """Return the moments of a micro-step that may be its peak, and the source of their formulas.

    Args:
        model: Sizes of the model.
        step: Sizes of the micro-step.
        techniques: Techniques of the training.
        shared_layers: Sets of weights that layers share; 0 if they share none.
    """
    if isinstance(model, ModelConfig):
        return dalle_moments(model, step, techniques), SOURCE
    if isinstance(model, FamilyConfig):
        return list(model.moments(step, techniques)), f"the family {model.kind}"
    footprint = with_sharing(footprint_of(model, step), model, shared_layers, step)
    checkpointing = techniques.activations is not Activations.KEEP
    found = activation_moments(footprint, checkpointing=checkpointing, kept_layers=techniques.kept)
    return found, footprint.source


def footprint_of(model: Architecture, step: StepSizes) -> Footprint:
    """Return the activations of a ``model`` that autograd differentiates, in a ``step``."""
    match model:
        case Bert():
            return bert_footprint(model, step)
        case T5():
            return t5_footprint(model, step)
        case GPT2():
            return gpt2_footprint(model, step)
        case GPTJ():
            return gptj_footprint(model, step)
        case _:
            return original_dalle_footprint(model, step)


@dataclass(frozen=True)
class PredictedMoment:
    """A moment of a training step and everything that is held at it."""

    name: str
    lines: tuple[MemoryLine, ...]
    unused: int = 0
    """Bytes that the allocator of RAM holds in addition: freed, and not given back."""

    def bytes_in(self, place: MemoryPlace) -> int:
        """Return the bytes that are held on a device, ``place``."""
        return sum(line.bytes for line in self.lines if line.place is place)


@dataclass(frozen=True)
class Prediction:
    """The moments of a training step that may be its peak, in their order."""

    moments: tuple[PredictedMoment, ...]
    process: ProcessMemory
    """Memory of the trainer's process beside its tensors."""

    def peak(self, place: MemoryPlace) -> PredictedMoment:
        """Return the moment at which the most is held on a device, ``place``; the first of several."""
        return max(self.moments, key=lambda moment: moment.bytes_in(place))

    @property
    def lines(self) -> tuple[MemoryLine, ...]:
        """The peak broken down: on the GPU at its moment, in RAM at its own."""
        return tuple(
            line
            for place in MemoryPlace
            for line in self.peak(place).lines
            if line.place is place and line.bytes
        )

    @property
    def gpu_bytes(self) -> int:
        """Most bytes that tensors take on the GPU."""
        return self.peak(MemoryPlace.GPU).bytes_in(MemoryPlace.GPU)

    @property
    def ram_bytes(self) -> int:
        """Most bytes that tensors take in RAM."""
        return self.peak(MemoryPlace.RAM).bytes_in(MemoryPlace.RAM)

    @property
    def resident_bytes(self) -> int:
        """Most bytes of RAM that the processes hold, tensors and all: the resident memory that the system shows."""
        return sum(line.bytes for line in self.resident_lines)

    @property
    def resident_lines(self) -> tuple[MemoryLine, ...]:
        """Resident memory broken down, at the moment that has the most of it."""
        moment = max(self.moments, key=lambda item: item.bytes_in(MemoryPlace.RAM) + item.unused)
        tensors = (line for line in moment.lines if line.place is MemoryPlace.RAM and line.bytes)
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
    local_steps: bool = False,
    outer_momentum: bool = False,
    factors: FactorSizes | None = None,
    committed_bytes: int | None = None,
    recomputed: bool = False,
) -> Prediction:
    """Predict the memory of training: micro-steps whose gradients add up, and the optimizer's step.

    Args:
        model: a name of ``core.memory.models.MODELS``, or the sizes of a model.
        sequence_length: positions of a sample; None: the most that the model has, 512 for T5 (of source and
            target each). That of DALL-E is fixed.
        shared_layers: sets of weights that the layers use in turns; None: as the model has it; 0: each layer
            has its own.
        device_is_gpu: False for a machine that trains on its CPU: everything lies in RAM.
        in_swarm: for a trainer of a swarm: optimizer and masters lie in RAM, with buffers for averaging, DHT,
            averager and libp2p daemon.
        local_steps: for a peer of a swarm that trains parameters of its own between rounds.
        outer_momentum: for local steps whose outer step has a momentum.
        factors: for gradients of low rank, the sizes of their factors; None if they travel whole.
        committed_bytes: for a trainer of a swarm, the bytes of a round's aggregates as the run encodes them; None:
            8 bits a value, 16 a factor's.
        recomputed: for a trainer of a swarm whose members compute parts of each other's work again.
        techniques: Techniques of the training.

    Raises:
        MemoryPlanError: an unknown name, or numbers or techniques that the model cannot have.
    """
    found = known_model(model).architecture if isinstance(model, str) else model
    if isinstance(found, ModelConfig) and shared_layers is not None:
        found = with_shared_layers(found, shared_layers)
    length = checked_length(found, sequence_length)
    check_techniques(found, techniques, shared_layers)
    step = StepSizes(
        techniques.micro_batch,
        length,
        techniques.precision.bytes_per_value,
        device_is_gpu,
        techniques.activations is Activations.CHECKPOINT,
    )
    setting = Setting(
        found,
        techniques,
        step,
        shared_layers or 0,
        in_swarm,
        local_steps,
        outer_momentum,
        factors,
        committed_bytes,
        recomputed,
    )
    return Prediction(tuple(_moments(setting)), _process(found, in_swarm))


def _process(model: AnyModel, in_swarm: bool) -> ProcessMemory:
    if in_swarm:
        return IN_SWARM
    return PLAIN if isinstance(model, OwnModel) else WITH_TRANSFORMERS


def _moments(setting: Setting) -> Iterator[PredictedMoment]:
    found = parameters(setting.model, setting.shared_layers)
    always = tuple(lasting_lines(setting, found))
    micro_step, source = moments_of(setting.model, setting.step, setting.techniques, setting.shared_layers)
    unused = unused_bytes(found, setting.gradient_bytes) if setting.scatters_gradients else 0
    for moment in micro_step:
        lines = placed(moment.items, setting.device, source)
        yield PredictedMoment(moment.name, (*always, *lines), unused=unused)
    step = step_item(found, copied=setting.copies_gradients)
    last = (*always, *placed((step,), setting.state_place, OPTIMIZER), *low_rank_step(setting, found))
    yield PredictedMoment("step of the optimizer", last, unused=max(0, unused - step.bytes))
