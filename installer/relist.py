"""Writes packages.json again after packages were signed: ``python -m installer.relist FOLDER``.

A signature changes a package, and so its size and digest; the list is what a coordinator's website and the signed
repository of releases take them from.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from core.errors import CoreError
from core.packages_manifest import BuiltPackage, PackagesManifest
from installer.commands import BuildError


def relist(folder: Path) -> list[str]:
    """Write the list in a ``folder`` of packages again, and return the names of the packages that have changed.

    Raises:
        PackagesError: The list is missing or malformed.
        BuildError: A package that it names is missing.
    """
    before = PackagesManifest.load(folder)
    after = before.model_copy(update={"files": tuple(_entry(folder, each) for each in before.files)})
    after.save(folder)
    return [new.file for old, new in zip(before.files, after.files, strict=True) if old != new]


def _entry(folder: Path, listed: BuiltPackage) -> BuiltPackage:
    try:
        return BuiltPackage.of(folder / listed.file, listed.kind, listed.machine, tried=listed.tried)
    except OSError as error:
        raise BuildError(
            f"{folder / listed.file} cannot be read: {error.strerror}.",
            "Put the signed package into the folder, by the name that it was built with.",
        ) from error


def options(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Return what the ``words`` of the command line ask for; None: those of this process.

    Raises:
        SystemExit: A word is wrong, or one is missing.
    """
    parser = argparse.ArgumentParser(description="Write packages.json again after packages were signed.")
    parser.add_argument("folder", type=Path, help="folder with packages.json and the packages")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> None:
    given = options(words)
    try:
        changed = relist(given.folder)
    except CoreError as error:
        sys.exit(f"{error.what}\n{error.remedy}")
    print(f"Changed: {', '.join(changed) or 'none'}")


if __name__ == "__main__":
    main()
