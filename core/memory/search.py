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
from core.memory.machine import Allowance, Machine, Sizes, missing
from core.memory.models import AnyModel
from core.memory.prediction import Prediction, predict
from core.memory.speed import GPU, Device, Work, processor
from core.memory.techniques import Activations, Precision, Techniques
from core.model.config import ModelConfig

MICRO_BATCHES = tuple(2**power for power in range(9))
_WORTH_A_LARGER_MICRO_BATCH = 0.05
"""Share of a micro-step that starting its operations takes. It does not depend on the memory there is, so more
memory never leads to a slower plan."""
_STEP_DOWN = 0.9
"""Of the bytes that were predicted for a combination that ran out of memory: what the next one may take."""


@dataclass(frozen=True)
class Choices:
    """What may be chosen from; None: as is best."""

    micro_batches: tuple[int, ...] = MICRO_BATCHES
    """In ascending order; larger ones are left out where they gain next to nothing."""
    precision: Precision | None = None
    activations: Activations | None = None
    """With one of these, all layers are alike."""
    eight_bit_optimizer: bool | None = None
    """In a swarm this is the run's rule."""
    optimizer_on_cpu: bool | None = None
    """In a swarm it always is, beside a GPU."""

    @classmethod
    def up_to(cls, micro_batch: int) -> Self:
        """All micro-batches that are usual, and that one, as far as it."""
        return cls((*(size for size in MICRO_BATCHES if size < micro_batch), micro_batch))

    @property
    def given(self) -> bool:
        """Whether one combination is asked after, rather than the best."""
        return bool(self.precision or self.activations or len(self.micro_batches) == 1)


@dataclass(frozen=True)
class Question:
    """What a plan is made for."""

    model: AnyModel
    machine: Machine
    allowance: Allowance
    choices: Choices
    in_swarm: bool
    avoid: tuple[Techniques, ...]
    """Combinations that ran out of memory on the device that is to train."""
    avoid_on_processor: tuple[Techniques, ...]
    """Those that did when the processor trained, for where the GPU has too little memory."""
    sequence_length: int | None
    shared_layers: int | None

    @property
    def on_gpu(self) -> bool:
        """Whether the GPU is to train."""
        return self.machine.gpu_bytes is not None

    @cached_property
    def available(self) -> Sizes:
        """What is free and allowed."""
        return self.allowance.of(self.machine)

    @property
    def device(self) -> Device:
        return GPU if self.on_gpu else processor(self.machine.cores)

    def on_processor(self) -> "Question":
        """The same without the GPU, on which nothing fitted."""
        machine = replace(self.machine, gpu_bytes=None, precisions=(Precision.FLOAT32,), name="")
        return replace(self, machine=machine, avoid=self.avoid_on_processor)

    def predicted(self, techniques: Techniques) -> Prediction:
        """What a combination takes."""
        return predict(
            self.model,
            techniques,
            sequence_length=self.sequence_length,
            shared_layers=self.shared_layers,
            device_is_gpu=self.on_gpu,
            in_swarm=self.in_swarm,
        )

    @cached_property
    def work(self) -> Work:
        """What there is to compute for a sample."""
        length = checked_length(self.model, self.sequence_length)
        return Work.of(self.model, length, self.shared_layers or 0)

    def seconds(self, techniques: Techniques) -> float:
        """Nominal seconds of a sample."""
        return self.work.seconds(techniques, self.device)


@dataclass(frozen=True)
class Candidate:
    """A combination and what it would take."""

    techniques: Techniques
    prediction: Prediction
    seconds: float

    @property
    def taken(self) -> Sizes:
        """Tensors on the GPU, whole processes in RAM."""
        return Sizes(self.prediction.gpu_bytes, self.prediction.resident_bytes)

    def on_device(self, question: Question) -> int:
        """Bytes where an out-of-memory error would come from."""
        return self.taken.gpu if question.on_gpu else self.taken.ram


def fastest(question: Question) -> float:
    """Nominal seconds of a sample if memory were no limit, in any micro-batches and with any activations."""
    asked = question.choices
    many = asked.micro_batches if len(asked.micro_batches) > 1 else MICRO_BATCHES
    choices = replace(asked, micro_batches=many, activations=None)
    free = replace(question, choices=choices)
    return min(free.seconds(_rungs(free, start)[0]) for start in _starts(free))


def fastest_fit(question: Question) -> Candidate | None:
    """The fastest that fits, the leanest of several; None if nothing does."""
    ceiling = _ceiling(question)
    best: Candidate | None = None
    for bound, rungs in _by_speed(question):
        if best is not None and bound > best.seconds:
            break
        slow = bisect_right(rungs, best.seconds, key=question.seconds) if best is not None else len(rungs)
        found = _first_fit(question, rungs[:slow], ceiling)
        if found is not None and (best is None or _rank(found) < _rank(best)):
            best = found
    return best


def least_missing(question: Question) -> Candidate:
    """The combination that lacks the fewest bytes."""

    def lacking(candidate: Candidate) -> tuple[int, int, float]:
        sizes = missing(candidate.taken, question.available)
        return sizes.total, candidate.taken.total, candidate.seconds

    return min(_leanest(question), key=lacking)


def candidate(question: Question, techniques: Techniques) -> Candidate:
    """The combination with its prediction and its time."""
    return Candidate(techniques, question.predicted(techniques), question.seconds(techniques))


def _leanest(question: Question) -> Iterator[Candidate]:
    for start in _starts(question):
        yield candidate(question, _rungs(question, start)[-1])


def _by_speed(question: Question) -> list[tuple[float, Sequence[Techniques]]]:
    """All rungs of each start, and the time of its fastest; the fastest first."""
    found = [_rungs(question, start) for start in _starts(question)]
    return sorted(((question.seconds(rungs[0]), rungs) for rungs in found), key=lambda item: item[0])


def _rank(found: Candidate) -> tuple[float, int, int]:
    return found.seconds, found.taken.gpu, found.taken.ram


def _first_fit(question: Question, rungs: Sequence[Techniques], ceiling: float) -> Candidate | None:
    def fits(techniques: Techniques) -> bool:
        found = candidate(question, techniques)
        lacking = missing(found.taken, question.available)
        return not lacking.total and found.on_device(question) <= ceiling

    if not rungs or not fits(rungs[-1]):
        return None
    return candidate(question, rungs[bisect_left(rungs, True, key=fits)])


def _ceiling(question: Question) -> float:
    """The most that may be taken on the device after what ran out of memory: a tenth less, or the least there is."""
    if not question.avoid:
        return float("inf")
    failed = min(candidate(question, techniques).on_device(question) for techniques in question.avoid)
    least = min(found.on_device(question) for found in _leanest(question))
    return min(failed - 1, max(_STEP_DOWN * failed, least))


def _starts(question: Question) -> Iterator[Techniques]:
    """Combinations of all but what is kept."""
    choices, machine = question.choices, question.machine
    for precision, eight_bit, on_cpu in product(
        [choices.precision] if choices.precision else _precisions(machine),
        _either(choices.eight_bit_optimizer),
        _places(question),
    ):
        plain = Techniques(precision=precision, eight_bit_optimizer=eight_bit, optimizer_on_cpu=on_cpu)
        for micro_batch in _micro_batches(question, plain):
            yield replace(plain, micro_batch=micro_batch)


def _precisions(machine: Machine) -> list[Precision]:
    """float32, and of the types of 16 bits the first: they cost the same, and bfloat16 cannot overflow."""
    sixteen = [item for item in (Precision.BFLOAT16, Precision.FLOAT16) if item in machine.precisions]
    return [*sixteen[:1], Precision.FLOAT32]


def _either(choice: bool | None) -> tuple[bool, ...]:
    return (False, True) if choice is None else (choice,)


def _places(question: Question) -> tuple[bool, ...]:
    """Whether the optimizer works on the CPU beside a GPU: in a swarm it always does."""
    if not question.on_gpu:
        return (False,)
    return (True,) if question.in_swarm else _either(question.choices.optimizer_on_cpu)


def _micro_batches(question: Question, plain: Techniques) -> Iterator[int]:
    """Those given, up to the first with which starting operations takes next to no time."""
    starting = question.work.starting_seconds(question.device)
    for micro_batch in question.choices.micro_batches:
        yield micro_batch
        seconds = question.seconds(replace(plain, micro_batch=micro_batch))
        if starting / micro_batch <= _WORTH_A_LARGER_MICRO_BATCH * seconds:
            return


def _rungs(question: Question, start: Techniques) -> Sequence[Techniques]:
    """All that can be kept or given up, from the fastest to the leanest."""
    only = question.choices.activations
    if only is not None:
        return [replace(start, activations=only)]
    model = question.model
    checkpoint = replace(start, activations=Activations.CHECKPOINT)
    if not isinstance(model, ModelConfig):  # transformers checkpoints all layers or none
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
