"""Shows a memory plan: a table of what training takes line by line, the plan and its reason; or all of it as JSON."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from client.console.amounts import in_bytes
from core.errors import MemoryPlanError
from core.memory.fitness import depth_of
from core.memory.footprint import MemoryLine, MemoryPlace
from core.memory.parameters import count
from core.memory.planning import MemoryPlan
from core.memory.units import format_size
from core.model.techniques import Activations, Techniques
from core.trainer.machines import MachineSpeed


def report(name: str, plan: MemoryPlan) -> RenderableType:
    """Return tables of the peak on the GPU, if there is one, and in RAM; then sources, the plan and why it is so."""
    sources = list(dict.fromkeys(line.source for line in _all_lines(plan)))
    parts: list[RenderableType] = [Text(_title(name, plan), style="bold")]
    if plan.on_gpu:
        peak = f"GPU memory at its peak: {plan.prediction.peak(MemoryPlace.GPU).name}"
        free, usable = plan.available.gpu, plan.available.usable.gpu
        parts += ["", _table(peak, _gpu_lines(plan), sources, free, usable)]
    free, usable = plan.available.ram, plan.available.usable.ram
    parts += ["", _table("RAM at its peak", _ram_lines(plan), sources, free, usable), _sources(sources)]
    parts += ["", _techniques(plan)]
    return Group(*parts, "", Text(plan.reason)) if plan.fits else Group(*parts)


def document(name: str, plan: MemoryPlan) -> dict[str, Any]:
    """Return the plan for programs; sizes are in bytes.

    ``lines`` on the GPU are tensors, in RAM whole processes.
    """
    question, prediction = plan.question, plan.prediction
    return {
        "model": name,
        "parameters": _parameters(plan),
        "in_swarm": question.in_swarm,
        "machine": asdict(question.machine),
        "available": asdict(plan.available),
        "usable": asdict(plan.available.usable),
        "taken": asdict(plan.taken),
        "peak_moments": {
            place.value.lower(): prediction.peak(place).name
            for place in ([*MemoryPlace] if plan.on_gpu else [MemoryPlace.RAM])
        },
        "lines": [asdict(line) for line in _all_lines(plan)],
        "fits": plan.fits,
        "missing": asdict(plan.missing),
        "on_gpu": plan.on_gpu,
        "techniques": asdict(plan.techniques),
        "slowdown": plan.slowdown,
        "reason": plan.reason,
    }


def refusal(plan: MemoryPlan) -> MemoryPlanError:
    """Return the error of a plan that does not fit."""
    return MemoryPlanError(
        plan.reason,
        "Close other programs, give it more memory, or choose a smaller model, --batch or --length.",
    )


def _parameters(plan: MemoryPlan) -> int:
    return count(plan.question.model, plan.question.shared_layers or 0)


def _title(name: str, plan: MemoryPlan) -> str:
    where = "in a swarm" if plan.question.in_swarm else "alone"
    return f"{name}: {_parameters(plan):,} parameters, trained {where} on {plan.question.machine.name}"


def _gpu_lines(plan: MemoryPlan) -> list[MemoryLine]:
    return [line for line in plan.prediction.lines if line.place is MemoryPlace.GPU]


def _ram_lines(plan: MemoryPlan) -> list[MemoryLine]:
    return [line for line in plan.prediction.resident_lines if line.bytes]


def _all_lines(plan: MemoryPlan) -> list[MemoryLine]:
    return [*(_gpu_lines(plan) if plan.on_gpu else ()), *_ram_lines(plan)]


def _table(title: str, lines: Sequence[MemoryLine], sources: Sequence[str], free: int, usable: int) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=title, title_justify="left", title_style="bold")
    table.add_column("what", ratio=3)
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("formula", ratio=4)
    table.add_column("source", justify="right", no_wrap=True)
    for line in lines:
        number = sources.index(line.source) + 1
        table.add_row(Text(line.name), format_size(line.bytes), Text(line.formula), Text(f"[{number}]"))
    table.add_section()
    head_room = f"of {format_size(free)} free, of which {format_size(free - usable)} stay as head-room"
    table.add_row("in all", format_size(sum(line.bytes for line in lines)), head_room, style="bold")
    return table


def _sources(sources: Iterable[str]) -> Table:
    table = Table.grid(padding=(0, 1))
    for number, source in enumerate(sources, start=1):
        table.add_row(Text(f"[{number}]"), Text(source))
    return table


def _techniques(plan: MemoryPlan) -> Table:
    chosen = plan.techniques
    table = Table.grid(padding=(0, 2))
    device = "GPU" if plan.on_gpu else "CPU"
    table.add_row("device", device)
    table.add_row("micro-batch", str(chosen.micro_batch))
    table.add_row("precision", chosen.precision.value)
    table.add_row("activations", _activations(chosen, depth_of(plan.question.model)))
    moments = "8 bits" if chosen.eight_bit_optimizer else "float32"
    place = "CPU" if chosen.optimizer_on_cpu else device
    table.add_row("optimizer", f"moments in {moments}, on the {place}")
    return table


def _activations(chosen: Techniques, depth: int) -> str:
    if chosen.activations is Activations.KEEP:
        return "all are kept"
    lean = depth - chosen.kept
    is_one = lean == 1
    if chosen.activations is Activations.CHECKPOINT:
        how = f"{lean} of {depth} layers {'keeps only its' if is_one else 'keep only their'} inputs"
    else:
        how = f"{lean} of {depth} layers {'is rebuilt from its' if is_one else 'are rebuilt from their'} outputs"
        if chosen.checkpointed:
            how += (
                f", {min(chosen.checkpointed, lean)} of them with the stream before their feed-forward kept"
            )
    return how + (f"; {chosen.kept} keep{'s' if chosen.kept == 1 else ''} all" if chosen.kept else "")


def comparison(here: MachineSpeed, others: Sequence[MachineSpeed]) -> Table:
    """Return a table with a column for each machine, this one first.

    A dash stands for a model that a machine did not run.
    """
    machines = [here, *others]
    table = Table(title="Training speed: micro-steps, forward and backward")
    table.add_column("")
    for name in (f"this machine: {here.name}", *(machine.name for machine in others)):
        table.add_column(name, justify="right", ratio=1)
    table.add_row("threads", *(str(machine.threads) for machine in machines))
    table.add_row("matrix products, GFLOP/s", *(f"{machine.gemm_gflops:,.0f}" for machine in machines))
    for model in here.models:
        table.add_row(f"{model}, samples/s", *(_samples(machine, model) for machine in machines))
        table.add_row(f"{model}, tokens/s", *(_tokens(machine, model) for machine in machines))
    table.add_row("RAM", *(in_bytes(machine.ram_bytes) for machine in machines))
    return table


def _samples(machine: MachineSpeed, model: str) -> str:
    speed = machine.models.get(model)
    return f"{speed.samples_per_second:,.2f}" if speed else "–"


def _tokens(machine: MachineSpeed, model: str) -> str:
    speed = machine.models.get(model)
    return f"{speed.tokens_per_second:,.0f}" if speed else "–"
