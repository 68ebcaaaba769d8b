"""Decides which addresses have to wait before they may connect again: pure, and of bounded size."""

import ipaddress
from collections.abc import Callable, Sequence
from dataclasses import dataclass

FREE = 4
"""Failures without a wait: a mistyped code, or a computer that was removed, is no attack."""
LONGEST = 300.0
"""Longest wait in seconds."""
MOST_ADDRESSES = 256
IPV6_SITE = 64
"""Bits that one customer's addresses of IPv6 have in common."""
_UNIQUE_LOCAL = ipaddress.IPv6Network("fc00::/7")
"""Addresses of IPv6 that routers of the Internet do not pass on."""


@dataclass(frozen=True)
class _Failures:
    count: int
    until: float


class Backoff:
    """Failures by address; each beyond `FREE` doubles the wait, from one second on."""

    def __init__(self, home: Callable[[], Sequence[ipaddress.IPv6Network]] = tuple) -> None:
        """Begin without failures; ``home`` returns the networks of this computer."""
        self._home = home
        self._failures: dict[str, _Failures] = {}

    def refuses(self, address: str, now: float) -> bool:
        """Return true if a connection from ``address`` is not to be answered at the time ``now`` in seconds."""
        known = self._failures.get(site_of(address, self._home()))
        return known is not None and now < known.until

    def failed(self, address: str, now: float) -> None:
        """Count a connection from ``address`` that proved nothing, at the time ``now`` in seconds."""
        site = site_of(address, self._home())
        before = self._failures.pop(site, None)
        is_old = before is None or now > before.until + LONGEST
        count = 1 if before is None or is_old else before.count + 1
        wait = 0.0 if count <= FREE else min(LONGEST, 2.0 ** min(count - FREE - 1, 20))
        if len(self._failures) >= MOST_ADDRESSES:
            del self._failures[min(self._failures, key=lambda known: self._failures[known].until)]
        self._failures[site] = _Failures(count, now + wait)

    def succeeded(self, address: str) -> None:
        """Forget the failures of an ``address`` from which a paired computer has connected."""
        self._failures.pop(site_of(address, self._home()), None)


def site_of(address: str, home: Sequence[ipaddress.IPv6Network] = ()) -> str:
    """Return what the addresses of one customer have in common; a text that is no address stays as it is.

    At home each address counts by itself: there, one computer's failures must not hold up the others.

    Args:
        address: IP address of a computer.
        home: Networks of this computer, beside those that cannot be reached from the Internet.
    """
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(known, ipaddress.IPv4Address):
        return str(known)
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    if known.is_link_local or known in _UNIQUE_LOCAL or any(known in network for network in home):
        return str(known)
    return str(ipaddress.ip_network((known, IPV6_SITE), strict=False))
