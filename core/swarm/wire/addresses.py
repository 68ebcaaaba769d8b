"""Tells addresses of IPv4 and IPv6 apart, and decides which ones of strangers may be dialled: pure functions.

So no swarm can be aimed at others.
"""

import ipaddress

LEAST_PORT = 1024
"""Smallest port that is dialled: below are those of common services."""
_NATIVE = ipaddress.ip_network("2000::/3")
_TUNNELS = tuple(map(ipaddress.ip_network, ("2001::/32", "2002::/16", "64:ff9b::/96", "64:ff9b:1::/48")))
"""Teredo, 6to4, and NAT64: each contains an IPv4 address, to which its packets go."""

_BY_IP4, _BY_IP6 = ("/ip4/", "/dns4/", "/dns/"), ("/ip6/", "/dns6/", "/dns/")


def may_be_dialled(address: str, port: int) -> bool:
    """Return true if ``address`` is one of a computer in the Internet, in its usual form, and ``port`` no service's.

    Raises ValueError if ``address`` is no IP address.
    """
    parsed = ipaddress.ip_address(address)
    if not parsed.is_global or parsed.is_multicast or str(parsed) != address or port < LEAST_PORT:
        return False
    if isinstance(parsed, ipaddress.IPv4Address):
        return True
    return parsed in _NATIVE and not any(parsed in network for network in _TUNNELS)


def may_be_checked(address: str) -> bool:
    """Return true if a peer whose connection comes from ``address`` may be dialled there, at a port that it names.

    It may be one of a private network, which both share then. One that contains an address of IPv4 may not: what is
    sent there goes to that one, which this computer may reach and the peer not.
    """
    parsed = ipaddress.ip_address(address)
    if isinstance(parsed, ipaddress.IPv4Address):
        return True
    is_local = parsed.is_link_local or parsed.is_multicast or parsed.is_unspecified
    return not is_local and parsed.ipv4_mapped is None and not any(parsed in network for network in _TUNNELS)


def by_ip4(multiaddress: str) -> str | None:
    """Return ``multiaddress`` as one that is reached by IPv4, or None if it is none; a name may have both."""
    return multiaddress.replace("/dns/", "/dns4/", 1) if multiaddress.startswith(_BY_IP4) else None


def by_ip6(multiaddress: str) -> str | None:
    """Return ``multiaddress`` as one that is reached by IPv6, or None if it is none; a name may have both."""
    return multiaddress.replace("/dns/", "/dns6/", 1) if multiaddress.startswith(_BY_IP6) else None


def version_of(address: str) -> int:
    """Return 4 or 6 for an IP ``address``; raises ValueError for anything else."""
    return ipaddress.ip_address(address).version


def place_of(address: str) -> str:
    """Return the network of an IP ``address`` that belongs to one line: itself, or the first half of an IPv6 one."""
    bits = 64 if ":" in address else 32
    return str(ipaddress.ip_network(f"{address}/{bits}", strict=False))
