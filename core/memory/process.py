"""What the trainer's processes take in RAM beside tensors."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.memory.line import Line, Place
from core.memory.parameters import Parameter

_MIB = 1 << 20
_MEASURED = "benchmarks/memory_truth.py"


@dataclass(frozen=True)
class ProcessMemory:
    """What a kind of process takes before it holds a tensor."""

    lines: tuple[Line, ...]


def _line(name: str, mebibytes: int, source: str = _MEASURED) -> Line:
    return Line(name, mebibytes * _MIB, Place.RAM, f"{mebibytes} MiB, measured on Linux", source)


PLAIN = ProcessMemory((_line("interpreter and torch", 380),))
"""A process that imports torch, our model and our optimizer."""

WITH_TRANSFORMERS = ProcessMemory((_line("interpreter, torch and transformers", 450),))
"""A process that imports a model of ``transformers`` and our optimizer."""

# Proportional set sizes of a demo's trainer, less its tensors: what processes share is counted once.
_DEMO = "smaps_rollup of idlebrush demo with two trainers"
IN_SWARM = ProcessMemory(
    (
        _line("trainer's process", 300, _DEMO),
        _line("DHT's process", 195, _DEMO),
        _line("averager's process", 235, _DEMO),
        _line("libp2p daemon", 75, _DEMO),
        _line("guard and shared memory's manager", 70, _DEMO),
    )
)
"""A trainer of a swarm and what it starts."""

_LARGEST_HEAP_BLOCK = 32 * _MIB
"""glibc gives larger blocks back to the system as soon as they are freed (mallopt(3), M_MMAP_THRESHOLD)."""

_AROUND_GRADIENTS = 1.5
"""Measured: 0.9 to 2.3 over the cases of benchmarks/memory_truth.py."""


def unused_bytes(parameters: Sequence[Parameter], gradient_bytes: int) -> int:
    """What the allocator of RAM cannot use again once a first backward pass is over.

    Gradients come to lie among activations that are being freed, and what is freed around them does not grow
    together again: it neither fits what the next micro-step needs, nor can it be given back.
    """
    sizes = ((item.elements * gradient_bytes, item.count) for item in parameters)
    return int(_AROUND_GRADIENTS * sum(size * count for size, count in sizes if size < _LARGEST_HEAP_BLOCK))


def unused_line(size: int) -> Line:
    """The allocator's overhead."""
    formula = f"{_AROUND_GRADIENTS} x gradients of tensors below 32 MiB"
    return Line("freed memory that the allocator keeps", size, Place.RAM, formula, _MEASURED)
