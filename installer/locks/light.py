"""Writes the lists of light packages that trees are made of: ``python -m installer.locks.light [SYSTEM ...]``.

uv resolves the project's own dependencies within constraints.txt, and names each file by digest. No address is
written: a build takes the files from where their pip takes them.
"""

import argparse
import re
from collections.abc import Container, Iterator
from pathlib import Path

from installer.commands import BuildError, output_of, packaged_program
from installer.release import ROOT

_HERE = Path(__file__).parent
PLATFORMS = {
    "linux": "x86_64-manylinux_2_35",
    "windows": "x86_64-pc-windows-msvc",
    "macos": "aarch64-apple-darwin",
}
"""Names that uv has for the systems."""
PYTHON = "3.11"
_INSTALLER = "installer.in"
"""Requirements beside the project's: the program that installs the trainer's environment."""
_TRAINS_ELSEWHERE = ("windows",)
"""Systems whose trainer lives in a Linux of its own, with its own environment."""
_HEAD = "# The light packages of {system}. Made by `python -m installer.locks.light {system}`; do not edit.\n"
_PINNED = re.compile(r"([A-Za-z0-9._-]+)==([^\s;\\]+)")


def resolve(system: str, root: Path = ROOT) -> str:
    """Return the list of a system, checked.

    Args:
        system: Key of `PLATFORMS`.
        root: Folder of pyproject.toml and constraints.txt.

    Raises:
        BuildError: The requirements contradict each other, or a package has no wheel or no digest.
    """
    command: list[str | Path] = [
        packaged_program("uv"),
        "pip",
        "compile",
        "pyproject.toml",
        *([] if system in _TRAINS_ELSEWHERE else [_HERE / _INSTALLER]),
        "--constraint",
        "constraints.txt",
    ]
    command += ["--python-version", PYTHON, "--python-platform", PLATFORMS[system], "--generate-hashes"]
    command += ["--only-binary", ":all:", "--no-header", "--no-annotate", "--no-emit-index-url", "--quiet"]
    command += ["--no-emit-find-links", "--no-config"]
    text = _HEAD.format(system=system) + output_of(command, folder=root)
    check(text)
    return text


def check(text: str) -> None:
    """Check that each requirement of a list is one version, with digests.

    Raises:
        BuildError: One is not; it is named.
    """
    for line in _requirements(text):
        if not _PINNED.match(line) or "--hash=sha256:" not in line:
            raise BuildError(
                f"The list of packages has a line without version or digest: {line.split()[0]}",
                "Make it again: python -m installer.locks.light",
            )


def pinned(text: str) -> dict[str, str]:
    """Return the versions in a list by the packages' names."""
    found = (_PINNED.match(line) for line in _requirements(text))
    return {match[1]: match[2] for match in found if match is not None}


def without(text: str, names: Container[str]) -> str:
    """Return a list without the packages of these ``names``."""
    kept = (line for line in _requirements(text) if line.partition("==")[0] not in names)
    return "".join(f"{line}\n" for line in kept)


def lock_of(system: str) -> Path:
    """Return the committed list of a system."""
    return _HERE / f"light-{system}.txt"


def _requirements(text: str) -> Iterator[str]:
    """Yield the requirements of a list, each on one line."""
    for line in text.replace("\\\n", " ").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line.strip()


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the lists of light packages, with digests.")
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help=", ".join(PLATFORMS))
    systems = parser.parse_args().systems or list(PLATFORMS)
    if unknown := set(systems) - set(PLATFORMS):
        parser.error(f"There is no list for {', '.join(sorted(unknown))}.")
    for system in systems:
        lock_of(system).write_text(resolve(system), encoding="utf-8")
        print(lock_of(system))


if __name__ == "__main__":
    main()
