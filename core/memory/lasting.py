"""Memory that is held at every moment of training: processes, weights, gradients, optimizer state, averaging.

The optimizer's part describes ``core/optim/eight_bit.py`` and ``core/optim/masters.py``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from core.memory.footprint import Item, MemoryLine, MemoryPlace, StepSizes
from core.memory.missed_rounds import rounds_kept
from core.memory.models import AnyModel, OwnModel, citation
from core.memory.parameters import Parameter, buffer_bytes
from core.model.factors import FactorSizes
from core.model.techniques import Precision, Techniques

_MIB = 1 << 20
_MEASURED = "benchmarks/memory_truth.py"


@dataclass(frozen=True)
class ProcessMemory:
    """Memory of a kind of process before it holds a tensor."""

    lines: tuple[MemoryLine, ...]


def _line(name: str, mebibytes: int, source: str = _MEASURED) -> MemoryLine:
    return MemoryLine(name, mebibytes * _MIB, MemoryPlace.RAM, f"{mebibytes} MiB, measured on Linux", source)


PLAIN = ProcessMemory((_line("interpreter and torch", 380),))
"""A process that imports torch, our model and our optimizer."""

WITH_TRANSFORMERS = ProcessMemory((_line("interpreter, torch and transformers", 450),))
"""A process that imports a model of ``transformers`` and our optimizer."""

# Proportional set sizes of a demo's trainer, less its tensors: what processes share is counted once.
_DEMO = "smaps_rollup of idlebrush demo with two trainers"
IN_SWARM = ProcessMemory(
    (
        _line("trainer's process", 300, _DEMO),
        _line("DHT's process", 195, _DEMO),
        _line("averager's process", 235, _DEMO),
        _line("libp2p daemon", 75, _DEMO),
        _line("guard and shared memory's manager", 70, _DEMO),
    )
)
"""A trainer of a swarm and what it starts."""

_LARGEST_HEAP_BLOCK = 32 * _MIB
"""glibc gives larger blocks back to the system as soon as they are freed (mallopt(3), M_MMAP_THRESHOLD)."""

_AROUND_GRADIENTS = 1.5
"""Unused bytes per byte of small gradients; 0.9 to 2.3 were measured by benchmarks/memory_truth.py."""


def unused_bytes(parameters: Sequence[Parameter], gradient_bytes: int) -> int:
    """Return the bytes that the allocator of RAM cannot use again once a first backward pass is over.

    Gradients come to lie among activations that are being freed, and what is freed around them does not grow
    together again: it neither fits what the next micro-step needs, nor can it be given back.

    Args:
        parameters: Parameters of the model.
        gradient_bytes: Bytes of a gradient's value.
    """
    sizes = ((item.elements * gradient_bytes, item.count) for item in parameters)
    return int(_AROUND_GRADIENTS * sum(size * count for size, count in sizes if size < _LARGEST_HEAP_BLOCK))


def unused_line(size: int) -> MemoryLine:
    """Return the line of the prediction for the allocator's overhead of ``size`` bytes."""
    formula = f"{_AROUND_GRADIENTS} x gradients of tensors below 32 MiB"
    return MemoryLine("freed memory that the allocator keeps", size, MemoryPlace.RAM, formula, _MEASURED)


_FLOAT32 = 4
_MIN_8BIT_SIZE = 65_536
_BLOCK = 4096
_CHUNK = 28_672
# Of a moment each: itself, its codes as int32 and its decoded or scaled copy; and the gradient.
_CHUNK_TENSORS = 7


def has_masters(techniques: Techniques) -> bool:
    """Return true if ``techniques`` make the optimizer work on copies of the parameters, not on the parameters."""
    return techniques.optimizer_on_cpu or techniques.precision is not Precision.FLOAT32


def moments_item(parameters: Sequence[Parameter], techniques: Techniques) -> Item:
    """Return the two moments of LAMB or AdamW, in blocks of 8 bits (Dettmers et al., 2021) where that is chosen.

    Args:
        parameters: Parameters of the model.
        techniques: Techniques of the training.
    """
    if not techniques.eight_bit_optimizer:
        return Item("optimizer moments", 8 * _elements(parameters), "2 x 4 bytes a parameter")
    size = sum(item.count * bytes_of_moments(item.elements) for item in parameters)
    return Item(
        "optimizer moments in 8 bits",
        size,
        f"2 bytes a parameter and 8 a block of {_BLOCK}; 8 bytes a parameter of tensors below {_MIN_8BIT_SIZE}",
    )


def bytes_of_moments(elements: int, min_8bit_size: int = _MIN_8BIT_SIZE, block_size: int = _BLOCK) -> int:
    """Return the bytes of the two moments of a tensor with these ``elements``, as `core.optim.moments` has them.

    Args:
        elements: Elements of the tensor.
        min_8bit_size: Fewest elements of a tensor whose moments are in 8 bits.
        block_size: Values that share a scale.
    """
    if elements < min_8bit_size:
        return 2 * _FLOAT32 * elements
    return 2 * elements + 2 * _FLOAT32 * -(-elements // block_size)


def masters_item(parameters: Sequence[Parameter], *, pinned: bool) -> Item:
    """Return float32 copies of ``parameters``; where ``pinned``, torch rounds each tensor up to a power of two."""
    if not pinned:
        return Item("float32 masters", _FLOAT32 * _elements(parameters), "4 bytes a parameter")
    size = sum(item.count * (1 << (_FLOAT32 * item.elements - 1).bit_length()) for item in parameters)
    return Item("float32 masters", size, "4 bytes a parameter, pinned: each tensor to a power of two")


def step_item(parameters: Sequence[Parameter], *, copied: bool) -> Item:
    """Return the tensors that a step of the optimizer takes for itself.

    Args:
        parameters: Parameters of the model.
        copied: True if gradients reach the masters as new float32 tensors.
    """
    chunk = _CHUNK_TENSORS * _CHUNK * _FLOAT32
    if not copied:
        return Item("optimizer's chunk", chunk, f"{_CHUNK_TENSORS} x {_CHUNK} x 4 bytes")
    return Item(
        "float32 gradients of the masters, optimizer's chunk",
        _FLOAT32 * _elements(parameters) + chunk,
        f"4 bytes a parameter, {_CHUNK_TENSORS} x {_CHUNK} x 4 bytes",
    )


def _elements(parameters: Sequence[Parameter]) -> int:
    return sum(item.total for item in parameters)


@dataclass(frozen=True)
class Setting:
    """Checked input of a prediction: a model, its training, and the kind of machine."""

    model: AnyModel
    techniques: Techniques
    step: StepSizes
    shared_layers: int
    """Sets of weights that layers share; 0: each has its own, or the model says itself which share them."""
    in_swarm: bool
    local_steps: bool = False
    """True if a peer of the swarm trains parameters of its own between rounds."""
    outer_momentum: bool = False
    """True if the outer step of local steps has a momentum."""
    factors: FactorSizes | None = None
    """Sizes of the factors of a swarm's gradients where these are of low rank."""
    committed_bytes: int | None = None
    """Bytes of a swarm's committed round as its reducers send it; None: not known."""
    recomputed: bool = False
    """True if members of the swarm compute parts of each other's work again."""

    @property
    def device(self) -> MemoryPlace:
        """Device of parameters and activations."""
        return MemoryPlace.GPU if self.step.gpu else MemoryPlace.RAM

    @property
    def state_place(self) -> MemoryPlace:
        """Device of moments and masters."""
        return MemoryPlace.RAM if self.in_swarm or self.techniques.optimizer_on_cpu else self.device

    @property
    def has_masters(self) -> bool:
        """True if the optimizer works on copies; in a swarm it always does (``core/swarm/state/replica.py``)."""
        return self.in_swarm or has_masters(self.techniques)

    @property
    def gradient_bytes(self) -> int:
        """Bytes of a gradient's value: our own models add them up in float32 whatever its precision."""
        return _FLOAT32 if isinstance(self.model, OwnModel) else self.step.value

    @property
    def scatters_gradients(self) -> bool:
        """True if gradients come to lie among activations in RAM; ours are allocated before."""
        return not self.step.gpu and not isinstance(self.model, OwnModel)

    @property
    def copies_gradients(self) -> bool:
        """True if gradients reach the masters as new tensors: not if they are float32 where these lie.

        In a swarm it is the averaged ones that they get, and those are; with local steps it is the peer's own.
        """
        if self.in_swarm and self.local_steps:
            return self.step.gpu or self.gradient_bytes != _FLOAT32
        if self.in_swarm or not self.has_masters:
            return False
        return self.gradient_bytes != _FLOAT32 or self.state_place is not self.device


_TRAINING, _AVERAGER, _COMMITTED = (
    "core/trainer/train.py",
    "core/swarm/averaging/averager.py",
    "core/swarm/rounds/committed.py",
)
_AUDITS, _AUDITED_HEADS = "core/trainer/work_audits.py", 3
OPTIMIZER, MASTERS = "core/optim/eight_bit.py", "core/optim/masters.py"
WEIGHTS, WEIGHTS_IN_FLOAT32, GRADIENTS = "weights", "norms, scales, positions", "gradients"
"""Names of the items of parameters, of those that no precision rounds, and of gradients."""
LOCAL_TRAINING = "core/swarm/state/local_training.py"
_LOW_RANK = "core/swarm/state/low_rank_work.py"


def lasting_lines(setting: Setting, found: Sequence[Parameter]) -> Iterator[MemoryLine]:
    """Yield the lines of the memory that is held all the time.

    Args:
        setting: Input of the prediction.
        found: Parameters of the model.
    """
    published = citation(setting.model)
    yield from placed(_weights(setting, found), setting.device, published)
    yield from placed((_gradients(setting, found),), setting.device, _TRAINING)
    buffers = Item(
        "buffers", buffer_bytes(setting.model, setting.step.value), "tables of positions and masks"
    )
    yield from placed((buffers,), setting.device, published)
    yield from placed((moments_item(found, setting.techniques),), setting.state_place, OPTIMIZER)
    if setting.has_masters:
        # In a swarm they are taken before the model comes to the GPU, and never pinned.
        pinned = setting.step.gpu and setting.state_place is MemoryPlace.RAM and not setting.in_swarm
        yield from placed((masters_item(found, pinned=pinned),), setting.state_place, MASTERS)
    if setting.in_swarm:
        if setting.local_steps:
            yield from placed(_local_steps(setting, found), MemoryPlace.RAM, LOCAL_TRAINING)
        yield from placed(_averaging(setting, found), MemoryPlace.RAM, _AVERAGER)
        yield from placed(_low_rank(setting, found), MemoryPlace.RAM, _LOW_RANK)
        yield from placed((_committed(setting, found),), MemoryPlace.RAM, _COMMITTED)
    if setting.recomputed:
        yield from placed(_audits(setting, found), MemoryPlace.RAM, _AUDITS)


def placed(items: Iterable[Item], place: MemoryPlace, source: str) -> Iterator[MemoryLine]:
    """Yield ``items`` as lines with a ``place`` and a ``source``."""
    for item in items:
        yield MemoryLine(item.name, item.bytes, place, item.whole_formula, source)


def _weights(setting: Setting, found: Sequence[Parameter]) -> Iterator[Item]:
    value = setting.step.value
    exact = 0 if value == _FLOAT32 else sum(item.total for item in found if item.always_float32)
    rounded = sum(item.total for item in found) - exact
    yield Item(WEIGHTS, rounded * value, f"{rounded:,} parameters x {value} bytes")
    if exact:
        yield Item(WEIGHTS_IN_FLOAT32, exact * _FLOAT32, f"{exact:,} parameters x 4 bytes")


def _gradients(setting: Setting, found: Sequence[Parameter]) -> Item:
    elements, value = sum(item.total for item in found), setting.gradient_bytes
    return Item(GRADIENTS, elements * value, f"{elements:,} parameters x {value} bytes")


def _local_steps(setting: Setting, found: Sequence[Parameter]) -> Iterator[Item]:
    """Yield what local steps take beside the masters, which are the committed parameters then."""
    elements = sum(item.total for item in found)
    formula = f"{elements:,} parameters x 4 bytes"
    if setting.step.gpu or setting.techniques.precision is not Precision.FLOAT32:
        yield Item("own parameters in float32", 4 * elements, formula)
    if setting.outer_momentum:
        yield Item("momentum of the outer step", 4 * elements, formula)


def _audits(setting: Setting, found: Sequence[Parameter]) -> Iterator[Item]:
    """Yield what audits of others' work take: parameters of earlier epochs, and an audit's own copies."""
    elements, value = sum(item.total for item in found), setting.step.value
    formula = f"{elements:,} parameters x 4 bytes"
    yield Item("parameters of earlier epochs, for audits", 4 * elements, formula, tensors=_AUDITED_HEADS)
    if setting.local_steps:
        yield Item("parameters moved by an audited drift", 4 * elements, formula)
    each = value + setting.gradient_bytes
    whole = f"{elements:,} parameters x {each} bytes"
    yield Item("parameters and gradients of an audit", each * elements, whole)


def _averaging(setting: Setting, found: Sequence[Parameter]) -> Iterator[Item]:
    values = _travelling(setting, found)
    what = "values of factors and small tensors" if setting.factors else "parameters"
    formula = f"{values:,} {what} x 4 bytes of shared memory"
    given, averaged = (
        ("drift", "averaged drift") if setting.local_steps else ("gradients", "averaged gradients")
    )
    yield Item(f"{given} on the way into a round", 4 * values, formula)
    yield Item(averaged, 4 * values, formula)


def _travelling(setting: Setting, found: Sequence[Parameter]) -> int:
    """Return the number of values that a round takes."""
    factors = sum(item.count * prod(shape) for item, shape in _factored(setting, found))
    return sum(item.total for item in found) - _in_factors(setting, found) + factors


def _factored(setting: Setting, found: Sequence[Parameter]) -> list[tuple[Parameter, tuple[int, int]]]:
    """Return the matrices that travel as factors, with the shape of these."""
    if setting.factors is None:
        return []
    pairs = [(item, setting.factors.of(item.shape)) for item in found]
    return [(item, shape) for item, shape in pairs if shape is not None]


def _in_factors(setting: Setting, found: Sequence[Parameter]) -> int:
    return sum(item.total for item, _ in _factored(setting, found))


def _low_rank(setting: Setting, found: Sequence[Parameter]) -> Iterator[Item]:
    """Yield what gradients of low rank take beside the factors themselves."""
    elements, bases = (
        _in_factors(setting, found),
        sum(item.count * prod(shape) for item, shape in _factored(setting, found)),
    )
    if elements:
        yield Item("gradients until their round has ended", 4 * elements, f"{elements:,} values x 4 bytes")
        yield Item("bases of the gradients", 4 * bases, f"{bases:,} values x 4 bytes")


def low_rank_step(setting: Setting, found: Sequence[Parameter]) -> Iterator[MemoryLine]:
    """Yield what a step takes for gradients of low rank beside the optimizer's own tensors.

    Args:
        setting: Input of the prediction.
        found: Parameters of the model.
    """
    if elements := _in_factors(setting, found):
        item = Item("gradients made from their factors", 4 * elements, f"{elements:,} values x 4 bytes")
        yield from placed((item,), MemoryPlace.RAM, _LOW_RANK)


def _committed(setting: Setting, found: Sequence[Parameter]) -> Item:
    """Return the committed rounds as the reducers sent them; in 8 bits where no run says how, factors in 16."""
    size = setting.committed_bytes
    if size is None:
        size = _travelling(setting, found) * (2 if setting.factors else 1)
    kept = rounds_kept(size)
    return Item("committed rounds, for members and late peers", size, f"{size:,} bytes", tensors=kept)
