"""Facts of this machine that decide which environment it can use: system, Python, C library, GPUs and drivers."""

import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from client.api.errors import NvmlError
from client.machine.gpu.devices import Backend, FoundDevice, find_devices
from client.machine.gpu.nvml import Nvml
from client.machine.readings import Known, Reading, Unknown

_SYS = Path("/sys")
MACHINES = {"x86_64": "x86_64", "amd64": "x86_64", "arm64": "arm64", "aarch64": "arm64"}
"""Processors by the names that Python has for them."""
SYSTEMS = {"Linux": "linux", "Darwin": "macos", "Windows": "windows"}
"""Systems by the names that Python has for them."""


@dataclass(frozen=True)
class GpuFacts:
    """A GPU and its driver."""

    vendor: Literal["nvidia", "amd"]
    name: str
    driver: Reading[str]
    """Version of the driver, as numbers with dots."""
    capability: Reading[str]
    """Compute capability of an NVIDIA GPU, such as 8.9; target of an AMD GPU, such as gfx1100."""


@dataclass(frozen=True)
class MachineFacts:
    """Facts that variants are compared with."""

    system: str
    """linux, macos or windows; another system by its own name."""
    machine: str
    """x86_64 or arm64; another processor by its own name."""
    python: str
    """Version of Python up to the second number."""
    glibc: str | None
    """Version of glibc; None: the system has another C library."""
    gpus: tuple[GpuFacts, ...]


def read_facts(
    nvml: Nvml | None = None, sys_folder: Path = _SYS, libc: Callable[[], tuple[str, str]] = platform.libc_ver
) -> MachineFacts:
    """Read the facts of this machine.

    Args:
        nvml: NVIDIA's library, closed afterwards; None: the installed one.
        sys_folder: Folder where the Linux kernel shows its devices.
        libc: Returns name and version of the C library.
    """
    name, version = libc()
    nvml = nvml or Nvml()
    found = find_devices(nvml, sys_folder)
    return MachineFacts(
        system=SYSTEMS.get(platform.system(), platform.system().lower()),
        machine=MACHINES.get(platform.machine().lower(), platform.machine().lower()),
        python=f"{sys.version_info.major}.{sys.version_info.minor}",
        glibc=version if name == "glibc" else None,
        gpus=(*_nvidia(nvml, found), *_amd(sys_folder, found)),
    )


def _nvidia(nvml: Nvml, found: tuple[FoundDevice, ...]) -> Iterator[GpuFacts]:
    try:
        for device in found:
            if device.backend is Backend.CUDA:
                yield _asked(nvml, device)
    finally:
        nvml.close()


def _asked(nvml: Nvml, device: FoundDevice) -> GpuFacts:
    if device.index is None:
        return GpuFacts("nvidia", device.name, Unknown(device.remark), Unknown(device.remark))
    try:
        handle = nvml.handles()[device.index]
        driver = nvml.ask("nvmlSystemGetDriverVersion")
        major, minor = nvml.ask("nvmlDeviceGetCudaComputeCapability", handle)
    except (NvmlError, IndexError) as error:
        why = error.what if isinstance(error, NvmlError) else "It is no longer there."
        return GpuFacts("nvidia", device.name, Unknown(why), Unknown(why))
    version = driver.decode(errors="replace") if isinstance(driver, bytes) else str(driver)
    return GpuFacts("nvidia", device.name, Known(version, "NVML"), Known(f"{major}.{minor}", "NVML"))


def _amd(sys_folder: Path, found: tuple[FoundDevice, ...]) -> Iterator[GpuFacts]:
    targets = list(_kfd_targets(sys_folder))
    version = _text(sys_folder / "module/amdgpu/version")
    driver: Reading[str] = (
        Known(version, "amdgpu") if version else Unknown("Linux does not report its version.")
    )
    devices = [device for device in found if device.backend is Backend.ROCM]
    for number, device in enumerate(devices):
        target: Reading[str] = Unknown("Its compute driver (ROCm) is not there.")
        if number < len(targets):
            target = Known(targets[number], "KFD")
        yield GpuFacts("amd", device.name, driver, target)


def _kfd_targets(sys_folder: Path) -> Iterator[str]:
    """Yield the targets of the GPUs that AMD's compute driver knows; processors have target 0.

    ``gfx_target_version`` holds 10000 * major + 100 * minor + stepping in decimal (Linux, kfd_topology.c); the
    target's name has the last two in hexadecimal.
    """
    for node in sorted((sys_folder / "class/kfd/kfd/topology/nodes").glob("*/properties")):
        fields = dict(line.split()[:2] for line in _text(node).splitlines() if len(line.split()) == 2)
        version = fields.get("gfx_target_version", "0")
        if version.isdecimal() and (number := int(version)):
            yield f"gfx{number // 10_000}{number // 100 % 100:x}{number % 100:x}"


def _text(path: Path) -> str:
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError):
        return ""
