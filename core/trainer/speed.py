"""Measures how fast this machine trains, by the trainer's own micro-steps, to compare with other machines."""

import resource
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

import torch
from torch import Tensor

from core.model.config import ModelConfig, preset
from core.model.products import fast_products
from core.model.techniques import Activations, Techniques
from core.model.transformer import Transformer
from core.trainer.machines import MachineSpeed, ModelSpeed, processor_name

_Clock = Callable[[], float]
"""Seconds since some moment."""

_GEMM_SIDE = 2048


@dataclass(frozen=True)
class Workload:
    """A model, and the techniques of its micro-steps."""

    name: str
    config: ModelConfig
    techniques: Techniques


EMBEDDED = Workload("all emoji", preset("emoji"), Techniques(16, activations=Activations.KEEP))
MIDDLE = Workload(
    "middle model", ModelConfig(dim=256, depth=16, heads=4), Techniques(1, activations=Activations.REVERSE)
)


@dataclass(frozen=True)
class Limit:
    """The limit of one measurement, in seconds or steps; it lasts one step at least."""

    seconds: float = 8.0
    """Seconds after which no further step begins."""
    steps: int = 20
    """Largest number of steps."""


def measure(
    workloads: Sequence[Workload] = (EMBEDDED, MIDDLE),
    limit: Limit = Limit(),
    threads: int | None = None,
    clock: _Clock = time.perf_counter,
) -> MachineSpeed:
    """Run a large matrix product and a few micro-steps of each workload.

    Each is run once to warm up, and then until the limit is reached.

    Args:
        workloads: Models to measure with.
        limit: Limit of each measurement.
        threads: Number of threads; None: torch's own number.
        clock: Seconds since some moment.
    """
    if threads is not None:
        torch.set_num_threads(threads)
    with fast_products(torch.device("cpu")):
        gflops = _gemm_gflops(limit, clock)
    models = {workload.name: _model_speed(workload, limit, clock) for workload in workloads}
    return MachineSpeed(processor_name(), torch.get_num_threads(), gflops, _peak_ram(), models)


def typical_seconds(work: Callable[[], object], limit: Limit, clock: _Clock) -> float:
    """Return the median duration of ``work`` in seconds, after one call to warm up.

    It is called until ``limit`` is reached, and timed by ``clock``.
    """
    work()
    taken: list[float] = []
    while not taken or (len(taken) < limit.steps and sum(taken) < limit.seconds):
        started = clock()
        work()
        taken.append(clock() - started)
    return median(taken)


def _model_speed(workload: Workload, limit: Limit, clock: _Clock) -> ModelSpeed:
    config, batch = workload.config, workload.techniques.micro_batch
    generator = torch.Generator().manual_seed(0)
    model = Transformer(config, generator, workload.techniques)
    text = _random_tokens(config.text_vocab, (batch, config.text_length), generator)
    codes = _random_tokens(config.image_vocab, (batch, config.image_length), generator)
    samples = batch / typical_seconds(lambda: model.loss(text, codes).backward(), limit, clock)
    return ModelSpeed(samples, samples * config.sequence_length)


def _random_tokens(vocabulary: int, shape: tuple[int, int], generator: torch.Generator) -> Tensor:
    return torch.randint(1, vocabulary, shape, generator=generator)


def _gemm_gflops(limit: Limit, clock: _Clock) -> float:
    left, right = torch.randn(2, _GEMM_SIDE, _GEMM_SIDE)
    return 2e-9 * _GEMM_SIDE**3 / typical_seconds(lambda: left @ right, limit, clock)


def _peak_ram() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
