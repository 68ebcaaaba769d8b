"""The GPU to plan for, by a stand-in for NVIDIA's library."""

import pytest

from client.machine.capacity import Gpu, precisions_of, read_gpu
from client.machine.gpu.nvml import Nvml
from core.model.techniques import Precision
from tests.client.machine.recorded_nvml import RecordedGpu, RecordedNvml

FLOAT32, BFLOAT16, FLOAT16 = Precision.FLOAT32, Precision.BFLOAT16, Precision.FLOAT16
SMALL = RecordedGpu(name="A", total=9, used=4)
LARGE = RecordedGpu(name="B", total=10, used=1, capability=(7, 5))


@pytest.mark.parametrize(
    ("library", "expected"),
    [
        (RecordedNvml.still(), None),
        (RecordedNvml.still(SMALL), Gpu("A", 5, (FLOAT32, BFLOAT16, FLOAT16))),
        (RecordedNvml.still(SMALL, LARGE), Gpu("B", 9, (FLOAT32, FLOAT16))),
        (RecordedNvml.still(SMALL, nvmlInit=9), None),
        (RecordedNvml.still(SMALL, nvmlDeviceGetMemoryInfo=15), None),
    ],
)
def test_the_gpu_with_the_most_free_memory_is_read(library: RecordedNvml, expected: Gpu | None) -> None:
    assert read_gpu(Nvml(library)) == expected
    assert library.open == 0


@pytest.mark.parametrize(
    ("capability", "expected"),
    [
        ((6, 1), (FLOAT32,)),
        ((7, 0), (FLOAT32, FLOAT16)),
        ((7, 5), (FLOAT32, FLOAT16)),
        ((8, 0), (FLOAT32, BFLOAT16, FLOAT16)),
        ((12, 0), (FLOAT32, BFLOAT16, FLOAT16)),
    ],
)
def test_precisions_follow_from_the_capability(
    capability: tuple[int, int], expected: tuple[Precision, ...]
) -> None:
    assert precisions_of(*capability) == expected
