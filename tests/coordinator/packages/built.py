"""Folders of packages for tests: small files of every kind, with their list."""

from collections.abc import Mapping
from pathlib import Path

from core.packages_manifest import BuiltPackage, PackageKind, PackageMachine, PackagesManifest

COMMIT = "0123456789abcdef0123456789abcdef01234567"
DEB = "idlebrush_0.1.0_amd64.deb"
RPM = "idlebrush-0.1.0-1.x86_64.rpm"
TARBALL = "idlebrush-0.1.0-linux-x86_64.tar.xz"
INSTALLER = "idlebrush-0.1.0-windows-x86_64.exe"
BUNDLE = "Idlebrush-0.1.0-arm64.zip"
KINDS: Mapping[str, PackageKind] = {
    DEB: PackageKind.DEB,
    RPM: PackageKind.RPM,
    TARBALL: PackageKind.TARBALL,
    INSTALLER: PackageKind.INSTALLER,
    BUNDLE: PackageKind.BUNDLE,
}


def build(folder: Path, size: int = 3000) -> PackagesManifest:
    """Write a package of each kind of about ``size`` bytes, and their list; only the .deb counts as tried."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, kind in KINDS.items():
        (folder / name).write_bytes(name.encode() * (size // len(name)))
        machine = PackageMachine.ARM64 if "arm64" in name else PackageMachine.X86_64
        files.append(BuiltPackage.of(folder / name, kind, machine, tried=kind is PackageKind.DEB))
    listed = PackagesManifest(version="0.1.0", commit=COMMIT, files=tuple(files))
    listed.save(folder)
    return listed
