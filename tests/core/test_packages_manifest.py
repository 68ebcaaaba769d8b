"""The list of built packages: what is written is read again, and each fault is named."""

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import PackagesError
from core.packages_manifest import (
    FILE_NAME,
    MAX_BYTES,
    BuiltPackage,
    PackageKind,
    PackageMachine,
    PackagesManifest,
    PackageSystem,
)

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def _listed(folder: Path) -> PackagesManifest:
    (folder / "idlebrush_0.1.0_amd64.deb").write_bytes(b"a package")
    file = folder / "idlebrush_0.1.0_amd64.deb"
    package = BuiltPackage.of(file, PackageKind.DEB, PackageMachine.X86_64, tried=True)
    return PackagesManifest(version="0.1.0", commit=COMMIT, files=(package,))


def test_a_list_that_was_written_is_read_again(tmp_path: Path) -> None:
    listed = _listed(tmp_path)
    listed.save(tmp_path)
    assert PackagesManifest.load(tmp_path) == listed


def test_an_entry_has_the_size_and_the_digest_of_its_file(tmp_path: Path) -> None:
    package = _listed(tmp_path).files[0]
    assert package.size == len(b"a package")
    # printf 'a package' | sha256sum
    assert package.sha256 == "c0cd5ccfdb563a59366e33e73001b78fdb8cca5a6c48e2f90fffcde44b81f1f6"
    assert package.system is PackageSystem.LINUX


@pytest.mark.parametrize(
    ("kind", "system"),
    [
        (PackageKind.DEB, PackageSystem.LINUX),
        (PackageKind.RPM, PackageSystem.LINUX),
        (PackageKind.TARBALL, PackageSystem.LINUX),
        (PackageKind.INSTALLER, PackageSystem.WINDOWS),
        (PackageKind.DISTRIBUTION, PackageSystem.WINDOWS),
        (PackageKind.BUNDLE, PackageSystem.MACOS),
    ],
)
def test_each_kind_belongs_to_one_system(kind: PackageKind, system: PackageSystem) -> None:
    assert kind.system is system


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"file": "../secret"}, "file"),
        ({"file": ".hidden"}, "file"),
        ({"file": "folder/file.deb"}, "file"),
        ({"size": 0}, "size"),
        ({"size": "7"}, "size"),
        ({"sha256": "0" * 63}, "sha256"),
        ({"system": "windows"}, "a package of kind deb is for linux, not for windows"),
        ({"system": "beos"}, "system"),
        ({"machine": "m68k"}, "machine"),
        ({"tried": None}, "tried"),
        ({"signed": True}, "signed is not a known field"),
    ],
)
def test_a_malformed_entry_is_refused_and_named(tmp_path: Path, change: dict[str, Any], fault: str) -> None:
    _listed(tmp_path).save(tmp_path)
    table = json.loads((tmp_path / FILE_NAME).read_text())
    table["files"][0] |= change
    (tmp_path / FILE_NAME).write_text(json.dumps(table))
    with pytest.raises(PackagesError) as raised:
        PackagesManifest.load(tmp_path)
    assert fault in raised.value.what
    assert str(tmp_path / FILE_NAME) in raised.value.what
    assert "make packages" in raised.value.remedy


def test_a_file_that_is_listed_twice_is_refused(tmp_path: Path) -> None:
    listed = _listed(tmp_path)
    table = listed.model_dump(mode="json")
    table["files"] *= 2
    (tmp_path / FILE_NAME).write_text(json.dumps(table))
    with pytest.raises(PackagesError, match=r"idlebrush_0\.1\.0_amd64\.deb is listed twice"):
        PackagesManifest.load(tmp_path)


@pytest.mark.parametrize("content", [None, b"", b"{", b"\xff\xfe", b" " * (MAX_BYTES + 1)])
def test_a_list_that_is_missing_or_no_json_is_refused(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / FILE_NAME).write_bytes(content)
    with pytest.raises(PackagesError) as raised:
        PackagesManifest.load(tmp_path)
    assert FILE_NAME in raised.value.what
