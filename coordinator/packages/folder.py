"""The packages that an organiser offers for download: listed with digests, checked before they are served."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from urllib.parse import quote as quote_address

from coordinator.packages.visitor import VisitorSystem, suggested
from coordinator.settings import PackageSettings
from core.errors import PackagesError
from core.packages_manifest import BuiltPackage, PackageKind, PackagesManifest, PackageSystem
from core.storage.files import sha256_of

ADDRESS = "/packages/"
"""Path below which the website serves packages."""
_COPY_AGAIN = (
    "Copy the whole folder that `make packages` filled again, "
    "or remove packages.folder from coordinator.toml."
)
_TITLES = {
    PackageKind.DEB: "Debian and Ubuntu",
    PackageKind.RPM: "Fedora and openSUSE",
    PackageKind.TARBALL: "Any Linux, without root",
    PackageKind.INSTALLER: "Windows",
    PackageKind.BUNDLE: "macOS",
}
"""Systems in words by the kinds that people install; what Idlebrush fetches itself is served, and not offered."""
_INSTALL = {
    PackageKind.DEB: "sudo apt install ./{file}",
    PackageKind.RPM: "sudo dnf install ./{file}",
    PackageKind.TARBALL: "tar xf {file} && ./{folder}/install",
}
_OPEN = {
    PackageKind.RPM: "On openSUSE, write zypper instead of dnf.",
    PackageKind.INSTALLER: "Open the file. It installs Idlebrush for you alone, without administrator’s rights.",
    PackageKind.BUNDLE: "Unpack the file, and move Idlebrush into your Applications.",
}
_VERIFY = {
    PackageSystem.LINUX: 'echo "{sha256}  {file}" | sha256sum --check',
    PackageSystem.WINDOWS: '(Get-FileHash {file}).Hash -eq "{sha256}"',
    PackageSystem.MACOS: 'echo "{sha256}  {file}" | shasum -a 256 --check',
}


@dataclass(frozen=True)
class PackageOffer:
    """One package as a page offers it."""

    package: BuiltPackage
    address: str
    title: str
    """System that it is for, in words."""
    install: str | None
    """Command that installs the file; None where one opens it."""
    opening: str | None
    """Sentences that say what to do with a file that one opens, or where the command differs."""
    verify: str
    """Command that compares the file with its digest; on Windows it is PowerShell's."""


class PackageFolder:
    """The packages in one folder."""

    def __init__(self, folder: Path, address: str | None = None) -> None:
        """Read the list in ``folder``; the files stay as they are.

        Args:
            folder: The folder that holds packages.json and, unless another site serves them, the packages.
            address: Base address of that other site.

        Raises:
            PackagesError: The list is malformed, or a listed file is missing or has another size.
        """
        self.listed = PackagesManifest.load(folder)
        self._folder = folder
        self._base = f"{address.rstrip('/')}/" if address else None
        for package in self._served():
            self._check_size(package)

    @classmethod
    def of(cls, settings: PackageSettings, root: Path) -> "PackageFolder | None":
        """Return the packages that the settings name, relative to ``root``; None without any."""
        return cls(root / settings.folder, settings.address) if settings.folder else None

    def verify(self) -> None:
        """Compare all served files with their digests, which reads them whole; raise PackagesError if one differs."""
        for package in self._served():
            if self._digest(package) != package.sha256:
                raise PackagesError(
                    f"{self._folder / package.file} differs from its listed digest.", _COPY_AGAIN
                )

    def file(self, name: str) -> tuple[Path, BuiltPackage] | None:
        """Return the path and the entry of a file that is served here; None for any other name."""
        package = next((package for package in self._served() if package.file == name), None)
        path = self._folder / name
        # Another size: the organiser is copying newer packages into the folder.
        if package is None or not path.is_file() or path.stat().st_size != package.size:
            return None
        return path, package

    def for_visitor(self, visitor: VisitorSystem) -> tuple[list[PackageOffer], list[PackageOffer]]:
        """Return the packages for a visitor's system, and the others; all are others if it is not known."""
        offered = [package for package in self.listed.files if package.kind in _TITLES]
        fitting = suggested(offered, visitor)
        others = (package for package in offered if package not in fitting)
        return [self._offer(package) for package in fitting], [self._offer(package) for package in others]

    def systems(self) -> Mapping[PackageSystem, bool]:
        """Return the systems that packages are offered for; true where one of its packages was tried."""
        offered = [package for package in self.listed.files if package.kind in _TITLES]
        return {
            system: any(package.tried for package in offered if package.system is system)
            for system in PackageSystem
            if any(package.system is system for package in offered)
        }

    def _served(self) -> Iterator[BuiltPackage]:
        """Yield the packages that this site serves itself."""
        if self._base is None:
            yield from self.listed.files

    def _check_size(self, package: BuiltPackage) -> None:
        path = self._folder / package.file
        try:
            is_there = path.is_file() and path.resolve().parent == self._folder.resolve()
            size = path.stat().st_size if is_there else 0
        except OSError as error:
            raise _unreadable(path, error) from error
        if not is_there:
            raise PackagesError(f"{path} is listed, but the folder has no such file.", _COPY_AGAIN)
        if size != package.size:
            raise PackagesError(f"{path} has {size} bytes, but {package.size} are listed.", _COPY_AGAIN)

    def _digest(self, package: BuiltPackage) -> str:
        path = self._folder / package.file
        try:
            return sha256_of(path)
        except OSError as error:
            raise _unreadable(path, error) from error

    def _offer(self, package: BuiltPackage) -> PackageOffer:
        install = _INSTALL.get(package.kind)
        words = {"file": quote(package.file), "folder": f"idlebrush-{quote(self.listed.version)}"}
        return PackageOffer(
            package=package,
            address=(self._base or ADDRESS) + quote_address(package.file),
            title=_TITLES[package.kind],
            install=install.format(**words) if install else None,
            opening=_OPEN.get(package.kind),
            verify=_VERIFY[package.system].format(file=package.file, sha256=package.sha256),
        )


def _unreadable(path: Path, error: OSError) -> PackagesError:
    return PackagesError(f"{path} cannot be read: {error.strerror or error}.", _COPY_AGAIN)
