"""Time and memory of an optimizer step: 8-bit LAMB against a plain float32 LAMB, on the same gradients.

The state is what lasts between steps; the step's own memory is the peak of what it allocates beside that, read from
``torch.profiler``. The distance is how far the weights are from plain LAMB's after the steps that were timed, as a
part of the way that those went.
"""

import argparse
import copy
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from benchmarks.measuring.report import RESULTS, BenchmarkReport, rounded
from benchmarks.measuring.tensor_memory import peak_bytes
from benchmarks.measuring.timing import interleave, typical
from benchmarks.micro_steps import MIDDLE
from benchmarks.subjects.plain_lamb import PlainLamb
from core.model.config import ModelConfig, preset
from core.model.transformer import Transformer
from core.optim.lamb import Lamb8bit

_LR = 2.5e-3
_ALL = 1 << 62
_MODELS = {"emoji": preset("emoji"), "middle": MIDDLE}
_REPEATS = 9
_MIB = 2**20


class Contestant:
    """An optimizer over its own copy of the weights; calling it makes the next step, on gradients that repeat."""

    def __init__(self, weights: Sequence[Tensor], make: Callable[[list[Tensor]], Any]) -> None:
        self.weights: list[Tensor] = [nn.Parameter(copy.deepcopy(item.detach())) for item in weights]
        self.optimizer = make(self.weights)
        self._generator = torch.Generator().manual_seed(0)
        for weight in self.weights:
            weight.grad = torch.randn(weight.shape, generator=self._generator) * 1e-3

    def __call__(self) -> None:
        self.optimizer.step()

    @property
    def state_bytes(self) -> int:
        state = self.optimizer.state if isinstance(self.optimizer, PlainLamb) else self._named_state()
        return sum(item.nbytes for item in state)

    def _named_state(self) -> Sequence[Tensor]:
        tensors: dict[str, Tensor] = self.optimizer.state_tensors()
        return tuple(tensors.values())

    def distance(self, other: Sequence[Tensor]) -> float:
        """Return the Euclidean distance to ``other``, over all weights together."""
        pairs = zip(self.weights, other, strict=True)
        squares = (float((a.detach().double() - b.detach().double()).square().sum()) for a, b in pairs)
        return math.sqrt(sum(squares))


def measure(name: str, config: ModelConfig) -> list[dict[str, Any]]:
    """Return a row of the report for each optimizer; ratios are to the plain one."""
    weights = list(Transformer(config, torch.Generator().manual_seed(0)).parameters())
    contestants = {
        "plain float32": Contestant(weights, lambda own: PlainLamb(own, _LR)),
        "Lamb8bit": Contestant(weights, lambda own: Lamb8bit(own, _LR)),
        "Lamb8bit, float32 state": Contestant(weights, lambda own: Lamb8bit(own, _LR, min_8bit_size=_ALL)),
    }
    taken = {key: typical(found) for key, found in interleave(contestants, _REPEATS).items()}
    plain = contestants["plain float32"]
    travelled, count = plain.distance(weights), sum(item.numel() for item in weights)
    distances = {key: item.distance(plain.weights) / travelled for key, item in contestants.items()}
    peaks = {key: peak_bytes(item) for key, item in contestants.items()}  # one more step of each
    return [
        {
            "model": name,
            "optimizer": key,
            "milliseconds": rounded(1000 * taken[key].wall),
            "cpu_milliseconds": rounded(1000 * taken[key].cpu),
            "cpu_time_ratio": rounded(taken[key].cpu / taken["plain float32"].cpu, 3),
            "state_bytes_a_parameter": rounded(contestant.state_bytes / count),
            "state_ratio": rounded(contestant.state_bytes / plain.state_bytes, 3),
            "distance_to_plain": rounded(distances[key], 2),
            "step_peak_mib": rounded(peaks[key] / _MIB, 3),
        }
        for key, contestant in contestants.items()
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    out = parser.parse_args().out
    torch.set_num_threads(1)
    report = BenchmarkReport("optimizer", __doc__ or "")
    rows = [row for name, config in _MODELS.items() for row in measure(name, config)]
    sizes = {
        name: sum(p.numel() for p in Transformer(config).parameters()) for name, config in _MODELS.items()
    }
    report.write(rows, folder=out, threads=1, parameters=sizes, repeats=_REPEATS)


if __name__ == "__main__":
    main()
