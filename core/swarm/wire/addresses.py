"""Decides which addresses of strangers may be dialled, so that no swarm can be aimed at others: pure functions."""

import ipaddress

LEAST_PORT = 1024
"""Smallest port that is dialled: below are those of common services."""
_NATIVE = ipaddress.ip_network("2000::/3")
_TUNNELS = tuple(map(ipaddress.ip_network, ("2001::/32", "2002::/16", "64:ff9b::/96")))
"""Teredo, 6to4, and NAT64: each contains an IPv4 address, to which its packets go."""


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


def place_of(address: str) -> str:
    """Return the network of an IP ``address`` that belongs to one line: itself, or the first half of an IPv6 one."""
    bits = 64 if ":" in address else 32
    return str(ipaddress.ip_network(f"{address}/{bits}", strict=False))
