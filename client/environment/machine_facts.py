"""Facts of this machine that decide which environment it can use: system, Python, C library, GPUs and drivers."""

import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from client.api.errors import NvmlAbsent, NvmlError
from client.machine.gpu.devices import AMD, NVIDIA, graphics_cards, read_line
from client.machine.gpu.nvml import Nvml
from client.machine.readings import Known, Reading, Unknown

Vendor = Literal["nvidia", "amd"]
_SYS = Path("/sys")
_MACHINES = {"x86_64": "x86_64", "amd64": "x86_64", "arm64": "arm64", "aarch64": "arm64"}
_SYSTEMS = {"Linux": "linux", "Darwin": "macos", "Windows": "windows"}


@dataclass(frozen=True)
class GpuFacts:
    """A GPU and its driver."""

    vendor: Vendor
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
    return MachineFacts(
        system=_SYSTEMS.get(platform.system(), platform.system().lower()),
        machine=_MACHINES.get(platform.machine().lower(), platform.machine().lower()),
        python=f"{sys.version_info.major}.{sys.version_info.minor}",
        glibc=version if name == "glibc" else None,
        gpus=(*_nvidia(nvml or Nvml(), sys_folder), *_amd(sys_folder)),
    )


def _nvidia(nvml: Nvml, sys_folder: Path) -> Iterator[GpuFacts]:
    try:
        for handle in nvml.handles():
            driver = Known(_text(nvml.ask("nvmlSystemGetDriverVersion")), "NVML")
            major, minor = nvml.ask("nvmlDeviceGetCudaComputeCapability", handle)
            name = _text(nvml.ask("nvmlDeviceGetName", handle))
            yield GpuFacts("nvidia", name, driver, Known(f"{major}.{minor}", "NVML"))
    except NvmlAbsent:
        yield from _unread(sys_folder, "Its driver is not installed, or does not run.")
    except NvmlError as error:
        yield from _unread(sys_folder, error.what)
    finally:
        nvml.close()


def _unread(sys_folder: Path, why: str) -> Iterator[GpuFacts]:
    for _ in graphics_cards(sys_folder, NVIDIA):
        yield GpuFacts("nvidia", "NVIDIA GPU", Unknown(why), Unknown(why))


def _amd(sys_folder: Path) -> Iterator[GpuFacts]:
    targets = list(_kfd_targets(sys_folder))
    version = read_line(sys_folder / "module/amdgpu/version")
    driver: Reading[str] = (
        Known(version, "amdgpu") if version else Unknown("Linux does not report its version.")
    )
    for number, card in enumerate(graphics_cards(sys_folder, AMD)):
        name = read_line(card / "product_name") or "AMD GPU"
        target: Reading[str] = Unknown("Its compute driver (ROCm) is not there.")
        if number < len(targets):
            target = Known(targets[number], "KFD")
        yield GpuFacts("amd", name, driver, target)


def _kfd_targets(sys_folder: Path) -> Iterator[str]:
    """Yield the targets of the GPUs that AMD's compute driver knows; processors have target 0.

    ``gfx_target_version`` holds 10000 * major + 100 * minor + stepping in decimal (Linux, kfd_topology.c); the
    target's name has the last two in hexadecimal.
    """
    for node in sorted((sys_folder / "class/kfd/kfd/topology/nodes").glob("*/properties")):
        fields = dict(line.split()[:2] for line in read_line(node).splitlines() if len(line.split()) == 2)
        version = fields.get("gfx_target_version", "0")
        if version.isdecimal() and (number := int(version)):
            yield f"gfx{number // 10_000}{number // 100 % 100:x}{number % 100:x}"


def _text(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
