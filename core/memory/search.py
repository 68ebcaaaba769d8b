"""The fastest combination of techniques that fits: combinations in order of speed, and in each the first that does.

What a model keeps can be given up in small steps, each slower and leaner than the one before, so that the first
that fits is found by halving.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Self

from core.memory.fitness import checked_length
from core.memory.machine import Allowance, MachineResources, Sizes, missing
from core.memory.models import AnyModel, OwnModel
from core.memory.prediction import Prediction, predict
from core.memory.speed import GPU, DeviceSpeed, Work, processor
from core.model.factors import FactorSizes
from core.model.techniques import Activations, Precision, Techniques

MICRO_BATCHES = tuple(2**power for power in range(9))
_WORTH_A_LARGER_MICRO_BATCH = 0.05
"""Share of a micro-step that starting its operations takes. It does not depend on the memory there is, so more
memory never leads to a slower plan."""
_STEP_DOWN = 0.9
"""Share of the bytes predicted for a combination that ran out of memory which the next one may take."""


@dataclass(frozen=True)
class PlanChoices:
    """Options that a plan may choose from; None leaves the choice open."""

    micro_batches: tuple[int, ...] = MICRO_BATCHES
    """Samples of a micro-step, in ascending order; larger ones that gain next to nothing are left out."""
    precision: Precision | None = None
    activations: Activations | None = None
    """Activations that all layers keep alike."""
    eight_bit_optimizer: bool | None = None
    """Moments in 8 bits; in a swarm the manifest decides, and None plans for 8 bits there, as in the paper."""
    optimizer_on_cpu: bool | None = None
    """Optimizer on the CPU beside a GPU; in a swarm it always is, and False is refused."""

    @classmethod
    def up_to(cls, micro_batch: int) -> Self:
        """Return the choice among all usual micro-batches below ``micro_batch``, and that one."""
        return cls((*(size for size in MICRO_BATCHES if size < micro_batch), micro_batch))

    @property
    def given(self) -> bool:
        """True if one combination is asked for, rather than the best."""
        return bool(self.precision or self.activations or len(self.micro_batches) == 1)


@dataclass(frozen=True)
class Question:
    """Input of a plan."""

    model: AnyModel
    machine: MachineResources
    allowance: Allowance
    choices: PlanChoices
    in_swarm: bool
    local_steps: bool
    outer_momentum: bool
    factors: FactorSizes | None
    committed_bytes: int | None
    """Bytes of a round's aggregates as the run encodes them; None: 8 bits a value, 16 a factor's."""
    recomputed: bool
    """True if members of the swarm compute parts of each other's work again."""
    avoid: tuple[Techniques, ...]
    """Combinations that ran out of memory on the device that is to train."""
    avoid_on_processor: tuple[Techniques, ...]
    """Combinations that ran out of memory when the processor trained, for when the GPU has too little memory."""
    sequence_length: int | None
    """Positions of a sample; None: as many as the model was made for."""
    shared_layers: int | None
    """Number of sets of weights that the layers use in turns; None: as the model has it."""

    @property
    def on_gpu(self) -> bool:
        """True if the GPU is to train."""
        return self.machine.gpu_bytes is not None

    @cached_property
    def available(self) -> Sizes:
        """Bytes that are free and allowed."""
        return self.allowance.of(self.machine)

    @property
    def device(self) -> DeviceSpeed:
        """Nominal speed of the device that trains."""
        return GPU if self.on_gpu else processor(self.machine.cores)

    def on_processor(self) -> "Question":
        """Return the same question without the GPU, on which nothing fitted."""
        machine = replace(self.machine, gpu_bytes=None, precisions=(Precision.FLOAT32,), name="")
        return replace(self, machine=machine, avoid=self.avoid_on_processor)

    def predicted(self, techniques: Techniques) -> Prediction:
        """Return the prediction for a combination of ``techniques``.

        Raises:
            MemoryPlanError: the model cannot have these numbers or ``techniques``.
        """
        return predict(
            self.model,
            techniques,
            sequence_length=self.sequence_length,
            shared_layers=self.shared_layers,
            device_is_gpu=self.on_gpu,
            in_swarm=self.in_swarm,
            local_steps=self.local_steps,
            outer_momentum=self.outer_momentum,
            factors=self.factors,
            committed_bytes=self.committed_bytes,
            recomputed=self.recomputed,
        )

    @cached_property
    def work(self) -> Work:
        """Operations of a sample."""
        length = checked_length(self.model, self.sequence_length)
        return Work.of(self.model, length, self.shared_layers or 0)

    def seconds(self, techniques: Techniques) -> float:
        """Return the nominal seconds of a sample with ``techniques``."""
        return self.work.seconds(techniques, self.device)


@dataclass(frozen=True)
class PlanCandidate:
    """A combination of techniques with its prediction and its speed."""

    techniques: Techniques
    prediction: Prediction
    seconds: float
    """Nominal seconds of a sample, by `core.memory.speed`."""

    @property
    def taken(self) -> Sizes:
        """Bytes of tensors on the GPU, and of whole processes in RAM."""
        return Sizes(self.prediction.gpu_bytes, self.prediction.resident_bytes)

    def on_device(self, question: Question) -> int:
        """Return the bytes on the device that would run out of memory, by the ``question``."""
        return self.taken.gpu if question.on_gpu else self.taken.ram


def fastest(question: Question) -> float:
    """Return the nominal seconds of a sample of a ``question`` if memory were no limit.

    Micro-batches and activations are chosen freely, unless one micro-batch is asked for.
    """
    asked = question.choices
    many = asked.micro_batches if len(asked.micro_batches) > 1 else MICRO_BATCHES
    choices = replace(asked, micro_batches=many, activations=None)
    free = replace(question, choices=choices)
    return min(map(free.seconds, _starts(free)))  # which keep all activations


def fastest_fit(question: Question) -> PlanCandidate | None:
    """Return the fastest combination that fits a ``question``, the leanest of several; None if nothing does."""
    ceiling = _ceiling(question)
    best: PlanCandidate | None = None
    for bound, rungs in _by_speed(question):
        if best is not None and bound > best.seconds:
            break
        slow = bisect_right(rungs, best.seconds, key=question.seconds) if best is not None else len(rungs)
        found = _first_fit(question, rungs[:slow], ceiling)
        if found is not None and (best is None or _rank(found) < _rank(best)):
            best = found
    return best


def least_missing(question: Question) -> PlanCandidate:
    """Return the combination that lacks the fewest bytes for a ``question``."""

    def lacking(candidate: PlanCandidate) -> tuple[int, int, float]:
        sizes = missing(candidate.taken, question.available)
        return sizes.total, candidate.taken.total, candidate.seconds

    return min(_leanest(question), key=lacking)


def candidate(question: Question, techniques: Techniques) -> PlanCandidate:
    """Return a combination of ``techniques`` with its prediction and its time for a ``question``."""
    return PlanCandidate(techniques, question.predicted(techniques), question.seconds(techniques))


def _leanest(question: Question) -> Iterator[PlanCandidate]:
    for start in _starts(question):
        yield candidate(question, _rungs(question, start)[-1])


def _by_speed(question: Question) -> list[tuple[float, Sequence[Techniques]]]:
    """Return the time of each start's fastest rung, and all its rungs; the fastest start comes first."""
    found = [_rungs(question, start) for start in _starts(question)]
    return sorted(((question.seconds(rungs[0]), rungs) for rungs in found), key=lambda item: item[0])


def _rank(found: PlanCandidate) -> tuple[float, int, int]:
    return found.seconds, found.taken.gpu, found.taken.ram


def _first_fit(question: Question, rungs: Sequence[Techniques], ceiling: float) -> PlanCandidate | None:
    def fits(techniques: Techniques) -> bool:
        found = candidate(question, techniques)
        lacking = missing(found.taken, question.available)
        return not lacking.total and found.on_device(question) <= ceiling

    if not rungs or not fits(rungs[-1]):
        return None
    return candidate(question, rungs[bisect_left(rungs, True, key=fits)])


def _ceiling(question: Question) -> float:
    """Return the bytes that may be taken after combinations ran out: a tenth less, or the leanest's bytes."""
    if not question.avoid:
        return float("inf")
    failed = min(candidate(question, techniques).on_device(question) for techniques in question.avoid)
    least = min(found.on_device(question) for found in _leanest(question))
    return min(failed - 1, max(_STEP_DOWN * failed, least))


def _starts(question: Question) -> Iterator[Techniques]:
    """Yield the combinations of all options but the kept activations."""
    choices, machine = question.choices, question.machine
    for precision, eight_bit, on_cpu in product(
        [choices.precision] if choices.precision else _precisions(machine),
        _either(choices.eight_bit_optimizer),
        _places(question),
    ):
        plain = Techniques(precision=precision, eight_bit_optimizer=eight_bit, optimizer_on_cpu=on_cpu)
        for micro_batch in _micro_batches(question, plain):
            yield replace(plain, micro_batch=micro_batch)


def _precisions(machine: MachineResources) -> list[Precision]:
    """Return the first 16-bit type that the machine computes well, and float32.

    All 16-bit types cost the same, and bfloat16 comes first because it cannot overflow.
    """
    sixteen = [item for item in (Precision.BFLOAT16, Precision.FLOAT16) if item in machine.precisions]
    return [*sixteen[:1], Precision.FLOAT32]


def _either(choice: bool | None) -> tuple[bool, ...]:
    return (False, True) if choice is None else (choice,)


def _places(question: Question) -> tuple[bool, ...]:
    """Return the options for an optimizer on the CPU beside a GPU: in a swarm it always is."""
    if not question.on_gpu:
        return (False,)
    return (True,) if question.in_swarm else _either(question.choices.optimizer_on_cpu)


def _micro_batches(question: Question, plain: Techniques) -> Iterator[int]:
    """Yield the given micro-batches, up to the first with which starting operations takes next to no time."""
    starting = question.work.starting_seconds(question.device)
    for micro_batch in question.choices.micro_batches:
        yield micro_batch
        seconds = question.seconds(replace(plain, micro_batch=micro_batch))
        if starting / micro_batch <= _WORTH_A_LARGER_MICRO_BATCH * seconds:
            return


def _rungs(question: Question, start: Techniques) -> Sequence[Techniques]:
    """Return ``start`` with all that can be kept or given up, from the fastest to the leanest."""
    only = question.choices.activations
    if only is not None:
        return [replace(start, activations=only)]
    model = question.model
    checkpoint = replace(start, activations=Activations.CHECKPOINT)
    if not isinstance(model, OwnModel):  # transformers checkpoints all layers or none
        return [start, checkpoint]
    kept = range(model.depth - 1, -1, -1)
    if not model.reversible:
        return [start, *(replace(checkpoint, kept=layers) for layers in kept)]
    reverse = replace(start, activations=Activations.REVERSE)
    return [
        start,
        *(replace(reverse, kept=layers, checkpointed=model.depth - layers) for layers in kept),
        *(replace(reverse, checkpointed=layers) for layers in kept),
    ]
