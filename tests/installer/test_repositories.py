"""The .deb and the .rpm bring the repositories of their package managers, as configuration of the user's."""

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from client.installed import InstallChannel
from client.updates.system_repository import APT_SOURCE, has_repository
from installer.commands import BuildError
from installer.linux.packages import LinuxPackages
from installer.linux.repositories import PackageRepositories
from installer.release import Release
from installer.tree import Tree
from tests.installer.test_packages import RELEASE, needs_nfpm

ARMOUR = "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nabcd\n=ef\n-----END PGP PUBLIC KEY BLOCK-----"
REPOSITORIES = PackageRepositories("https://example.org/packages", ARMOUR)


def small_packages(
    folder: Path, release: Release = RELEASE, repositories: PackageRepositories | None = REPOSITORIES
) -> LinuxPackages:
    """Return packages of a tree that has a launcher alone, to be made in ``folder``."""
    tree = Tree(folder / "idlebrush", release, folder / "log")
    tree.folder.mkdir(parents=True)
    tree.lay_launcher()
    output = folder / "packages"
    output.mkdir()
    return LinuxPackages(tree, folder, output, repositories=repositories)


@pytest.mark.parametrize("channel", [InstallChannel.DEB, InstallChannel.RPM])
def test_the_client_finds_what_is_laid(tmp_path: Path, channel: InstallChannel) -> None:
    entries = REPOSITORIES.lay(channel, tmp_path)
    assert has_repository(channel, tmp_path)
    assert entries[0]["type"] == "config|noreplace"
    assert {entry["dst"] for entry in entries} == {
        f"/{file.relative_to(tmp_path)}" for file in tmp_path.rglob("*") if file.is_file()
    }


@needs_nfpm
def test_the_deb_has_it_as_configuration(tmp_path: Path) -> None:
    package = small_packages(tmp_path).deb()
    subprocess.run(["dpkg-deb", "--raw-extract", package, tmp_path / "unpacked"], check=True)
    assert (tmp_path / "unpacked/DEBIAN/conffiles").read_text().split() == [f"/{APT_SOURCE}"]
    assert (tmp_path / "unpacked" / APT_SOURCE).read_text() == REPOSITORIES.apt_source()
    assert (tmp_path / "unpacked" / APT_SOURCE).stat().st_mode & 0o777 == 0o644


@needs_nfpm
def test_the_rpm_has_the_repository_and_its_key(tmp_path: Path) -> None:
    names = small_packages(tmp_path).rpm().read_bytes()  # those of files are not compressed
    for name in (b"/etc/yum.repos.d/", b"idlebrush.repo", b"/etc/pki/rpm-gpg/", b"RPM-GPG-KEY-idlebrush"):
        assert name + b"\0" in names


@needs_nfpm
def test_without_one_the_packages_bring_none(tmp_path: Path) -> None:
    package = small_packages(tmp_path, repositories=None).deb()
    subprocess.run(["dpkg-deb", "--raw-extract", package, tmp_path / "unpacked"], check=True)
    assert not (tmp_path / "unpacked/etc").exists()


def test_dnf_asks_for_a_signed_index() -> None:
    text = replace(REPOSITORIES, address="https://example.org").dnf_source()
    assert "baseurl=https://example.org/rpm\n" in text
    assert "\nrepo_gpgcheck=1\n" in text
    assert "\ngpgkey=file:///etc/pki/rpm-gpg/RPM-GPG-KEY-idlebrush\n" in text


def test_a_key_is_taken_as_gpg_writes_it(tmp_path: Path) -> None:
    key = tmp_path / "idlebrush.asc"
    key.write_text(f"{ARMOUR}\n")
    assert PackageRepositories.of("https://example.org/packages/", key) == REPOSITORIES


@pytest.mark.parametrize(
    ("address", "text", "words"),
    [
        ("example.org", ARMOUR, "no address"),
        ("https://example.org/a b", ARMOUR, "no address"),
        ("https://example.org", "-----BEGIN PGP PRIVATE KEY BLOCK-----", "no public key"),
        ("https://example.org", ARMOUR[:-10], "no public key"),
        ("https://example.org", None, "no public key"),
    ],
)
def test_what_package_managers_could_not_use_is_refused(
    tmp_path: Path, address: str, text: str | None, words: str
) -> None:
    key = tmp_path / "key"
    if text is not None:
        key.write_text(text)
    with pytest.raises(BuildError, match=words):
        PackageRepositories.of(address, key)
