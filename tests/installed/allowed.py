"""Differences of a file system that are to be expected after packages came and went, each with its reason."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from client.uninstall import KEPT_NAMES
from client.updates.system_repository import APT_SOURCE
from tests.installed.file_system import AllowedDifference, DifferenceKind
from tests.installed.systems import USER

_CHANGED = frozenset({DifferenceKind.CHANGED})
_HOME = f"/home/{USER}"
DATA = f"{_HOME}/.local/share/idlebrush"
"""Folder of the data that Idlebrush keeps for the user."""

BY_PACKAGE_MANAGER = (
    AllowedDifference("/var/lib/dpkg/**", "dpkg's records of what is and was installed"),
    AllowedDifference("/var/lib/apt/**", "apt's records and lists"),
    AllowedDifference("/var/cache/apt/**", "apt's index of packages and its downloads"),
    AllowedDifference("/var/log/**", "logs of dpkg and apt"),
    AllowedDifference("/var/cache/debconf/**", "answers to questions of other packages"),
    AllowedDifference("/etc/ld.so.cache", "index of libraries, written again with each of them"),
    AllowedDifference("/var/cache/ldconfig/**", "the same index's own cache"),
    AllowedDifference("/var/cache/man/**", "index of manual pages, written again with each of them"),
    AllowedDifference("/usr/share/applications/mimeinfo.cache", "index of desktop entries"),
    AllowedDifference("/usr/share/mime/*/**", "index of file types", _CHANGED),
)
"""What the system's package manager and its triggers leave behind after any package."""

BY_TRIAL = (
    AllowedDifference(f"{_HOME}/Downloads/**", "the packages that were downloaded"),
    AllowedDifference(
        f"{_HOME}/pictures/**", "pictures that the user asked for, in a folder of their choice"
    ),
)
"""What belongs to the user."""


def _kept_data() -> Iterator[AllowedDifference]:
    """Yield what uninstalling keeps, by its own list, and the folders below the home that hold it."""
    home, kept = PurePosixPath(_HOME), [PurePosixPath(DATA, name) for name in KEPT_NAMES]
    for place in kept:
        yield AllowedDifference(f"{place}/**", "identities, contribution and pictures")
    for folder in {above for place in kept for above in place.parents if home in above.parents}:
        yield AllowedDifference(str(folder), "folder of what is kept")


REMOVED_PACKAGE = (
    AllowedDifference(
        f"/{APT_SOURCE}", "address of newer versions, which apt keeps until the package is purged"
    ),
)
"""What a .deb leaves that is removed and not purged, if its build was given repositories."""

KEPT_DATA = tuple(_kept_data())
"""What uninstalling keeps unless the user says otherwise."""

BY_RPM = (
    AllowedDifference("/var/lib/rpm/**", "rpm's database"),
    AllowedDifference("/root/.rpmdb/**", "the database that Debian's rpm keeps for its user"),
    AllowedDifference("/opt", "folder that every system has", _CHANGED),
    AllowedDifference("/etc/yum.repos.d", "folder that Fedora's own packages have"),
    AllowedDifference("/etc/pki", "folder that Fedora's own packages have"),
    AllowedDifference("/etc/pki/rpm-gpg", "folder that Fedora's own packages have"),
    AllowedDifference("/usr/share/icons", "folder that Fedora's own packages have"),
    AllowedDifference("/usr/share/metainfo", "folder that Fedora's own packages have"),
)
"""What rpm leaves behind after any package."""

EMPTIED = (
    AllowedDifference(f"{_HOME}/.local", "folder of the user's programs and data"),
    AllowedDifference(f"{_HOME}/.local/share", "folder of the user's data"),
    AllowedDifference(f"{_HOME}/.local/share/mime", "folder of update-mime-database, which leaves it empty"),
    AllowedDifference(f"{_HOME}/.local/share/mime/application", "the same"),
    AllowedDifference(f"{_HOME}/.cache", "folder of caches"),
    AllowedDifference(
        f"{_HOME}/.cache/fontconfig/**", "index of fonts, which any program with windows makes"
    ),
)
"""What may be left in a home beside that: folders and indexes of other programs."""
