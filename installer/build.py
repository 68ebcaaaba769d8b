"""Builds all packages that can be built on this machine: ``python -m installer.build``, which `make packages` runs.

They come from the commit that is checked out, and are the same bytes each time, as their times are its time. The list
of the packages and their digests is in the folder with them, and the folder takes the place of an earlier one when it
is whole.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

from tuf.api.exceptions import RepositoryError
from tuf.api.metadata import Metadata, Root

from client.api.errors import SetupError
from client.environment.source import EnvironmentSource
from client.updates.offers import ADDRESS, UpdateSource
from core.errors import CoreError
from core.packages_manifest import BuiltPackage, PackagesManifest
from installer.commands import BuildError
from installer.linux.packages import build_linux
from installer.linux.repositories import PackageRepositories
from installer.locks.light import lock_of
from installer.macos.build import MacPython, build_macos
from installer.release import ROOT, BuildJob, Release
from installer.windows.build import CompilerTools, build_windows
from installer.windows.tree import WindowsPython
from installer.wsl.build import build_distribution

OUTPUT = ROOT / "dist" / "packages"
LARGEST = 80_000_000
"""Bytes of the largest package: a volunteer's first download."""

Builder = Callable[[BuildJob], list[BuiltPackage]]
BUILDERS: Mapping[str, Builder] = {"linux": build_linux, "wsl": build_distribution}
"""Functions that make the packages of each system; each may raise BuildError."""
WINDOWS, MACOS = "windows", "macos"
"""Names of the systems whose packages are built if Python for them is given."""
_INSTALLED_BY_USERS = {"linux": "Linux", WINDOWS: "Windows", MACOS: "macOS"}
"""Systems whose packages have to name the list of the trainer's packages; that of WSL2 is fetched by it."""


def build(
    release: Release,
    output: Path,
    builders: Mapping[str, Builder],
    temporary: Path | None = None,
    source: Path | None = None,
    updates: UpdateSource | None = None,
    repositories: PackageRepositories | None = None,
) -> PackagesManifest:
    """Build packages into ``output``, in place of those that are there, and list them.

    Args:
        release: Commit to build.
        output: Folder of the packages; it is made.
        builders: Builders by the names of systems.
        temporary: Folder for what is made meanwhile; None: the system's.
        source: File that names the list of the trainer's packages; None: what is built cannot train.
        updates: Signed repository of newer versions; None: what is built looks for none.
        repositories: Repositories of package managers; None: the packages of Linux bring none.

    Raises:
        BuildError: A package cannot be made, or is too large.
    """
    building = output.with_name(f"{output.name}.new")
    log = output.with_name(f"{output.name}.log")
    shutil.rmtree(building, ignore_errors=True)
    building.mkdir(parents=True)
    log.unlink(missing_ok=True)
    files: list[BuiltPackage] = []
    for name, builder in builders.items():
        with tempfile.TemporaryDirectory(prefix=f"idlebrush-{name}-", dir=temporary) as work:
            files += builder(BuildJob(release, building, Path(work), log, source, updates, repositories))
    _check(files)
    manifest = PackagesManifest(version=release.version, commit=release.commit, files=tuple(files))
    manifest.save(building)
    shutil.rmtree(output, ignore_errors=True)
    building.rename(output)
    return manifest


def _check(files: Sequence[BuiltPackage]) -> None:
    if large := [file.file for file in files if file.size > LARGEST]:
        raise BuildError(
            f"Packages have more than {LARGEST:,} bytes: {', '.join(large)}.",
            "Leave out what the app does not use (installer/left_out.py).",
        )


def update_source(address: str, root: Path) -> UpdateSource:
    """Return the repository at ``address``, which is trusted by the metadata in the file ``root``.

    Raises:
        BuildError: Installations could not use it.
    """
    if not ADDRESS.fullmatch(address):
        raise BuildError(f"{address} is no address of a repository.", "Give --updates a URL: https://...")
    try:
        data = root.read_bytes()
        metadata = Metadata[Root].from_bytes(data)
        metadata.signed.verify_delegate(Root.type, metadata.signed_bytes, metadata.signatures)
    except (OSError, RepositoryError, AttributeError, ValueError) as error:
        raise BuildError(
            f"{root} holds no signed root: {error}",
            "Give --updates-root the newest metadata/N.root.json of the published repository.",
        ) from error
    return UpdateSource(address, data)


def check_source(file: Path) -> None:
    """Check that users can set training up by a ``file`` that names the list of the trainer's packages.

    Raises:
        BuildError: Installations could not use it.
    """
    try:
        EnvironmentSource.read(file)
    except SetupError as error:
        raise BuildError(
            error.what, "Give --source a file with the address and the key of the list (docs/packaging.md)."
        ) from error


def warnings_of(
    systems: Collection[str],
    source: Path | None,
    updates: UpdateSource | None,
    repositories: PackageRepositories | None,
) -> list[str]:
    """Return what users will miss in the packages of some systems, a sentence each.

    Args:
        systems: Names of the systems that are built for.
        source: File that names the list of the trainer's packages; None: none is named.
        updates: Signed repository of newer versions; None: none is named.
        repositories: Repositories of package managers; None: none are named.
    """
    found = []
    if source is None and (
        untrained := [_INSTALLED_BY_USERS[name] for name in systems if name in _INSTALLED_BY_USERS]
    ):
        found.append(
            f"The packages for {' and '.join(untrained)} cannot train: their users' set-up of training ends with an "
            "error. Name the list of the trainer's packages by --source."
        )
    if updates is None:
        found.append("The packages will look for no updates: name their repository by --updates.")
    if "linux" in systems and repositories is None:
        found.append("The .deb and the .rpm will bring no repository: name it by --repositories.")
    return found


def main(words: Sequence[str] | None = None) -> None:
    given = options(words)
    available = _builders(given)
    wanted = {name: available[name] for name in given.systems or available}
    try:
        release = Release.of_head()
        if release.has_changes:
            print("Changes that are not committed are not built.", file=sys.stderr)
        if given.source is not None:
            check_source(given.source)
        updates = update_source(given.updates, given.updates_root) if given.updates else None
        repositories = (
            PackageRepositories.of(given.repositories, given.repositories_key) if given.repositories else None
        )
        for warning in warnings_of(wanted, given.source, updates, repositories):
            print(warning, file=sys.stderr)
        output = given.output.absolute()
        manifest = build(release, output, wanted, None, given.source, updates, repositories)
    except CoreError as error:
        sys.exit(f"{error.what}\n{error.remedy}")
    for file in manifest.files:
        print(f"{file.sha256}  {file.size / 1e6:6.1f} MB  {given.output / file.file}")


def options(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Return what the ``words`` of the command line ask for; None: those of this process.

    Raises:
        SystemExit: A word is wrong, or one is missing.
    """
    parser = argparse.ArgumentParser(description="Build the packages of this commit.")
    parser.add_argument(
        "systems",
        nargs="*",
        choices=[*BUILDERS, WINDOWS, MACOS, []],
        help="systems to build for; default: all",
    )
    parser.add_argument("--output", type=Path, default=OUTPUT)
    parser.add_argument(
        "--source", type=Path, help="environment.toml that names the list of the trainer's packages"
    )
    parser.add_argument("--updates", default="", help="URL of the signed repository of newer versions")
    parser.add_argument(
        "--updates-root", type=Path, help="newest metadata/N.root.json of that repository, which is trusted"
    )
    parser.add_argument(
        "--repositories", default="", help="URL of the folder of the repositories of apt and dnf"
    )
    parser.add_argument("--repositories-key", type=Path, help="idlebrush.asc of that folder")
    windows = parser.add_argument_group("Windows", "Without Python for Windows, nothing is built for it.")
    windows.add_argument("--windows-python", type=Path, help="embeddable package of Python for Windows")
    windows.add_argument("--windows-python-sha256", default="", help="digest that it must have")
    windows.add_argument(
        "--windows-tools", type=Path, default=Path("/"), help="root of a Debian system that has the compilers"
    )
    macos = parser.add_argument_group("macOS", "Without Python for macOS, nothing is built for it.")
    macos.add_argument(
        "--macos-python", type=Path, help="archive of a relocatable Python for Apple's processors"
    )
    macos.add_argument("--macos-python-sha256", default="", help="digest that it must have")
    given = parser.parse_args(words)
    if bool(given.updates) != (given.updates_root is not None):
        parser.error("name both, or neither: --updates, --updates-root")
    if bool(given.repositories) != (given.repositories_key is not None):
        parser.error("name both, or neither: --repositories, --repositories-key")
    if WINDOWS in given.systems and given.windows_python is None:
        parser.error("name Python for Windows: --windows-python, --windows-python-sha256")
    if MACOS in given.systems and given.macos_python is None:
        parser.error("name Python for macOS: --macos-python, --macos-python-sha256")
    return given


def _builders(given: argparse.Namespace) -> Mapping[str, Builder]:
    """Return the builders for which there is all that they need."""
    found = dict(BUILDERS)
    if given.windows_python is not None:
        python = WindowsPython(given.windows_python, given.windows_python_sha256)
        tools = CompilerTools(given.windows_tools.absolute())
        found[WINDOWS] = partial(build_windows, python=python, tools=tools)
    if given.macos_python is not None:
        mac = MacPython(given.macos_python, given.macos_python_sha256)
        found[MACOS] = partial(build_macos, python=mac, lock=lock_of("macos"))
    return found


if __name__ == "__main__":
    main()
