"""Offered packages: damaged folders are refused in words, and nothing but listed files is given."""

import hashlib
import shlex
import subprocess
from pathlib import Path

import pytest

from coordinator.packages.folder import PackageFolder
from coordinator.packages.visitor import UNKNOWN, VisitorSystem, visitor_system
from coordinator.settings import PackageSettings
from core.errors import PackagesError
from core.packages_manifest import FILE_NAME, BuiltPackage, PackageKind, PackageMachine, PackageSystem
from tests.coordinator.packages.built import BUNDLE, DEB, INSTALLER, KINDS, RPM, TARBALL, build


def test_a_folder_is_found_relative_to_the_coordinators_own(tmp_path: Path) -> None:
    listed = build(tmp_path / "packages")
    for folder in ("packages", str(tmp_path / "packages")):
        found = PackageFolder.of(PackageSettings(folder=folder), tmp_path)
        assert found is not None
        assert found.listed == listed
        found.verify()
    assert PackageFolder.of(PackageSettings(), tmp_path) is None


def test_what_idlebrush_fetches_itself_is_offered_to_nobody(tmp_path: Path) -> None:
    name = "idlebrush-0.1.0-wsl-x86_64.tar.gz"
    listed = build(tmp_path)
    (tmp_path / name).write_bytes(b"a system")
    system = BuiltPackage.of(tmp_path / name, PackageKind.DISTRIBUTION, PackageMachine.X86_64, tried=False)
    listed.model_copy(update={"files": (*listed.files, system)}).save(tmp_path)
    folder = PackageFolder(tmp_path)
    for visitor in (UNKNOWN, VisitorSystem(PackageSystem.WINDOWS, PackageMachine.X86_64)):
        offers = [offer.package.file for part in folder.for_visitor(visitor) for offer in part]
        assert sorted(offers) == sorted(KINDS)
    assert folder.file(name) is not None


@pytest.mark.parametrize("damage", ["removed", "shorter", "a folder", "a link elsewhere", "no list"])
def test_a_folder_that_lacks_a_listed_file_is_refused(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "packages"
    build(folder)
    file = folder / DEB
    content = file.read_bytes()
    match damage:
        case "removed":
            file.unlink()
        case "shorter":
            file.write_bytes(content[:-1])
        case "a folder":
            file.unlink()
            file.mkdir()
        case "a link elsewhere":
            file.rename(tmp_path / "elsewhere")
            file.symlink_to(tmp_path / "elsewhere")
        case "no list":
            file = folder / FILE_NAME
            file.unlink()
    with pytest.raises(PackagesError) as refused:
        PackageFolder(folder)
    assert str(file) in refused.value.what
    assert "make packages" in refused.value.remedy


def test_a_file_of_another_content_is_found_by_its_digest(tmp_path: Path) -> None:
    build(tmp_path)
    content = (tmp_path / RPM).read_bytes()
    (tmp_path / RPM).write_bytes(content[:-1] + b"?")
    offered = PackageFolder(tmp_path)
    with pytest.raises(PackagesError, match="differs from its listed digest") as refused:
        offered.verify()
    assert str(tmp_path / RPM) in refused.value.what


def test_a_file_that_vanishes_before_it_is_verified_is_named(tmp_path: Path) -> None:
    build(tmp_path)
    offered = PackageFolder(tmp_path)
    (tmp_path / RPM).unlink()
    with pytest.raises(PackagesError, match="cannot be read: No such file") as refused:
        offered.verify()
    assert str(tmp_path / RPM) in refused.value.what


@pytest.mark.parametrize(
    "name", ["", ".", "..", FILE_NAME, "../secret", "/etc/passwd", "other.deb", f"./{DEB}"]
)
def test_nothing_but_listed_files_is_given(tmp_path: Path, name: str) -> None:
    build(tmp_path / "packages")
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "packages" / "other.deb").write_text("not listed")
    assert PackageFolder(tmp_path / "packages").file(name) is None


def test_a_file_that_is_being_replaced_is_not_given(tmp_path: Path) -> None:
    build(tmp_path)
    offered = PackageFolder(tmp_path)
    found = offered.file(DEB)
    assert found is not None
    assert found[0] == tmp_path / DEB
    (tmp_path / DEB).write_bytes(b"half of a newer one")
    assert offered.file(DEB) is None


def test_another_site_may_serve_the_files_of_a_list(tmp_path: Path) -> None:
    listed = build(tmp_path)
    for name in KINDS:
        (tmp_path / name).unlink()
    offered = PackageFolder(tmp_path, "https://mirror.example.org/idlebrush/")
    offered.verify()
    _, others = offered.for_visitor(UNKNOWN)
    assert [item.address for item in others] == [
        f"https://mirror.example.org/idlebrush/{package.file}" for package in listed.files
    ]
    assert offered.file(DEB) is None


def test_each_package_has_a_way_to_install_it(tmp_path: Path) -> None:
    build(tmp_path)
    fitting, others = PackageFolder(tmp_path).for_visitor(UNKNOWN)
    assert fitting == []
    assert [item.package.file for item in others] == list(KINDS)
    assert all(item.install or item.opening for item in others)
    assert {item.package.file for item in others if item.install is None} == {INSTALLER, BUNDLE}
    commands = {item.package.file: item.install for item in others}
    assert commands[DEB] == f"sudo apt install ./{DEB}"


def test_the_command_that_checks_a_file_tells_a_whole_one_from_a_damaged_one(tmp_path: Path) -> None:
    build(tmp_path)
    agent = "Mozilla/5.0 (X11; Linux x86_64)"
    fitting, _ = PackageFolder(tmp_path).for_visitor(visitor_system(agent))
    item = next(item for item in fitting if item.package.file == TARBALL)
    assert hashlib.sha256((tmp_path / TARBALL).read_bytes()).hexdigest() in shlex.split(item.verify)[1]
    check = ["sh", "-c", item.verify]
    assert subprocess.run(check, cwd=tmp_path, check=False, capture_output=True).returncode == 0
    (tmp_path / TARBALL).write_bytes(b"damaged")
    assert subprocess.run(check, cwd=tmp_path, check=False, capture_output=True).returncode != 0
