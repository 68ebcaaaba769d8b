"""The Internet of a trial: a home on a line of 50 Mbit/s, and a server with a run and the trainer's packages."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.internet.emulation import EmulatedInternet
from benchmarks.internet.organised_run import OrganisedRun, traffic_of
from benchmarks.internet.topology import EmulatedSite, Router, SiteLine, Topology
from client.joining.embedded import MANIFESTS, NAMES, embedded_run
from tests.waiting import COSTLY, wait_until

DOWN, UP = 50.0, 10.0
"""Mbit/s of the home's line."""
_SERVER, _HOME = "server", "home"
_PACKAGES_PORT = 8090
_START_SECONDS = 240.0


@dataclass(frozen=True)
class TrialInternet:
    """The home's network, and what the server offers."""

    internet: EmulatedInternet
    run: OrganisedRun
    link: str
    """Link by which volunteers join the run."""

    @property
    def home(self) -> str:
        """Network namespace of the computer at home."""
        return self.internet.computer(_HOME).namespace

    @property
    def packages(self) -> str:
        """Base address of the trainer's packages."""
        return f"http://{self.run.computer.address}:{_PACKAGES_PORT}/"

    @property
    def received(self) -> int:
        """Bytes that the home's line has brought so far, headers included."""
        return traffic_of(self.internet, _HOME).down

    def epochs(self) -> int:
        """Return the number of epochs that the run has committed."""
        return len(self.run.history())

    def serve_packages(self, command: Sequence[str], log: Path) -> None:
        """Run a web server of packages, to whose command the port is added, until the trial ends."""
        with log.open("a") as output:
            self.run.computer.start((*command, str(_PACKAGES_PORT)), output=output, errors=output)


@contextmanager
def trial_internet(folder: Path, logs: Path) -> Iterator[TrialInternet]:
    """Yield an Internet whose server serves the embedded run; ``folder`` is that of its organiser."""
    line = SiteLine(down=DOWN, up=UP)
    topology = Topology(
        sites=(EmulatedSite(name=_SERVER, router=Router.NONE), EmulatedSite(name=_HOME, line=line))
    )
    with EmulatedInternet(topology) as internet:
        run = OrganisedRun(internet.computer(_SERVER), folder / "organiser")
        draft = folder / "draft"
        shutil.copytree(embedded_run(), draft)
        link = run.make(draft / MANIFESTS[NAMES["embedded"]])
        run.serve(logs / "coordinator.log")
        wait_until(
            lambda: run.asked("/api/history?points=2") is not None,
            f"the coordinator does not answer; read {logs / 'coordinator.log'}",
            _START_SECONDS,
            every=10 * COSTLY,
        )
        yield TrialInternet(internet, run, link)
