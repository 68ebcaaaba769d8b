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


def overhead_line(tensor_bytes: int) -> Line:
    """What the allocator holds beyond live tensors: freed pieces that it did not give back yet."""
    return Line(
        "allocator's overhead",
        tensor_bytes // 20,
        Place.RAM,
        "5 % of the tensors",
        _MEASURED,
    )
