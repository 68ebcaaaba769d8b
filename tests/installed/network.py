"""The Internet of a trial: a home on a line of 50 Mbit/s, and a server with a run and the trainer's packages."""

import shutil
import sys
from collections.abc import Iterator
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
_PACKAGES_PORT, _VERSIONS_PORT = 8090, 8091
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
    def versions(self) -> str:
        """Address of the repository of newer versions."""
        return f"http://{self.run.computer.address}:{_VERSIONS_PORT}"

    @property
    def received(self) -> int:
        """Bytes that the home's line has brought so far, headers included."""
        return traffic_of(self.internet, _HOME).down

    def epochs(self) -> int:
        """Return the number of epochs that the run has committed."""
        return len(self.run.history())

    def serve_packages(self, folder: Path, log: Path) -> None:
        """Serve a folder with a list of the trainer's packages until the trial ends."""
        self._serve(folder, _PACKAGES_PORT, log)

    def serve_versions(self, repository: Path, log: Path) -> None:
        """Serve a repository of newer versions until the trial ends."""
        self._serve(repository, _VERSIONS_PORT, log)

    def _serve(self, folder: Path, port: int, log: Path) -> None:
        command = (sys.executable, "-m", "installer.environment.serve", str(folder))
        with log.open("a") as output:
            self.run.computer.start(
                (*command, "--host", "0.0.0.0", "--port", str(port)), output=output, errors=output
            )


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
