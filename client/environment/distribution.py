"""Chooses and fetches the Linux in which trainers live on Windows, by the signed list of packages."""

from pathlib import Path

from client.api.errors import REPORT_THIS, SetupError
from client.environment.kept_setup import disk_error
from client.environment.lock_file import Distribution, EnvironmentLock
from client.environment.machine_facts import MachineFacts
from client.environment.places import EnvironmentPlaces
from client.environment.progress import SetupReporter
from client.environment.stages import SetupStage
from client.fetching.control import FetchControl
from client.fetching.files import DISK_HEAD_ROOM, FileFetcher, free_bytes, missing_bytes, shortage
from client.fetching.web_client import WebClient, Wording
from core.network.persistence import Outage

_WORDING = Wording("the listed distribution", REPORT_THIS, "try another network")


def distribution_for(lock: EnvironmentLock, facts: MachineFacts) -> Distribution:
    """Return the first distribution of a list that a machine can run; raise SetupError if it names none."""
    for distribution in lock.distributions:
        if distribution.machine == facts.machine:
            return distribution
    raise SetupError(
        "The list of packages names no Linux in which this computer could train.",
        "Update Idlebrush, or try again later.",
    )


def facts_within(distribution: Distribution, facts: MachineFacts) -> MachineFacts:
    """Return the facts of the machine as a distribution on it sees them; it sees GPUs of NVIDIA alone."""
    return MachineFacts(
        system="linux",
        machine=facts.machine,
        python=distribution.python,
        glibc=distribution.glibc,
        gpus=tuple(gpu for gpu in facts.gpus if gpu.vendor == "nvidia"),
    )


def missing_of(distribution: Distribution, places: EnvironmentPlaces) -> int:
    """Return the bytes of the archive that are still to be fetched."""
    place = places.distribution(distribution)
    return 0 if place.exists() else missing_bytes([(place, distribution.size)])


class DistributionFetcher:
    """Fetches the archive of a distribution, or the rest of it."""

    def __init__(self, places: EnvironmentPlaces, control: FetchControl, reporter: SetupReporter) -> None:
        """Fetch to ``places``; ``control`` holds and caps the download, ``reporter`` hears of its progress."""
        self._places, self._control, self._reporter = places, control, reporter

    def fetch(self, distribution: Distribution) -> Path:
        """Return the path of the archive, once it is whole and has the digest that was signed.

        Raises:
            SetupError: The disk is too full, or cannot be used.
            DownloadError: It cannot be had.
            Ended: By the control's token.
        """
        place, token = self._places.distribution(distribution), self._control.token
        try:
            self._require_space(distribution)
            outage = Outage(token, self._reporter.on_outage, "packages")
            with WebClient.through(self._control.line, _WORDING, token) as web:
                FileFetcher(web, token, outage).fetch_all([distribution.wanted], lambda _: place, self._show)
        except OSError as error:
            raise disk_error(error, self._places) from error
        return place

    def _require_space(self, distribution: Distribution) -> None:
        needed = missing_of(distribution, self._places) + distribution.unpacked + DISK_HEAD_ROOM
        if short := shortage("Linux for training", needed, free_bytes(self._places.shared)):
            raise SetupError(*short)

    def _show(self, name: str, done: int, total: int) -> None:
        self._reporter.show(SetupStage.FETCHING, name, done, total)
