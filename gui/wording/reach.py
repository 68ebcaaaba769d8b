"""Words for how other peers reach this computer, by the client's codes."""

from PySide6.QtCore import QCoreApplication

from client.api.snapshot import ReachView

translate = QCoreApplication.translate


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
            "Reach", "Other peers can connect to this computer: its router lets them in (UPnP or NAT-PMP)."
        ),
        "punched": translate(
            "Reach", "Other peers reach this computer through an opening in its router (hole punching)."
        ),
        "relayed": translate("Reach", "Other peers reach this computer through a relay."),
        "outgoing": translate(
            "Reach", "Other peers cannot connect to this computer. It trains all the same."
        ),
        "unchecked": translate(
            "Reach",
            "It could not be checked whether other peers can connect to this computer. It trains all the same.",
        ),
    }


def reach_remedy(reach: ReachView) -> str:
    """Return what would be better; empty if nothing would."""
    if not reach.remedy or reach.port is None:
        return reach.remedy
    text = translate(
        "Reach",
        "To help the swarm more, forward TCP port {port} to this computer in the router, "
        "or allow UPnP or NAT-PMP there.",
    )
    return text.format(port=reach.port)
