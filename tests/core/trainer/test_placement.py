"""A trainer's memory plan, and the model brought to what it says."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from core.errors import MemoryPlanError
from core.memory.failures import remember
from core.memory.machine import CUDA_CONTEXT, Allowance, MachineResources
from core.memory.search import PlanChoices
from core.memory.units import format_size
from core.model.techniques import Activations, Precision
from core.model.transformer import Transformer
from core.run.manifest import RunManifest
from core.run.optimizer_rules import LambRules
from core.run.training.families import picture_rules
from core.trainer.placement import Resources, place, plan_for, share_for_tensors
from core.trainer.reports import summary_of

GIB = 1 << 30
TRAINING = picture_rules(
    RunManifest.load(Path(__file__).parents[3] / "assets" / "embedded" / "run-all.toml").training
)
NOTHING = Path("no such file")


def test_with_no_end_of_memory_everything_is_kept() -> None:
    found = plan_for(TRAINING, Resources(choices=PlanChoices.up_to(16)), NOTHING)
    assert found.techniques.activations is Activations.KEEP
    assert found.techniques.micro_batch == 16


def test_the_allowance_counts_even_where_more_is_free() -> None:
    plenty, room = MachineResources(ram_bytes=64 * GIB), 11 * GIB // 10
    found = plan_for(TRAINING, Resources(plenty, Allowance(ram_bytes=room)), NOTHING)
    assert found.taken.ram <= room
    assert (
        found.techniques.micro_batch < plan_for(TRAINING, Resources(plenty), NOTHING).techniques.micro_batch
    )


def test_too_little_memory_is_an_error_that_says_what_is_missing() -> None:
    with pytest.raises(MemoryPlanError, match="more RAM") as caught:
        plan_for(TRAINING, Resources(MachineResources(ram_bytes=GIB // 4)), NOTHING)
    assert "Close other programs" in caught.value.remedy


@pytest.mark.parametrize(("min_8bit_size", "expected"), [(65_536, True), (1 << 40, False)])
def test_the_optimizer_is_the_run_s(min_8bit_size: int, expected: bool) -> None:
    rules = TRAINING.model_copy(update={"optimizer": LambRules(min_8bit_size=min_8bit_size)})
    assert plan_for(rules, Resources(), NOTHING).techniques.eight_bit_optimizer is expected


def test_what_ran_out_of_memory_is_not_planned_again(tmp_path: Path) -> None:
    failures = tmp_path / "failures.json"
    first = plan_for(TRAINING, Resources(), failures)
    remember(failures, TRAINING.model, first)
    second = plan_for(TRAINING, Resources(), failures)
    assert second.taken.ram < first.taken.ram


@pytest.mark.parametrize(("smallest", "bits"), [(65_536, 8), (1 << 20, 32)])
def test_the_log_names_what_was_decided_and_what_it_takes(smallest: int, bits: int) -> None:
    machine = MachineResources(ram_bytes=16 * GIB)
    rules = TRAINING.model_copy(update={"optimizer": LambRules(min_8bit_size=smallest)})
    found = plan_for(rules, Resources(machine), NOTHING)
    summary = summary_of(found)
    assert summary.startswith(found.reason)
    assert f"Precision: float32; optimizer: {bits} bits, on the processor." in summary
    assert f"{format_size(found.taken.ram)} of RAM" in summary
    on_gpu = replace(found.question, machine=replace(machine, gpu_bytes=8 * GIB))
    assert f"{bits} bits, on the GPU." in summary_of(replace(found, question=on_gpu))


def test_the_model_computes_as_planned() -> None:
    machine = MachineResources(64 * GIB, precisions=(Precision.FLOAT32, Precision.BFLOAT16))
    found = plan_for(TRAINING, Resources(machine), NOTHING)
    model = Transformer(TRAINING.model)
    place(model, found)
    assert found.techniques.precision is Precision.BFLOAT16
    assert model.vocabulary.weight.dtype == torch.bfloat16
    assert model.techniques == found.techniques


@pytest.mark.parametrize(
    ("allowed", "share"),
    [(None, 1.0), (64 * GIB, 1.0), (6 * GIB + CUDA_CONTEXT, 0.25), (CUDA_CONTEXT // 2, 0.0)],
)
def test_tensors_get_what_cuda_itself_leaves_of_the_allowance(allowed: int | None, share: float) -> None:
    assert share_for_tensors(Allowance(gpu_bytes=allowed), 24 * GIB) == share
