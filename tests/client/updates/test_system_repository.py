"""A package manager's repository counts if its file names an address, and is not turned off."""

from pathlib import Path

import pytest

from client.installed import InstallChannel
from client.updates.system_repository import APT_SOURCE, DNF_SOURCE, has_repository

APT = "# Newer versions\nTypes: deb\nURIs: https://example.org/apt\nSuites: stable\nSigned-By:\n -----BEGIN\n .\n"
DNF = "[idlebrush]\nname=Idlebrush\nbaseurl=https://example.org/rpm\n"


def _laid(root: Path, place: Path, text: str) -> None:
    (root / place).parent.mkdir(parents=True, exist_ok=True)
    (root / place).write_text(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (APT, True),
        (f"{APT}Enabled: yes\n", True),
        (f"{APT}Enabled: no\n", False),
        (f"{APT}enabled: No\n", False),
        (f"Enabled: no\n{APT}\n{APT}", True),  # the second one is on
        (APT.replace("URIs:", "# URIs:"), False),
        (APT.replace("https://example.org/apt", ""), False),
        ("", False),
    ],
)
def test_apts_file_counts_where_it_is_on(tmp_path: Path, text: str, expected: bool) -> None:
    _laid(tmp_path, APT_SOURCE, text)
    assert has_repository(InstallChannel.DEB, tmp_path) is expected
    assert not has_repository(InstallChannel.RPM, tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (DNF, True),
        (f"{DNF}enabled=1\n", True),
        (f"{DNF}enabled = 0\n", False),
        (DNF.replace("baseurl", "#baseurl"), False),
        ("baseurl=https://example.org\n", False),  # of no section
        ("", False),
    ],
)
def test_dnfs_file_counts_where_it_is_on(tmp_path: Path, text: str, expected: bool) -> None:
    _laid(tmp_path, DNF_SOURCE, text)
    assert has_repository(InstallChannel.RPM, tmp_path) is expected
    assert not has_repository(InstallChannel.DEB, tmp_path)


def test_zypper_does_not_read_what_is_laid_for_dnf(tmp_path: Path) -> None:
    _laid(tmp_path, DNF_SOURCE, DNF)
    own = Path("etc/zypp/repos.d/idlebrush.repo")
    (tmp_path / own).parent.mkdir(parents=True)
    assert not has_repository(InstallChannel.RPM, tmp_path)
    _laid(tmp_path, own, DNF)
    assert has_repository(InstallChannel.RPM, tmp_path)


@pytest.mark.parametrize("channel", InstallChannel)
def test_no_file_and_one_that_cannot_be_read_are_no_repository(
    tmp_path: Path, channel: InstallChannel
) -> None:
    assert not has_repository(channel, tmp_path)
    for place in (APT_SOURCE, DNF_SOURCE):
        (tmp_path / place).parent.mkdir(parents=True)
        (tmp_path / place).write_bytes(b"URIs: https://example.org\xff\n")
    assert not has_repository(channel, tmp_path)
