"""Tells whether the system's package manager knows a repository that brings newer versions of Idlebrush.

A package lays a file that names the repository, if its build was given one. The user, or an upgrade of the system,
may have turned it off since, or removed it.
"""

import configparser
from collections.abc import Iterator
from email import message_from_string
from pathlib import Path

from client.installed import InstallChannel
from core.storage.files import read_bounded

APT_SOURCE = Path("etc/apt/sources.list.d/idlebrush.sources")
DNF_SOURCE = Path("etc/yum.repos.d/idlebrush.repo")
"""Files of the repository of apt and that of dnf, below the system's root."""
_ZYPP_SOURCE = Path("etc/zypp/repos.d/idlebrush.repo")
_LARGEST = 65_536
_OFF = {"no", "false", "without", "off", "disable", "0"}
"""Words by which apt and dnf know that a repository is turned off."""


def has_repository(channel: InstallChannel, root: Path = Path("/")) -> bool:
    """Return true if the package manager behind ``channel`` gets newer versions from a repository.

    Args:
        channel: Way by which Idlebrush was installed.
        root: Root folder of the system.
    """
    try:
        if channel is InstallChannel.DEB:
            return any(_apt_addresses(_text(root / APT_SOURCE)))
        if channel is InstallChannel.RPM:
            # zypper reads a folder of its own, so that what the package lays for dnf says nothing there.
            is_of_zypper = (root / _ZYPP_SOURCE).parent.is_dir()
            return any(_dnf_addresses(_text(root / (_ZYPP_SOURCE if is_of_zypper else DNF_SOURCE))))
    except (OSError, ValueError, configparser.Error):  # it is gone, or no package manager can read it either
        return False
    return False


def _text(file: Path) -> str:
    return read_bounded(file, _LARGEST).decode()


def _apt_addresses(text: str) -> Iterator[str]:
    """Yield the addresses in a file of apt whose stanzas are turned on (``man sources.list``, DEB822)."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    for stanza in "\n".join(lines).split("\n\n"):
        fields = message_from_string(stanza)
        if fields.get("Enabled", "yes").strip().lower() not in _OFF:
            yield from fields.get("URIs", "").split()


def _dnf_addresses(text: str) -> Iterator[str]:
    """Yield the addresses in a file of dnf or zypper whose sections are turned on (``man dnf.conf``)."""
    read = configparser.RawConfigParser(strict=False)
    read.read_string(text)
    for name in read.sections():
        if read.get(name, "enabled", fallback="1").strip().lower() not in _OFF:
            yield from read.get(name, "baseurl", fallback="").split()
