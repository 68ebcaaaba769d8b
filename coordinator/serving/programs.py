"""What each of a coordinator's processes runs and is told first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from coordinator.home import Home
from coordinator.messages import StartPublisher, StartRecorder, StartWeb
from coordinator.serving.own_peers import OwnPeers
from coordinator.serving.view import Part
from coordinator.settings import Settings
from core import logs
from core.children.program import Program
from core.lines import Message
from core.messages import StartBootstrap


@dataclass(frozen=True)
class Modules:
    """What runs in the child processes."""

    bootstrap: str = "coordinator.bootstrap"
    recorder: str = "coordinator.recorder.process"
    publisher: str = "coordinator.publisher.process"
    web: str = "coordinator.web.process"
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Secrets:
    """What is not in the home, and goes to the processes by their standard input alone."""

    database: str
    """SQLAlchemy's address."""
    hub_token: str | None = None
    """The organiser's."""

    @classmethod
    def of(cls, home: Home, environment: Mapping[str, str]) -> "Secrets":
        """Those that ``DATABASE_URL`` and ``HF_TOKEN`` hold."""
        return cls(home.database_url(environment), environment.get("HF_TOKEN") or None)


@dataclass(frozen=True)
class Programs:
    """Makes the programs of one coordinator."""

    home: Home
    settings: Settings
    secrets: Secrets
    modules: Modules = Modules()
    niceness: int = 0
    """How far all but the bootstrap peer give way to what else runs on the machine."""

    def bootstrap(self, own: OwnPeers, listen: Sequence[str]) -> Program:
        start = StartBootstrap(
            manifest=self.home.manifest,
            listen=tuple(listen),
            identity=self.home.bootstrap_identity,
            auxiliary=self.settings.swarm.auxiliary,
            admission=own.token(self.home.bootstrap_identity),
        )
        return self._program(Part.BOOTSTRAP, "bootstrap peer", self.modules.bootstrap, start)

    def recorder(self, own: OwnPeers, entry: Sequence[str]) -> Program:
        start = StartRecorder(
            home=self.home.root,
            initial_peers=tuple(entry),
            database=self.secrets.database,
            admission=own.token(self.home.recorder_identity),
        )
        return self._program(Part.RECORDER, "recorder", self.modules.recorder, start)

    def publisher(self, own: OwnPeers, entry: Sequence[str]) -> Program:
        start = StartPublisher(
            home=self.home.root,
            initial_peers=tuple(entry),
            listen=self.settings.swarm.publisher_listen,
            database=self.secrets.database,
            admission=own.token(self.home.publisher_identity),
            hub_token=self.secrets.hub_token,
        )
        return self._program(Part.PUBLISHER, "publisher", self.modules.publisher, start)

    def web(self, port: int) -> Program:
        start = StartWeb(
            home=self.home.root,
            port=port,
            database=self.secrets.database,
            hub_token=self.secrets.hub_token,
        )
        return self._program(Part.WEB, "website", self.modules.web, start)

    def _program(self, part: Part, name: str, module: str, start: Message) -> Program:
        log = self.home.log(part.value)
        logs.rotate(log)
        return Program(
            name,
            module,
            start,
            log,
            niceness=0 if part is Part.BOOTSTRAP else self.niceness,
            environment={"OMP_NUM_THREADS": "1", **self.modules.environment},
        )
