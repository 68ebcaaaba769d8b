"""The commands that build an emulated Internet from namespaces, veth pairs, TUN devices, tbf and nftables.

A site's outermost namespace has one end of its line, ``wan``, and the backbone's namespace the other. Computers at a
site with a router are namespaces of their own, joined to it by a bridge.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.internet.forwarder import LineEnds
from benchmarks.internet.topology import Addresses, EmulatedSite, Ip6, Router, Topology, addresses_of

_Command = tuple[str, ...]
_BURST_SECONDS = 0.02
"""Seconds of a line's rate that may pass at once after a rest."""
_QUEUE = "100ms"
"""Longest wait in the queue before a line; home routers have between ten and some hundred milliseconds."""
_PROVIDER, _INSIDE = "100.64.0.1", "100.64.0.2"
"""Addresses between a provider's router and that at home."""
_GUEST = 200
"""Last part of the address of a computer that has come from elsewhere."""
_FORWARDING = ("net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1")


@dataclass(frozen=True)
class SiteLayout:
    """The namespaces of one site."""

    site: EmulatedSite
    addresses: Addresses
    edge: str
    """Namespace that has the site's end of the line."""
    routers: tuple[str, ...]
    """Namespaces that masquerade, the outermost first; none for a rented server."""
    computers: tuple[str, ...]
    ends: LineEnds

    @property
    def namespaces(self) -> tuple[str, ...]:
        """All namespaces of the site."""
        return tuple(dict.fromkeys((self.edge, *self.routers, *self.computers)))


@dataclass(frozen=True)
class InternetLayout:
    """The namespaces of an emulated Internet."""

    backbone: str
    sites: tuple[SiteLayout, ...]

    @property
    def namespaces(self) -> tuple[str, ...]:
        """All namespaces, the backbone's first."""
        return (self.backbone, *(name for site in self.sites for name in site.namespaces))


def layout_of(topology: Topology, prefix: str) -> InternetLayout:
    """Return the namespaces of ``topology``; the name of each begins with ``prefix``, which no other Internet has."""
    backbone = f"{prefix}-backbone"
    return InternetLayout(
        backbone,
        tuple(_site(site, number, prefix, backbone) for number, site in enumerate(topology.sites)),
    )


def _site(site: EmulatedSite, number: int, prefix: str, backbone: str) -> SiteLayout:
    name = f"{prefix}-{site.name}"
    computers = tuple(f"{name}-{item}" for item in range(1, site.computers + 1))
    routers: tuple[str, ...] = (f"{name}-router",)
    if site.router is Router.DOUBLE:
        routers = (f"{name}-provider", *routers)
    if site.router is Router.NONE:
        routers = ()
    edge = routers[0] if routers else computers[0]
    ends = LineEnds((backbone, f"line{number}"), (edge, "wan"))
    return SiteLayout(site, addresses_of(site, number), edge, routers, computers, ends)


def building(layout: InternetLayout) -> Iterator[_Command]:
    """Yield the commands that build everything but what the forwarder brings up, in order."""
    for name in layout.namespaces:
        yield "ip", "netns", "add", name
        yield within(name, "ip link set lo up")
    yield from _forwarding(layout.backbone)
    for site in layout.sites:
        yield from _line(layout.backbone, site)
        if site.routers:
            yield from _home(site)


def removing(layout: InternetLayout) -> Iterator[_Command]:
    """Yield the commands that remove all namespaces, and with them their devices and rules."""
    for name in layout.namespaces:
        yield "ip", "netns", "delete", name


def within(namespace: str, command: str, *words: str) -> _Command:
    """Return ``command``, and further ``words`` of it as they are, to be run in ``namespace``."""
    return ("ip", "netns", "exec", namespace, *command.split(), *words)


def _line(backbone: str, site: SiteLayout) -> Iterator[_Command]:
    line, public, end = site.site.line, site.addresses.public, site.ends.backbone[1]
    for (namespace, device), rate in ((site.ends.backbone, line.down), (site.ends.site, line.up)):
        yield within(namespace, f"ip tuntap add dev {device} mode tun")
        yield within(namespace, f"ip link set {device} mtu {line.mtu} txqueuelen 500 up")
        if rate is not None:
            yield within(namespace, shaping(device, rate, line.mtu))
    yield within(site.edge, f"ip address add {public}/32 dev wan")
    yield within(site.edge, f"ip route add default dev wan src {public}")
    yield within(backbone, f"ip route add {public}/32 dev {end}")
    if site.addresses.gateway6:
        yield from _line6(site)
        yield within(backbone, f"ip -6 route add {network_of(site)}/64 dev {end}")


def _line6(site: SiteLayout) -> Iterator[_Command]:
    """Yield the commands that lead IPv6 to a line; the system forgets them while the line's device is down."""
    if not site.routers:
        yield within(site.edge, f"ip address add {site.addresses.gateway6}/128 dev wan nodad")
    yield within(site.edge, "ip -6 route replace default dev wan")


def network_of(site: SiteLayout) -> str:
    """Return the address of the network of IPv6 in which the computers of a ``site`` are, of 64 bits."""
    return site.addresses.gateway6.rpartition("::")[0] + "::"


def shaping(device: str, mbit: float, mtu: int, verb: str = "add") -> str:
    """Return the command that sends through ``device`` at ``mbit`` Mbit/s at most.

    ``mtu`` is the device's largest packet in bytes: a smaller burst would never let one pass. ``verb`` is "replace"
    for a device that has a rate.
    """
    burst = max(int(mbit * 1e6 / 8 * _BURST_SECONDS), 2 * mtu)
    rate = max(1, round(mbit * 1e6))
    return f"tc qdisc {verb} dev {device} root tbf rate {rate}bit burst {burst} latency {_QUEUE}"


def moving(site: SiteLayout, backbone: str, public: str) -> Iterator[_Command]:
    """Yield the commands that give ``site`` the address ``public`` in place of its own."""
    old, end = site.addresses.public, site.ends.backbone[1]
    yield within(site.edge, f"ip address add {public}/32 dev wan")
    yield within(site.edge, f"ip address delete {old}/32 dev wan")
    yield within(site.edge, "ip link set wan down")  # by which a router forgets what it masqueraded
    yield within(site.edge, "ip link set wan up")
    yield within(site.edge, f"ip route replace default dev wan src {public}")
    if site.addresses.gateway6:
        yield from _line6(site)
    yield within(backbone, f"ip route delete {old}/32 dev {end}")
    yield within(backbone, f"ip route add {public}/32 dev {end}")


def _home(site: SiteLayout) -> Iterator[_Command]:
    inner, mtu = site.routers[-1], site.site.line.mtu
    yield from _forwarding(*site.routers)
    if site.site.router is Router.DOUBLE:
        yield from _cable(site.edge, "inside", inner, "wan", mtu)
        yield within(site.edge, f"ip address add {_PROVIDER}/24 dev inside")
        yield within(inner, f"ip address add {_INSIDE}/24 dev wan")
        yield within(inner, f"ip route add default via {_PROVIDER}")
    yield within(inner, "ip link add lan type bridge")
    yield within(inner, f"ip link set lan mtu {mtu} up")
    yield within(inner, f"ip address add {site.addresses.gateway}/24 dev lan")
    if site.addresses.gateway6:
        yield from _home6(site)
    for number, computer in enumerate(site.computers):
        yield from _computer(site, computer, number, *site.addresses.of(number))
    for router in site.routers:
        yield within(router, "nft", router_rules(site.site.router, site.site.ip6))
    if (port := site.site.forward) is not None:
        yield within(inner, "nft", forwarding_rules(port, site.addresses.computers[0]))


def _home6(site: SiteLayout) -> Iterator[_Command]:
    inner, network = site.routers[-1], network_of(site)
    yield within(inner, f"ip address add {site.addresses.gateway6}/64 dev lan nodad")
    if site.site.router is Router.DOUBLE:
        outer, inside = (network.replace(":1::", f":2::{item}") for item in (1, 2))
        yield within(site.edge, f"ip address add {outer}/64 dev inside nodad")
        yield within(site.edge, f"ip -6 route add {network}/64 via {inside}")
        yield within(inner, f"ip address add {inside}/64 dev wan nodad")
        yield within(inner, f"ip -6 route add default via {outer}")


def _computer(
    site: SiteLayout, computer: str, number: int, address: str, address6: str
) -> Iterator[_Command]:
    inner = site.routers[-1]
    yield from _cable(inner, f"port{number}", computer, "eth", site.site.line.mtu)
    yield within(inner, f"ip link set port{number} master lan")
    yield within(computer, f"ip address add {address}/24 dev eth")
    yield within(computer, f"ip route add default via {site.addresses.gateway}")
    if address6:
        yield within(computer, f"ip address add {address6}/64 dev eth nodad")
        yield within(computer, f"ip -6 route add default via {site.addresses.gateway6}")


def joining(site: SiteLayout, guest: str) -> Iterator[_Command]:
    """Yield the commands that join the computer ``guest``, whose network is gone, to the home network of ``site``."""
    lan, _, _ = site.addresses.gateway.rpartition(".")
    address6 = f"{network_of(site)}{_GUEST}" if site.addresses.gateway6 else ""
    yield from _computer(site, guest, _GUEST, f"{lan}.{_GUEST}", address6)


def _forwarding(*namespaces: str) -> Iterator[_Command]:
    for name in namespaces:
        for setting in _FORWARDING:
            yield within(name, f"sysctl -q -w {setting}")


def _cable(one: str, end: str, other: str, other_end: str, mtu: int) -> Iterator[_Command]:
    """Yield the commands that join two namespaces by a veth pair."""
    yield within(one, f"ip link add {end} type veth peer name {other_end} netns {other}")
    yield within(one, f"ip link set {end} mtu {mtu} up")
    yield within(other, f"ip link set {other_end} mtu {mtu} up")


def router_rules(router: Router, ip6: Ip6 = Ip6.NONE) -> str:
    """Return the rules of nftables by which a router masquerades, and drops what nobody behind it has asked for.

    Packets of IPv6 are not masqueraded, and enter uninvited if ``ip6`` says so.
    """
    uninvited = "meta nfproto ipv6 accept" if ip6 is Ip6.OPEN else "drop"
    kind = "masquerade fully-random" if router is Router.SYMMETRIC else "masquerade"
    return f"""
table ip nat {{
  chain postrouting {{ type nat hook postrouting priority 100; oifname "wan" {kind}; }}
}}
table inet filter {{
  chain input {{
    type filter hook input priority 0; policy accept;
    iifname "wan" ct state established,related accept
    iifname "wan" icmpv6 type {{ nd-neighbor-solicit, nd-neighbor-advert }} accept
    iifname "wan" icmp type echo-request accept
    iifname "wan" drop
  }}
  chain forward {{
    type filter hook forward priority 0; policy accept;
    iifname "wan" ct state established,related accept
    iifname "wan" ct status dnat accept
    iifname "wan" {uninvited}
    iifname "wan" drop
  }}
}}
"""


def forwarding_rules(port: int, computer: str) -> str:
    """Return the rules of nftables by which a router passes TCP connections to ``port`` on to that ``computer``."""
    return f"""
table ip forwarded {{
  chain prerouting {{
    type nat hook prerouting priority -100;
    iifname "wan" tcp dport {port} dnat to {computer}:{port}
  }}
}}
"""
