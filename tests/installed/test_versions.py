"""Later versions of a package tell their own number, and those that are to fail do."""

import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from tests.client.updates.installed_trees import tiny_tree
from tests.installed.next_version import TriedPackages, version_of, with_successors
from tests.installed.published_versions import MadeVersion, VersionSeries, series_of
from tests.installed.systems import TrialError

_CONTROL = (
    "Package: idlebrush\nVersion: 0.1.0-1\nArchitecture: all\nMaintainer: a <a@b>\nDescription: small\n"
)
_INSTALLATION = "installation.toml"

pytestmark = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="needs dpkg-deb")


def _lay(tree: Path) -> None:
    tiny_tree(tree, "0.1.0")
    about = tree / "code" / "idlebrush-0.1.0.dist-info"
    compiled = tree / "code" / "client" / "__pycache__" / "daemon.cpython-311.pyc"
    python = tree / "python" / "bin" / "python3.11"
    for folder in (about, compiled.parent, python.parent):
        folder.mkdir(parents=True)
    (about / "METADATA").write_text("Name: idlebrush\nVersion: 0.1.0\n")
    (tree / "code" / "client" / "daemon.py").write_text("works = True\n")
    compiled.write_text("")
    python.write_text("a program")
    python.with_name("python3").symlink_to("python3.11")


@pytest.fixture
def packages(tmp_path: Path) -> TriedPackages:
    root = tmp_path / "root"
    _lay(root / "opt" / "idlebrush")
    (root / "DEBIAN").mkdir()
    (root / "DEBIAN" / "control").write_text(_CONTROL)
    (root / "DEBIAN" / "preinst").write_text("#!/bin/sh\n")
    (root / "DEBIAN" / "preinst").chmod(0o755)
    package = tmp_path / "idlebrush.deb"
    subprocess.run(["dpkg-deb", "--build", root, package], check=True, capture_output=True)
    return with_successors(package, tmp_path, tmp_path / "log")


@pytest.fixture
def series(tmp_path: Path) -> VersionSeries:
    _lay(tmp_path / "idlebrush-0.1.0" / "tree")
    tarball = tmp_path / "idlebrush.tar.xz"
    with tarfile.open(tarball, "w:xz") as archive:
        archive.add(tmp_path / "idlebrush-0.1.0", "idlebrush-0.1.0")
    folder = tmp_path / "made"
    folder.mkdir()
    return series_of(tarball, folder, "a list", "http://10.0.0.1", tmp_path / "log")


def test_later_packages_follow_each_other(packages: TriedPackages, tmp_path: Path) -> None:
    found = [
        version_of(each) for each in (packages.package, packages.later, packages.refusing, packages.silent)
    ]
    assert found == ["0.1.0-1", "0.1.1-1", "0.1.2-1", "0.1.3-1"]
    for package, version, daemon in (
        (packages.later, "0.1.1", "works = True\n"),
        (packages.silent, "0.1.3", "raise ImportError('this version lacks something')\n"),
    ):
        folder = tmp_path / version
        subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
        tree = folder / "opt" / "idlebrush"
        assert f'"{version}"' in (tree / _INSTALLATION).read_text()
        assert (tree / "code" / "client" / "daemon.py").read_text() == daemon
        assert (tree / "code" / f"idlebrush-{version}.dist-info").is_dir()
    assert not list(tree.rglob("*.pyc")), "what was compiled is read instead of the file"


def test_only_the_refusing_package_refuses(packages: TriedPackages, tmp_path: Path) -> None:
    for package, status in ((packages.later, 0), (packages.refusing, 1), (packages.silent, 0)):
        folder = tmp_path / f"control of {package.stem}"
        subprocess.run(["dpkg-deb", "--control", package, folder], check=True)
        assert subprocess.run([folder / "preinst"], check=False, capture_output=True).returncode == status


def test_archives_follow_each_other_and_one_lacks_its_python(series: VersionSeries, tmp_path: Path) -> None:
    made = (series.first, series.later, series.without_python, series.silent)
    assert [each.version for each in made] == ["0.1.0", "0.1.1", "0.1.2", "0.1.3"]
    trees = [_unpacked(each, tmp_path / each.version) for each in made]
    pythons = [(tree / "python" / "bin" / "python3").read_text() for tree in trees]
    assert pythons == ["a program", "a program", "this is no program\n", "a program"]
    daemons = [(tree / "code" / "client" / "daemon.py").read_text() for tree in trees]
    assert len(set(daemons[:3])) == 1
    assert daemons[3].startswith("raise ImportError")
    assert {(tree / "environment.toml").read_text() for tree in trees} == {"a list"}


def test_what_is_published_is_offered(series: VersionSeries) -> None:
    series.publish(series.later)
    targets = (series.releases.folder / "targets").rglob("*.tarball")
    assert [file.read_bytes() for file in targets] == [series.later.archive.read_bytes()]


def test_another_archive_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "other.tar"
    with tarfile.open(archive, "w"):
        pass
    folder = tmp_path / "made"
    folder.mkdir()
    with pytest.raises(TrialError, match="is no archive of Idlebrush"):
        series_of(archive, folder, "", "http://10.0.0.1", tmp_path / "log")


def _unpacked(made: MadeVersion, folder: Path) -> Path:
    with tarfile.open(made.archive) as archive:
        archive.extractall(folder, filter="data")
    (described,) = folder.glob(f"*/tree/{_INSTALLATION}")
    assert f'"{made.version}"' in described.read_text()
    return described.parent
