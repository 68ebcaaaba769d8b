"""Messages between `coordinator serve` and its processes; secrets pass through standard input alone."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from core.messages.children import Admit, BootstrapReady, Failed, Heartbeat, Hello
from core.messages.lines import Message
from core.messages.reach import RelayBounds, RelayDue, RelayUsedUp

_Secret = Annotated[str, Field(repr=False)]
COUNTS_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Environment variable of prometheus_client: the folder in which several processes count together."""
OptionalSecret = Annotated[str | None, Field(repr=False)]


class StartWeb(Message):
    """Start message of the website's process, which ends at the end of its input."""

    type: Literal["start_web"] = "start_web"
    protocol: Literal[1] = 1
    home: Path
    port: int
    """Port to listen on; 0 takes a free one."""
    processes: Annotated[int, Field(ge=1)] = 1
    """Number of the website's processes, which share the port and the connections to the database."""
    database: _Secret
    """SQLAlchemy's address, which may hold a password."""
    hub_token: OptionalSecret = None
    """The organiser's token for the Hub, to read the organisation's members."""


class WebReady(Message):
    """Message that the website answers at this address."""

    type: Literal["web_ready"] = "web_ready"
    address: str
    """Address on this machine, such as http://127.0.0.1:8080."""


class StartRecorder(Message):
    """Start message of the recorder, which ends with its input and takes a `RecorderOrder`."""

    type: Literal["start_recorder"] = "start_recorder"
    protocol: Literal[1] = 1
    home: Path
    initial_peers: tuple[str, ...]
    database: _Secret
    admission: OptionalSecret = None
    """Access token of the run; None if the run is open."""


class RelaysNow(Message):
    """Message to the recorder that names the coordinator's own peers whose relay has used up its total of a day."""

    type: Literal["relays_now"] = "relays_now"
    used_up: dict[str, RelayUsedUp]
    """Their own messages, by the name of the process."""


class StartPublisher(Message):
    """Start message of the publisher, which ends with its input and takes `core.messages.children.Admit`."""

    type: Literal["start_publisher"] = "start_publisher"
    protocol: Literal[1] = 1
    home: Path
    initial_peers: tuple[str, ...]
    listen: tuple[str, ...]
    """Multiaddresses at which it serves its state."""
    relay: RelayBounds | None = None
    """Bounds within which it relays for homes behind routers; None: it does not."""
    database: _Secret
    admission: OptionalSecret = None
    """Access token of the run; None if the run is open."""
    hub_token: OptionalSecret = None
    """Hub token to publish with."""


class StartAuditor(Message):
    """Start message of the auditor of work, which ends at the end of its input."""

    type: Literal["start_auditor"] = "start_auditor"
    protocol: Literal[1] = 1
    home: Path
    seconds_an_hour: Annotated[int, Field(ge=1)]
    """Processor seconds an hour that it may spend."""
    database: _Secret


class AuditorReady(Message):
    """Message that the auditor of work looks for samples."""

    type: Literal["auditor_ready"] = "auditor_ready"


class StartReporter(Message):
    """Start message of the reporter, which ends at the end of its input."""

    type: Literal["start_reporter"] = "start_reporter"
    protocol: Literal[1] = 1
    home: Path
    database: _Secret
    wandb_key: OptionalSecret = None
    """The organiser's key for Weights & Biases."""


class ReporterReady(Message):
    """Message that the reporter looks for epochs."""

    type: Literal["reporter_ready"] = "reporter_ready"


class PeerReady(Message):
    """Message that the recorder, or the publisher, is in the swarm."""

    type: Literal["peer_ready"] = "peer_ready"
    peer_id: str


RecorderOrder = Admit | RelaysNow
BootstrapChildMessage = Hello | Heartbeat | Failed | BootstrapReady | RelayUsedUp | RelayDue
WebMessage = Hello | Heartbeat | Failed | WebReady
AuditorMessage = Hello | Heartbeat | Failed | AuditorReady
ReporterMessage = Hello | Heartbeat | Failed | ReporterReady
PeerMessage = Hello | Heartbeat | Failed | PeerReady | RelayUsedUp | RelayDue

FOR_RECORDER: TypeAdapter[RecorderOrder] = TypeAdapter(Annotated[RecorderOrder, Field(discriminator="type")])
FROM_BOOTSTRAP: TypeAdapter[BootstrapChildMessage] = TypeAdapter(
    Annotated[BootstrapChildMessage, Field(discriminator="type")]
)
FROM_WEB: TypeAdapter[WebMessage] = TypeAdapter(Annotated[WebMessage, Field(discriminator="type")])
FROM_PEER: TypeAdapter[PeerMessage] = TypeAdapter(Annotated[PeerMessage, Field(discriminator="type")])
FROM_AUDITOR: TypeAdapter[AuditorMessage] = TypeAdapter(
    Annotated[AuditorMessage, Field(discriminator="type")]
)
FROM_REPORTER: TypeAdapter[ReporterMessage] = TypeAdapter(
    Annotated[ReporterMessage, Field(discriminator="type")]
)
