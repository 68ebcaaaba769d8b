"""Predictions: what is asked wrongly, what makes them larger or smaller, and how they break down."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import MemoryPlanError
from core.memory import predict
from core.memory.footprint import MemoryPlace
from core.memory.machine import MachineResources
from core.memory.missed_rounds import rounds_kept
from core.memory.models import MODELS
from core.memory.parameters import count
from core.model.config import preset
from core.model.factors import FactorSizes
from core.model.techniques import Activations, Precision, Techniques
from core.run.describe import bytes_of_round
from core.run.encodings import Encoding, TopK, WireFormat
from core.run.manifest import RunManifest
from core.run.plan import plan_of
from core.run.rules import LocalStepRules, Overlap, SwarmRules
from tests.swarms.tiny_run import write_tiny_run

PLAIN = Techniques()
COMMITTED = "committed rounds, for members and late peers"
FAMILIES = ["bert-base", "t5-small", "gpt2", "gpt3-125m", "gpt-j-6b", "dalle", "dalle-12b"]
SMALL = ["bert-base", "t5-small", "gpt2", "gpt3-125m", "dalle"]  # of the others, weights alone fill the peak


def local_forms(drift: WireFormat, mean: WireFormat) -> SwarmRules:
    """Return rules of local steps whose drifts and their means travel in these forms."""
    local = LocalStepRules(drift_encoding=drift, mean_encoding=mean)
    return SwarmRules(overlap=Overlap.FULL, local_steps=local)


def test_an_unknown_model_is_refused_with_all_that_there_are() -> None:
    with pytest.raises(MemoryPlanError) as refused:
        predict("gpt5")
    assert all(name in refused.value.remedy for name in MODELS)


@pytest.mark.parametrize(
    ("model", "asked"),
    [
        ("gpt2", {"sequence_length": 1025}),
        ("gpt2", {"sequence_length": 0}),
        ("t5-small", {"sequence_length": -1}),
        ("dalle", {"sequence_length": 1024}),
        ("dalle-12b", {"sequence_length": 1281}),
        ("gpt2", {"shared_layers": -1}),
        ("dalle", {"shared_layers": 3}),
        ("gpt2", {"techniques": replace(PLAIN, micro_batch=0)}),
        ("gpt2", {"techniques": replace(PLAIN, micro_batch=-4)}),
        ("gpt2", {"techniques": replace(PLAIN, loss_chunk=0)}),
        ("gpt2", {"techniques": replace(PLAIN, activations=Activations.REVERSE)}),
        ("gpt2", {"techniques": replace(PLAIN, activations=Activations.CHECKPOINT, kept=13)}),
        ("dalle", {"techniques": replace(PLAIN, activations=Activations.REVERSE, kept=65)}),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_is_allowed(model: str, asked: dict[str, Any]) -> None:
    with pytest.raises(MemoryPlanError, match=r"Choose|Leave"):
        predict(model, **asked)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("device_is_gpu", [True, False])
def test_every_model_breaks_down_into_lines_that_add_up(name: str, device_is_gpu: bool) -> None:
    found = predict(name, device_is_gpu=device_is_gpu)
    for place, size in ((MemoryPlace.GPU, found.gpu_bytes), (MemoryPlace.RAM, found.ram_bytes)):
        assert sum(line.bytes for line in found.lines if line.place is place) == size
    assert all(line.bytes > 0 and line.formula and line.source for line in found.lines)
    assert sum(line.bytes for line in found.resident_lines) == found.resident_bytes
    assert (found.gpu_bytes > 0) is device_is_gpu


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize(
    "larger",
    [
        {"micro_batch": 64},
        {"activations": Activations.KEEP},
        {"eight_bit_optimizer": False},
    ],
)
def test_frugal_techniques_take_less(name: str, larger: dict[str, Any]) -> None:
    frugal = Techniques(
        micro_batch=32,
        precision=Precision.BFLOAT16,
        activations=Activations.CHECKPOINT,
        eight_bit_optimizer=True,
    )
    assert predict(name, frugal).gpu_bytes < predict(name, replace(frugal, **larger)).gpu_bytes


@pytest.mark.parametrize("name", ["bert-base", "t5-small", "gpt2", "gpt-j-6b"])
def test_long_sequences_take_more(name: str) -> None:
    sizes = [predict(name, sequence_length=length).gpu_bytes for length in (64, 128, 512)]
    assert sizes == sorted(set(sizes))


@pytest.mark.parametrize("name", FAMILIES)
def test_an_optimizer_on_the_cpu_leaves_the_gpu_and_takes_ram(name: str) -> None:
    here, away = predict(name), predict(name, replace(PLAIN, optimizer_on_cpu=True))
    assert away.gpu_bytes < here.gpu_bytes
    assert here.ram_bytes == 0 < away.ram_bytes


@pytest.mark.parametrize("name", FAMILIES)
def test_16_bits_take_less_of_a_gpu_when_masters_lie_in_ram(name: str) -> None:
    away = replace(PLAIN, optimizer_on_cpu=True)
    rounded = predict(name, replace(away, precision=Precision.BFLOAT16))
    assert rounded.gpu_bytes < predict(name, away).gpu_bytes


def test_shared_layers_take_less() -> None:
    assert predict("gpt2-xl", shared_layers=4).gpu_bytes < predict("gpt2-xl").gpu_bytes
    assert predict("dalle").gpu_bytes < predict("dalle", shared_layers=0).gpu_bytes


def test_kept_layers_lie_between_checkpointing_and_keeping() -> None:
    checkpoint = replace(PLAIN, activations=Activations.CHECKPOINT, micro_batch=8)
    sizes = [predict("gpt2", replace(checkpoint, kept=kept)).gpu_bytes for kept in (0, 4, 8, 12)]
    assert sizes == sorted(set(sizes))
    assert sizes[-1] <= predict("gpt2", replace(PLAIN, micro_batch=8)).gpu_bytes


def test_a_trainer_in_a_swarm_needs_ram_for_averaging_and_its_processes() -> None:
    alone = predict("dalle", replace(PLAIN, optimizer_on_cpu=True))
    swarm = predict("dalle", replace(PLAIN, optimizer_on_cpu=True), in_swarm=True)
    assert swarm.gpu_bytes == alone.gpu_bytes
    assert swarm.resident_bytes > alone.resident_bytes
    assert {"gradients on the way into a round", "averaged gradients"} <= {line.name for line in swarm.lines}


@pytest.mark.parametrize(
    ("gpu", "momentum", "copies"), [(True, False, 2), (True, True, 3), (False, False, 0)]
)
def test_local_steps_keep_parameters_of_their_own_beside_a_gpu(
    gpu: bool, momentum: bool, copies: int
) -> None:
    """Beside a GPU: own parameters, their gradients in a step, the momentum. On a processor the model has them."""
    gradients = predict("dalle", replace(PLAIN, optimizer_on_cpu=True), device_is_gpu=gpu, in_swarm=True)
    local = predict(
        "dalle",
        replace(PLAIN, optimizer_on_cpu=True),
        device_is_gpu=gpu,
        in_swarm=True,
        local_steps=True,
        outer_momentum=momentum,
    )
    assert local.gpu_bytes == gradients.gpu_bytes
    parameters = next(line.bytes for line in local.lines if line.name == "averaged drift") // 4
    assert local.ram_bytes - gradients.ram_bytes == pytest.approx(4 * copies * parameters, rel=0.01)


@pytest.mark.parametrize(
    ("precision", "local_steps", "copies"),
    [
        (Precision.FLOAT32, False, 3 * 4 + 8),
        (Precision.BFLOAT16, False, 3 * 4 + 6),
        (Precision.FLOAT32, True, 3 * 4 + 8 + 4),
    ],
)
def test_audits_of_work_keep_earlier_parameters_and_copies_in_the_memory_of_the_computer(
    precision: Precision, local_steps: bool, copies: int
) -> None:
    """Three heads in float32, and an audit's own values and gradients; a drift also moves the parameters."""
    techniques = replace(PLAIN, optimizer_on_cpu=True, precision=precision)
    without, audited = (
        predict("dalle", techniques, in_swarm=True, local_steps=local_steps, recomputed=recomputed)
        for recomputed in (False, True)
    )
    assert audited.gpu_bytes == without.gpu_bytes
    assert audited.ram_bytes - without.ram_bytes == copies * count(preset("dalle"))


def test_committed_rounds_take_the_bytes_in_which_a_run_sends_them() -> None:
    techniques = replace(PLAIN, optimizer_on_cpu=True)
    usual = predict("dalle", techniques, in_swarm=True, local_steps=True)
    sparse = predict("dalle", techniques, in_swarm=True, local_steps=True, committed_bytes=4_000_000)
    before, after = ({line.name: line.bytes for line in item.lines}[COMMITTED] for item in (usual, sparse))
    assert (before, after) == (2 * count(preset("dalle")), 8 * 4_000_000)
    assert usual.ram_bytes - sparse.ram_bytes == before - after


@pytest.mark.parametrize(
    ("swarm", "bits"),
    [
        (SwarmRules(), 8.1),  # small tensors are in 16
        (SwarmRules(gradient_encoding=Encoding.FLOAT32), 32),
        (local_forms(drift=TopK(), mean=Encoding.FLOAT32), 32),
        (local_forms(drift=Encoding.FLOAT32, mean=TopK()), 0.35),
        (local_forms(drift=TopK(), mean=Encoding.BLOCKWISE4), 4.2),
    ],
    ids=["the paper's", "float32", "whole means", "sparse means", "means in 4 bits"],
)
def test_the_plan_of_a_run_counts_its_committed_rounds_as_they_are_sent(
    tmp_path: Path, swarm: SwarmRules, bits: float
) -> None:
    tiny = RunManifest.load(write_tiny_run(tmp_path)).training
    training = tiny.model_copy(update={"model": preset("dalle"), "swarm": swarm})
    lines = plan_of(training, MachineResources(64 * 10**9)).prediction.lines
    kept = next(line.bytes for line in lines if line.name == COMMITTED)
    size = bytes_of_round(training).aggregates
    assert kept == rounds_kept(size) * size
    assert size == pytest.approx(bits / 8 * count(training.model), rel=0.05)


@pytest.mark.parametrize("share", [None, 0.0, 0.02])
def test_the_plan_of_a_run_counts_audits_where_work_is_recomputed(
    tmp_path: Path, share: float | None
) -> None:
    training = RunManifest.load(write_tiny_run(tmp_path, recomputed_share=share)).training
    names = {line.name for line in plan_of(training, MachineResources(64 * 10**9)).prediction.lines}
    assert ("parameters and gradients of an audit" in names) == bool(share)


def test_gradients_of_low_rank_take_less_of_a_rounds_memory() -> None:
    """The gradient itself waits for the end of its round, and again in the step; its factors are small."""
    techniques = replace(PLAIN, optimizer_on_cpu=True)
    whole = predict("dalle", techniques, in_swarm=True)
    low = predict("dalle", techniques, in_swarm=True, factors=FactorSizes(4, 65_536))
    sizes = {line.name: line.bytes for line in low.lines}
    matrices = sizes["gradients made from their factors"]
    assert matrices == sizes["gradients until their round has ended"]
    before = {line.name: line.bytes for line in whole.lines}["averaged gradients"]
    assert 0.95 * before < matrices < before
    assert sizes["averaged gradients"] < 0.05 * before
    assert low.ram_bytes < whole.ram_bytes
    assert low.gpu_bytes == whole.gpu_bytes


def test_the_peak_of_a_large_vocabulary_is_its_loss_and_of_a_tiny_batch_the_optimizer() -> None:
    assert predict("gpt2", replace(PLAIN, micro_batch=8)).peak(MemoryPlace.GPU).name == "loss"
    bf16 = Techniques(precision=Precision.BFLOAT16)
    assert predict("gpt2", bf16, sequence_length=8).peak(MemoryPlace.GPU).name == "step of the optimizer"
