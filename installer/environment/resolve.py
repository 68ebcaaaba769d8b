"""Resolves the trainer's packages for one platform into files with addresses and digests, by uv.

uv writes a lock file of Python's standard form (PEP 751), with each file's address, size and digest as the index
tells them: nothing of some GB has to be downloaded for it. Packages that are published as source alone are told
apart: their wheels have to be made (`installer.environment.wheels`).
"""

import re
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from packaging.tags import Tag, compatible_tags, cpython_tags
from packaging.utils import parse_wheel_filename

from client.environment.lock_file import canonical_name
from installer.commands import BuildError, packaged_program, run
from installer.release import ROOT

PYTHON = (3, 11)
GLIBC = 35
"""Second number of the newest glibc 2 that a wheel may need: that of the oldest system that packages are for."""
_OLDEST_GLIBC = 5
_LEGACY = {17: "manylinux2014", 12: "manylinux2010", 5: "manylinux1"}
_MANYLINUX = re.compile(r"manylinux_2_(\d+)_")
_OF_PROJECT = ["pyproject.toml", "--extra", "trainer", "--extra", "coordinator"]
"""Requirements of the trainer, and of the coordinator, which a volunteer may run for a swarm on this computer."""
ALONE = ("taming-transformers-rom1504",)
"""Packages without their own requirements: the modules of it that are used need fewer (Makefile)."""
LEFT_OUT = {
    "pyside6-essentials": "the app's windows, which no trainer opens",
    "shiboken6": "the app's windows",
    "segno": "the app's QR codes",
    "spake2": "the pairing of computers, which is the daemon's",
}
"""Requirements of the project that the trainer's environment does without, with the reason."""


@dataclass(frozen=True)
class ResolvedFile:
    """A file of a package: its wheel, or its source where there is no wheel."""

    package: str
    version: str
    address: str
    """URL; one of a file on this machine begins with ``file:``."""
    sha256: str
    size: int | None
    """Size in bytes; None: the index does not tell."""

    @property
    def name(self) -> str:
        """Name of the file."""
        return unquote(urlsplit(self.address).path.rpartition("/")[2])

    @property
    def is_wheel(self) -> bool:
        """True if it can be installed as it is."""
        return self.name.endswith(".whl")

    @property
    def local(self) -> Path | None:
        """Path of a file on this machine; None: it is elsewhere."""
        parts = urlsplit(self.address)
        return Path(unquote(parts.path)) if parts.scheme == "file" else None


def resolve(
    find_links: Sequence[str], log: Path, root: Path = ROOT, index: str | None = None
) -> list[ResolvedFile]:
    """Return the files of the trainer's packages for Linux on x86-64, in the order of their names.

    Args:
        find_links: Folders or pages with files besides the index's, such as PyTorch's build for processors.
        log: File for the output of programs.
        root: Folder of pyproject.toml and constraints.txt.
        index: URL of an index beside the common one, whose builds of a version (such as 2.13.0+cu126) are preferred;
            None: there is none.

    Raises:
        BuildError: The requirements contradict each other, or a package has no file for the platform.
    """
    with tempfile.TemporaryDirectory() as scratch:
        locks = list(_locks(Path(scratch), find_links, log, root, index))
    files = [chosen(package) for lock in locks for package in lock["packages"]]
    kept = {
        canonical_name(file.package): file for file in files if canonical_name(file.package) not in LEFT_OUT
    }
    return [kept[name] for name in sorted(kept)]


def least_glibc(wheels: Sequence[str]) -> str:
    """Return the oldest glibc that all wheels of these names run with, as the second part of their tags names it."""
    return f"2.{max(map(_glibc_of, wheels), default=_OLDEST_GLIBC)}"


def _locks(
    scratch: Path, find_links: Sequence[str], log: Path, root: Path, index: str | None
) -> Iterator[dict[str, Any]]:
    alone = scratch / "alone.in"
    alone.write_text("".join(f"{name}\n" for name in ALONE))
    for number, wanted in enumerate((_OF_PROJECT, [str(alone), "--no-deps"])):
        lock = scratch / f"pylock.part{number}.toml"
        command = [str(packaged_program("uv")), "pip", "compile", *wanted, "--quiet", "--no-config"]
        command += ["--constraint", "constraints.txt", "--format", "pylock.toml", "--output-file", str(lock)]
        command += ["--python-version", ".".join(map(str, PYTHON))]
        command += ["--python-platform", f"x86_64-manylinux_2_{GLIBC}"]
        command += [word for place in find_links for word in ("--find-links", place)]
        if index is not None:
            # Such an index has older versions of much else: the best of both is taken. A build with a local version
            # (2.13.0+cu126) is better than the same version without.
            command += ["--index", index, "--index-strategy", "unsafe-best-match"]
        run(command, log, folder=root)
        yield tomllib.loads(lock.read_text())


def chosen(package: Mapping[str, Any]) -> ResolvedFile:
    """Return the wheel of a package in a lock file that an installer would take, or its source if there is none.

    Raises:
        BuildError: It has neither.
    """
    wheels = {_file_name(wheel): wheel for wheel in package.get("wheels", [])}
    ranks = {tag: rank for rank, tag in enumerate(platform_tags())}
    fitting = {name: _rank(name, ranks) for name in wheels if _rank(name, ranks) is not None}
    if fitting:
        found = wheels[min(fitting, key=lambda name: (fitting[name], name))]
    elif "sdist" in package:
        found = package["sdist"]
    else:
        raise BuildError(
            f"{package['name']} {package['version']} has no file for this platform.",
            "Choose another version in constraints.txt.",
        )
    digest = found.get("hashes", {}).get("sha256")
    if digest is None:
        raise BuildError(
            f"The index does not tell the SHA-256 of {package['name']} {package['version']}.",
            "Use another index or mirror.",
        )
    return ResolvedFile(package["name"], package["version"], found["url"], digest, found.get("size"))


def platform_tags() -> list[Tag]:
    """Return the tags of wheels that run there, the best first."""
    platforms = []
    for minor in range(GLIBC, _OLDEST_GLIBC - 1, -1):
        platforms.append(f"manylinux_2_{minor}_x86_64")
        if minor in _LEGACY:
            platforms.append(f"{_LEGACY[minor]}_x86_64")
    platforms.append("linux_x86_64")
    return [*cpython_tags(PYTHON, platforms=platforms), *compatible_tags(PYTHON, "cp311", platforms)]


def _file_name(wheel: Mapping[str, Any]) -> str:
    return str(wheel.get("name") or unquote(urlsplit(wheel["url"]).path.rpartition("/")[2]))


def _rank(name: str, ranks: Mapping[Tag, int]) -> int | None:
    _, _, _, tags = parse_wheel_filename(name)
    return min((ranks[tag] for tag in tags if tag in ranks), default=None)


def _glibc_of(name: str) -> int:
    """Return the second number of the oldest glibc that a wheel's tags name; that of no glibc is the oldest."""
    _, _, _, tags = parse_wheel_filename(name)
    legacy = {alias: minor for minor, alias in _LEGACY.items()}
    named = [int(match[1]) for tag in tags if (match := _MANYLINUX.match(tag.platform))]
    named += [legacy[alias] for tag in tags if (alias := tag.platform.partition("_x86_64")[0]) in legacy]
    return min(named, default=_OLDEST_GLIBC)
