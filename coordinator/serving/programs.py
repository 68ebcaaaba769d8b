"""The coordinator's processes: their programs, first messages, access tokens and restarts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import rmtree

from coordinator.home import Home
from coordinator.messages import (
    COUNTS_VARIABLE,
    StartAuditor,
    StartPublisher,
    StartRecorder,
    StartReporter,
    StartWeb,
)
from coordinator.serving.view import ServedProcess
from coordinator.settings import OWN_NAME, Settings
from core.admission.access_token import AccessToken, issue
from core.admission.peer_key import PeerKey
from core.children import logs
from core.children.outcome import Ending, Outcome
from core.children.program import Program
from core.messages.children import StartBootstrap
from core.messages.lines import Message
from core.signing import SigningKey

RENEWALS = 3
"""Renewals in the life of a token, so that a missed one costs nothing."""
MOST_CRASHES = 10
"""Largest number of crashes in an hour; more are a loop that restarts do not end."""
LONGEST_PAUSE = 60.0
_LASTING = {"manifest", "home", "settings", "codec", "text", "packages"}
"""Codes of errors that are the same the next time; others come from the network, the disk or the database."""


@dataclass(frozen=True)
class OwnPeers:
    """Admits the coordinator's own peers in the gate's place."""

    run: str
    """Training digest of the run's manifest."""
    gate_key: SigningKey | None
    """Key that signs access tokens; None in an open run, where no peer needs one."""
    seconds: int
    """Seconds for which a token is valid."""
    clock: Callable[[], float]
    """Clock that returns Unix seconds."""

    def token(self, identity: Path) -> str | None:
        """Return a new access token for the peer whose key is in the file ``identity``; None in an open run.

        The key is made if it is missing.
        """
        if self.gate_key is None:
            return None
        now = int(self.clock())
        peer = PeerKey.load_or_create(identity).peer_id
        return issue(AccessToken(self.run, OWN_NAME, peer, now, now + self.seconds), self.gate_key)

    @property
    def renewal_seconds(self) -> float:
        """Seconds between two tokens."""
        return self.seconds / RENEWALS


AUDITORS_NICENESS = 19
"""Least niceness of the auditor of work: everything else comes first."""
WRITERS_NICENESS = 5
"""Least niceness of recorder and publisher: each has seconds of work at once, for which no person waits."""


@dataclass(frozen=True)
class Modules:
    """The modules of the child processes."""

    bootstrap: str = "coordinator.bootstrap"
    recorder: str = "coordinator.recorder.process"
    publisher: str = "coordinator.publisher.process"
    auditor: str = "coordinator.auditing.process"
    reporter: str = "coordinator.reports.process"
    web: str = "coordinator.web.process"
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Secrets:
    """Secrets that are not in the home folder, and reach the processes by their standard input alone."""

    database: str
    """Address of the database in SQLAlchemy's notation."""
    hub_token: str | None = None
    """The organiser's token for the Hub."""
    wandb_key: str | None = None
    """The organiser's key for Weights & Biases."""

    @classmethod
    def of(cls, home: Home, environment: Mapping[str, str]) -> "Secrets":
        """Read the secrets from ``DATABASE_URL``, ``HF_TOKEN`` and ``WANDB_API_KEY``."""
        return cls(
            home.database_url(environment),
            environment.get("HF_TOKEN") or None,
            environment.get("WANDB_API_KEY") or None,
        )


@dataclass(frozen=True)
class Programs:
    """Makes the programs of one coordinator."""

    home: Home
    settings: Settings
    secrets: Secrets
    modules: Modules = Modules()
    niceness: int = 0
    """Niceness of the website, and the least of recorder and publisher, which give way to who waits for an answer."""

    def bootstrap(self, own: OwnPeers, listen: Sequence[str]) -> Program:
        start = StartBootstrap(
            manifest=self.home.manifest,
            listen=tuple(listen),
            identity=self.home.bootstrap_identity,
            auxiliary=self.settings.swarm.auxiliary,
            relay=self.settings.relay.bounds,
            admission=own.token(self.home.bootstrap_identity),
            audits=self.home.audits if self.settings.recomputed_seconds_an_hour else None,
        )
        return self._program(ServedProcess.BOOTSTRAP, "bootstrap peer", self.modules.bootstrap, start)

    def recorder(self, own: OwnPeers, entry: Sequence[str]) -> Program:
        start = StartRecorder(
            home=self.home.root,
            initial_peers=tuple(entry),
            database=self.secrets.database,
            admission=own.token(self.home.recorder_identity),
        )
        return self._program(ServedProcess.RECORDER, "recorder", self.modules.recorder, start)

    def publisher(self, own: OwnPeers, entry: Sequence[str]) -> Program:
        start = StartPublisher(
            home=self.home.root,
            initial_peers=tuple(entry),
            listen=self.settings.swarm.publisher_listen,
            relay=self.settings.relay.bounds,
            database=self.secrets.database,
            admission=own.token(self.home.publisher_identity),
            hub_token=self.secrets.hub_token,
        )
        return self._program(ServedProcess.PUBLISHER, "publisher", self.modules.publisher, start)

    def auditor(self) -> Program:
        start = StartAuditor(
            home=self.home.root,
            seconds_an_hour=self.settings.recomputed_seconds_an_hour,
            database=self.secrets.database,
        )
        return self._program(ServedProcess.AUDITOR, "auditor", self.modules.auditor, start)

    def reporter(self) -> Program:
        start = StartReporter(
            home=self.home.root, database=self.secrets.database, wandb_key=self.secrets.wandb_key
        )
        return self._program(ServedProcess.REPORTER, "reporter", self.modules.reporter, start)

    def web(self, port: int, number: int = 0) -> Program:
        """Return the program of the website's process of that number, from 0; all of them listen on ``port``."""
        processes = self.settings.web.processes
        start = StartWeb(
            home=self.home.root,
            port=port,
            processes=processes,
            database=self.secrets.database,
            hub_token=self.secrets.hub_token,
        )
        if processes == 1:
            return self._program(ServedProcess.WEB, "website", self.modules.web, start)
        name = f"website's process {number + 1} of {processes}"
        program = self._program(ServedProcess.WEB, name, self.modules.web, start, self.web_log(number))
        counts = {COUNTS_VARIABLE: str(self.home.counts)}
        return replace(program, environment={**program.environment, **counts})

    def web_log(self, number: int) -> Path:
        """Return the log of the website's process of that number."""
        return self.home.log(f"{ServedProcess.WEB.value}-{number + 1}" if number else ServedProcess.WEB.value)

    def clear_counts(self) -> None:
        """Begin the folder anew in which several processes of the website count together."""
        rmtree(self.home.counts, ignore_errors=True)
        if self.settings.web.processes > 1:
            self.home.counts.mkdir(mode=0o700)

    def _program(
        self, part: ServedProcess, name: str, module: str, start: Message, log: Path | None = None
    ) -> Program:
        log = log or self.home.log(part.value)
        logs.rotate(log)
        return Program(
            name,
            module,
            start,
            log,
            niceness=self._niceness(part),
            environment={"OMP_NUM_THREADS": "1", **self.modules.environment},
        )

    def _niceness(self, part: ServedProcess) -> int:
        if part is ServedProcess.BOOTSTRAP:
            return 0
        if part is ServedProcess.AUDITOR:
            return max(self.niceness, AUDITORS_NICENESS)
        return self.niceness if part is ServedProcess.WEB else max(self.niceness, WRITERS_NICENESS)


def pause_after(outcome: Outcome, ends: int) -> float | None:
    """Return the seconds until the next life, or None if there is to be none; as `core.children.keeper.Again`.

    What said why it cannot go on is tried for as long as the reason may pass: a database comes back.
    """
    code = outcome.failure.code if outcome.ending is Ending.FAILED and outcome.failure else None
    if outcome.ending is Ending.GARBLED or code in _LASTING:
        return None
    if code is None and ends >= MOST_CRASHES:
        return None
    return min(LONGEST_PAUSE, 0.5 * 2.0 ** min(ends - 1, 10))
