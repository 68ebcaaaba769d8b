"""The planner: what it picks fits, more memory never makes it slower, and it says why, or what is missing."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from core.errors import MemoryPlanError
from core.families.causal_lm.config import CausalConfig
from core.memory import plan
from core.memory.machine import CUDA_CONTEXT, Allowance, MachineResources, Sizes, missing
from core.memory.models import MODELS
from core.memory.planning import MemoryPlan, reason
from core.memory.search import PlanChoices
from core.model.config import preset
from core.model.techniques import Activations, Precision, Techniques

GIB = 1 << 30
ON_GPU = (Precision.FLOAT32, Precision.BFLOAT16, Precision.FLOAT16)
EMOJI = preset("emoji")
STRAIGHT = preset("dalle").model_copy(update={"reversible": False})
TRAINED = ["bert-base", "t5-small", "gpt2", "gpt3-350m", "dalle", EMOJI, STRAIGHT]


def machine(gpu_gib: float | None, ram_gib: float = 16, cores: int = 4) -> MachineResources:
    if gpu_gib is None:
        return MachineResources(int(ram_gib * GIB), None, cores)
    return MachineResources(int(ram_gib * GIB), int(gpu_gib * GIB), cores, ON_GPU)


def total_with_missing(found: MemoryPlan) -> MachineResources:
    """The machine with as much more as the plan says is missing."""
    given = found.question.machine
    gpu = None if given.gpu_bytes is None else given.gpu_bytes + found.missing.gpu
    return replace(given, gpu_bytes=gpu, ram_bytes=given.ram_bytes + found.missing.ram)


@pytest.mark.parametrize("model", TRAINED)
@pytest.mark.parametrize("in_swarm", [True, False])
def test_what_is_picked_leaves_head_room(model: Any, in_swarm: bool) -> None:
    for gpu_gib in (None, 0.1, 1, 4, 8, 12, 24):
        found = plan(model, machine(gpu_gib), in_swarm=in_swarm)
        assert found.fits, gpu_gib
        assert not found.taken.beyond(found.available.usable).total, gpu_gib
        if found.on_gpu:
            assert found.taken.gpu < 0.9 * found.available.gpu, gpu_gib
        assert found.taken.ram <= 0.9 * found.available.ram, gpu_gib
        assert found.slowdown >= 1, gpu_gib


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("gpu_gib", [None, 4])
def test_what_does_not_fit_would_with_what_is_missing(name: str, gpu_gib: float | None) -> None:
    found = plan(name, machine(gpu_gib, ram_gib=1))
    assert not found.fits
    assert found.missing.total > 0
    assert plan(name, total_with_missing(found)).fits
    less = total_with_missing(replace(found, missing=Sizes(found.missing.gpu, found.missing.ram - (1 << 20))))
    assert not plan(name, less).fits


@pytest.mark.parametrize("model", TRAINED)
@pytest.mark.parametrize("in_swarm", [True, False])
def test_more_gpu_memory_never_makes_it_slower(model: Any, in_swarm: bool) -> None:
    sizes = [0.25 * step for step in range(1, 100, 14)]
    times = [plan(model, machine(size), in_swarm=in_swarm).seconds for size in sizes]
    assert all(more <= less * (1 + 1e-12) for less, more in pairwise(times))
    assert times[-1] < times[0]


@pytest.mark.parametrize("model", TRAINED)
def test_more_ram_never_makes_a_processor_slower(model: Any) -> None:
    found = [plan(model, machine(None, ram_gib=gib)) for gib in range(4, 40, 4)]
    times = [item.seconds for item in found if item.fits]
    assert all(more <= less for less, more in pairwise(times))


# 8 GiB lies between 3 and 24, and is planned by the same rules.
@pytest.mark.parametrize("gpu_gib", [None, 3, pytest.param(8, marks=pytest.mark.exhaustive), 24])
@pytest.mark.parametrize("model", ["bert-base", "gpt2", "dalle", EMOJI, STRAIGHT])
def test_each_step_down_takes_less_and_none_comes_twice(model: Any, gpu_gib: float | None) -> None:
    first = plan(model, machine(gpu_gib))
    steps = [first, *first.steps_down()]
    sizes = [step.taken.gpu if first.on_gpu else step.taken.ram for step in steps]
    assert len(steps) > 1
    assert all(leaner < size for size, leaner in pairwise(sizes))
    assert len(steps) < 30
    assert len({step.techniques for step in steps}) == len(steps)
    assert all(step.fits and "ran out of memory" in step.reason for step in steps[1:])
    assert {step.techniques.precision for step in steps} == {first.techniques.precision}


def test_what_failed_before_is_remembered() -> None:
    first = plan("dalle", machine(8))
    again = plan("dalle", machine(8), avoid=[first.techniques])
    assert again.taken.gpu <= 0.9 * first.taken.gpu
    leanest = [*first.steps_down()][-1]
    assert leanest.leaner() is None
    after_all = plan("dalle", machine(8, ram_gib=4), avoid=[leanest.techniques])
    assert (after_all.fits, after_all.missing.total) == (False, 0)
    assert "ran out of memory with all memory-saving techniques" in after_all.reason


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (
            plan("dalle", machine(80)),
            ["80 GiB of free GPU memory", "nothing is computed twice", "as fast as a GPU"],
        ),
        (
            plan("dalle", machine(4)),
            ["4 GiB of free GPU memory", "of the 64 layers are computed twice", "longer"],
        ),
        (
            plan("dalle", machine(2)),
            ["all 64 layers are computed twice", "longer than with plenty of memory"],
        ),
        (plan("dalle", machine(None)), ["Without a GPU", "16 GiB of free RAM", "one training example is"]),
        (plan("dalle", machine(0.5)), ["The processor trains instead of the GPU, which lacks"]),
        (
            plan("dalle", machine(8), Allowance(gpu_bytes=3 * GIB)),
            ["With the 3 GiB of GPU memory that you allow"],
        ),
        (
            plan("dalle", machine(None), Allowance(ram_bytes=6 * GIB)),
            ["with the 6 GiB of RAM that you allow"],
        ),
        (plan("gpt-j-6b", machine(8)), ["does not fit", "more GPU memory and", "more RAM"]),
        (
            plan("gpt2-large", machine(2)),
            ["with all memory-saving techniques", "more GPU memory than is available"],
        ),
        (
            plan("dalle", machine(2), choices=PlanChoices(activations=Activations.KEEP)),
            ["This setting does not fit", "more GPU memory"],
        ),
    ],
)
def test_the_reason_is_one_sentence_with_what_counts(found: MemoryPlan, words: list[str]) -> None:
    assert all(word in found.reason for word in words), found.reason
    assert found.reason.count(". ") == 0
    assert found.reason.endswith(".")


@pytest.mark.parametrize(
    ("depth", "kept", "words"),
    [
        (36, 0, "all 36 layers are computed twice"),
        (36, 25, "11 of the 36 layers are computed twice"),
        (36, 35, "1 of the 36 layers is computed twice"),
        (1, 0, "the only layer is computed twice"),
    ],
)
def test_the_reason_counts_layers_in_good_grammar(depth: int, kept: int, words: str) -> None:
    config = CausalConfig(depth=depth, dim=64, heads=2, length=16, vocab=64)
    question = plan(config, machine(8)).question
    techniques = Techniques(activations=Activations.CHECKPOINT, kept=kept)
    assert f" and {words} to save memory, " in reason(question, techniques, 1.2)


@pytest.mark.parametrize(
    ("given", "asked", "expected"),
    [
        (machine(24), {"eight_bit_optimizer": False}, {"eight_bit_optimizer": False}),
        (machine(24), {}, {"eight_bit_optimizer": True, "optimizer_on_cpu": True}),
        (machine(24), {"choices": PlanChoices(eight_bit_optimizer=False)}, {"eight_bit_optimizer": False}),
        (machine(80), {"in_swarm": False}, {"optimizer_on_cpu": False}),
        (machine(8), {}, {"precision": Precision.BFLOAT16}),
        (replace(machine(8), precisions=(Precision.FLOAT16,)), {}, {"precision": Precision.FLOAT16}),
        (replace(machine(8), precisions=()), {}, {"precision": Precision.FLOAT32}),
        (machine(None), {}, {"precision": Precision.FLOAT32, "micro_batch": 1}),
        (machine(24), {"choices": PlanChoices((3,))}, {"micro_batch": 3}),
        (machine(24), {"choices": PlanChoices((1, 2))}, {"micro_batch": 2}),
        (
            machine(24),
            {"choices": PlanChoices((2,), Precision.FLOAT32, Activations.REVERSE)},
            {
                "precision": Precision.FLOAT32,
                "activations": Activations.REVERSE,
                "kept": 0,
                "checkpointed": 0,
            },
        ),
    ],
)
def test_what_is_asked_for_is_kept(
    given: MachineResources, asked: dict[str, Any], expected: dict[str, Any]
) -> None:
    techniques = plan("dalle", given, **asked).techniques
    assert {name: getattr(techniques, name) for name in expected} == expected


def test_little_ram_makes_the_optimizer_take_eight_bits() -> None:
    offloaded = PlanChoices(optimizer_on_cpu=True)
    enough = plan("gpt2", machine(8), in_swarm=False, choices=offloaded)
    tight = replace(machine(8), ram_bytes=int(0.95 * enough.taken.ram / 0.9))
    assert not enough.techniques.eight_bit_optimizer
    assert plan("gpt2", tight, in_swarm=False, choices=offloaded).techniques.eight_bit_optimizer


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"model": "gpt5"}, "Choose one of: bert-base"),
        ({"sequence_length": 4096}, "Choose from 1 to 1024"),
        ({"choices": PlanChoices((0,))}, "Choose 1 or more"),
        ({"choices": PlanChoices((-4,))}, "Choose 1 or more"),
        ({"choices": PlanChoices(activations=Activations.REVERSE)}, "not reversible"),
        ({"shared_layers": -1}, "Choose 0 or more"),
        ({"machine": MachineResources(-1)}, "0 bytes or more"),
        ({"machine": MachineResources(GIB, cores=0)}, "one core or more"),
        ({"allowance": Allowance(gpu_bytes=-1)}, "0 bytes or more"),
        (
            {"choices": PlanChoices(optimizer_on_cpu=False)},
            "In a swarm the optimizer always works on the CPU",
        ),
        (
            {"choices": PlanChoices(optimizer_on_cpu=False), "machine": machine(None), "in_swarm": False},
            "Without a GPU the optimizer always works on the CPU",
        ),
    ],
)
def test_nonsense_is_refused(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(MemoryPlanError, match=words):
        plan(**{"model": "gpt2", "machine": machine(8), **asked})


@pytest.mark.parametrize(
    ("taken", "available", "expected"),
    [
        (Sizes(0, 0), Sizes(0, 0), Sizes(0, 0)),
        (Sizes(0, 90), Sizes(0, 99), Sizes(0, 1)),
        (Sizes(0, 90), Sizes(0, 100), Sizes(0, 0)),
        (Sizes(90, 0), Sizes(CUDA_CONTEXT + 90, 0), Sizes(10, 0)),
        (Sizes(90, 0), Sizes(0, 0), Sizes(CUDA_CONTEXT + 100, 0)),
    ],
)
def test_missing_counts_the_head_room(taken: Sizes, available: Sizes, expected: Sizes) -> None:
    found = missing(taken, available)
    assert abs(found.gpu - expected.gpu) <= 1
    assert abs(found.ram - expected.ram) <= 1


def test_a_plan_is_the_same_each_time() -> None:
    assert plan("dalle", machine(8)) == plan("dalle", machine(8))


def test_techniques_come_in_the_defaults_but_where_they_help() -> None:
    assert plan(EMOJI, machine(None, cores=1)).techniques == Techniques(32, eight_bit_optimizer=True)
