"""Words for how other peers reach this computer, by the client's codes."""

from PySide6.QtCore import QCoreApplication

from client.api.snapshot import ReachView
from gui.wording.preferences import TABLES

translate = QCoreApplication.translate
_IMPROVABLE = ("relayed", "outgoing")
"""Codes of the ways that a port forwarded by the router makes better."""


def reach_sentence(reach: ReachView) -> str:
    """Return how other peers reach this computer; the daemon's own words for a code that is not known."""
    if (sentence := _by_code().get(reach.code)) is None:
        return reach.text
    by_ip6 = translate("Reach", "Peers with IPv6 connect directly to this computer over IPv6.")
    return f"{sentence} {by_ip6}" if reach.address6 else sentence


def _by_code() -> dict[str, str]:
    return {
        "direct": translate("Reach", "Other peers can connect to this computer."),
        "mapped": translate(
            "Reach",
            "Other peers can connect to this computer at a port that its router forwards on request "
            "(UPnP or NAT-PMP).",
        ),
        "punched": translate(
            "Reach",
            "Other peers reach this computer through an opening in its router that both sides make "
            "(hole punching).",
        ),
        "relayed": translate(
            "Reach",
            "Other peers reach this computer through a relay alone, so it adds up updates for others and "
            "gives newcomers the model's state only while no peer that is reached better does.",
        ),
        "outgoing": translate(
            "Reach",
            "Other peers cannot connect to this computer, so it connects to them: it still trains, "
            "but neither adds up updates for others nor gives newcomers the model's state.",
        ),
        "unchecked": translate(
            "Reach",
            "No peer of the run could check whether others can connect to this computer: it still trains, "
            "but until one can, it neither adds up updates for others nor gives newcomers the "
            "model's state.",
        ),
    }


def reach_advice(reach: ReachView) -> str:
    """Return what would be better, or that nothing has to be changed.

    The advice is in the daemon's own words for a code or a port that is not known.
    """
    if reach.code in _IMPROVABLE and reach.port is not None:
        title = TABLES["NETWORK"]()["upnp"].title
        return _on_forwarding(reach).format(port=reach.port, preference=title)
    if reach.code == "unchecked":
        return translate(
            "Reach", "This is checked again every five minutes; if it stays so, tell the run's organiser."
        )
    if reach.remedy or reach.code not in _by_code():
        return reach.remedy
    return translate("Reach", "Nothing has to be changed.")


def _on_forwarding(reach: ReachView) -> str:
    if reach.opens_router:
        return translate(
            "Reach",
            "To help the swarm more, forward TCP port {port} to this computer in the router, "
            "or allow UPnP or NAT-PMP there.",
        )
    #: {preference} is the title of a preference.
    return translate(
        "Reach",
        "To help the swarm more, turn on the preference “{preference}”, or forward TCP port {port} to "
        "this computer in the router.",
    )


def reach_preference(reach: ReachView) -> str:
    """Return the name of the preference that helps to reach this computer better; empty if none does."""
    if reach.code not in _IMPROVABLE:
        return ""
    return "listening-port" if reach.opens_router else "upnp"
