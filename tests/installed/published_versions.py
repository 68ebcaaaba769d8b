"""Makes later versions of a tarball, of which one works, and publishes them in a signed repository."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from client.environment.source import FILE as SOURCE_FILE
from client.installed import FILE as INSTALLATION
from tests.client.updates.releases import SignedReleases
from tests.installed.next_version import break_daemon, later_version, rename_tree
from tests.installed.systems import TrialError, logged

_NO_PROGRAM = "this is no program\n"


@dataclass(frozen=True)
class MadeVersion:
    """An archive of a version."""

    version: str
    commit: str
    archive: Path


@dataclass(frozen=True)
class VersionSeries:
    """A first version, its successors, and the repository in which they are published one after the other."""

    releases: SignedReleases
    first: MadeVersion
    later: MadeVersion
    without_python: MadeVersion
    """A version whose Python is no program."""
    silent: MadeVersion
    """A version whose program runs, and whose daemon does not start."""

    def publish(self, made: MadeVersion) -> str:
        """Publish a version as the newest one, and return its number."""
        self.releases.add(made.version, made.archive, commit=made.commit)
        return made.version


def series_of(tarball: Path, folder: Path, source: str, address: str, log: Path) -> VersionSeries:
    """Make the successors of a tarball, and begin a repository, all of which is kept below ``folder``.

    Args:
        tarball: Archive of the first version.
        folder: Folder for all that is made.
        source: Content of the file that names the list of the trainer's packages.
        address: Address at which installations find the repository.
        log: File for the output of programs.

    Raises:
        TrialError: It is no such archive.
    """
    logged(("tar", "--extract", "--file", str(tarball), "--directory", str(folder)), log)
    found = [file.parent for file in folder.glob(f"*/tree/{INSTALLATION}")]
    if not found:
        raise TrialError(f"{tarball} is no archive of Idlebrush.", "Name the tarball of `make packages`.")
    releases = SignedReleases(folder / "repository")
    releases.begin()
    (tree,) = found
    (tree / SOURCE_FILE).write_text(source)  # as builds do that are given --source and --updates
    releases.repository.trust(tree, address)
    return VersionSeries(
        releases,
        _packed(tree, log),
        _packed(_next(tree), log),
        _without_python(tree, log),
        _silent(tree, log),
    )


def _next(tree: Path) -> Path:
    """Make a tree the version that follows, and return it."""
    version = described(tree, "version")
    rename_tree(tree, version, later_version(version))
    return tree


def _without_python(tree: Path, log: Path) -> MadeVersion:
    program = (tree / "python/bin/python3").resolve()
    usual = program.read_bytes()
    program.write_text(_NO_PROGRAM)
    made = _packed(_next(tree), log)
    program.write_bytes(usual)
    return made


def _silent(tree: Path, log: Path) -> MadeVersion:
    break_daemon(tree)
    return _packed(_next(tree), log)


def _packed(tree: Path, log: Path) -> MadeVersion:
    """Pack a tree and what is beside it, lightly, as only this machine unpacks it."""
    version, unpacked = described(tree, "version"), tree.parent
    archive = unpacked.with_name(f"made-{version}.tar.gz")
    command = ("tar", "--create", "--use-compress-program=gzip -1", "--owner=0", "--group=0")
    inside = ("--directory", str(unpacked.parent), unpacked.name)
    logged((*command, "--file", str(archive), *inside), log)
    return MadeVersion(version, described(tree, "commit"), archive)


def described(tree: Path, name: str) -> str:
    """Return a value of the file that says how a tree was installed."""
    return str(tomllib.loads((tree / INSTALLATION).read_text())[name])
