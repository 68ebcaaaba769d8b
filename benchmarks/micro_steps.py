"""Speed and memory of one micro-step (forward and backward), with reversible recomputation and without.

Memory is the peak of what torch's CPU allocator held beyond parameters and their gradients, read from
``torch.profiler``: exact, and the same on a busy machine. Kernels' own scratch space is not in it.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from benchmarks.measuring.tensor_memory import peak_bytes
from benchmarks.measuring.timing import Duration, interleave, typical
from core.model.config import ModelConfig, preset
from core.model.techniques import Activations, Techniques
from core.model.transformer import Transformer

MIDDLE = ModelConfig(dim=256, depth=16, heads=4, text_length=256, grid=32, shared_layers=4)
_MIB = 2**20


@dataclass(frozen=True)
class MicroStepCase:
    """A model and the micro-batch that a small machine would give it."""

    name: str
    config: ModelConfig
    batch: int
    repeats: int


CASES = (
    MicroStepCase("emoji", preset("emoji"), batch=16, repeats=25),
    MicroStepCase("middle", MIDDLE, batch=4, repeats=5),
)


class MicroStep:
    """Calling it runs one micro-step; gradients add up, as between the epochs of a run."""

    def __init__(self, case: MicroStepCase, techniques: Techniques) -> None:
        generator = torch.Generator().manual_seed(0)
        self.model = Transformer(case.config, generator, techniques)
        self._text = _random_tokens(case.config.text_vocab, case.batch, case.config.text_length, generator)
        self._codes = _random_tokens(case.config.image_vocab, case.batch, case.config.image_length, generator)

    def __call__(self) -> None:
        self.model.loss(self._text, self._codes).backward()


def _random_tokens(vocabulary: int, batch: int, length: int, generator: torch.Generator) -> Tensor:
    return torch.randint(1, vocabulary, (batch, length), generator=generator)


def measure(case: MicroStepCase) -> list[dict[str, Any]]:
    """Return one row with recomputation and one without; ratios are recomputation's over the other's."""
    steps = {
        "recomputed": MicroStep(case, Techniques(activations=Activations.REVERSE)),
        "kept": MicroStep(case, Techniques(activations=Activations.KEEP)),
    }
    taken = interleave(steps, case.repeats)
    peaks = {name: peak_bytes(step) for name, step in steps.items()}
    speeds = {name: typical(durations) for name, durations in taken.items()}
    return [
        {
            **_row(case, name, speeds[name], peaks[name]),
            "cpu_time_ratio": rounded(speeds[name].cpu / speeds["kept"].cpu, 3),
            "memory_ratio": rounded(peaks[name] / peaks["kept"], 3),
        }
        for name in steps
    ]


def _row(case: MicroStepCase, activations: str, speed: Duration, peak: int) -> dict[str, Any]:
    return {
        "model": case.name,
        "batch": case.batch,
        "activations": activations,
        "steps_per_second": rounded(1 / speed.wall),
        "steps_per_cpu_second": rounded(1 / speed.cpu),
        "tokens_per_cpu_second": round(case.batch * case.config.sequence_length / speed.cpu),
        "peak_mib": rounded(peak / _MIB),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    out = parser.parse_args().out
    torch.set_num_threads(1)
    report = BenchmarkReport("micro_steps", __doc__ or "")
    rows = [row for case in CASES for row in measure(case)]
    sizes = {case.name: sum(p.numel() for p in Transformer(case.config).parameters()) for case in CASES}
    report.write(
        rows,
        folder=out,
        threads=1,
        dtype="float32",
        parameters=sizes,
        repeats={c.name: c.repeats for c in CASES},
    )


if __name__ == "__main__":
    main()
