"""Reads what training in WSL2 needs of a Windows computer; each reading is None where the system does not tell.

Outputs of wsl.exe are in the user's language: only exit statuses, codes and version numbers are read. Tried with
recorded outputs only.
"""

import ctypes
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from client.hosts.wsl.command import RunWsl, WslCommand
from client.hosts.wsl.refusals import MISSING, WslRefusal, refusal_of
from client.machine.readings import Known
from client.machine.windows.libraries import SystemLibraries
from client.machine.windows.rights import read_administers
from core.errors import ChildError
from core.windows_registry import MachineRegistry, RegistryReader

_SECONDS = 30.0
_VIRT_FIRMWARE_ENABLED = 21
"""PF_VIRT_FIRMWARE_ENABLED of IsProcessorFeaturePresent."""
_RESTART_KEYS = (
    r"SOFTWARE\Microsoft\Windows\CurrentVersion\Component Based Servicing\RebootPending",
    r"SOFTWARE\Microsoft\Windows\CurrentVersion\WindowsUpdate\Auto Update\RebootRequired",
)
"""Keys that exist while a restart of Windows is pending, as Microsoft's own tools look for them."""
_VERSION = re.compile(r"\b(\d+)\.(\d+)\.(\d+)(?:\.\d+)?\b")


@dataclass(frozen=True)
class WslReading:
    """State of WSL, as wsl.exe reports it."""

    refusal: WslRefusal | None
    """Reason for which it does not work; None: it works."""
    version: tuple[int, int, int] | None = None
    """Version of WSL; None: the one that came with Windows, which knows no such question."""
    distributions: tuple[str, ...] = ()


@dataclass(frozen=True)
class WindowsFacts:
    """State of a Windows computer, as far as training in WSL2 depends on it."""

    build: int
    """Build number of Windows, such as 19045."""
    virtualisation: bool | None
    """True if the firmware lets Windows run virtual machines; false too where a hypervisor hides it."""
    wsl: WslReading
    restart_pending: bool | None
    disk_free: int
    """Free bytes on the disk of the distribution."""
    nvidia_driver: tuple[int, int] | None = None
    """Version of NVIDIA's driver for Windows; None: there is no such GPU."""
    administers: bool | None = None
    """True if this user may administer the computer; false if another person has to agree to changes."""


def _build() -> int:
    version: Any = getattr(sys, "getwindowsversion", None)
    return int(version().build) if version is not None else 0


def _virtualisation() -> bool | None:
    library: Any = getattr(ctypes, "WinDLL", None)
    if library is None:
        return None
    return bool(library("kernel32").IsProcessorFeaturePresent(_VIRT_FIRMWARE_ENABLED))


def _administers() -> bool | None:
    reading = read_administers(SystemLibraries())
    return reading.value if isinstance(reading, Known) else None


@dataclass(frozen=True)
class FactSources:
    """Sources of the facts; tests hand in others."""

    run: RunWsl
    command: WslCommand = field(default_factory=WslCommand)
    build: Callable[[], int] = _build
    virtualisation: Callable[[], bool | None] = _virtualisation
    registry: RegistryReader = field(default_factory=MachineRegistry)
    nvidia_driver: Callable[[], str | None] = lambda: None
    """Returns the version of NVIDIA's driver as text; None: there is none."""
    administers: Callable[[], bool | None] = _administers


async def read_windows_facts(sources: FactSources, folder: Path) -> WindowsFacts:
    """Read all facts; ``folder`` is where the distribution's disk is, or will be."""
    place = next(parent for parent in (folder, *folder.parents) if parent.exists())
    return WindowsFacts(
        build=sources.build(),
        virtualisation=sources.virtualisation(),
        wsl=await read_wsl(sources.run, sources.command),
        restart_pending=_restart_pending(sources.registry),
        disk_free=shutil.disk_usage(place).free,
        nvidia_driver=driver_version(sources.nvidia_driver()),
        administers=sources.administers(),
    )


async def read_wsl(run: RunWsl, command: WslCommand) -> WslReading:
    """Ask wsl.exe for its state, its version and its distributions."""
    try:
        status = await run(command.administration("--status"), _SECONDS)
        if status.status != 0:
            return WslReading(refusal_of(status.output, status.status))
        version = await run(command.administration("--version"), _SECONDS)
        listed = await run(command.administration("--list", "--quiet"), _SECONDS)
    except ChildError as error:
        return WslReading(MISSING if error.what == MISSING.what else WslRefusal((), error.what, error.remedy))
    # Without any distribution, the list ends with an error.
    names = tuple(filter(None, map(str.strip, listed.text.splitlines()))) if listed.status == 0 else ()
    return WslReading(None, wsl_version(version.text) if version.status == 0 else None, names)


def wsl_version(text: str) -> tuple[int, int, int] | None:
    """Return the first version in the answer to ``wsl --version``, which is that of WSL, in every language."""
    found = _VERSION.search(text)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def driver_version(text: str | None) -> tuple[int, int] | None:
    """Return the version of NVIDIA's driver, such as 581.29; None if ``text`` is no such version."""
    found = re.match(r"(\d+)\.(\d+)", text or "")
    return (int(found[1]), int(found[2])) if found else None


def _restart_pending(registry: RegistryReader) -> bool | None:
    for key in _RESTART_KEYS:
        try:
            registry.names_below(key)
        except OSError:
            continue
        return True
    return False
