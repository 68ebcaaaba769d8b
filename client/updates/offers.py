"""Describes newer versions: the signed description of a package, and the offer that is made of it.

The daemon loads this module, so it imports nothing of TUF.
"""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from client.api.errors import UpdateError
from client.installed import InstallChannel
from core.messages.lines import Message
from core.run.least_version import LEAST_VERSION, release_numbers
from core.run.validation import in_words
from core.storage.files import Sha256, read_bounded

SOURCE_FILE, ROOT_FILE = "updates.toml", "updates-root.json"
"""Files beside ``installation.toml``: the address of the signed repository, and the first trusted metadata."""
ADDRESS = re.compile(r"^https?://[^\s]+$")
"""Form of a repository's address."""
LARGEST_PACKAGE = 2**32
"""Bytes of a package; a larger one is none of ours."""
LONGEST_NOTES, MOST_LANGUAGES = 2_000, 8
"""Characters of the text of what is new, in one language; and languages. All of them fit one line of a task."""
_LARGEST_FILE = 512_000

VersionNumber = Annotated[str, StringConstraints(pattern=LEAST_VERSION)]


class PackageDetails(BaseModel):
    """Signed description of a package beside its size and digest (``custom`` of a TUF target).

    Later versions may add fields, so unknown ones are ignored.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    version: VersionNumber
    channel: InstallChannel = Field(strict=False)
    commit: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
    """Commit of the source that the package was built from."""
    least_version: VersionNumber = "0"
    """Oldest version that this one can replace by itself; an older one is updated by hand."""
    notes: Annotated[str, Field(max_length=255)] = ""
    """Name of the target with the text of what is new; empty: there is none."""


class UpdateOffer(Message):
    """A newer version for this installation, as the signed metadata describes it."""

    version: VersionNumber
    channel: InstallChannel
    commit: str
    address: str
    """URL of the package."""
    size: Annotated[int, Field(gt=0, le=LARGEST_PACKAGE)]
    """Size of the package in bytes."""
    sha256: Sha256
    is_by_hand: bool = False
    """True if this installation cannot install it by itself: it is too old for that."""
    notes: dict[str, Annotated[str, Field(max_length=LONGEST_NOTES)]] = Field(
        default_factory=dict, max_length=MOST_LANGUAGES
    )
    """Text of what is new, by language such as ``en`` or ``zh_CN``."""

    @property
    def file(self) -> str:
        """Name of the package's file while it is here; Windows starts programs by the end of their names."""
        return f"idlebrush-{self.version}.{'exe' if self.channel is InstallChannel.NSIS else 'package'}"


@dataclass(frozen=True)
class UpdateSource:
    """A signed repository of packages, and what is trusted of it before anything was fetched."""

    address: str
    """URL of the folder that holds ``metadata`` and ``targets``."""
    root: bytes
    """Root metadata that came with this installation."""

    @property
    def metadata(self) -> str:
        """URL of the folder with the metadata."""
        return f"{self.address.rstrip('/')}/metadata/"

    @property
    def targets(self) -> str:
        """URL of the folder with the packages."""
        return f"{self.address.rstrip('/')}/targets/"

    @classmethod
    def of(cls, tree: Path) -> Self | None:
        """Return the source that came with the installation in ``tree``; None: it came with none.

        Raises:
            UpdateError: Its files cannot be read.
        """
        file = tree / SOURCE_FILE
        if not file.exists():
            return None
        remedy = "Install Idlebrush again."
        try:
            found = _SourceFile.model_validate(tomllib.loads(read_bounded(file, _LARGEST_FILE).decode()))
            return cls(found.address, read_bounded(tree / ROOT_FILE, _LARGEST_FILE))
        except ValidationError as error:
            raise UpdateError(f"{file} cannot be used: {in_words(error)}.", remedy) from error
        except OSError as error:
            raise UpdateError(
                f"{error.filename or file} cannot be read: {error.strerror or error}.", remedy
            ) from error
        except ValueError as error:  # of TOML, of UTF-8, or too long
            raise UpdateError(f"{file} cannot be used: {error}.", remedy) from error


class _SourceFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    address: Annotated[str, StringConstraints(pattern=ADDRESS, max_length=500)]


def target_name(system: str, machine: str, channel: InstallChannel) -> str:
    """Return the name under which metadata lists the newest package of its kind, the same for all versions.

    Args:
        system: Such as ``linux``.
        machine: Such as ``x86_64``.
        channel: Kind of package.
    """
    return f"{system}/{machine}/{channel}"


def is_newer(version: str, than: str) -> bool:
    """Return true if a version is newer; a pre-release counts as its release."""
    return release_numbers(version) > release_numbers(than)


def can_replace(details: PackageDetails, version: str) -> bool:
    """Return true if the package can replace an installation of that version by itself."""
    return release_numbers(version) >= release_numbers(details.least_version)
