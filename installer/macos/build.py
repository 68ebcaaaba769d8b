"""Builds the bundle for macOS, for `installer.build`, on another system. Not tried: nothing here runs macOS.

It is packed as it is; `sign.sh` signs it on a Mac, and `installer.relist` enters what was signed.
"""

import tarfile
from dataclasses import dataclass
from pathlib import Path

from core.packages_manifest import BuiltPackage, PackageKind, PackageMachine
from installer.archive import write_listing, write_zip
from installer.commands import BuildError, require_digest
from installer.left_out import QT_KEPT_ON_MACOS
from installer.macos.bundle import OLDEST, lay_bundle
from installer.release import BuildJob
from installer.tree import VERSION, Tree, settle

MACHINE = PackageMachine.ARM64
"""Processor of the Macs that bundles are for: cryptography has no wheels for Intel's any more."""


@dataclass(frozen=True)
class MacPython:
    """A relocatable Python for macOS: an archive of the folder ``python``, with ``bin`` and ``lib`` in it."""

    archive: Path
    sha256: str
    """Digest that the archive must have."""


class MacTree(Tree):
    """The tree of macOS, laid on another system: nothing of it can be run while it is made."""

    def lay(self, python: MacPython, lock: Path) -> None:
        """Lay all of it.

        Args:
            python: Interpreter.
            lock: List of the light packages.

        Raises:
            BuildError: Python or a package cannot be had, or has another digest.
        """
        require_digest(python.archive, python.sha256)
        try:
            self.lay_python(python.archive)
        except (OSError, tarfile.TarError) as error:
            raise BuildError(
                f"{python.archive} cannot be unpacked: {error}", "Name a tar archive."
            ) from error
        if not (self.python.exists() and self.site.is_dir()):
            raise BuildError(
                f"{python.archive} has no python/bin/python3 of version {VERSION}.",
                f"Name an archive of a relocatable Python {VERSION} for macOS.",
            )
        self.install_wheels(lock, f"macosx_{OLDEST.replace('.', '_')}_{MACHINE}", QT_KEPT_ON_MACOS)
        self.lay_code()
        self.lay_launcher()
        self.compile_here()


def build_macos(job: BuildJob, python: MacPython, lock: Path) -> list[BuiltPackage]:
    """Build the bundle, list what is in it, and return its entry.

    Args:
        job: What is built, and where.
        python: Python for macOS.
        lock: List of the light packages.

    Raises:
        BuildError: Python or a package is missing, or has another digest.
    """
    tree = MacTree(job.work / "tree", job.release, job.log)
    tree.folder.mkdir(parents=True)
    tree.lay(python, lock)
    tree.name_source(job.source)
    tree.name_updates(job.updates)
    bundle = lay_bundle(tree.folder, job.work, job.release)
    settle(bundle, job.release.epoch)
    write_listing(bundle, job.output / f"contents-macos-{MACHINE}.txt")
    file = job.output / f"idlebrush-{job.release.version}-macos-{MACHINE}.zip"
    write_zip(bundle, file, job.release.epoch)
    return [BuiltPackage.of(file, PackageKind.BUNDLE, MACHINE, tried=False)]
