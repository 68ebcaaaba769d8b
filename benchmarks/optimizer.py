"""Time and memory of an optimizer step: 8-bit LAMB and AdamW against plain float32 ones, on the same gradients.

The state is what lasts between steps; the step's own memory is the peak of what it allocates beside that, read from
``torch.profiler``. The distance is how far the weights are from the plain optimizer's after the steps that were
timed, as a part of the way that those went. Plain AdamW is torch's; the 8 bits beside it are ours and, where it is
installed, bitsandbytes'. Ratios are to the plain optimizer of the same kind.
"""

import argparse
import copy
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
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
from core.optim.adamw import AdamW8bit
from core.optim.eight_bit import EightBitOptimizer
from core.optim.lamb import Lamb8bit

_LR = 2.5e-3
_BETAS, _DECAY = (0.9, 0.95), 0.1
_BOOK = (256,)
"""Shape of bitsandbytes' maps of codes, which it keeps once and refers to in each state."""
_ALL = 1 << 62
_MODELS = {"emoji": preset("emoji"), "middle": MIDDLE}
_REPEATS = 9
_MIB = 2**20


class Contestant:
    """An optimizer over its own copy of the weights; calling it makes the next step, on gradients that repeat."""

    def __init__(self, weights: Sequence[Tensor], make: Callable[[list[Tensor]], Any]) -> None:
        self.weights: list[Tensor] = [nn.Parameter(copy.deepcopy(item.detach())) for item in weights]
        self.optimizer = make(self.weights)
        generator = torch.Generator().manual_seed(0)
        self._gradients = [torch.randn(item.shape, generator=generator) * 1e-3 for item in self.weights]
        self._used = [torch.empty_like(item) for item in self.weights]
        for weight, gradient in zip(self.weights, self._used, strict=True):
            weight.grad = gradient

    def __call__(self) -> None:
        for used, gradient in zip(self._used, self._gradients, strict=True):
            used.copy_(gradient)  # a step uses gradients up
        self.optimizer.step()

    @property
    def state_bytes(self) -> int:
        return sum(item.nbytes for item in self._state())

    def _state(self) -> Iterable[Tensor]:
        if isinstance(self.optimizer, PlainLamb):
            return self.optimizer.state
        if isinstance(self.optimizer, EightBitOptimizer):
            return self.optimizer.state_tensors().values()
        found = (item for state in self.optimizer.state.values() for item in state.values())
        return [item for item in found if isinstance(item, Tensor) and item.shape != _BOOK]

    def distance(self, other: Sequence[Tensor]) -> float:
        """Return the Euclidean distance to ``other``, over all weights together."""
        pairs = zip(self.weights, other, strict=True)
        squares = (float((a.detach().double() - b.detach().double()).square().sum()) for a, b in pairs)
        return math.sqrt(sum(squares))


def kinds() -> dict[str, dict[str, Callable[[list[Tensor]], Any]]]:
    """Return the makers of all optimizers by kind and name; the first of a kind is the plain one."""
    lamb: dict[str, Callable[[list[Tensor]], Any]] = {
        "plain float32": lambda own: PlainLamb(own, _LR),
        "Lamb8bit": lambda own: Lamb8bit(own, _LR),
        "Lamb8bit, float32 state": lambda own: Lamb8bit(own, _LR, min_8bit_size=_ALL),
    }
    adamw: dict[str, Callable[[list[Tensor]], Any]] = {
        "torch.optim.AdamW": lambda own: torch.optim.AdamW(own, _LR, _BETAS, weight_decay=_DECAY),
        "AdamW8bit": lambda own: AdamW8bit(own, _LR, _BETAS, weight_decay=_DECAY, max_grad_norm=None),
        "AdamW8bit, float32 state": lambda own: AdamW8bit(
            own, _LR, _BETAS, weight_decay=_DECAY, max_grad_norm=None, min_8bit_size=_ALL
        ),
    }
    if find_spec("bitsandbytes") is not None:
        from bitsandbytes.optim import AdamW8bit as TheirAdamW8bit

        adamw["bitsandbytes.optim.AdamW8bit"] = lambda own: TheirAdamW8bit(
            own, _LR, _BETAS, weight_decay=_DECAY, min_8bit_size=65_536
        )
    return {"LAMB": lamb, "AdamW": adamw}


def measure(name: str, config: ModelConfig, makers: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a row of the report for each optimizer of a kind; ratios are to the first, the plain one."""
    weights = list(Transformer(config, torch.Generator().manual_seed(0)).parameters())
    contestants = {key: Contestant(weights, make) for key, make in makers.items()}
    taken = {key: typical(found) for key, found in interleave(contestants, _REPEATS).items()}
    first = next(iter(contestants))
    plain = contestants[first]
    travelled, count = plain.distance(weights), sum(item.numel() for item in weights)
    distances = {key: item.distance(plain.weights) / travelled for key, item in contestants.items()}
    peaks = {key: peak_bytes(item) for key, item in contestants.items()}  # one more step of each
    return [
        {
            "model": name,
            "optimizer": key,
            "milliseconds": rounded(1000 * taken[key].wall),
            "cpu_milliseconds": rounded(1000 * taken[key].cpu),
            "cpu_time_ratio": rounded(taken[key].cpu / taken[first].cpu, 3),
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
    rows = [
        row
        for makers in kinds().values()
        for name, config in _MODELS.items()
        for row in measure(name, config, makers)
    ]
    sizes = {
        name: sum(p.numel() for p in Transformer(config).parameters()) for name, config in _MODELS.items()
    }
    report.write(rows, folder=out, threads=1, parameters=sizes, repeats=_REPEATS)


if __name__ == "__main__":
    main()
