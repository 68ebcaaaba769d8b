"""Differences of a file system that are to be expected after packages came and went, each with its reason."""

from tests.installed.file_system import AllowedDifference, DifferenceKind
from tests.installed.systems import USER

_CHANGED = frozenset({DifferenceKind.CHANGED})
_HOME = f"/home/{USER}"

BY_PACKAGE_MANAGER = (
    AllowedDifference("/var/lib/dpkg*", "dpkg's records of what is and was installed"),
    AllowedDifference("/var/lib/apt*", "apt's records and lists"),
    AllowedDifference("/var/cache/apt*", "apt's index of packages and its downloads"),
    AllowedDifference("/var/log*", "logs of dpkg and apt"),
    AllowedDifference("/var/cache/debconf*", "answers to questions of other packages"),
    AllowedDifference("/etc/ld.so.cache", "index of libraries, written again with each of them"),
    AllowedDifference("/var/cache/ldconfig*", "the same index's own cache"),
    AllowedDifference("/var/cache/man*", "index of manual pages, written again with each of them"),
    AllowedDifference("/usr/share/applications/mimeinfo.cache", "index of desktop entries"),
    AllowedDifference("/usr/share/mime/*", "index of file types", _CHANGED),
)
"""What the system's package manager and its triggers leave behind after any package."""

BY_TRIAL = (
    AllowedDifference(f"{_HOME}/Downloads*", "the packages that were downloaded"),
    AllowedDifference(f"{_HOME}/pictures*", "pictures that the user asked for, in a folder of their choice"),
)
"""What belongs to the user."""

KEPT_DATA = (
    AllowedDifference(f"{_HOME}/.local", "folder of the user's data", _CHANGED),
    AllowedDifference(f"{_HOME}/.local/share/idlebrush*", "identity, contribution and pictures"),
    AllowedDifference(f"{_HOME}/.config/idlebrush*", "preferences"),
)
"""What is kept until the user says otherwise."""

BY_RPM = (
    AllowedDifference("/var/lib/rpm*", "rpm's database"),
    AllowedDifference("/root/.rpmdb*", "the database that Debian's rpm keeps for its user"),
    AllowedDifference("/opt", "folder that every system has", _CHANGED),
    AllowedDifference("/usr/share/icons", "folder that Fedora's own packages have"),
    AllowedDifference("/usr/share/metainfo", "folder that Fedora's own packages have"),
    AllowedDifference(f"{_HOME}/.config", "folder of the user's settings"),
    AllowedDifference(f"{_HOME}/.local*", "folders of the user's data and logs"),
)
"""What rpm leaves behind after any package."""

EMPTIED = (
    AllowedDifference(f"{_HOME}/.local", "folder of the user's programs and data"),
    AllowedDifference(f"{_HOME}/.local/share", "folder of the user's data"),
    AllowedDifference(f"{_HOME}/.local/share/mime", "folder of update-mime-database, which leaves it empty"),
    AllowedDifference(f"{_HOME}/.local/share/mime/application", "the same"),
    AllowedDifference(f"{_HOME}/.cache", "folder of caches"),
    AllowedDifference(f"{_HOME}/.cache/fontconfig*", "index of fonts, which any program with windows makes"),
)
"""What an installation for one user leaves beside that: folders and indexes of other programs."""
