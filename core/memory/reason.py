"""Why a plan is as it is, in one sentence that a home user understands."""

from core.memory.fitness import depth_of
from core.memory.machine import Sizes
from core.memory.search import Question
from core.memory.techniques import Activations, Techniques
from core.memory.units import format_size

_NOTICEABLE = 0.015


def reason(question: Question, techniques: Techniques, slowdown: float) -> str:
    """Of a plan that fits; ``slowdown``: its time by that of the fastest if memory were no limit."""
    return f"{_limit(question)}, {_work(question, techniques)}, {_cost(question, slowdown)}."


def reason_of_refusal(question: Question, lacking: Sizes) -> str:
    """Of a plan that does not fit, for want of so many bytes; of none if it ran out of memory all the same."""
    if not lacking.total:
        return "This model does not fit: even its leanest setting ran out of memory."
    if question.choices.given:
        return f"This setting does not fit: it needs {_more(lacking)} than there is."
    return f"This model does not fit: even its leanest setting needs {_more(lacking)} than there is."


def reason_without_gpu(lacking: Sizes, question: Question, techniques: Techniques, slowdown: float) -> str:
    """Of a plan for the processor, as the GPU lacks so many bytes."""
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
    layers = "all" if not techniques.kept else f"{depth - techniques.kept} of the"
    return f"{layers} {depth} layers are computed twice to save memory"


def _cost(question: Question, slowdown: float) -> str:
    if slowdown < 1 + _NOTICEABLE:
        return f"which is as fast as {'a GPU' if question.on_gpu else 'the processor'} can train this model"
    return f"which takes about {100 * (slowdown - 1):.0f} % longer than with plenty of memory"


def _more(lacking: Sizes) -> str:
    parts = [(lacking.gpu, "GPU memory"), (lacking.ram, "RAM")]
    return " and ".join(f"{format_size(size)} more {kind}" for size, kind in parts if size)
