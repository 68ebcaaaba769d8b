"""The list of packages follows packages that a signature has changed."""

from pathlib import Path

import pytest

from core.errors import PackagesError
from core.packages_manifest import BuiltPackage, PackageKind, PackageMachine, PackagesManifest
from core.storage.files import sha256_of
from installer.commands import BuildError
from installer.relist import main, relist

DEB, SETUP = "idlebrush_1_amd64.deb", "idlebrush-1-windows-x86_64.exe"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in (DEB, SETUP):
        (tmp_path / name).write_text(name)
    files = (
        BuiltPackage.of(tmp_path / DEB, PackageKind.DEB, PackageMachine.X86_64, tried=True),
        BuiltPackage.of(tmp_path / SETUP, PackageKind.INSTALLER, PackageMachine.X86_64, tried=False),
    )
    PackagesManifest(version="1", commit="ab" * 20, files=files).save(tmp_path)
    return tmp_path


def test_what_was_signed_has_its_new_digest(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = PackagesManifest.load(folder)
    (folder / SETUP).write_text("signed")
    main([str(folder)])
    assert capsys.readouterr().out == f"Changed: {SETUP}\n"
    after = PackagesManifest.load(folder)
    assert after.files[0] == before.files[0]
    assert (after.files[1].sha256, after.files[1].size) == (sha256_of(folder / SETUP), 6)
    assert (after.version, after.commit, after.files[1].tried) == ("1", "ab" * 20, False)
    assert relist(folder) == []


def test_a_missing_package_and_a_missing_list_are_told(folder: Path) -> None:
    (folder / SETUP).unlink()
    with pytest.raises(BuildError, match="No such file"):
        relist(folder)
    (folder / "packages.json").unlink()
    with pytest.raises(PackagesError):
        relist(folder)
