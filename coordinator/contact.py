"""Decides when a run's contact part must be reissued: its website, entry points or gate have changed."""

import ipaddress
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from coordinator.errors import EntryError
from coordinator.home import Home
from coordinator.settings import Settings
from core.admission.peer_key import PeerKey
from core.excerpt import excerpt
from core.run.contact import Contact, GateRules
from core.run.join_link import MANIFEST_PATH, JoinLink
from core.run.manifest import RunManifest
from core.signing import SigningKey

MOST_ENTRIES = 64
"""Entry points that a contact part can name."""
_ENTRY = re.compile(r"/(ip4|ip6|dns|dns4|dns6)/([A-Za-z0-9.:_-]+)/tcp/(\d{1,5})/p2p/([A-Za-z0-9]{40,64})")
_Entries = tuple[str, ...]


def public_addresses(settings: Settings, addresses: Sequence[str]) -> tuple[str, ...]:
    """Return the addresses at which volunteers enter the swarm.

    Args:
        addresses: of the bootstrap peer, as it sees them itself, with its peer id; what is announced takes their
            place. Those of this machine alone are given only where there is no other.
    """
    if settings.swarm.announce:
        peer_id = peer_of(addresses[0])
        return tuple(f"{address}/p2p/{peer_id}" for address in settings.swarm.announce)
    reachable = tuple(address for address in addresses if not address.startswith(("/ip4/127.", "/ip6/::1/")))
    return reachable or tuple(addresses)


def peer_of(entry: str) -> str:
    """Return the peer id in the multiaddress of an entry point."""
    return entry.rpartition("/p2p/")[2]


def successor(
    contact: Contact, settings: Settings, entry: _Entries, gate: str | None, now: datetime
) -> Contact | None:
    """Return the contact part to issue in place of ``contact``, with the next serial; None if nothing differs.

    Args:
        entry: the multiaddresses of the coordinator's own entry points; those of other peers stay.
        gate: public key of the gate, in hex; None: the run is open.
    """
    rules = GateRules(key=gate) if gate else None
    own = {peer_of(item) for item in entry}
    others = tuple(item for item in contact.initial_peers if peer_of(item) not in own)
    update = {"coordinator": settings.address, "initial_peers": (*entry, *others), "gate": rules}
    if all(getattr(contact, field) == value for field, value in update.items()):
        return None
    return contact.model_copy(update={**update, "serial": contact.serial + 1, "issued_at": now})


def reissue(home: Home, settings: Settings, entry: _Entries, now: datetime) -> RunManifest:
    """Return the home's manifest, reissued if it is due; raise ManifestError if that fails."""
    organiser = SigningKey.load(home.organiser_key)
    gate = None if settings.gate.open else SigningKey.load(home.gate_key).public_key
    with home.rewriting():
        manifest = RunManifest.load(home.manifest)
        contact = successor(manifest.contact, settings, entry, gate, now)
        if contact is None:
            return manifest
        newer = manifest.reissue_contact(contact, organiser)
        newer.save(home.manifest)
        return newer


def add_entry(home: Home, entry: str, now: datetime) -> RunManifest:
    """Name a further entry point in the contact part, and return the manifest, whose serial is higher then.

    Args:
        entry: its multiaddress, with the id of a peer that is not the coordinator's own.

    Raises:
        EntryError: it is no such address, or there is no room for it.
        CoreError: the manifest or a key cannot be read or written.
    """
    _require_entry(entry, own_peer(home))

    def added(entries: _Entries) -> _Entries:
        if entry in entries:
            raise EntryError(f"The contact part names {entry} already.", "There is nothing to do.")
        if len(entries) >= MOST_ENTRIES:
            raise EntryError(
                f"The contact part names {len(entries)} entry points, and has room for no more.",
                "Remove one by `idlebrush coordinator contact remove`.",
            )
        return (*entries, entry)

    return _rewrite(home, added, now)


def remove_entry(home: Home, named: str, now: datetime) -> RunManifest:
    """Take a further entry point out of the contact part, and return the manifest.

    Args:
        named: its multiaddress, or a peer's id for all of that peer's.

    Raises:
        EntryError: the contact part does not name it, or it is the coordinator's own.
        CoreError: the manifest or a key cannot be read or written.
    """
    if peer_of(named) == own_peer(home):
        raise EntryError(
            "This is the coordinator's own bootstrap peer.",
            "Change `announce` in coordinator.toml, and restart `serve`.",
        )

    def removed(entries: _Entries) -> _Entries:
        left = tuple(item for item in entries if named not in (item, peer_of(item)))
        if left == entries:
            raise EntryError(
                f"The contact part does not name {excerpt(named)}.",
                "`idlebrush coordinator contact list` shows what it names.",
            )
        return left

    return _rewrite(home, removed, now)


def own_peer(home: Home) -> str:
    """Return the id of the coordinator's own bootstrap peer; raise ManifestError if the folder has no run."""
    RunManifest.load(home.manifest)  # before a key is made in a folder that is not a coordinator's
    return PeerKey.load_or_create(home.bootstrap_identity).peer_id


def _rewrite(home: Home, change: Callable[[_Entries], _Entries], now: datetime) -> RunManifest:
    return rewrite(home, lambda contact: {"initial_peers": change(contact.initial_peers)}, now)


def rewrite(home: Home, change: Callable[[Contact], Mapping[str, Any]], now: datetime) -> RunManifest:
    """Issue the contact part of the home's run anew, and return the manifest.

    Args:
        home: The coordinator's folder.
        change: Returns the fields to change, with their new values.
        now: Time of the issue.

    Raises:
        CoreError: The manifest or a key cannot be read or written.
    """
    organiser = SigningKey.load(home.organiser_key)
    with home.rewriting():
        manifest = RunManifest.load(home.manifest)
        contact = manifest.contact
        update = {**change(contact), "serial": contact.serial + 1, "issued_at": now}
        newer = manifest.reissue_contact(contact.model_copy(update=update), organiser)
        newer.save(home.manifest)
        return newer


def _require_entry(entry: str, own: str) -> None:
    """Raise EntryError unless volunteers can enter at that multiaddress, as far as its text tells."""
    found = _ENTRY.fullmatch(entry)
    if found is None:
        raise EntryError(
            f"{excerpt(entry)!r} is no address of a bootstrap peer.",
            "It looks like /dns/entry.example.org/tcp/31330/p2p/Qm...; `idlebrush coordinator bootstrap` prints it.",
        )
    kind, host, port, peer = found.groups()
    if peer == own:
        raise EntryError(
            "This is the id of the coordinator's own bootstrap peer, whose addresses `serve` enters by itself.",
            "Give the other machine's peer an identity of its own: do not copy the coordinator's folder to it.",
        )
    if not (_is_host(kind, host) and 0 < int(port) < 1 << 16):
        raise EntryError(f"No volunteer can connect to {host}, port {port}.", "Give the public address.")


def _is_host(kind: str, host: str) -> bool:
    """Return true if ``host`` is a name, or an address of that kind at which one computer can be reached."""
    if kind.startswith("dns"):
        return re.fullmatch(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*", host) is not None
    try:
        parsed = ipaddress.IPv4Address(host) if kind == "ip4" else ipaddress.IPv6Address(host)
    except ValueError:
        return False
    return not (parsed.is_unspecified or parsed.is_multicast)


def join_link(manifest: RunManifest, settings: Settings, invitation: str | None = None) -> str:
    """Return the link for volunteers, with an invitation's code if one is given."""
    location = settings.address.rstrip("/") + MANIFEST_PATH
    return str(JoinLink(location, manifest.fingerprint, invitation))
