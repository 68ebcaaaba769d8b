"""Asks the signed repository of packages for a newer version, by TUF: only the processes of tasks load this.

The framework refuses old metadata (rollback), metadata that is no longer renewed (freeze), a mix of several states,
and what too few of the trusted keys have signed. What it refuses is put in words here.
"""

import logging
import platform
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import TypeAdapter, ValidationError
from tuf.api import exceptions as tuf
from tuf.api.metadata import TargetFile
from tuf.ngclient import FetcherInterface, Updater, UpdaterConfig

from client.api.errors import REPORT_IF_LASTING, UpdateError
from client.checks.clock import Skew, skew_from
from client.environment.kept_setup import NO_SPACE
from client.environment.machine_facts import MACHINES, SYSTEMS
from client.installed import Installation
from client.updates.offers import (
    LARGEST_PACKAGE,
    LONGEST_NOTES,
    MOST_LANGUAGES,
    PackageDetails,
    UpdateOffer,
    UpdateSource,
    can_replace,
    is_newer,
    target_name,
)
from core.http_client import Fault, HttpClient, HttpFault
from core.run.validation import in_words

_log = logging.getLogger(__name__)

LARGEST_METADATA = 1 << 20
"""Bytes of one file of metadata."""
_LARGEST_NOTES = 256 * 1024
_SECONDS = 60.0
"""Seconds for one file of metadata."""
_CLOCK_SECONDS = 3_600.0
"""Seconds by which this computer's clock may be wrong before that is named as the cause."""
_NETWORK = f"Nothing was installed. Try again later, on another network if you can. {REPORT_IF_LASTING}"
_NOTES = TypeAdapter(dict[str, str])


class MetadataFetcher(FetcherInterface):
    """Fetches metadata by our own client: bounded in time, counted and capped; no redirect is followed."""

    def __init__(
        self, client: HttpClient, seconds: float = _SECONDS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Fetch through ``client``, each file within ``seconds`` of ``clock``."""
        self._client, self._seconds, self._clock = client, seconds, clock

    def _fetch(self, url: str) -> Iterator[bytes]:
        return self._pieces(url)

    def _pieces(self, url: str) -> Iterator[bytes]:
        deadline = self._clock() + self._seconds
        with self._client.open("GET", url) as answer:
            if answer.status != 200:
                raise tuf.DownloadHTTPError(f"status {answer.status}", answer.status)
            for piece in answer.pieces():
                if self._clock() > deadline:
                    raise tuf.SlowRetrievalError("too slow")
                yield piece


class UpdateRepository:
    """The repository that an installation trusts, and what is known of it on this computer."""

    def __init__(
        self,
        source: UpdateSource,
        folder: Path,
        fetcher: FetcherInterface,
        skew: Callable[[str], Skew | None] = skew_from,
    ) -> None:
        """Prepare to ask; nothing is read yet.

        Args:
            source: Address, and the root metadata that came with the installation.
            folder: Folder for metadata, which protects from older ones; it is made.
            fetcher: Fetches metadata and texts.
            skew: Measures how far this computer's clock is from a server's.
        """
        self._source, self._folder, self._fetcher, self._skew = source, folder, fetcher, skew

    def look(self, installation: Installation) -> UpdateOffer | None:
        """Return the newest version for an installation; None: it has the newest, or there is no such package.

        Raises:
            UpdateError: The repository cannot be reached, or what it says is refused; nothing of it is kept.
        """
        with self._in_words():
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            updater = self._updater()
            updater.refresh()
            target = updater.get_targetinfo(_own_target(installation))
            if target is None:
                _log.info("The repository has no %s package for this system.", installation.channel)
                return None
            details = self._details(target)
            if not is_newer(details.version, installation.version):
                return None
            return self._offer(updater, target, details, installation)

    def _updater(self) -> Updater:
        config = UpdaterConfig(
            root_max_length=LARGEST_METADATA,
            snapshot_max_length=LARGEST_METADATA,
            targets_max_length=LARGEST_METADATA,
        )
        return Updater(
            str(self._folder),
            self._source.metadata,
            target_base_url=self._source.targets,
            fetcher=self._fetcher,
            config=config,
            bootstrap=self._source.root,
        )

    def _details(self, target: TargetFile) -> PackageDetails:
        try:
            return PackageDetails.model_validate(target.custom or {})
        except ValidationError as error:
            raise UpdateError(
                f"The description of the newest version cannot be used: {in_words(error)}.", _NETWORK
            ) from error

    def _offer(
        self, updater: Updater, target: TargetFile, details: PackageDetails, installation: Installation
    ) -> UpdateOffer:
        digest = target.hashes.get("sha256", "")
        if not 0 < target.length <= LARGEST_PACKAGE or not digest:
            raise UpdateError("The newest version has no size or digest that can be checked.", _NETWORK)
        folder, _, name = target.path.rpartition("/")
        return UpdateOffer(
            version=details.version,
            channel=details.channel,
            commit=details.commit,
            address=f"{self._source.targets}{folder}/{digest}.{name}",
            size=target.length,
            sha256=digest,
            is_by_hand=not can_replace(details, installation.version),
            notes=self._notes(updater, details.notes),
        )

    def _notes(self, updater: Updater, name: str) -> dict[str, str]:
        """Return the text of what is new by language; none if it is not what was signed to be one."""
        target = updater.get_targetinfo(name) if name else None
        if target is None or target.length > _LARGEST_NOTES:
            return {}
        file = self._folder / "notes.json"
        updater.download_target(target, str(file))
        try:
            notes = _NOTES.validate_json(file.read_bytes())
        except ValidationError as error:
            _log.warning("The text of what is new cannot be used: %s.", in_words(error))
            return {}
        return {language: notes[language][:LONGEST_NOTES] for language in list(notes)[:MOST_LANGUAGES]}

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """Raise UpdateError in place of what the framework, the network or the disk refuses."""
        try:
            yield
        except tuf.ExpiredMetadataError as error:
            raise self._expired() from error
        except (tuf.RepositoryError, tuf.DownloadError) as error:
            raise UpdateError(*_words(error)) from error
        except HttpFault as error:
            raise UpdateError(*_network_words(error.fault, self._source.address)) from error
        except OSError as error:
            full = error.errno in NO_SPACE
            remedy = "Free some space on that disk." if full else "See that you may write to that folder."
            raise UpdateError(
                f"{self._folder} cannot be used: {error.strerror or error}.", f"{remedy} Then look again."
            ) from error

    def _expired(self) -> UpdateError:
        """Return the error of metadata that is out of date: by this computer's clock, or because it is kept back."""
        skew = self._skew(self._source.metadata)
        if skew is not None and abs(skew.ahead) > _CLOCK_SECONDS + skew.doubt:
            way = "ahead of" if skew.ahead > 0 else "behind"
            return UpdateError(
                f"This computer's clock is {_span(abs(skew.ahead))} {way} that of the server of updates, so what the "
                "server says seems to be out of date.",
                "Set the clock, or turn automatic time on, and look again. Nothing was installed.",
            )
        return UpdateError(
            "The server of updates shows only information that is out of date, which may hide newer versions.",
            f"See that this computer's date is right. {_NETWORK}",
        )


def _own_target(installation: Installation) -> str:
    """Return the name of the target for this computer and its kind of installation."""
    system = SYSTEMS.get(platform.system(), platform.system().lower())
    machine = MACHINES.get(platform.machine().lower(), platform.machine().lower())
    return target_name(system, machine, installation.channel)


def _words(error: tuf.RepositoryError | tuf.DownloadError) -> tuple[str, str]:
    """Return what happened, and the remedy."""
    match error:
        case tuf.UnsignedMetadataError():
            return "The information about updates was not signed by the developers of Idlebrush.", _NETWORK
        case tuf.BadVersionNumberError():
            return (
                "The server of updates shows older information than it did before, or parts of different age.",
                _NETWORK,
            )
        case tuf.LengthOrHashMismatchError():
            return "The server of updates sends parts that do not belong together.", _NETWORK
        case tuf.DownloadLengthMismatchError():
            return "The server of updates sends more bytes than are accepted.", _NETWORK
        case tuf.SlowRetrievalError():
            return "The server of updates is too slow to wait for.", _NETWORK
        case tuf.DownloadHTTPError():
            return f"The server of updates answered with status {error.status_code}.", _NETWORK
        case tuf.DownloadError():
            return "The information about updates cannot be fetched.", _NETWORK
        case _:
            return "The information about updates is malformed.", _NETWORK


def _network_words(fault: Fault, address: str) -> tuple[str, str]:
    match fault:
        case Fault.CERTIFICATE:
            return (
                f"The certificate of the server of updates, {address}, is not valid.",
                f"Check this computer's date. {_NETWORK}",
            )
        case Fault.SILENCE | Fault.TOO_SLOW:
            return "The server of updates does not answer in time.", "Try again later."
        case Fault.ADDRESS:
            return f"{address} is not a valid web address.", "Install Idlebrush again."
        case _:
            return (
                "The server of updates cannot be reached, or the connection broke.",
                "Check your connection to the Internet, and try again later.",
            )


def _span(seconds: float) -> str:
    days = seconds / 86_400
    return f"{days:.0f} days" if days >= 2 else f"{seconds / 3_600:.0f} hours"
