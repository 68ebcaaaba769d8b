"""The signed repository of releases, by TUF: published metadata and packages, and what waits to be signed.

Root and targets are signed offline, by as many keys as the root demands. They wait in ``pending`` until enough
signatures are there; then they are published, with a new snapshot and timestamp that an online key signs.
"""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from securesystemslib.signer import CryptoSigner
from tuf.api.exceptions import RepositoryError
from tuf.api.metadata import Metadata, MetaFile, Root, Snapshot, TargetFile, Targets, Timestamp

from client.installed import InstallChannel
from client.updates.offers import (
    LONGEST_NOTES,
    MOST_LANGUAGES,
    PackageDetails,
    UpdateSource,
    target_name,
)
from core.packages_manifest import BuiltPackage, PackageKind, PackagesManifest
from core.storage.files import write_atomically
from installer.publishing.keys import ReleaseError
from installer.publishing.roles import Lifetimes, RoleKeys, key_of, make_root
from installer.tree import trust

CHANNELS = {
    PackageKind.DEB: InstallChannel.DEB,
    PackageKind.RPM: InstallChannel.RPM,
    PackageKind.TARBALL: InstallChannel.TARBALL,
    PackageKind.INSTALLER: InstallChannel.NSIS,
    PackageKind.BUNDLE: InstallChannel.BUNDLE,
}
"""Channels of an installation by the kinds of packages that make it; the others come with the trainer's packages."""
_SIGNED_OFFLINE = (Root.type, Targets.type)
_UNPACKED = "Copy the whole folder of the build again."


@dataclass(frozen=True)
class ReleaseRepository:
    """A repository in a folder."""

    folder: Path
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    lifetimes: Lifetimes = field(default_factory=Lifetimes)

    @property
    def metadata(self) -> Path:
        """Folder of the published metadata."""
        return self.folder / "metadata"

    @property
    def targets(self) -> Path:
        """Folder of the packages and texts, each under its digest."""
        return self.folder / "targets"

    @property
    def pending(self) -> Path:
        """Folder of the metadata that waits for signatures."""
        return self.folder / "pending"

    def begin(self, roles: Mapping[str, RoleKeys]) -> None:
        """Prepare the first root and an empty list of targets, both to be signed.

        Args:
            roles: Keys of ``root``, ``targets``, ``snapshot`` and ``timestamp``.

        Raises:
            ReleaseError: There is a repository already, or a role has too few keys.
        """
        if self.folder.exists() and any(self.folder.iterdir()):
            raise ReleaseError(f"{self.folder} is not empty.", "Name another folder for the repository.")
        for folder in (self.metadata, self.targets, self.pending):
            folder.mkdir(parents=True)
        self._propose(Metadata(make_root(1, self._expiry(Root.type), roles)))
        self._propose(Metadata(Targets(version=1, expires=self._expiry(Targets.type))))

    def rotate(self, roles: Mapping[str, RoleKeys]) -> None:
        """Prepare the next root, which the old and the new keys of the root have to sign.

        The list of targets is prepared as well, so that the new keys of the targets sign what is offered already.

        Args:
            roles: New keys of the roles that change; the others keep theirs.

        Raises:
            ReleaseError: There is no published root, or a role has too few keys.
        """
        root = self.root().signed
        kept = {
            name: RoleKeys([key_of(root, keyid) for keyid in role.keyids], role.threshold)
            for name, role in root.roles.items()
        }
        self._propose(Metadata(make_root(root.version + 1, self._expiry(Root.type), {**kept, **roles})))
        if Targets.type in roles:
            self._propose(self._next_targets())

    def add(self, packages: Path, notes: Path | None = None, least_version: str = "0") -> PackagesManifest:
        """Copy the packages of a build into the repository, and prepare the list that offers them.

        Args:
            packages: Folder with ``packages.json`` and the packages.
            notes: File with the text of what is new: a JSON object of texts by language.
            least_version: Oldest version that may be replaced by these packages by itself.

        Returns:
            The list of the packages.

        Raises:
            CoreError: A package is missing or differs from the list.
        """
        listed = PackagesManifest.load(packages)
        targets = self._next_targets()
        name = self._add_notes(targets.signed, listed.version, notes) if notes else ""
        for package in listed.files:
            if package.kind not in CHANNELS:
                continue
            target = self._copied(packages, package)
            details = PackageDetails(
                version=listed.version,
                channel=CHANNELS[package.kind],
                commit=listed.commit,
                least_version=least_version,
                notes=name,
            )
            target.unrecognized_fields["custom"] = details.model_dump(mode="json")
            targets.signed.targets[target.path] = target
        self._propose(targets)
        return listed

    def sign(self, signers: Sequence[CryptoSigner]) -> list[str]:
        """Sign what waits for signatures with the keys that may sign it; return what was signed.

        Raises:
            ReleaseError: None of the keys may sign any of it.
        """
        signed = []
        for role in self._waiting():
            allowed = self._allowed(role)
            metadata = self._read(self.pending / f"{role}.json")
            for signer in signers:
                if signer.public_key.keyid in allowed:
                    metadata.sign(signer, append=True)
                    signed.append(f"{role}.json with key {signer.public_key.keyid[:8]}")
            self._propose(metadata)
        if not signed:
            raise ReleaseError(
                "There is nothing that these keys may sign.", "See which keys the root names for the role."
            )
        return signed

    def publish(self, online: Sequence[CryptoSigner]) -> None:
        """Publish what has enough signatures, with a new snapshot and timestamp.

        Raises:
            ReleaseError: Signatures are missing; nothing is published then.
        """
        waiting = {role: self._read(self.pending / f"{role}.json") for role in self._waiting()}
        root = waiting.get(Root.type) or self.root()
        targets = waiting.get(Targets.type) or self.newest(Targets.type)
        for metadata in (*waiting.values(), targets):
            self._require_signed(metadata, root)
        snapshot = self._next_snapshot(targets, root, online)
        timestamp = self._next_timestamp(snapshot, root, online)
        for metadata in (*waiting.values(), snapshot, timestamp):
            self._write(metadata)
        for role in waiting:
            (self.pending / f"{role}.json").unlink()

    def renew(self, online: Sequence[CryptoSigner]) -> None:
        """Renew the timestamp, and the snapshot if it would expire before half of its lifetime is left."""
        root = self.root()
        snapshot = self.newest(Snapshot.type)
        renewed = []
        if snapshot.signed.expires - self.now < self.lifetimes.snapshot / 2:
            snapshot = self._next_snapshot(self.newest(Targets.type), root, online)
            renewed.append(snapshot)
        for metadata in (*renewed, self._next_timestamp(snapshot, root, online)):
            self._write(metadata)

    def root(self) -> Metadata[Root]:
        """Return the newest published root; raise ReleaseError if there is none."""
        return self.newest(Root.type)

    def newest(self, role: str) -> Metadata[Any]:
        """Return the newest published metadata of a role; raise ReleaseError if there is none."""
        if role == Timestamp.type:
            return self._read(self.metadata / "timestamp.json")
        files = {int(file.name.split(".")[0]): file for file in self.metadata.glob(f"*.{role}.json")}
        if not files:
            raise ReleaseError(f"No {role} metadata was published.", "Sign what is pending, and publish it.")
        return self._read(files[max(files)])

    def trust(self, tree: Path, address: str) -> None:
        """Write into the tree of an installation where its updates come from, and the root that it trusts first.

        Raises:
            ReleaseError: No root was published.
        """
        version = self.root().signed.version
        trust(tree, UpdateSource(address, (self.metadata / f"{version}.root.json").read_bytes()))

    # --- parts --------------------------------------------------------------------------------------------------

    def _expiry(self, role: str) -> datetime:
        return (self.now + self.lifetimes.of(role)).replace(microsecond=0)

    def _waiting(self) -> Iterator[str]:
        return (role for role in _SIGNED_OFFLINE if (self.pending / f"{role}.json").exists())

    def _propose(self, metadata: Metadata[Any]) -> None:
        write_atomically(self.pending / f"{metadata.signed.type}.json", metadata.to_bytes())

    def _allowed(self, role: str) -> set[str]:
        """Return the ids of the keys that may sign what is pending of a role."""
        roots = []
        if (self.pending / "root.json").exists():
            roots.append(self._read(self.pending / "root.json"))
        if next(self.metadata.glob("*.root.json"), None) is not None:
            roots.append(self.root())
        return {keyid for root in roots for keyid in root.signed.roles[role].keyids}

    def _require_signed(self, metadata: Metadata[Any], root: Metadata[Root]) -> None:
        kind = metadata.signed.type
        judges = [root]
        if kind == Root.type and metadata.signed.version > 1:
            judges.append(self.root())  # a root is signed by the keys of the one before as well
        try:
            for judge in judges:
                judge.signed.verify_delegate(kind, metadata.signed_bytes, metadata.signatures)
        except RepositoryError as error:
            raise ReleaseError(
                f"{kind}.json has too few signatures: {error}.", "Sign it with more keys."
            ) from error

    def _next_targets(self) -> Metadata[Targets]:
        if (self.pending / "targets.json").exists():
            metadata = self._read(self.pending / "targets.json")
            metadata.signatures.clear()
            return metadata
        metadata = self.newest(Targets.type)
        metadata.signed.version += 1
        metadata.signed.expires = self._expiry(Targets.type)
        metadata.signatures.clear()
        return metadata

    def _copied(self, packages: Path, package: BuiltPackage) -> TargetFile:
        file, path = (
            packages / package.file,
            target_name(package.system, package.machine, CHANNELS[package.kind]),
        )
        try:
            with file.open("rb") as stream:
                target = TargetFile.from_data(path, stream, ["sha256"])
        except OSError as error:
            raise ReleaseError(f"{file} cannot be read: {error.strerror or error}.", _UNPACKED) from error
        if (target.length, target.hashes["sha256"]) != (package.size, package.sha256):
            raise ReleaseError(f"{file} differs from packages.json.", _UNPACKED)
        self._store(target, file)
        return target

    def _add_notes(self, targets: Targets, version: str, notes: Path) -> str:
        name = f"notes/{version}.json"
        try:
            target = TargetFile.from_data(name, _checked_notes(notes), ["sha256"])
        except (OSError, ValueError) as error:
            raise ReleaseError(
                f"{notes} holds no texts of what is new: {error}.",
                f"Write a JSON object of at most {MOST_LANGUAGES} texts by language, each of at most "
                f"{LONGEST_NOTES} characters.",
            ) from error
        targets.targets[name] = target
        self._store(target, notes)
        return name

    def _store(self, target: TargetFile, file: Path) -> None:
        place = self.targets / target.get_prefixed_paths()[0]
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, place)

    def _next_snapshot(
        self, targets: Metadata[Targets], root: Metadata[Root], online: Sequence[CryptoSigner]
    ) -> Metadata[Any]:
        snapshot = Snapshot(
            version=self._next_version(Snapshot.type),
            expires=self._expiry(Snapshot.type),
            meta={"targets.json": MetaFile(version=targets.signed.version)},
        )
        return self._signed_online(snapshot, root, online)

    def _next_timestamp(
        self, snapshot: Metadata[Snapshot], root: Metadata[Root], online: Sequence[CryptoSigner]
    ) -> Metadata[Any]:
        timestamp = Timestamp(
            version=self._next_version(Timestamp.type),
            expires=self._expiry(Timestamp.type),
            snapshot_meta=MetaFile.from_data(snapshot.signed.version, snapshot.to_bytes(), ["sha256"]),
        )
        return self._signed_online(timestamp, root, online)

    def _signed_online(
        self, signed: Snapshot | Timestamp, root: Metadata[Root], online: Sequence[CryptoSigner]
    ) -> Metadata[Any]:
        metadata: Metadata[Any] = Metadata(signed)
        allowed = root.signed.roles[signed.type].keyids
        for signer in online:
            if signer.public_key.keyid in allowed:
                metadata.sign(signer, append=True)
        self._require_signed(metadata, root)
        return metadata

    def _write(self, metadata: Metadata[Any]) -> None:
        kind = metadata.signed.type
        name = f"{kind}.json" if kind == Timestamp.type else f"{metadata.signed.version}.{kind}.json"
        write_atomically(self.metadata / name, metadata.to_bytes())

    def _next_version(self, role: str) -> int:
        try:
            return int(self.newest(role).signed.version) + 1
        except ReleaseError:
            return 1

    @staticmethod
    def _read(file: Path) -> Metadata[Any]:
        try:
            return Metadata.from_bytes(file.read_bytes())
        except (RepositoryError, OSError) as error:
            raise ReleaseError(
                f"{file} cannot be read: {error}.", "Publish first, or get the file again."
            ) from error


def _checked_notes(notes: Path) -> bytes:
    """Return the content of a file of notes; raise ValueError if an installation would not show all of it."""
    data = notes.read_bytes()
    texts = TypeAdapter(dict[str, str]).validate_json(data)
    if len(texts) > MOST_LANGUAGES or any(len(text) > LONGEST_NOTES for text in texts.values()):
        raise ValueError("there are too many, or they are too long")
    return data
