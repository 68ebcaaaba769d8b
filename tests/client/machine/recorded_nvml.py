"""A stand-in for NVIDIA's library that plays what is written down, so that games start where there is no GPU.

It takes the place of the module ``pynvml``: ``Nvml(RecordedNvml(...))``.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

GIB = 1 << 30


class NVMLError(Exception):
    """A stand-in for pynvml's exception, with the error number of nvml.h."""

    def __init__(self, value: int) -> None:
        super().__init__(f"NVML error {value}")
        self.value = value


@dataclass(frozen=True)
class GpuProcess:
    pid: int
    memory: int | None = None
    """Memory in bytes; None: the driver does not report it."""
    use: int = 0
    """Percent of the GPU's time."""
    draws: bool = False
    """True if it is listed among the graphics processes rather than the compute processes."""


@dataclass(frozen=True)
class RecordedGpu:
    """One GPU at one moment; what it does not tell is None."""

    name: str = "NVIDIA GeForce RTX 3060"
    total: int = 12 * GIB
    used: int | None = None
    """Memory in use, in bytes; None: the sum of what the processes hold."""
    processes: tuple[GpuProcess, ...] = ()
    use: int | None = None
    """Utilisation in percent by all programs; None: the sum over the processes."""
    tells_use_by_process: bool = True
    celsius: int | None = 50
    milliwatts: int | None = 40_000
    millijoules: int | None = 1_000_000
    capability: tuple[int, int] = (8, 6)
    units: int | None = 3584
    megahertz: int | None = 2100
    drives_display: bool | None = None

    @property
    def memory(self) -> int:
        return sum(process.memory or 0 for process in self.processes) if self.used is None else self.used

    @classmethod
    def of(cls, written: Mapping[str, Any]) -> Self:
        """Build it from parsed JSON."""
        processes = tuple(GpuProcess(**process) for process in written.get("processes", ()))
        return cls(**{**written, "processes": processes})


@dataclass(frozen=True)
class RecordedMoment:
    """The machine's GPUs from a moment on."""

    at: float = 0.0
    """Seconds since the recording began."""
    gpus: tuple[RecordedGpu, ...] = ()
    fails: Mapping[str, int] = field(default_factory=dict)
    """Functions that raise, and by which number."""

    @classmethod
    def of(cls, written: Mapping[str, Any]) -> Self:
        return cls(
            written.get("at", 0.0),
            tuple(map(RecordedGpu.of, written.get("gpus", ()))),
            written.get("fails", {}),
        )


def read_frames(path: Path) -> tuple[RecordedMoment, ...]:
    """Read a file that has one frame in JSON on each line."""
    return tuple(RecordedMoment.of(json.loads(line)) for line in path.read_text().splitlines())


def played(frames: Sequence[RecordedMoment], clock: Callable[[], float]) -> Callable[[], RecordedMoment]:
    """The frame of the moment, by a clock that is at 0 when the recording begins."""
    return lambda: [frame for frame in frames if frame.at <= clock()][-1]


def newest(path: Path) -> Callable[[], RecordedMoment]:
    """The last whole line of a file that a test writes on, for a daemon in another process."""
    return lambda: RecordedMoment.of(json.loads(path.read_text().rpartition("\n")[0].rpartition("\n")[2]))


class RecordedNvml:
    """Answers from the frame of the moment."""

    NVMLError = NVMLError

    def __init__(self, frame: Callable[[], RecordedMoment]) -> None:
        self._frame = frame
        self.open = 0
        """Number of times that it was opened and not closed yet."""

    @classmethod
    def still(cls, *gpus: RecordedGpu, **fails: int) -> Self:
        """Build a library that shows the same frame at all times."""
        return cls(lambda: RecordedMoment(gpus=gpus, fails=fails))

    def nvmlInit(self) -> None:  # noqa: N802 - NVML's names
        self._now("nvmlInit")
        self.open += 1

    def nvmlShutdown(self) -> None:  # noqa: N802
        self.open -= 1

    def nvmlDeviceGetCount(self) -> int:  # noqa: N802
        return len(self._now("nvmlDeviceGetCount").gpus)

    def nvmlDeviceGetHandleByIndex(self, index: int) -> int:  # noqa: N802
        self._now("nvmlDeviceGetHandleByIndex")
        return index

    def nvmlDeviceGetName(self, handle: int) -> str:  # noqa: N802
        return self._gpu("nvmlDeviceGetName", handle).name

    def nvmlDeviceGetUUID(self, handle: int) -> str:  # noqa: N802
        self._gpu("nvmlDeviceGetUUID", handle)
        return f"GPU-{handle}"

    def nvmlDeviceGetCudaComputeCapability(self, handle: int) -> tuple[int, int]:  # noqa: N802
        return self._gpu("nvmlDeviceGetCudaComputeCapability", handle).capability

    def nvmlDeviceGetMemoryInfo(self, handle: int) -> SimpleNamespace:  # noqa: N802
        gpu = self._gpu("nvmlDeviceGetMemoryInfo", handle)
        return SimpleNamespace(total=gpu.total, used=gpu.memory, free=gpu.total - gpu.memory)

    def nvmlDeviceGetTemperature(self, handle: int, sensor: int) -> int:  # noqa: N802
        assert sensor == 0, "NVML_TEMPERATURE_GPU is the only sensor"
        return _reported(self._gpu("nvmlDeviceGetTemperature", handle).celsius)

    def nvmlDeviceGetPowerUsage(self, handle: int) -> int:  # noqa: N802
        return _reported(self._gpu("nvmlDeviceGetPowerUsage", handle).milliwatts)

    def nvmlDeviceGetTotalEnergyConsumption(self, handle: int) -> int:  # noqa: N802
        return _reported(self._gpu("nvmlDeviceGetTotalEnergyConsumption", handle).millijoules)

    def nvmlDeviceGetNumGpuCores(self, handle: int) -> int:  # noqa: N802
        return _reported(self._gpu("nvmlDeviceGetNumGpuCores", handle).units)

    def nvmlDeviceGetMaxClockInfo(self, handle: int, clock: int) -> int:  # noqa: N802
        assert clock == 1, "NVML_CLOCK_SM is the clock of the processing units"
        return _reported(self._gpu("nvmlDeviceGetMaxClockInfo", handle).megahertz)

    def nvmlDeviceGetDisplayActive(self, handle: int) -> int:  # noqa: N802
        return _reported(self._gpu("nvmlDeviceGetDisplayActive", handle).drives_display)

    def nvmlDeviceGetPowerManagementDefaultLimit(self, handle: int) -> int:  # noqa: N802
        return _reported(None)

    def nvmlDeviceGetPowerManagementLimit(self, handle: int) -> int:  # noqa: N802
        return _reported(None)

    def nvmlDeviceGetPowerManagementLimitConstraints(self, handle: int) -> list[int]:  # noqa: N802
        return [_reported(None)]

    def nvmlDeviceGetApplicationsClock(self, handle: int, kind: int) -> int:  # noqa: N802
        return _reported(None)

    def nvmlDeviceGetUtilizationRates(self, handle: int) -> SimpleNamespace:  # noqa: N802
        gpu = self._gpu("nvmlDeviceGetUtilizationRates", handle)
        together = sum(process.use for process in gpu.processes)
        return SimpleNamespace(gpu=min(100, together) if gpu.use is None else gpu.use)

    def nvmlDeviceGetProcessUtilization(self, handle: int, since: int) -> list[SimpleNamespace]:  # noqa: N802
        """A sample a call, so that none lies between two calls of the same moment."""
        gpu = self._gpu("nvmlDeviceGetProcessUtilization", handle)
        if not gpu.tells_use_by_process:
            raise NVMLError(3)
        busy = [process for process in gpu.processes if process.use]
        if not busy:
            raise NVMLError(6)
        return [SimpleNamespace(pid=process.pid, smUtil=process.use, timeStamp=since + 1) for process in busy]

    def nvmlDeviceGetComputeRunningProcesses(self, handle: int) -> list[SimpleNamespace]:  # noqa: N802
        return self._processes("nvmlDeviceGetComputeRunningProcesses", handle, draws=False)

    def nvmlDeviceGetGraphicsRunningProcesses(self, handle: int) -> list[SimpleNamespace]:  # noqa: N802
        return self._processes("nvmlDeviceGetGraphicsRunningProcesses", handle, draws=True)

    def _processes(self, function: str, handle: int, draws: bool) -> list[SimpleNamespace]:
        return [
            SimpleNamespace(pid=process.pid, usedGpuMemory=process.memory)
            for process in self._gpu(function, handle).processes
            if process.draws is draws
        ]

    def _gpu(self, function: str, handle: int) -> RecordedGpu:
        return self._now(function).gpus[handle]

    def _now(self, function: str) -> RecordedMoment:
        frame = self._frame()
        if function in frame.fails:
            raise NVMLError(frame.fails[function])
        return frame


def _reported(value: int | None) -> int:
    if value is None:
        raise NVMLError(3)
    return value
