"""The capacity of this machine and of made-up ones."""

from pathlib import Path

import pytest

from client.machine.capacity import cores, processor_precisions, read_machine
from core.model.techniques import Precision

GIB = 1 << 30


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("fpu avx2", (Precision.FLOAT32,)),
        ("fpu avx512_bf16", (Precision.FLOAT32, Precision.BFLOAT16)),
        ("amx_bf16 amx_tile", (Precision.FLOAT32, Precision.BFLOAT16)),
        ("not_amx_bf16", (Precision.FLOAT32,)),
    ],
)
def test_a_processor_with_instructions_for_it_computes_bfloat16(
    tmp_path: Path, flags: str, expected: tuple[Precision, ...]
) -> None:
    described = tmp_path / "cpuinfo"
    described.write_text(f"model name : x\nflags\t\t: {flags}\n\nflags\t\t: fpu\n")
    assert processor_precisions(described) == expected


def test_a_system_that_does_not_tell_computes_float32(tmp_path: Path) -> None:
    assert processor_precisions(tmp_path / "missing") == (Precision.FLOAT32,)


def test_memory_that_is_given_is_planned_with() -> None:
    found = read_machine(8 * GIB, 3 * GIB)
    assert (found.gpu_bytes, found.ram_bytes, found.cores) == (8 * GIB, 3 * GIB, cores())
    assert Precision.FLOAT32 in found.precisions


def test_no_gpu_is_planned_without() -> None:
    assert read_machine(gpu_bytes=0).gpu_bytes is None
    assert read_machine(gpu_bytes=0).ram_bytes > 0
