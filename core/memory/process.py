"""What the trainer's processes take in RAM beside tensors."""

from dataclasses import dataclass

from core.memory.line import Line, Place

_MIB = 1 << 20
_MEASURED = "benchmarks/memory_truth.py"


@dataclass(frozen=True)
class ProcessMemory:
    """What a kind of process takes before it holds a tensor."""

    lines: tuple[Line, ...]


def _line(name: str, mebibytes: int, source: str = _MEASURED) -> Line:
    return Line(name, mebibytes * _MIB, Place.RAM, f"{mebibytes} MiB, measured on Linux", source)


PLAIN = ProcessMemory((_line("interpreter and torch", 330),))
"""A process that imports torch and our model."""

WITH_TRANSFORMERS = ProcessMemory((_line("interpreter, torch and transformers", 450),))
"""A process that imports a model of ``transformers``."""

IN_SWARM = ProcessMemory(
    (
        _line("interpreter, torch and hivemind", 430),
        _line("DHT, averager and libp2p daemon", 250),
    )
)
"""A trainer and what it starts."""


LARGEST_HEAP_BLOCK = 32 * _MIB
"""glibc gives larger blocks back to the system as soon as they are freed (mallopt(3), M_MMAP_THRESHOLD)."""


def unused_line(size: int) -> Line:
    """What a micro-step freed: glibc 2.36 cannot take a freed aligned block for another of its size.

    So the next micro-step's tensors lie beside it, and only the third finds room again.
    """
    return Line(
        "freed blocks that the allocator keeps",
        size,
        Place.RAM,
        "as much as a micro-step's tensors below 32 MiB take; after it, twice that",
        "glibc's malloc.c, _int_memalign; " + _MEASURED,
    )
