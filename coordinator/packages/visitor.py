"""Recognises a visitor's system by what the browser states of it, and picks the packages for that system."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.packages_manifest import BuiltPackage, PackageKind, PackageMachine, PackageSystem

HEADERS = ("User-Agent", "Sec-CH-UA-Platform")
"""Names of the headers that are read."""
_LONGEST = 512
"""Characters of a header that are looked at; a browser's are shorter."""
_SYSTEMS = {
    "windows": PackageSystem.WINDOWS,
    "macos": PackageSystem.MACOS,
    "linux": PackageSystem.LINUX,
}
_SYSTEM_MARKS = (
    # Phones and Chromebooks name Linux or Mac OS X as well, and none of the packages is for them.
    (re.compile(r"android|iphone|ipad|like mac os x|cros |tizen|smart-?tv", re.IGNORECASE), None),
    (re.compile(r"windows nt", re.IGNORECASE), PackageSystem.WINDOWS),
    (re.compile(r"macintosh|mac os x", re.IGNORECASE), PackageSystem.MACOS),
    (re.compile(r"linux", re.IGNORECASE), PackageSystem.LINUX),
)
_KIND_MARKS = (
    (re.compile(r"\b(?:ubuntu|debian|linux mint)\b", re.IGNORECASE), PackageKind.DEB),
    (re.compile(r"\b(?:fedora|red hat|rhel|centos|opensuse|suse)\b", re.IGNORECASE), PackageKind.RPM),
)
_X86_64 = re.compile(r"x86_64|x86-64|amd64|win64|wow64|\bx64\b", re.IGNORECASE)
_ARM64 = re.compile(r"aarch64|arm64", re.IGNORECASE)
_OTHER_MACHINE = re.compile(
    r"\bi[3-6]86\b|\barmv\d|\bppc|\bpowerpc|\briscv|\bs390|\bloongarch|\bmips", re.IGNORECASE
)


@dataclass(frozen=True)
class VisitorSystem:
    """System of a visitor, as far as the browser states it; None where it does not."""

    system: PackageSystem | None = None
    machine: PackageMachine | None = None
    kind: PackageKind | None = None
    """Kind of packages that the visitor's Linux distribution installs."""


UNKNOWN = VisitorSystem()


def visitor_of(headers: Mapping[str, str]) -> VisitorSystem:
    """Return the visitor's system by the headers of a request; the mapping ignores the case of names."""
    agent, platform = (headers.get(name, "") for name in HEADERS)
    return visitor_system(agent, platform)


def visitor_system(user_agent: str, platform: str = "") -> VisitorSystem:
    """Return the system that a browser states.

    Args:
        user_agent: Header User-Agent.
        platform: Header Sec-CH-UA-Platform, a name in quotes, which newer browsers send over https.

    Returns:
        `UNKNOWN` also for systems and processors that no package can be for.
    """
    user_agent, platform = user_agent[:_LONGEST], platform[:_LONGEST]
    system = _system(user_agent, platform.strip('" ').lower())
    if system is None:
        return UNKNOWN
    if system is PackageSystem.MACOS:  # browsers on all Macs state an Intel processor
        return VisitorSystem(system)
    machine = _machine(user_agent)
    if machine is None and _OTHER_MACHINE.search(user_agent):
        return UNKNOWN
    kind = _kind(user_agent) if system is PackageSystem.LINUX else None
    return VisitorSystem(system, machine, kind)


def suggested(packages: Sequence[BuiltPackage], visitor: VisitorSystem) -> tuple[BuiltPackage, ...]:
    """Return the packages for a visitor's system, in the given order; none if the system is not known.

    Where the Linux distribution is stated, these are the packages that it installs; else all kinds for Linux.
    """
    fitting = [
        package
        for package in packages
        if package.system is visitor.system and visitor.machine in (None, package.machine)
    ]
    own = [package for package in fitting if package.kind is visitor.kind]
    return tuple(own or fitting)


def _system(user_agent: str, platform: str) -> PackageSystem | None:
    if platform and platform != "unknown":
        return _SYSTEMS.get(platform)
    return next((system for mark, system in _SYSTEM_MARKS if mark.search(user_agent)), None)


def _machine(user_agent: str) -> PackageMachine | None:
    if _ARM64.search(user_agent):
        return PackageMachine.ARM64
    return PackageMachine.X86_64 if _X86_64.search(user_agent) else None


def _kind(user_agent: str) -> PackageKind | None:
    return next((kind for mark, kind in _KIND_MARKS if mark.search(user_agent)), None)
