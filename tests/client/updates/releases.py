"""A repository of releases with keys of its own, served over loopback, and what an installation makes of it."""

import json
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from securesystemslib.signer import CryptoSigner, SSlibKey

from client.checks.clock import Skew
from client.environment.machine_facts import MACHINES
from client.installed import Installation, InstallChannel
from client.updates.offers import UpdateOffer, UpdateSource
from client.updates.repository import MetadataFetcher, UpdateRepository
from core.http_client import HttpClient, HttpLimits
from core.packages_manifest import BuiltPackage, PackageKind, PackageMachine, PackagesManifest
from installer.publishing.repository import ReleaseRepository
from installer.publishing.roles import Lifetimes, RoleKeys
from tests.client.run_server import RunServer

COMMIT = "0123456789abcdef0123456789abcdef01234567"
NOTES = {"en": "It is faster.", "de": "Es ist schneller."}
MACHINE = PackageMachine(MACHINES.get(platform.machine().lower(), "x86_64"))
KINDS = {"": PackageKind.TARBALL, ".deb": PackageKind.DEB}


def new_keys(count: int) -> list[CryptoSigner]:
    return [CryptoSigner.generate_ed25519() for _ in range(count)]


def public(keys: Sequence[CryptoSigner]) -> list[SSlibKey]:
    return [key.public_key for key in keys]


@dataclass
class SignedReleases:
    """The makers of Idlebrush: their keys and repository. Two of three keys sign the root, both keys the targets."""

    folder: Path
    root: list[CryptoSigner] = field(default_factory=lambda: new_keys(3))
    targets: list[CryptoSigner] = field(default_factory=lambda: new_keys(2))
    online: list[CryptoSigner] = field(default_factory=lambda: new_keys(1))
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    lifetimes: Lifetimes = field(default_factory=Lifetimes)

    @property
    def repository(self) -> ReleaseRepository:
        return ReleaseRepository(self.folder, self.now, self.lifetimes)

    @property
    def roles(self) -> dict[str, RoleKeys]:
        online = RoleKeys(public(self.online))
        return {
            "root": RoleKeys(public(self.root), 2),
            "targets": RoleKeys(public(self.targets), 2),
            "snapshot": online,
            "timestamp": online,
        }

    def begin(self) -> None:
        self.repository.begin(self.roles)
        self.publish()

    def publish(self) -> None:
        self.repository.sign([*self.root, *self.targets])
        self.repository.publish(self.online)

    def add(
        self,
        version: str,
        package: bytes | Path = b"a package",
        kind: PackageKind = PackageKind.TARBALL,
        least_version: str = "0",
        commit: str = COMMIT,
    ) -> None:
        """Publish a version of one package."""
        self.propose(version, package, kind, least_version, commit)
        self.publish()

    def propose(
        self,
        version: str,
        package: bytes | Path = b"a package",
        kind: PackageKind = PackageKind.TARBALL,
        least_version: str = "0",
        commit: str = COMMIT,
    ) -> None:
        built = self.folder.parent / f"built-{version}"
        built.mkdir(exist_ok=True)
        file = built / f"idlebrush-{version}.{kind}"
        file.write_bytes(package if isinstance(package, bytes) else package.read_bytes())
        listed = BuiltPackage.of(file, kind, MACHINE, tried=True)
        PackagesManifest(version=version, commit=commit, files=(listed,)).save(built)
        notes = built / "notes.json"
        notes.write_text(json.dumps(NOTES))
        self.repository.add(built, notes, least_version)

    def copy(self, place: Path) -> Path:
        """Copy what is published, as an attacker may who keeps old answers."""
        import shutil

        return Path(shutil.copytree(self.folder, place))


@dataclass
class AskingVolunteer:
    """An installation of one version that looks for newer ones."""

    folder: Path
    server: RunServer
    root: bytes
    version: str = "0.1.0"
    channel: InstallChannel = InstallChannel.TARBALL
    limits: HttpLimits = field(default_factory=lambda: HttpLimits(connect=10.0, silence=10.0))
    seconds: float = 30.0
    skew: Callable[[str], Skew | None] = lambda address: None

    @property
    def installation(self) -> Installation:
        return Installation(self.channel, self.version, COMMIT, self.folder / "tree")

    def look(self) -> UpdateOffer | None:
        source = UpdateSource(self.server.address("").rstrip("/"), self.root)
        with HttpClient(self.limits) as client:
            fetcher = MetadataFetcher(client, self.seconds)
            return UpdateRepository(source, self.folder / "metadata", fetcher, self.skew).look(
                self.installation
            )

    def files(self) -> dict[str, bytes]:
        """All that was kept, by name."""
        kept = self.folder / "metadata"
        return {str(file.relative_to(kept)): file.read_bytes() for file in kept.rglob("*") if file.is_file()}


def in_days(days: float) -> timedelta:
    return timedelta(days=days)
