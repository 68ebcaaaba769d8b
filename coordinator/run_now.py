"""The current state of the swarm: the recorder writes it to the database, the API and the website show it."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from core.messages.waiting import SwarmWait

_Count = Annotated[int, Field(ge=0)]

WAITED_FOR: Mapping[str, str] = MappingProxyType(
    {
        SwarmWait.ROLLED_BACK_STATE: "the state to which the run was rolled back",
        SwarmWait.NO_DONOR: "a computer that can send the model’s state",
        SwarmWait.NO_REDUCER: "a computer that accepts connections",
        SwarmWait.UNREACHABLE: "a connection with the others at the same epoch",
        SwarmWait.NO_QUORUM: "the votes of more than half of the users at the same epoch",
    }
)
"""Words for what a trainer waits for, by `SwarmWait`; they follow "waits for"."""


OWN_RELAYS: Mapping[str, str] = MappingProxyType({"bootstrap": "bootstrap peer", "publisher": "publisher"})
"""Words for the coordinator's own peers that relay, by the name of the process (`ServedProcess`)."""


class _StatePart(BaseModel):
    # A field that a newer recorder adds is no reason for an older website to show nothing.
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class PeersOfClass(_StatePart):
    """Trainers of one hardware class."""

    training: _Count = 0
    """Number of trainers that compute."""
    paused: _Count = 0
    """Trainers whose volunteer needs the machine."""
    joining: _Count = 0
    """Trainers that are still fetching the state."""


class UsedUpRelay(_StatePart):
    """The relay of a peer of the coordinator's own that has used up its total of a day, and relays for nobody."""

    since: datetime
    """Time at which it was used up."""
    until: datetime
    """Time from which it relays again: the next 00:00 UTC."""
    gigabytes: Annotated[float, Field(ge=0)]
    """Gigabytes that it had relayed in that day."""
    total: Annotated[float, Field(ge=0)]
    """Gigabytes that it may relay in a day."""


class RunNow(_StatePart):
    """The latest known state of a run: the content of table `swarm_now`, and of GET /api/status."""

    time: datetime
    """Time at which the recorder saw this state."""
    generation: _Count
    epoch: _Count
    """Epochs committed in this generation, those before a rollback's checkpoint included."""
    total_epochs: _Count
    """Number of epochs in the schedule."""
    loss: float | None = None
    """Loss of the newest epoch."""
    samples_per_second: Annotated[float, Field(ge=0)] = 0.0
    """Samples per second of all trainers together."""
    gathered: _Count = 0
    """Samples towards the next epoch."""
    target: _Count
    """Samples that make an epoch."""
    seconds_to_next: float | None = None
    """Seconds until the next epoch at this rate, or by the clock; None while no trainer computes."""
    round_seconds: float | None = None
    """Seconds that make an epoch where the clock decides; None where ``target`` samples do."""
    peers: dict[str, PeersOfClass] = {}
    """Numbers of trainers by `core.swarm.wire.device_class.DeviceClass`."""
    reach: dict[str, _Count] = {}
    """Numbers of trainers by the way in which others reach them (`core.messages.reach.Reach`)."""
    waiting: dict[str, _Count] = {}
    """Numbers of trainers that wait for others, by the stated reason (`core.messages.waiting.SwarmWait`)."""
    in_step: _Count = 0
    """Trainers that compute at the leading epoch and head: the others work on epochs or branches of their own."""
    used_up_relays: dict[str, UsedUpRelay] = {}
    """Relays that have used up their total of the day, by the coordinator's own peer: bootstrap or publisher."""
    warning: str | None = None
    """Warnings for the organiser, in words, a paragraph each; None if nothing is wrong."""
    exchanged_bytes: _Count = 0
    """Bytes that all recorded exchanges took, for all peers together."""

    @property
    def training(self) -> int:
        """Trainers that compute."""
        return sum(peers.training for peers in self.peers.values())

    @property
    def present(self) -> int:
        """Trainers in any state."""
        return sum(each.training + each.paused + each.joining for each in self.peers.values())
