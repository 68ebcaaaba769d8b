"""Messages between the daemon and the process that serves the swarm on this computer."""

from typing import Annotated, Literal

from pydantic import Field, PositiveInt, TypeAdapter

from core.messages.children import Failed, Heartbeat, Hello
from core.messages.events import TrainingBudget
from core.messages.lines import Message
from core.messages.paths import SharedPath


class SwarmLimits(Message):
    """Limits of the second trainer from now on; the coordinator goes on in any case."""

    type: Literal["swarm_limits"] = "swarm_limits"
    is_paused: bool = False
    budget: TrainingBudget = TrainingBudget()
    ram: PositiveInt | None = None
    """Bytes of RAM that a trainer may take when it starts; None: all that is free."""


class StartLocalSwarm(Message):
    """The first message: where the swarm's folder is, and what its trainer may do."""

    type: Literal["start_local_swarm"] = "start_local_swarm"
    protocol: Literal[1] = 1
    folder: SharedPath
    """Folder of the swarm, as `idlebrush demo` has one."""
    embedded: SharedPath
    """Folder of the embedded runs."""
    is_idle: bool
    """True if the trainer runs only while no other program wants the processor."""
    limits: SwarmLimits


class LocalSwarmNow(Message):
    """State of the swarm; sent at each change."""

    type: Literal["local_swarm_now"] = "local_swarm_now"
    is_shared: bool = False
    """True while another process serves the swarm, and this one waits for its end."""
    manifest: SharedPath | None = None
    """Manifest by which the swarm can be entered; None: it cannot be entered yet."""
    web: str | None = None
    """Address of the website; None: it does not answer yet."""
    notices: tuple[str, ...] = ()
    """Newest notices of the coordinator and the trainer, oldest first."""


LocalSwarmMessage = Hello | Heartbeat | Failed | LocalSwarmNow
FROM_LOCAL_SWARM: TypeAdapter[LocalSwarmMessage] = TypeAdapter(
    Annotated[LocalSwarmMessage, Field(discriminator="type")]
)
LIMITS: TypeAdapter[SwarmLimits] = TypeAdapter(SwarmLimits)
