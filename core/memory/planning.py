"""The memory plan: the techniques chosen for a machine, the bytes they take, the reason, and the plans after it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.errors import MemoryPlanError
from core.memory.fitness import check_techniques, checked_length, depth_of
from core.memory.machine import Allowance, MachineResources, Sizes, check_sizes, missing
from core.memory.models import AnyModel, known_model
from core.memory.prediction import Prediction
from core.memory.search import PlanCandidate, PlanChoices, Question, fastest, fastest_fit, least_missing
from core.memory.units import format_size
from core.model.factors import FactorSizes
from core.model.techniques import Activations, Techniques

_NOTICEABLE = 0.015


def reason(question: Question, techniques: Techniques, slowdown: float) -> str:
    """Return the reason of a plan that fits, in one sentence that a home user understands.

    Args:
        question: Input of the plan.
        techniques: Techniques of the plan.
        slowdown: Time of the plan divided by that of the fastest techniques if memory were no limit.
    """
    return f"{_limit(question)}, {_work(question, techniques)}, {_cost(question, slowdown)}."


def reason_of_refusal(question: Question, lacking: Sizes) -> str:
    """Return the reason why no plan fits a ``question``; ``lacking`` is zero after the leanest ran out of memory."""
    if not lacking.total:
        return "This model does not fit: it ran out of memory with all memory-saving techniques."
    if question.choices.given:
        return f"This setting does not fit: it needs {_more(lacking)} than is available."
    return f"This model does not fit: with all memory-saving techniques it needs {_more(lacking)} than is available."


def reason_without_gpu(lacking: Sizes, question: Question, techniques: Techniques, slowdown: float) -> str:
    """Return the reason of a plan for the processor.

    Args:
        lacking: Bytes that the GPU lacks; zero if its memory ran out.
        question: Input of the plan for the processor.
        techniques: Techniques of the plan.
        slowdown: Time of the plan divided by that of the fastest techniques if memory were no limit.
    """
    why = f"which lacks {format_size(lacking.gpu)}" if lacking.gpu else "whose memory ran out"
    because = f"The processor trains instead of the GPU, {why}: with {_ram(question)}"
    return f"{because}, {_work(question, techniques)}, {_cost(question, slowdown)}."


def _limit(question: Question) -> str:
    if question.avoid:
        return "After a larger setting ran out of memory"
    if not question.on_gpu:
        return f"Without a GPU and with {_ram(question)}"
    return f"With {_amount(question.available.gpu, 'GPU memory', question.allowance.gpu_bytes)}"


def _ram(question: Question) -> str:
    return _amount(question.available.ram, "RAM", question.allowance.ram_bytes)


def _amount(available: int, kind: str, allowed: int | None) -> str:
    if allowed == available:
        return f"the {format_size(available)} of {kind} that you allow"
    return f"{format_size(available)} of free {kind}"


def _work(question: Question, techniques: Techniques) -> str:
    many = techniques.micro_batch
    examples = "one training example is" if many == 1 else f"{many} training examples are"
    return f"{examples} computed at a time and {_twice(question, techniques)}"


def _twice(question: Question, techniques: Techniques) -> str:
    depth = depth_of(question.model)
    if techniques.activations is Activations.KEEP:
        return "nothing is computed twice"
    return f"{_layers(depth - techniques.kept, depth)} computed twice to save memory"


def _layers(again: int, depth: int) -> str:
    """Return the subject and the verb for ``again`` of ``depth`` layers."""
    if depth == 1:
        return "the only layer is"
    if again == depth:
        return f"all {depth} layers are"
    return f"{again} of the {depth} layers {'is' if again == 1 else 'are'}"


def _cost(question: Question, slowdown: float) -> str:
    if slowdown < 1 + _NOTICEABLE:
        return f"which is as fast as {'a GPU' if question.on_gpu else 'the processor'} can train this model"
    best = "with the fastest setting" if question.choices.given else "with plenty of memory"
    return f"which takes about {100 * (slowdown - 1):.0f} % longer than {best}"


def _more(lacking: Sizes) -> str:
    parts = [(lacking.gpu, "GPU memory"), (lacking.ram, "RAM")]
    return " and ".join(f"{format_size(size)} more {kind}" for size, kind in parts if size)


@dataclass(frozen=True)
class MemoryPlan:
    """Techniques for a trainer, or, where nothing fits, the combination that lacks least."""

    question: Question
    techniques: Techniques
    prediction: Prediction
    fits: bool
    missing: Sizes
    """Bytes that would have to be free in addition, head-room included; none if the plan fits."""
    reason: str
    """Reason of the plan, in a sentence for people."""
    slowdown: float
    """Time of a sample divided by that of the fastest combination if memory were no limit, on the same device."""
    seconds: float
    """Nominal time of a sample: to compare plans, not to promise anything."""

    @property
    def on_gpu(self) -> bool:
        """True if the GPU trains; not if there is none, or if only the processor has the memory."""
        return self.question.on_gpu

    @property
    def taken(self) -> Sizes:
        """Bytes that are predicted: tensors on the GPU, whole processes in RAM."""
        return Sizes(self.prediction.gpu_bytes, self.prediction.resident_bytes)

    @property
    def available(self) -> Sizes:
        """Bytes that are free and allowed."""
        return self.question.available

    def leaner(self) -> "MemoryPlan | None":
        """Return the next plan after this one ran out of memory, on the same device; None if nothing is leaner.

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
        """Yield all leaner plans in their order."""
        step = self.leaner()
        while step is not None:
            yield step
            step = step.leaner()


def plan(
    model: str | AnyModel,
    machine: MachineResources,
    allowance: Allowance = Allowance(),  # noqa: B008 - frozen
    *,
    in_swarm: bool = True,
    local_steps: bool = False,
    outer_momentum: bool = False,
    factors: FactorSizes | None = None,
    committed_bytes: int | None = None,
    recomputed: bool = False,
    avoid: Sequence[Techniques] = (),
    avoid_on_processor: Sequence[Techniques] = (),
    eight_bit_optimizer: bool | None = None,
    choices: PlanChoices = PlanChoices(),  # noqa: B008 - frozen
    sequence_length: int | None = None,
    shared_layers: int | None = None,
) -> MemoryPlan:
    """Return the fastest combination of techniques that fits, with head-room; the missing bytes if nothing does.

    If nothing fits on the GPU, and something in RAM alone, the processor trains.

    Args:
        model: a name of ``core.memory.models.MODELS``, or the sizes of a model.
        in_swarm: for a trainer of a swarm, whose optimizer works on the CPU.
        local_steps: for a peer that trains parameters of its own between rounds.
        outer_momentum: for local steps whose outer step has a momentum.
        factors: for gradients of low rank, the sizes of their factors; None if they travel whole.
        committed_bytes: as in ``predict``.
        recomputed: as in ``predict``.
        avoid: combinations that ran out of memory before: the plan takes less than each of them.
        avoid_on_processor: the same where the processor trains because nothing fits on the GPU.
        eight_bit_optimizer: as the run says; None: as in ``choices``, and what is open there is chosen as is best,
            or in a swarm as in the paper, in 8 bits.
        choices: what may be chosen from.
        sequence_length: as in ``predict``.
        shared_layers: as in ``predict``.
        machine: Resources of the machine.
        allowance: Bytes that the volunteer allows.

    Raises:
        MemoryPlanError: an unknown name, numbers or techniques that the model cannot have, or an optimizer on the
            GPU where it works on the CPU in any case.
    """
    found = known_model(model).architecture if isinstance(model, str) else model
    if eight_bit_optimizer is None:
        eight_bit_optimizer = choices.eight_bit_optimizer
    if eight_bit_optimizer is None and in_swarm:
        eight_bit_optimizer = True
    choices = replace(choices, eight_bit_optimizer=eight_bit_optimizer)
    question = Question(
        found,
        machine,
        allowance,
        choices,
        in_swarm,
        local_steps,
        outer_momentum,
        factors,
        committed_bytes,
        recomputed,
        tuple(avoid),
        tuple(avoid_on_processor),
        sequence_length,
        shared_layers,
    )
    _check(question)
    best = fastest_fit(question)
    return _fitting(question, best) if best is not None else _otherwise(question)


def _otherwise(question: Question) -> MemoryPlan:
    """Return the processor's plan if only the GPU's memory lacks, else a plan that names the missing bytes."""
    least = least_missing(question)
    lacking = missing(least.taken, question.available)
    on_processor = question.on_processor()
    other = fastest_fit(on_processor) if question.on_gpu and not question.choices.given else None
    if other is None:
        return _plan(question, least, reason_of_refusal(question, lacking), lacking)
    slowdown = other.seconds / fastest(on_processor)
    return _plan(on_processor, other, reason_without_gpu(lacking, on_processor, other.techniques, slowdown))


def _fitting(question: Question, found: PlanCandidate) -> MemoryPlan:
    return _plan(question, found, reason(question, found.techniques, found.seconds / fastest(question)))


def _plan(question: Question, found: PlanCandidate, why: str, lacking: Sizes | None = None) -> MemoryPlan:
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
    if question.choices.optimizer_on_cpu is False and (question.in_swarm or not question.on_gpu):
        raise MemoryPlanError(
            f"{'In a swarm' if question.in_swarm else 'Without a GPU'} the optimizer always works on the CPU.",
            "Leave the optimizer's place to the plan, or plan to train alone and on a GPU.",
        )
    activations = question.choices.activations or Techniques().activations
    for micro_batch in question.choices.micro_batches:
        techniques = Techniques(micro_batch, activations=activations)
        check_techniques(question.model, techniques, question.shared_layers)
