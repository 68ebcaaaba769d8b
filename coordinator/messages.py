"""What `coordinator serve` and its processes say to each other; secrets travel here, by standard input alone."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from core.lines import Message
from core.messages import BootstrapReady, Failed, Heartbeat, Hello

Secret = Annotated[str, Field(repr=False)]
OptionalSecret = Annotated[str | None, Field(repr=False)]


class StartWeb(Message):
    """All that the website's process is told; it ends at the end of its input."""

    type: Literal["start_web"] = "start_web"
    protocol: Literal[1] = 1
    home: Path
    port: int
    """To listen on; 0 takes a free one."""
    database: Secret
    """SQLAlchemy's address, which may hold a password."""
    hub_token: OptionalSecret = None
    """The organiser's for the Hub, to see who is in the organisation."""


class WebReady(Message):
    """The website answers here."""

    type: Literal["web_ready"] = "web_ready"
    address: str
    """Of this machine, such as http://127.0.0.1:8080."""


class StartRecorder(Message):
    """All that the recorder is told; it ends at the end of its input, and takes `core.messages.Admit`."""

    type: Literal["start_recorder"] = "start_recorder"
    protocol: Literal[1] = 1
    home: Path
    initial_peers: tuple[str, ...]
    database: Secret
    admission: OptionalSecret = None
    """Access token; None where the run is open."""


class StartPublisher(Message):
    """All that the publisher is told; it ends at the end of its input, and takes `core.messages.Admit`."""

    type: Literal["start_publisher"] = "start_publisher"
    protocol: Literal[1] = 1
    home: Path
    initial_peers: tuple[str, ...]
    listen: tuple[str, ...]
    """Multiaddresses by which it gives its state away."""
    database: Secret
    admission: OptionalSecret = None
    """Access token; None where the run is open."""
    hub_token: OptionalSecret = None
    """To publish with."""


class PeerReady(Message):
    """The recorder, or the publisher, is in the swarm."""

    type: Literal["peer_ready"] = "peer_ready"
    peer_id: str


BootstrapMessage = Hello | Heartbeat | Failed | BootstrapReady
WebMessage = Hello | Heartbeat | Failed | WebReady
PeerMessage = Hello | Heartbeat | Failed | PeerReady

FROM_BOOTSTRAP: TypeAdapter[BootstrapMessage] = TypeAdapter(
    Annotated[BootstrapMessage, Field(discriminator="type")]
)
FROM_WEB: TypeAdapter[WebMessage] = TypeAdapter(Annotated[WebMessage, Field(discriminator="type")])
FROM_PEER: TypeAdapter[PeerMessage] = TypeAdapter(Annotated[PeerMessage, Field(discriminator="type")])
