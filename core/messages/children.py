"""Messages of every child process to the process that started it, and the orders of a bootstrap peer."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from core.errors import CoreError
from core.messages.lines import Message
from core.messages.reach import RelayBounds

PROTOCOL = 1
"""Version of the messages, increased when one changes its meaning; both sides must agree."""
LONGEST_TEXT = 4000
"""Most characters of an error's text in a message, so that it fits into a line."""


class Hello(Message):
    """The first message of a child: it lives, and has read its start message."""

    type: Literal["hello"] = "hello"
    protocol: int = PROTOCOL
    """Version number of the messages that the child understands."""
    pid: int


class Heartbeat(Message):
    """Sign of life that a thread of its own sends every few seconds; without it a process is stuck or frozen."""

    type: Literal["heartbeat"] = "heartbeat"
    idle_seconds: float = 0.0
    """Seconds since the process's main loop last gave a sign of life."""


class Failed(Message):
    """The child cannot go on; its last message."""

    type: Literal["failed"] = "failed"
    code: str
    what: str
    remedy: str

    @classmethod
    def of(cls, error: CoreError) -> "Failed":
        """Return the message about ``error``, with its texts cut to ``LONGEST_TEXT`` characters."""
        return cls(code=error.code, what=error.what[:LONGEST_TEXT], remedy=error.remedy[:LONGEST_TEXT])


class StartBootstrap(Message):
    """Settings of a bootstrap peer; it ends at the end of its input."""

    type: Literal["start_bootstrap"] = "start_bootstrap"
    protocol: Literal[1] = 1
    manifest: Path
    listen: tuple[str, ...]
    """Multiaddresses to listen at; TCP port 0 takes a free one."""
    identity: Path
    """File of the peer's private key; made if it is missing. It gives the peer its lasting id."""
    initial_peers: tuple[str, ...] = ()
    auxiliary: bool = False
    """True if the peer also reduces parts for the trainers' groups."""
    relay: RelayBounds | None = None
    """Bounds within which it relays for homes behind routers; None: it does not."""
    admission: Annotated[str | None, Field(repr=False)] = None
    """Access token of the run; None where the run is open."""
    audits: Path | None = None
    """Folder by which samples of trainers' work are handed to the coordinator's auditor; None if there is none."""


class Admit(Message):
    """A new access token for a peer that runs, before its last one is no longer good."""

    type: Literal["admit"] = "admit"
    token: Annotated[str, Field(repr=False)]


class BootstrapReady(Message):
    """The swarm can be entered at these addresses."""

    type: Literal["bootstrap_ready"] = "bootstrap_ready"
    peer_id: str
    addresses: tuple[str, ...]
