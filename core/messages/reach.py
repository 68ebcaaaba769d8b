"""How other peers reach this one: the word for it, and the events that report it."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from core.messages.lines import Message

PortNumber = Annotated[int, Field(ge=1, le=65_535)]


class Reach(StrEnum):
    """The way in which other peers reach a peer."""

    DIRECT = "direct"  # they connect to an address of its own, or to a port that its router forwards for good
    MAPPED = "mapped"  # they connect to a port that its router forwards on request (UPnP or NAT-PMP)
    PUNCHED = "punched"  # they open its router from both sides at once, and reach it through a relay where that fails
    RELAYED = "relayed"  # they reach it through a relay alone
    OUTGOING = "outgoing"  # it connects to them, and none of them to it
    UNCHECKED = "unchecked"  # no peer could check it

    @property
    def accepts_connections(self) -> bool:
        """True if other peers can connect to the peer by its address alone, so that it may keep records for them."""
        return self in (Reach.DIRECT, Reach.MAPPED)


class RelayBounds(BaseModel):
    """Bounds of what one peer relays for others."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    homes: Annotated[int, Field(ge=1, le=4096)] = 128
    """Peers for which it relays at a time."""
    connections: Annotated[int, Field(ge=1, le=4096)] = 16
    """Connections to each of them at a time."""
    megabytes: Annotated[int, Field(ge=1, le=1_000_000)] = 512
    """Megabytes that pass by one connection each way before it is closed."""
    minutes: Annotated[int, Field(ge=1, le=1440)] = 30
    """Minutes after which a connection is closed."""
    gigabytes_a_day: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """Gigabytes that all connections together pass in a day, both ways together; None: any."""


class ReachFound(Message):
    """The way in which other peers reach this one was found out, at the start or again later."""

    type: Literal["reach_found"] = "reach_found"
    reach: Reach
    port: PortNumber | None = None
    """Port at which this peer listens; None while it is not known."""
    address: str = ""
    """Address from which others see this peer's connections come; empty if none could say."""
    address6: str = ""
    """Address of IPv6 by which peers that have it reach this one directly; empty if they don't."""


class ReachChanged(Message):
    """Peers reach this one in another way than before: it ends in order, and is started again."""

    type: Literal["reach_changed"] = "reach_changed"
    reach: Reach
    """The way that was found."""


class RelayUsedUp(Message):
    """The peer has relayed the total of a day, and relays for nobody until the day is over."""

    type: Literal["relay_used_up"] = "relay_used_up"
    gigabytes: float
    """Gigabytes that the peer has relayed in this day."""
    total: float
    """Gigabytes that it may relay in a day."""
    since: AwareDatetime
    """Time at which the total was seen to be used up."""
    until: AwareDatetime
    """Time at which the day ends."""


class RelayDue(Message):
    """The day on which the peer refused to relay is over: it relays again once it is started again."""

    type: Literal["relay_due"] = "relay_due"
