"""Describes how other peers reach this computer, and what would be better: pure functions."""

from client.api.snapshot import ReachView
from core.messages.reach import Reach, ReachFound

# The app says the same in its own language (`gui/wording/reach.py`).
_TEXTS = {
    Reach.DIRECT: "Other peers can connect to this computer.",
    Reach.MAPPED: "Other peers can connect to this computer at a port that its router forwards on request (UPnP or "
    "NAT-PMP).",
    Reach.PUNCHED: "Other peers reach this computer through an opening in its router that both sides make (hole "
    "punching).",
    Reach.RELAYED: "Other peers reach this computer through a relay alone, so it adds up updates for others and "
    "gives newcomers the model's state only while no peer that is reached better does.",
    Reach.OUTGOING: "Other peers cannot connect to this computer, so it connects to them: it still trains, "
    "but neither adds up updates for others nor gives newcomers the model's state.",
    Reach.UNCHECKED: "No peer of the run could check whether others can connect to this computer: it still trains, "
    "but until one can, it neither adds up updates for others nor gives newcomers the model's state.",
}
_BY_IP6 = "Peers with IPv6 connect directly to this computer over IPv6."
_NOTHING = "Nothing has to be changed."
_AGAIN = "This is checked again every five minutes; if it stays so, tell the run's organiser."


def reach_view(found: ReachFound, *, upnp: bool) -> ReachView:
    """Return the words for the volunteer about what the trainer found.

    ``upnp`` is true if the volunteer allows that the router is asked to forward the port.
    """
    remedy = _remedy(found, upnp=upnp)
    parts = (_TEXTS[found.reach], _BY_IP6 if found.address6 else "", "" if remedy else _NOTHING)
    return ReachView(
        code=found.reach,
        text=" ".join(filter(None, parts)),
        remedy=remedy,
        port=found.port,
        opens_router=upnp,
        address=found.address,
        address6=found.address6,
    )


def _remedy(found: ReachFound, *, upnp: bool) -> str:
    if found.reach is Reach.UNCHECKED:
        return _AGAIN
    if found.reach not in (Reach.RELAYED, Reach.OUTGOING):
        return ""
    which = f"TCP port {found.port}" if found.port else "the TCP port of the preference listening-port"
    forward = f"forward {which} to this computer in the router"
    if upnp:
        return f"To help the swarm more, {forward}, or allow UPnP or NAT-PMP there."
    return f"To help the swarm more, turn on the preference upnp, or {forward}."
