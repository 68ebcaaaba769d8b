"""Decides when a run's contact part must be reissued: its website, entry points or gate have changed."""

from collections.abc import Sequence
from datetime import datetime

from coordinator.home import Home
from coordinator.settings import Settings
from core.run.contact import Contact, GateRules
from core.run.join_link import MANIFEST_PATH, JoinLink
from core.run.manifest import RunManifest
from core.signing import SigningKey


def public_addresses(settings: Settings, addresses: Sequence[str]) -> tuple[str, ...]:
    """Return the addresses at which volunteers enter the swarm.

    Args:
        addresses: of the bootstrap peer, as it sees them itself, with its peer id; what is announced takes their
            place. Those of this machine alone are given only where there is no other.
    """
    if settings.swarm.announce:
        peer_id = addresses[0].rpartition("/p2p/")[2]
        return tuple(f"{address}/p2p/{peer_id}" for address in settings.swarm.announce)
    reachable = tuple(address for address in addresses if not address.startswith(("/ip4/127.", "/ip6/::1/")))
    return reachable or tuple(addresses)


def successor(
    contact: Contact, settings: Settings, entry: tuple[str, ...], gate: str | None, now: datetime
) -> Contact | None:
    """Return the contact part to issue in place of ``contact``, with the next serial; None if nothing differs.

    Args:
        entry: the multiaddresses of the swarm's entry points.
        gate: public key of the gate, in hex; None: the run is open.
    """
    rules = GateRules(key=gate) if gate else None
    update = {"coordinator": settings.address, "initial_peers": entry, "gate": rules}
    if all(getattr(contact, field) == value for field, value in update.items()):
        return None
    return contact.model_copy(update={**update, "serial": contact.serial + 1, "issued_at": now})


def reissue(home: Home, settings: Settings, entry: tuple[str, ...], now: datetime) -> RunManifest:
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


def join_link(manifest: RunManifest, settings: Settings, invitation: str | None = None) -> str:
    """Return the link for volunteers, with an invitation's code if one is given."""
    location = settings.address.rstrip("/") + MANIFEST_PATH
    return str(JoinLink(location, manifest.fingerprint, invitation))
