"""Asks whether the addresses by which a run's swarm is entered answer: by TCP connections that carry nothing."""

import asyncio
import re
import socket
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from client.api.candidate import EntrancesView
from client.side_thread import in_thread

Protocol = Literal["IPv4", "IPv6"]
_CONNECT_SECONDS = 4.0
_NAMED = 4
"""Addresses that a sentence names, at most."""
_ADDRESS = re.compile(r"/(ip4|ip6|dns|dns4|dns6)/([^/]+)/tcp/(\d+)(?:/|$)")
_FAMILIES: dict[Protocol, socket.AddressFamily] = {"IPv4": socket.AF_INET, "IPv6": socket.AF_INET6}
_PROTOCOLS: dict[str, tuple[Protocol, ...]] = {
    "ip4": ("IPv4",),
    "dns4": ("IPv4",),
    "ip6": ("IPv6",),
    "dns6": ("IPv6",),
    "dns": ("IPv4", "IPv6"),
}


@dataclass(frozen=True)
class Entrance:
    """An address by which a run's swarm is entered, and whether it answered this computer."""

    place: str
    """Host and port, such as ``203.0.113.7:31330``."""
    protocols: tuple[Protocol, ...]
    """Protocols by which it accepted a connection; empty if it did not answer."""


async def ask_entrances(addresses: Iterable[str], seconds: float = _CONNECT_SECONDS) -> tuple[Entrance, ...]:
    """Connect to all addresses by TCP at the same time; returns after ``seconds``, whatever happens.

    Args:
        addresses: Multiaddresses of a manifest's ``initial_peers``; those without a TCP port are left out.
        seconds: Time in which a name has to be found, and an address has to accept the connection.

    Returns:
        The hosts and ports that the addresses name, each once, in their order.
    """
    wanted: dict[tuple[str, int], list[Protocol]] = {}
    for kind, host, port in (match.groups() for item in addresses if (match := _ADDRESS.match(item))):
        wanted.setdefault((host, int(port)), []).extend(_PROTOCOLS[kind])
    return tuple(await asyncio.gather(*(_ask(*place, by, seconds) for place, by in wanted.items())))


async def _ask(host: str, port: int, protocols: Iterable[Protocol], seconds: float) -> Entrance:
    asked = tuple(dict.fromkeys(protocols))
    accepts = await asyncio.gather(*(_accepts(host, port, _FAMILIES[item], seconds) for item in asked))
    shown = f"[{host}]" if ":" in host else host
    found = tuple(item for item, answers in zip(asked, accepts, strict=True) if answers)
    return Entrance(f"{shown}:{port}", found)


async def _accepts(host: str, port: int, family: socket.AddressFamily, seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            # asyncio's own look-up delays the end of its loop for as long as a name server is silent
            found = await in_thread(lambda: socket.getaddrinfo(host, None, family, socket.SOCK_STREAM))
            _, writer = await asyncio.open_connection(str(found[0][4][0]), port)
    except (OSError, OverflowError, UnicodeError):  # a TimeoutError; an impossible port or name
        return False
    writer.close()
    return True


def entrances_in_words(title: str, entrances: Sequence[Entrance]) -> str:
    """Return in a sentence which of the ``entrances`` of the run of that ``title`` answer, and by which protocol."""
    answering = [f"{item.place} by {' and '.join(item.protocols)}" for item in entrances if item.protocols]
    if not answering:
        return (
            f"No address by which {title} is entered answers: {_named([item.place for item in entrances])}."
        )
    count = f"{len(answering)} of {len(entrances)}"
    return f"{count} addresses by which {title} is entered answer: {_named(answering)}."


def _named(places: Sequence[str]) -> str:
    more = len(places) - _NAMED
    return ", ".join(places[:_NAMED]) + (f", and {more} more" if more > 0 else "")


def entrances_view(entrances: Sequence[Entrance]) -> EntrancesView | None:
    """Return what the app shows of the ``entrances``; None if a run has none."""
    if not entrances:
        return None
    by = {item for entrance in entrances for item in entrance.protocols}
    return EntrancesView(by_ip4="IPv4" in by, by_ip6="IPv6" in by)
