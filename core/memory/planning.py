"""The memory plan: the techniques picked for a machine, what they take, why, and what comes after them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.memory.fitness import check_techniques, checked_length
from core.memory.machine import Allowance, Machine, Sizes, check_sizes, missing
from core.memory.models import AnyModel, known_model
from core.memory.prediction import Prediction
from core.memory.reason import reason, reason_of_refusal, reason_without_gpu
from core.memory.search import Candidate, Choices, Question, fastest, fastest_fit, least_missing
from core.memory.techniques import Techniques


@dataclass(frozen=True)
class MemoryPlan:
    """What a trainer is to do, or, where nothing fits, the combination that lacks least."""

    question: Question
    techniques: Techniques
    prediction: Prediction
    fits: bool
    missing: Sizes
    """Bytes that would have to be free beside what is, head-room included; none if it fits."""
    reason: str
    """Why, in a sentence for people."""
    slowdown: float
    """Time of a sample by that of the fastest combination if memory were no limit, on the same device."""
    seconds: float
    """Nominal time of a sample: to compare plans, not to promise anything."""

    @property
    def on_gpu(self) -> bool:
        """Whether the GPU trains; not if there is none, or if only the processor has the memory."""
        return self.question.on_gpu

    @property
    def taken(self) -> Sizes:
        """What it is predicted to take: tensors on the GPU, whole processes in RAM."""
        return Sizes(self.prediction.gpu_bytes, self.prediction.resident_bytes)

    @property
    def available(self) -> Sizes:
        """What is free and allowed."""
        return self.question.available

    def leaner(self) -> "MemoryPlan | None":
        """The next plan after this one ran out of memory, on the same device; None if there is nothing leaner.

        It takes a tenth less there, or the least that can be, and has all that failed in ``question.avoid``.
        Precision and optimizer stay, as a trainer cannot change them on its way.
        """
        own = self.techniques
        choices = replace(
            self.question.choices,
            precision=own.precision,
            eight_bit_optimizer=own.eight_bit_optimizer,
            optimizer_on_cpu=own.optimizer_on_cpu,
        )
        question = replace(self.question, choices=choices, avoid=(*self.question.avoid, own))
        found = fastest_fit(question)
        return _fitting(question, found) if found is not None else None

    def steps_down(self) -> Iterator["MemoryPlan"]:
        """All leaner plans in their order."""
        step = self.leaner()
        while step is not None:
            yield step
            step = step.leaner()


def plan(
    model: str | AnyModel,
    machine: Machine,
    allowance: Allowance = Allowance(),  # noqa: B008 - frozen
    *,
    in_swarm: bool = True,
    avoid: Sequence[Techniques] = (),
    avoid_on_processor: Sequence[Techniques] = (),
    eight_bit_optimizer: bool | None = None,
    choices: Choices = Choices(),  # noqa: B008 - frozen
    sequence_length: int | None = None,
    shared_layers: int | None = None,
) -> MemoryPlan:
    """The fastest combination of techniques that fits, with head-room; what is missing if nothing does.

    If nothing fits on the GPU, and something in RAM alone, the processor trains.

    Args:
        model: a name of ``core.memory.models.MODELS``, or the sizes of a model.
        in_swarm: for a trainer of a swarm, whose optimizer works on the CPU.
        avoid: combinations that ran out of memory before: the plan takes less than each of them.
        avoid_on_processor: the same where the processor trains because nothing fits on the GPU.
        eight_bit_optimizer: as the run says; None: as is best, or in a swarm as in the paper, in 8 bits.
        choices: what may be chosen from.
        sequence_length: as in ``predict``.
        shared_layers: as in ``predict``.

    Raises:
        MemoryPlanError: an unknown name, or numbers or techniques that the model cannot have.
    """
    found = known_model(model).architecture if isinstance(model, str) else model
    if eight_bit_optimizer is None and in_swarm:
        eight_bit_optimizer = True
    if eight_bit_optimizer is not None:
        choices = replace(choices, eight_bit_optimizer=eight_bit_optimizer)
    question = Question(
        found,
        machine,
        allowance,
        choices,
        in_swarm,
        tuple(avoid),
        tuple(avoid_on_processor),
        sequence_length,
        shared_layers,
    )
    _check(question)
    best = fastest_fit(question)
    return _fitting(question, best) if best is not None else _otherwise(question)


def _otherwise(question: Question) -> MemoryPlan:
    """Where nothing fits as asked: the processor's plan, if the GPU is what lacks, or what is missing."""
    least = least_missing(question)
    lacking = missing(least.taken, question.available)
    on_processor = question.on_processor()
    other = fastest_fit(on_processor) if question.on_gpu and not question.choices.given else None
    if other is None:
        return _plan(question, least, reason_of_refusal(question, lacking), lacking)
    slowdown = other.seconds / fastest(on_processor)
    return _plan(on_processor, other, reason_without_gpu(lacking, on_processor, other.techniques, slowdown))


def _fitting(question: Question, found: Candidate) -> MemoryPlan:
    return _plan(question, found, reason(question, found.techniques, found.seconds / fastest(question)))


def _plan(question: Question, found: Candidate, why: str, lacking: Sizes | None = None) -> MemoryPlan:
    return MemoryPlan(
        question,
        found.techniques,
        found.prediction,
        fits=lacking is None,
        missing=lacking or Sizes(0, 0),
        reason=why,
        slowdown=found.seconds / fastest(question),
        seconds=found.seconds,
    )


def _check(question: Question) -> None:
    """Raise a MemoryPlanError for what no machine and no model can have."""
    check_sizes(question.machine, question.allowance)
    checked_length(question.model, question.sequence_length)
    activations = question.choices.activations or Techniques().activations
    for micro_batch in question.choices.micro_batches:
        techniques = Techniques(micro_batch, activations=activations)
        check_techniques(question.model, techniques, question.shared_layers)
