"""Addresses of computers: one that a person has typed, and those of this computer in its networks."""

import ipaddress
import re
import socket

import psutil

from client.api.errors import RemoteError
from client.remote.backoff import IPV6_SITE

DEFAULT_PORT = 47_320
_MOST = 6
_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_HOST = re.compile(rf"{_LABEL}(?:\.{_LABEL})*\.?")
_LONGEST_HOST = 253
_LONGEST_PORT = 5


def read_address(text: str, port: int = DEFAULT_PORT) -> tuple[str, int]:
    """Return host and port of an address such as ``192.168.1.7``, ``study.local:47000`` or ``[fd00::7]:47000``.

    Args:
        text: Address as a person has typed it.
        port: Port of an address without one.

    Raises:
        RemoteError: It is no address.
    """
    text = text.strip()
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if bracket and _is_ipv6(host) and (not rest or rest.startswith(":")):
            return host, _port(rest[1:]) if rest else port
    elif text.count(":") > 1:
        if _is_ipv6(text):
            return text, port
    else:
        host, colon, number = text.partition(":")
        if len(host) <= _LONGEST_HOST and _HOST.fullmatch(host):
            return host, _port(number) if colon else port
    raise _no_address()


def write_address(host: str, port: int) -> str:
    """Return ``host`` and ``port`` as `read_address` reads them."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def own_addresses() -> tuple[str, ...]:
    """Return this computer's addresses in its networks, those of IPv4 first; at most six."""
    return tuple(str(address) for address in sorted(_usable(), key=lambda one: one.version))[:_MOST]


def own_networks() -> tuple[ipaddress.IPv6Network, ...]:
    """Return the networks of IPv6 to which this computer's addresses belong."""
    own = [address for address in _usable() if isinstance(address, ipaddress.IPv6Address)]
    return tuple(ipaddress.IPv6Network((int(address), IPV6_SITE), strict=False) for address in own)


def _usable() -> list[ipaddress.IPv4Address | ipaddress.IPv6Address]:
    found = [
        item.address for items in psutil.net_if_addrs().values() for item in items if _is_ip(item.family)
    ]
    known = [ipaddress.ip_address(text) for text in found if "%" not in text]
    return [address for address in known if not (address.is_loopback or address.is_link_local)]


def _is_ip(family: int) -> bool:
    return family in (socket.AF_INET, socket.AF_INET6)


def _is_ipv6(text: str) -> bool:
    try:
        ipaddress.IPv6Address(text)
        return "%" not in text
    except ValueError:
        return False


def _port(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= _LONGEST_PORT and 0 < int(text) < 1 << 16:
        return int(text)
    raise _no_address()


def _no_address() -> RemoteError:
    return RemoteError(
        "This is no address of a computer.",
        "Type one that the other computer shows, such as 192.168.1.7 or 192.168.1.7:47320.",
    )
