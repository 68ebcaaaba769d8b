"""Readings of NVIDIA's library, by a stand-in for it."""

from types import SimpleNamespace

import pytest

from client.machine.gpu import Gpu, precisions_of, read_gpu
from core.memory.techniques import Precision

FLOAT32, BFLOAT16, FLOAT16 = Precision.FLOAT32, Precision.BFLOAT16, Precision.FLOAT16


class StandInError(Exception):
    """As NVMLError."""


class StandIn:
    """NVML with GPUs of these names, free bytes and compute capabilities; ``fails``: the call that raises."""

    NVMLError = StandInError

    def __init__(self, *gpus: tuple[str, int, tuple[int, int]], fails: str = "") -> None:
        self.gpus, self.fails, self.open = gpus, fails, 0

    def _call(self, name: str) -> None:
        if name == self.fails:
            raise StandInError(name)

    def nvmlInit(self) -> None:  # noqa: N802 - NVML's names
        self._call("init")
        self.open += 1

    def nvmlShutdown(self) -> None:  # noqa: N802
        self.open -= 1

    def nvmlDeviceGetCount(self) -> int:  # noqa: N802
        return len(self.gpus)

    def nvmlDeviceGetHandleByIndex(self, index: int) -> int:  # noqa: N802
        return index

    def nvmlDeviceGetName(self, handle: int) -> str:  # noqa: N802
        return self.gpus[handle][0]

    def nvmlDeviceGetMemoryInfo(self, handle: int) -> SimpleNamespace:  # noqa: N802
        self._call("memory")
        return SimpleNamespace(free=self.gpus[handle][1])

    def nvmlDeviceGetCudaComputeCapability(self, handle: int) -> tuple[int, int]:  # noqa: N802
        return self.gpus[handle][2]


@pytest.mark.parametrize(
    ("nvml", "expected"),
    [
        (StandIn(), None),
        (StandIn(("A", 5, (8, 6))), Gpu("A", 5, (FLOAT32, BFLOAT16, FLOAT16))),
        (StandIn(("A", 5, (8, 6)), ("B", 9, (7, 5))), Gpu("B", 9, (FLOAT32, FLOAT16))),
        (StandIn(("A", 5, (8, 6)), fails="init"), None),
        (StandIn(("A", 5, (8, 6)), fails="memory"), None),
    ],
)
def test_the_gpu_with_the_most_free_memory_is_read(nvml: StandIn, expected: Gpu | None) -> None:
    assert read_gpu(nvml) == expected
    assert nvml.open == 0


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
