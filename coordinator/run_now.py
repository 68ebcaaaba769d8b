"""What the swarm does now, as the recorder writes it to the database, and the API and the website show it."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(ge=0)]


class _Part(BaseModel):
    # A field that a newer recorder adds is no reason for an older website to show nothing.
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class PeersOfClass(_Part):
    """Trainers of one hardware class."""

    training: Count = 0
    """Those that compute."""
    paused: Count = 0
    """Those whose volunteer needs the machine."""
    joining: Count = 0
    """Those that are still fetching the state."""


class RunNow(_Part):
    """The newest that is known of a run: the content of table `swarm_now`, and of GET /api/status."""

    time: datetime
    """When the recorder saw it."""
    generation: Count
    epoch: Count
    """Epochs of this generation that are committed, those before a rollback's checkpoint included."""
    total_epochs: Count
    """Of the schedule."""
    loss: float | None = None
    """Of the newest epoch."""
    samples_per_second: Annotated[float, Field(ge=0)] = 0.0
    """Of all trainers together."""
    gathered: Count = 0
    """Samples towards the next epoch."""
    target: Count
    """Samples that make an epoch."""
    seconds_to_next: float | None = None
    """Until the next epoch, at this rate; None while nobody computes."""
    peers: dict[str, PeersOfClass] = {}
    """By `core.swarm.device_class.DeviceClass`."""
    exchanged_bytes: Count = 0
    """That all recorded exchanges took, of all peers together."""

    @property
    def training(self) -> int:
        """Trainers that compute."""
        return sum(peers.training for peers in self.peers.values())

    @property
    def present(self) -> int:
        """Trainers in any state."""
        return sum(each.training + each.paused + each.joining for each in self.peers.values())
