"""What a volunteer's computer needs for a run, by the memory calculator's own planning."""

from dataclasses import dataclass
from functools import lru_cache

from core.memory import plan
from core.memory.machine import Machine
from core.memory.techniques import Precision
from core.model.config import ModelConfig
from core.run import RunManifest

_GIB = 1 << 30
_RAM = 32 * _GIB
_SIZES = (2, 3, 4, 6, 8, 10, 12, 16, 24, 32, 48, 64, 96)
"""Of memory, in GiB, as computers are sold."""


@dataclass(frozen=True)
class Needs:
    """The smallest sizes of memory, free for training, for which there is a plan; None: none up to 96 GiB."""

    ram_gib: int | None
    """Without a GPU."""
    gpu_gib: int | None


def needs_of(manifest: RunManifest) -> Needs:
    return _needs(manifest.training.model)


@lru_cache(maxsize=4)
def _needs(model: ModelConfig) -> Needs:
    without = (size for size in _SIZES if _fits(model, Machine(size * _GIB)))
    sixteen = (Precision.FLOAT16, Precision.FLOAT32)
    with_gpu = (size for size in _SIZES if _fits(model, Machine(_RAM, size * _GIB, precisions=sixteen)))
    return Needs(next(without, None), next(with_gpu, None))


def _fits(model: ModelConfig, machine: Machine) -> bool:
    found = plan(model, machine)
    return found.fits and found.on_gpu == (machine.gpu_bytes is not None)
