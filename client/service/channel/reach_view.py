"""Describes how other peers reach this computer, and what would be better: pure functions."""

from client.api.snapshot import ReachView
from core.messages.reach import Reach, ReachFound

_TEXTS = {
    Reach.DIRECT: "Other peers can connect to this computer.",
    Reach.MAPPED: "Other peers can connect to this computer at a port that its router forwards on request (UPnP or "
    "NAT-PMP).",
    Reach.PUNCHED: "Other peers reach this computer through an opening in its router that both sides make (hole "
    "punching).",
    Reach.RELAYED: "Other peers reach this computer through a relay alone. It trains, but reduces for others and "
    "gives its state to them only while no other peer does.",
    Reach.OUTGOING: "Other peers cannot connect to this computer, so it connects to them. It trains, but neither "
    "reduces for others nor gives its state to them.",
    Reach.UNCHECKED: "No peer of the run could check whether others can connect to this computer, so it connects to "
    "them. It trains, but neither reduces for others nor gives its state to them.",
}
_BY_IP6 = " Peers with IPv6 connect directly to this computer over IPv6."
_IMPROVABLE = (Reach.RELAYED, Reach.OUTGOING)


def reach_view(found: ReachFound, *, upnp: bool) -> ReachView:
    """Return the words for the volunteer about what the trainer found.

    ``upnp`` is true if the volunteer allows that the router is asked to forward the port.
    """
    return ReachView(
        code=found.reach,
        text=_TEXTS[found.reach] + (_BY_IP6 if found.address6 else ""),
        remedy=_remedy(found.port, upnp=upnp) if found.reach in _IMPROVABLE else "",
        port=found.port,
        address=found.address,
        address6=found.address6,
    )


def _remedy(port: int | None, *, upnp: bool) -> str:
    which = f"TCP port {port}" if port else "the TCP port of the preference listening-port"
    turned_on = "" if upnp else " and turn on the preference upnp"
    return (
        f"To help the swarm more, forward {which} to this computer in the router, "
        f"or allow UPnP or NAT-PMP there{turned_on}."
    )
