"""The list of the packages that were built from one commit, with sizes and digests: packages.json beside them.

The build writes it; a coordinator's website reads it, to offer each visitor the file for their system.
"""

from collections import Counter
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from core.errors import PackagesError
from core.run.validation import in_words
from core.storage.files import Sha256, read_bounded, sha256_of, write_atomically

FILE_NAME = "packages.json"
"""Name of the list in the folder of the packages."""
MAX_BYTES = 1 << 16
_MOST_PACKAGES = 64


class PackageSystem(StrEnum):
    """An operating system that packages are made for."""

    LINUX = "linux"
    WINDOWS = "windows"
    MACOS = "macos"


class PackageMachine(StrEnum):
    """A processor architecture that packages are made for."""

    X86_64 = "x86_64"
    ARM64 = "arm64"


class PackageKind(StrEnum):
    """A form of package; each belongs to one system."""

    DEB = "deb"
    RPM = "rpm"
    TARBALL = "tarball"
    """Archive with a program that installs it for one user, without root."""
    INSTALLER = "installer"
    """Program that installs for one user of Windows."""
    BUNDLE = "bundle"
    """Application folder of macOS, packed."""
    DISTRIBUTION = "distribution"
    """Linux in which trainers live on Windows; Idlebrush fetches it, and users do not install it by hand."""

    @property
    def system(self) -> PackageSystem:
        """System that the kind belongs to."""
        return _SYSTEMS.get(self, PackageSystem.LINUX)


_SYSTEMS = {
    PackageKind.INSTALLER: PackageSystem.WINDOWS,
    PackageKind.DISTRIBUTION: PackageSystem.WINDOWS,
    PackageKind.BUNDLE: PackageSystem.MACOS,
}


class _ListPart(BaseModel):
    """Base of the list's parts: nothing unknown, nothing converted."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class BuiltPackage(_ListPart):
    """One package file."""

    file: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._+~-]*$", max_length=120)]
    """Name of the file beside the list; no path."""
    system: PackageSystem
    machine: PackageMachine
    kind: PackageKind
    size: Annotated[int, Field(gt=0, le=2**32)]
    """Size in bytes."""
    sha256: Sha256
    tried: bool
    """True if the package was installed and run on a system that it is for."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.kind.system is not self.system:
            raise ValueError(
                f"a package of kind {self.kind} is for {self.kind.system}, not for {self.system}"
            )
        return self

    @classmethod
    def of(cls, file: Path, kind: PackageKind, machine: PackageMachine, *, tried: bool) -> Self:
        """Return the entry of a file.

        Args:
            file: The package; it is read for its size and digest.
            kind: Its kind, which states the system.
            machine: The processor that it is for.
            tried: True if it was installed and run on a system that it is for.
        """
        return cls(
            file=file.name,
            system=kind.system,
            machine=machine,
            kind=kind,
            size=file.stat().st_size,
            sha256=sha256_of(file),
            tried=tried,
        )


class PackagesManifest(_ListPart):
    """All packages of one version."""

    version: Annotated[str, StringConstraints(pattern=r"^[0-9][0-9A-Za-z.+~-]*$", max_length=60)]
    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
    """Hash of the commit that the packages were built from."""
    files: Annotated[tuple[BuiltPackage, ...], Field(max_length=_MOST_PACKAGES)]

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        if twice := [name for name, count in Counter(item.file for item in self.files).items() if count > 1]:
            raise ValueError(f"{twice[0]} is listed twice")
        return self

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read the list in a ``folder`` of packages; the packages themselves are not looked at.

        Raises:
            PackagesError: the list is missing or malformed; the error names the file and the field.
        """
        file = folder / FILE_NAME
        remedy = "Build the packages with `make packages`, or copy its whole folder again."
        try:
            return cls.model_validate_json(read_bounded(file, MAX_BYTES))
        except ValidationError as error:
            raise PackagesError(f"{file} is not a list of packages: {in_words(error)}.", remedy) from error
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise PackagesError(f"{file} cannot be read: {reason}.", remedy) from error

    def save(self, folder: Path) -> None:
        """Write the list into the ``folder`` of the packages; the same list gives the same bytes."""
        write_atomically(folder / FILE_NAME, (self.model_dump_json(indent=2) + "\n").encode())
