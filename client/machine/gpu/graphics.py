"""Reads the use of NVIDIA's GPUs by other programs, the memory that these take, and the temperature."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from client.api.errors import NvmlAbsent, NvmlError
from client.machine.gpu.nvml import Nvml
from client.machine.readings import GpuReading, Known, Reading, Unknown

_SOURCE = "NVIDIA's driver (NVML)"
_CORE = 0  # NVML_TEMPERATURE_GPU
_SM_CLOCK = 1  # NVML_CLOCK_SM


@dataclass(frozen=True)
class Own:
    """Part of the GPUs' use that is ours."""

    pids: frozenset[int] = frozenset()
    gpu: int | None = None
    """Index, in the order of the PCI bus, of the one that our trainer uses, or would use."""
    computing: bool = False
    """True if our trainer computes now: it runs, and is not frozen."""
    memory: int = 0
    """Bytes that it reports to hold; the driver's number for the process has priority."""

    @property
    def present(self) -> bool:
        """True if our trainer is on a GPU, even frozen."""
        return self.gpu is not None and (self.computing or self.memory > 0)


class Graphics:
    """Remembers up to when each GPU's use was seen; not for several threads at once."""

    def __init__(self, nvml: Nvml, asleep: Callable[[], bool] = lambda: False) -> None:
        """Prepare to read the GPUs.

        `asleep`: whether all GPUs are powered down: asking them would wake them, at the battery's cost.
        """
        self._nvml = nvml
        self._asleep = asleep
        self._seen: dict[int, int] = {}
        self._last: tuple[GpuReading, ...] = ()

    def read(self, own: Own) -> Reading[tuple[GpuReading, ...]]:
        """Return all GPUs; none if there is no driver."""
        if self._last and not own.present and self._asleep():
            return Known(tuple(_sleeping(gpu) for gpu in self._last), "the kernel: powered down")
        reading = self._read_all(own)
        self._last = reading.value if isinstance(reading, Known) else ()
        return reading

    def _read_all(self, own: Own) -> Reading[tuple[GpuReading, ...]]:
        try:
            handles = self._nvml.handles()
            return Known(tuple(self._read(*of_gpu, own) for of_gpu in enumerate(handles)), _SOURCE)
        except NvmlAbsent as error:
            return Known((), error.what)
        except NvmlError as error:
            self._seen.clear()
            return Unknown(f"{error.what} {error.remedy}")

    def close(self) -> None:
        self._nvml.close()

    def _read(self, index: int, handle: Any, own: Own) -> GpuReading:
        nvml = self._nvml
        memory = nvml.ask("nvmlDeviceGetMemoryInfo", handle)
        milliwatts = nvml.ask_if_reported("nvmlDeviceGetPowerUsage", handle)
        millijoules = nvml.ask_if_reported("nvmlDeviceGetTotalEnergyConsumption", handle)
        display = nvml.ask_if_reported("nvmlDeviceGetDisplayActive", handle)
        return GpuReading(
            index=index,
            name=str(nvml.ask("nvmlDeviceGetName", handle)),
            used_by_others=self._used_by_others(index, handle, own),
            memory_by_others=_memory_by_others(index, int(memory.used), self._memory_by_pid(handle), own),
            memory_free=int(memory.free),
            memory_total=int(memory.total),
            celsius=nvml.ask_if_reported("nvmlDeviceGetTemperature", handle, _CORE),
            watts=None if milliwatts is None else milliwatts / 1000,
            joules=None if millijoules is None else millijoules / 1000,
            throughput=self._throughput(handle),
            drives_display=None if display is None else bool(display),
        )

    def _throughput(self, handle: Any) -> float | None:
        units = self._nvml.ask_if_reported("nvmlDeviceGetNumGpuCores", handle)
        megahertz = self._nvml.ask_if_reported("nvmlDeviceGetMaxClockInfo", handle, _SM_CLOCK)
        return None if units is None or megahertz is None else float(units * megahertz)

    def _used_by_others(self, index: int, handle: Any, own: Own) -> float | None:
        """Return the share of the GPU's time that other programs use.

        It is counted by process where the driver supports that; otherwise it is all use, while none of it can be
        ours.
        While our trainer computes on a GPU that reports its use only as a whole, the share of others is unknown: a
        game is
        then noticed by its memory and its window.
        """
        by_pid = self._use_by_pid(index, handle)
        if by_pid is not None:
            return min(1.0, sum(use for pid, use in by_pid.items() if pid not in own.pids))
        if own.computing and own.gpu == index:
            return None
        whole = self._nvml.ask_if_reported("nvmlDeviceGetUtilizationRates", handle)
        return None if whole is None else min(1.0, whole.gpu / 100)

    def _use_by_pid(self, index: int, handle: Any) -> dict[int, float] | None:
        """Return the share of the GPU's time of each process since the last reading; None: not reported."""
        samples = self._nvml.samples_by_process(handle, self._seen.get(index, 0))
        if samples is None:
            return None
        samples = sorted(samples, key=lambda sample: int(sample.timeStamp))
        if samples:
            self._seen[index] = int(samples[-1].timeStamp)
        # Stale entries of the driver's buffer show absurd shares.
        return {int(s.pid): s.smUtil / 100 for s in samples if s.smUtil <= 100}

    def _memory_by_pid(self, handle: Any) -> dict[int, int | None]:
        """Return the bytes of each process; None if the driver does not report them, as on Windows."""
        found: dict[int, int | None] = {}
        for process in self._processes(handle):
            memory, before = process.usedGpuMemory, found.get(process.pid)
            # Who both computes and draws is in both lists, with the same memory.
            found[int(process.pid)] = before if memory is None else max(int(memory), before or 0)
        return found

    def _processes(self, handle: Any) -> Iterator[Any]:
        for kind in ("Compute", "Graphics"):
            yield from self._nvml.ask_if_reported(f"nvmlDeviceGet{kind}RunningProcesses", handle) or ()


def _sleeping(gpu: GpuReading) -> GpuReading:
    """Return the last reading with the use set to zero."""
    free = gpu.memory_free + gpu.memory_by_others
    return replace(gpu, used_by_others=0.0, memory_by_others=0, memory_free=free, celsius=None, watts=None)


def _memory_by_others(index: int, used: int, by_pid: dict[int, int | None], own: Own) -> int:
    others = [size for pid, size in by_pid.items() if pid not in own.pids]
    reported = sum(by_pid.get(pid) or 0 for pid in own.pids)
    ours = reported or (own.memory if own.gpu == index else 0)
    if None in others:
        return max(0, used - ours)
    by_others = sum(filter(None, others))
    # In a container the driver names our processes by numbers that are not theirs here.
    is_among_others = own.pids.isdisjoint(by_pid) and by_others >= ours
    return by_others - ours if is_among_others else by_others
