"""The Internet of a trial: a home on a line of 50 Mbit/s, and a server with a run and the trainer's packages."""

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote

from pydantic import ValidationError

from benchmarks.internet.emulation import EmulatedInternet
from benchmarks.internet.organised_run import OrganisedRun, traffic_of
from benchmarks.internet.topology import EmulatedSite, Router, SiteLine, Topology
from client.environment.lock_file import EnvironmentLock, Variant, sign_lock
from client.joining.embedded import MANIFESTS, NAMES, embedded_run
from core.run.validation import in_words
from core.signing import SigningKey
from core.storage.files import read_bounded, write_atomically
from installer.environment.make_list import LIST, WHEELS
from tests.installed.systems import TrialError
from tests.waiting import COSTLY, wait_until

DOWN, UP = 50.0, 10.0
"""Mbit/s of the home's line."""
_SERVER, _HOME = "server", "home"
_PACKAGES_PORT, _VERSIONS_PORT = 8090, 8091
_START_SECONDS = 240.0
_SIGNED = "trial.json"
_LARGEST = 8 << 20
_TRIAL = timedelta(days=2)
_REMEDY = "Make it by: python -m installer.environment.make_list FOLDER --variant cpu --download"


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

    def serve_packages(self, folder: Path, log: Path) -> str:
        """Serve a folder with a list of the trainer's packages until the trial ends.

        The list is signed again for the addresses here. Returns the content of ``environment.toml`` that names it.
        Raises TrialError if there is no list, or if it names a wheel that is not beside it.
        """
        source = _offered(folder, f"http://{self.run.computer.address}:{_PACKAGES_PORT}/")
        self._serve(folder, _PACKAGES_PORT, log)
        return source

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


def _offered(folder: Path, base: str) -> str:
    """Offer a ``folder`` with a list and its wheels below the web address ``base``; return ``environment.toml``.

    Raises TrialError if there is no list, or if it names a wheel that is not beside it.
    """
    try:
        listed = json.loads(read_bounded(folder / LIST, _LARGEST))["lock"]
        expires = datetime.now(UTC) + _TRIAL  # the list may have been made long ago
        made = EnvironmentLock.model_validate_json(json.dumps({**listed, "expires_at": expires.isoformat()}))
    except ValidationError as error:
        raise TrialError(f"{folder / LIST} is no list: {in_words(error)}.", _REMEDY) from error
    except (OSError, ValueError, KeyError) as error:
        raise TrialError(f"{folder / LIST} cannot be read: {error}.", _REMEDY) from error
    variants = tuple(_served(variant, folder, base) for variant in made.variants)
    key = SigningKey.generate()
    write_atomically(folder / _SIGNED, sign_lock(made.model_copy(update={"variants": variants}), key))
    return f'address = "{base}{_SIGNED}"\nkey = "{key.public_key}"\n'


def _served(variant: Variant, folder: Path, base: str) -> Variant:
    """Return the variant with the addresses of wheels beside the list."""
    if missing := [wheel.file for wheel in variant.wheels if not (folder / WHEELS / wheel.file).exists()]:
        raise TrialError(f"Wheels are not in {folder / WHEELS}: {', '.join(missing[:3])}.", _REMEDY)
    wheels = (
        wheel.model_copy(update={"addresses": (f"{base}{WHEELS}/{quote(wheel.file)}",)})
        for wheel in variant.wheels
    )
    return variant.model_copy(update={"wheels": tuple(wheels)})
