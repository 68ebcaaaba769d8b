"""Who asks: the address that limits are counted by, also behind a proxy of our own."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from starlette.types import Scope

_HOME_PREFIX = 64
"""Bits of an IPv6 address that a provider gives to one home; the rest the home chooses as it likes."""


def client_of(scope: Scope, behind_proxy: bool) -> str:
    """The client's IPv4 address or IPv6 network; what a stranger says of himself is never believed.

    Behind a proxy that is the last address of X-Forwarded-For, which the proxy itself has added, and only where
    the connection comes from a private or loopback address, as a proxy's does.
    """
    client = scope.get("client")
    direct = _address(client[0]) if client else None
    if direct is None:
        return "unknown"
    if behind_proxy and (direct.is_private or direct.is_loopback):
        forwarded = _header(scope, b"x-forwarded-for").rpartition(",")[2].strip()
        direct = _address(forwarded) or direct
    return _counted_as(direct)


def _counted_as(address: IPv4Address | IPv6Address) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ip_network((address, _HOME_PREFIX), strict=False))


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None


def _header(scope: Scope, name: bytes) -> str:
    """All headers of that name, as one list."""
    found = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    return ",".join(found)
