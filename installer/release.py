"""The commit that packages are built from: its version, its date, and its files as they were committed."""

import io
import subprocess
import tarfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from client.updates.offers import UpdateSource
from installer.commands import BuildError, missing_program, output_of
from installer.linux.repositories import PackageRepositories

ROOT = Path(__file__).parents[1]
"""Folder of this clone."""


@dataclass(frozen=True)
class Release:
    """A commit to build."""

    root: Path
    """Clone that has it."""
    version: str
    commit: str
    epoch: int
    """Seconds since 1970 of the commit, by which all that is built is dated."""

    @classmethod
    def of_head(cls, root: Path = ROOT) -> Self:
        """Return the commit that is checked out; what was not committed is no part of it.

        Raises:
            BuildError: There is no clone in ``root``.
        """
        commit, epoch = output_of(["git", "log", "-1", "--format=%H %ct"], folder=root).split()
        project = tomllib.loads(output_of(["git", "show", f"{commit}:pyproject.toml"], folder=root))
        return cls(root, project["project"]["version"], commit, int(epoch))

    @property
    def has_changes(self) -> bool:
        """True if the clone has changes that were not committed, which are not built."""
        return bool(output_of(["git", "status", "--porcelain", "--untracked-files=no"], folder=self.root))

    def export(self, paths: Sequence[str], folder: Path) -> None:
        """Write the committed files below ``paths`` into ``folder``, as git has them.

        Raises:
            BuildError: The commit has no such paths.
        """
        command = ["git", "archive", "--format=tar", self.commit, "--", *paths]
        try:
            done = subprocess.run(command, cwd=self.root, capture_output=True, check=True)
        except FileNotFoundError as error:
            raise missing_program("git") from error
        except subprocess.CalledProcessError as error:
            raise BuildError(
                f"The commit {self.commit} cannot be exported: {error.stderr.decode().strip()}",
                "Build in a clone that has all of its commits.",
            ) from error
        with tarfile.open(fileobj=io.BytesIO(done.stdout)) as archive:
            archive.extractall(folder, filter="data")


@dataclass(frozen=True)
class BuildJob:
    """Input of each builder of packages."""

    release: Release
    output: Path
    """Folder of the packages."""
    work: Path
    """Folder of this builder for what it makes meanwhile; it is removed afterwards."""
    log: Path
    """File for the output of programs."""
    source: Path | None = None
    """File that names the list of the trainer's packages ; None: what is built cannot train."""
    updates: UpdateSource | None = None
    """Signed repository of newer versions; None: what is built looks for none."""
    repositories: PackageRepositories | None = None
    """Repositories of package managers; None: the packages of Linux bring none."""
