"""The tables of a plan, at the widths of terminals."""

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from client.console.plan_report import refusal, report
from core.memory import plan
from core.memory.machine import MachineResources
from core.memory.planning import MemoryPlan
from core.memory.search import PlanChoices
from core.model.techniques import Activations, Precision

GIB = 1 << 30
CARD = MachineResources(16 * GIB, 8 * GIB, 4, (Precision.FLOAT32, Precision.BFLOAT16), "a card")
LAPTOP = MachineResources(16 * GIB, name="a laptop")


def shown(found: MemoryPlan, width: int = 160) -> str:
    console = Console(width=width, file=StringIO())
    console.print(report("dalle", found))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [60, 80, 160])
@pytest.mark.parametrize("machine", [CARD, LAPTOP])
def test_lines_fit_the_terminal_and_cut_nothing_off(width: int, machine: MachineResources) -> None:
    text = shown(plan("dalle", machine), width)
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text


def test_every_line_has_its_size_formula_and_source() -> None:
    found = plan("dalle", CARD)
    text = shown(found)
    for line in (*found.prediction.lines, *found.prediction.resident_lines):
        assert not line.bytes or (line.name in text and line.formula in text and line.source in text)
    numbers = {int(part.split("]")[0]) for part in text.split("[")[1:]}
    assert numbers == set(range(1, len(numbers) + 1))


@pytest.mark.parametrize(
    ("machine", "choices", "words"),
    [
        (CARD, PlanChoices(), ["trained in a swarm on a card", "GPU memory at its peak: ", "of 8 GiB free"]),
        (CARD, PlanChoices(), ["moments in 8 bits, on the CPU", "all are kept"]),
        (
            LAPTOP,
            PlanChoices(activations=Activations.REVERSE),
            ["64 of 64 layers are rebuilt from their outputs"],
        ),
        (
            LAPTOP,
            PlanChoices(activations=Activations.CHECKPOINT),
            ["64 of 64 layers keep only their in"],
        ),
        (LAPTOP, PlanChoices((2,)), ["device CPU", "micro-batch 2", "moments in 8 bits, on the CPU"]),
    ],
)
def test_the_plan_is_reported_in_words(
    machine: MachineResources, choices: PlanChoices, words: list[str]
) -> None:
    found = plan("dalle", machine, choices=choices)
    unwrapped = " ".join(shown(found).split())
    for word in (*words, found.reason):
        assert word in unwrapped


@pytest.mark.parametrize(
    ("activations", "kept", "words"),
    [
        (Activations.REVERSE, 63, "1 of 64 layers is rebuilt from its outputs; 63 keep all"),
        (Activations.CHECKPOINT, 63, "1 of 64 layers keeps only its inputs; 63 keep all"),
        (Activations.CHECKPOINT, 1, "63 of 64 layers keep only their inputs; 1 keeps all"),
    ],
)
def test_one_layer_is_written_as_one(activations: Activations, kept: int, words: str) -> None:
    found = plan("dalle", LAPTOP)
    some = replace(found.techniques, activations=activations, checkpointed=0, kept=kept)
    assert words in " ".join(shown(replace(found, techniques=some)).split())


def test_a_machine_without_a_gpu_has_one_table() -> None:
    assert "GPU memory" not in shown(plan("dalle", LAPTOP))


def test_what_does_not_fit_is_refused_with_what_is_missing() -> None:
    found = plan("gpt3-175b", LAPTOP)
    assert "TiB more RAM" in refusal(found).what
    assert "does not fit" not in shown(found)
