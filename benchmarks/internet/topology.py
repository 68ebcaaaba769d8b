"""Describes an emulated Internet: sites with a line each, the routers before them, and the computers behind."""

import re
import tomllib
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from core.errors import CoreError

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s)")
_SLOW_MBIT = 2.5
"""Rate at which, and below which, packets have the Internet's size."""
_SMALL_MTU, _LARGE_MTU = 1500, 9000


class TopologyError(CoreError):
    """A description of an emulated Internet cannot be used."""


class Router(StrEnum):
    """The router between a site's computers and its line."""

    NONE = "none"  # computers have the public address themselves: a rented server
    NAT = "nat"  # one public port for a computer's port, whatever the destination; no uninvited packet enters
    SYMMETRIC = "symmetric"  # another public port for each destination
    DOUBLE = "double"  # a router at home, behind one of the provider


class Ip6(StrEnum):
    """IPv6 of a site, where no router translates addresses."""

    NONE = "none"
    CLOSED = "closed"  # its router lets in what was asked for, as most do
    OPEN = "open"  # packets enter uninvited


class _Described(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SiteLine(_Described):
    """The line between a site and the backbone, which itself takes no time."""

    down: Annotated[float, Field(gt=0, le=10_000)] | None = None
    """Mbit/s towards the site; None: as fast as the machine."""
    up: Annotated[float, Field(gt=0, le=10_000)] | None = None
    """Mbit/s from the site; None: as fast as the machine."""
    delay: Annotated[float, Field(ge=0, le=10)] = 0.0
    """Seconds from the site to the backbone and back, without queues."""
    jitter: Annotated[float, Field(ge=0, le=10)] = 0.0
    """Largest further delay of a packet each way, in seconds; packets are never reordered."""
    loss: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Share of the packets that are lost, each way."""

    @property
    def mtu(self) -> int:
        """Largest packet in bytes: that of the Internet where packets are lost or slow, else larger ones.

        The forwarder handles each packet in Python, so large packets keep its share of the processor small. Where
        packets are lost, their size decides how fast TCP is.
        """
        slowest = min(rate for rate in (self.down, self.up, float("inf")) if rate is not None)
        return _SMALL_MTU if self.loss or slowest <= _SLOW_MBIT else _LARGE_MTU


class EmulatedSite(_Described):
    """A place with one line: a home with its computers, or a rented server."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9]{0,7}$")]
    line: SiteLine = SiteLine()
    router: Router = Router.NAT
    computers: Annotated[int, Field(ge=1, le=16)] = 1
    forward: Annotated[int, Field(ge=1, le=65_535)] | None = None
    """TCP port that the router at home forwards to its first computer, as a volunteer may set it up."""
    ip6: Ip6 = Ip6.NONE

    def computer(self, number: int) -> str:
        """Return a name for one of the site's computers, counted from 1: the site's own if there is no other."""
        return self.name if self.computers == 1 else f"{self.name}-{number}"

    @model_validator(mode="after")
    def _fits(self) -> "EmulatedSite":
        if self.router is Router.NONE and self.computers > 1:
            raise ValueError("several computers at a site need a router")
        if self.router is Router.NONE and self.forward is not None:
            raise ValueError("only a router forwards a port")
        if self.router is Router.NONE and self.ip6 is Ip6.CLOSED:
            raise ValueError("only a router keeps packets of IPv6 out")
        return self


class Topology(_Described):
    """All sites of an emulated Internet."""

    sites: Annotated[tuple[EmulatedSite, ...], Field(min_length=1, max_length=200)]
    seed: int = 0
    """Seed from which each way of each line draws its losses and its jitter."""

    @model_validator(mode="after")
    def _names_differ(self) -> "Topology":
        names = [site.name for site in self.sites]
        if len(set(names)) < len(names):
            raise ValueError("two sites have the same name")
        return self

    @classmethod
    def load(cls, path: Path) -> "Topology":
        """Read a TOML file: ``[[sites]]`` with the fields of `EmulatedSite`; ``count = 8`` repeats one.

        Durations are seconds, or texts as "50ms". Raises TopologyError if the file cannot be used.
        """
        try:
            return _DescribedFile.model_validate(tomllib.loads(path.read_text())).topology()
        except OSError as error:
            raise TopologyError(
                f"{path} cannot be read: {error.strerror}.", "Name a file that is there."
            ) from error
        except ValueError as error:
            raise TopologyError(
                f"{path} describes no emulated Internet: {error}", "Change the file."
            ) from error


def homes(count: int, line: SiteLine, *, router: Router = Router.NAT, ip6: Ip6 = Ip6.NONE) -> Topology:
    """Return ``count`` homes of one computer each, named home1 and so on, and a rented server named server.

    ``line`` is that of each home; the server's is as fast as the machine. It has IPv6 if homes have it.
    """
    behind = (
        EmulatedSite(name=f"home{number}", line=line, router=router, ip6=ip6)
        for number in range(1, count + 1)
    )
    beside = Ip6.NONE if ip6 is Ip6.NONE else Ip6.OPEN
    return Topology(sites=(EmulatedSite(name="server", router=Router.NONE, ip6=beside), *behind))


def seconds(text: str) -> float:
    """Return the seconds in a text such as "50ms" or "0.3s"; raises TopologyError for any other."""
    match = _DURATION.fullmatch(text)
    if match is None:
        raise TopologyError(f"{text!r} is not a duration.", 'Write it like "50ms" or "0.3s".')
    return float(match[1]) * (0.001 if match[2] == "ms" else 1.0)


def _plain(given: object) -> object:
    """Return a duration that a file writes as text in seconds, and anything else as it is."""
    try:
        return seconds(given) if isinstance(given, str) else given
    except TopologyError as error:
        raise ValueError(str(error)) from error


def _in_seconds(line: object) -> object:
    return {name: _plain(value) for name, value in line.items()} if isinstance(line, dict) else line


class _DescribedSite(EmulatedSite):
    """A site of a file, or as many as it counts."""

    count: Annotated[int, Field(ge=1, le=200)] | None = None
    line: Annotated[SiteLine, BeforeValidator(_in_seconds)] = SiteLine()

    def sites(self) -> list[EmulatedSite]:
        """Return the sites, numbered if they were counted."""
        fields = self.model_dump(exclude={"count"})
        if self.count is None:
            return [EmulatedSite(**fields)]
        return [
            EmulatedSite(**{**fields, "name": f"{self.name}{number}"}) for number in range(1, self.count + 1)
        ]


class _DescribedFile(_Described):
    """The content of a file."""

    sites: tuple[_DescribedSite, ...]
    seed: int = 0

    def topology(self) -> Topology:
        """Return the topology, with all sites that were counted."""
        return Topology(sites=tuple(one for site in self.sites for one in site.sites()), seed=self.seed)


@dataclass(frozen=True)
class Addresses:
    """The addresses of one site."""

    public: str
    """Address of the site in the Internet (version 4)."""
    gateway: str
    """Address of the router towards its computers."""
    computers: tuple[str, ...]
    """The computers' own addresses: private ones behind a router."""
    gateway6: str = ""
    """Address of IPv6 of the router towards its computers; empty without IPv6."""
    computers6: tuple[str, ...] = ()
    """The computers' addresses of IPv6, which are public ones."""

    def of(self, number: int) -> tuple[str, str]:
        """Return the addresses of a computer, of both versions; the second is empty without IPv6."""
        return self.computers[number], self.computers6[number] if self.computers6 else ""

    def moved(self, public: str) -> "Addresses":
        """Return the addresses of the site once its public one is ``public``."""
        if self.gateway != self.public:
            return replace(self, public=public)
        return replace(self, public=public, gateway=public, computers=(public,))


def addresses_of(site: EmulatedSite, number: int) -> Addresses:
    """Return the addresses of the site with that ``number``, counted from 0.

    Public addresses are from 11.0.0.0/8 and 2608::/16, blocks that libp2p takes for public: it treats private and
    documentation's own addresses differently. No packet leaves the machine.
    """
    public, six = f"11.0.0.{number + 10}", site.ip6 is not Ip6.NONE
    network = network6_of(number)
    if site.router is Router.NONE:
        return Addresses(public, public, (public,), *((f"{network}1::1", (f"{network}1::1",)) if six else ()))
    lan = f"192.168.{number + 10}"
    found = Addresses(public, f"{lan}.1", tuple(f"{lan}.{100 + item}" for item in range(site.computers)))
    if not six:
        return found
    own = tuple(f"{network}1::{100 + item}" for item in range(site.computers))
    return replace(found, gateway6=f"{network}1::1", computers6=own)


def network6_of(number: int) -> str:
    """Return the beginning of the addresses of IPv6 of the site with that ``number``, 48 bits."""
    return f"2608:11:{number + 10}:"
