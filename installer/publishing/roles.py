"""The roles of a repository of releases: their keys, how many have to sign, and how long that holds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from securesystemslib.signer import SSlibKey
from tuf.api.metadata import Role, Root, Snapshot, Targets, Timestamp

from installer.publishing.keys import ReleaseError

ROLES = (Root.type, Targets.type, Snapshot.type, Timestamp.type)


@dataclass(frozen=True)
class Lifetimes:
    """Times after which metadata is refused as out of date."""

    root: timedelta = timedelta(days=365)
    targets: timedelta = timedelta(days=180)
    snapshot: timedelta = timedelta(days=14)
    timestamp: timedelta = timedelta(days=3)

    def of(self, role: str) -> timedelta:
        """Return the lifetime of the metadata of a role."""
        found: timedelta = getattr(self, role)
        return found


@dataclass(frozen=True)
class RoleKeys:
    """The public keys of a role, and how many of them have to sign."""

    keys: Sequence[SSlibKey]
    threshold: int = 1


def make_root(version: int, expires: datetime, roles: Mapping[str, RoleKeys]) -> Root:
    """Return root metadata, to be signed.

    Args:
        version: Number of the root.
        expires: Time after which it is refused.
        roles: Keys of each role.

    Raises:
        ReleaseError: A role has too few keys.
    """
    if missing := [name for name in ROLES if name not in roles]:
        raise ReleaseError(f"The role {missing[0]} has no key.", "Name a key for each role.")
    for name, keys in roles.items():
        if not 1 <= keys.threshold <= len({key.keyid for key in keys.keys}):
            raise ReleaseError(
                f"{keys.threshold} signatures of {len(keys.keys)} keys cannot be demanded for {name}.",
                "Name more keys, or demand fewer signatures.",
            )
    known = {key.keyid: key for keys in roles.values() for key in keys.keys}
    demanded = {name: Role([key.keyid for key in keys.keys], keys.threshold) for name, keys in roles.items()}
    return Root(version=version, expires=expires, keys=dict(known), roles=demanded, consistent_snapshot=True)


def key_of(root: Root, keyid: str) -> SSlibKey:
    """Return a key of ``root`` by its id."""
    key = root.get_key(keyid)
    assert isinstance(key, SSlibKey), "`read_public` made it"
    return key
