"""Carries out the tasks about newer versions, in a process of their own (`client.task`)."""

import time
from collections.abc import Callable

from client.api.errors import REPORT_THIS, UpdateError
from client.api.messages import Traffic
from client.fetching.files import DISK_HEAD_ROOM, FileFetcher, WantedFile, free_bytes, shortage
from client.fetching.part_file import part_size
from client.fetching.web_client import WebClient, Wording, metered_client
from client.installed import InstallChannel
from client.joining.tasks import FilesFetched
from client.updates.kept import KeptUpdate
from client.updates.laying_out import lay_out, require_digest
from client.updates.offers import UpdateOffer, UpdateSource
from client.updates.repository import MetadataFetcher, UpdateRepository
from client.updates.tasks import (
    AnyUpdateTask,
    FetchUpdate,
    LayOutUpdate,
    LookForUpdate,
    UpdateFetched,
    UpdateFound,
    UpdateLaidOut,
)
from client.updates.trees import InstalledTrees
from core.network.pause_token import PauseToken
from core.swarm.bandwidth import Line

WORDING = Wording("the new version's package", REPORT_THIS, "try another network")
_REPORT_EVERY = 0.5
"""Seconds between two messages of progress."""
_UNPACKED_FACTOR = 5
"""Bytes on the disk for each byte of a package, at most."""

_Report = Callable[[FilesFetched | Traffic], None]


def carry_out(task: AnyUpdateTask, report: _Report) -> UpdateFound | UpdateFetched | UpdateLaidOut:
    """Return the answer to a task.

    Raises:
        CoreError: The task failed.
    """
    match task:
        case LookForUpdate():
            return _look(task, report)
        case FetchUpdate():
            return _fetch(task, report)
        case LayOutUpdate():
            return _lay_out(task)


def _look(task: LookForUpdate, report: _Report) -> UpdateFound:
    source = UpdateSource.of(task.installation.tree)
    if source is None:
        raise UpdateError(
            "This installation came without an address for updates.",
            "Download the newest version from the website where you found Idlebrush.",
        )
    line = Line()
    with metered_client(line, PauseToken()) as client:
        repository = UpdateRepository(
            source, KeptUpdate(task.paths.updates).metadata, MetadataFetcher(client)
        )
        try:
            return UpdateFound(offer=repository.look(task.installation))
        finally:
            report(Traffic(bytes_received=line.received))


def _fetch(task: FetchUpdate, report: _Report) -> UpdateFetched:
    offer, file = task.offer, task.paths.updates / task.offer.file
    if file.exists():  # it is checked again before it is unpacked
        return UpdateFetched(file=file)
    _require_space(task)
    line, reporter = Line(download=task.download), _UpdateReporter(report, offer)
    wanted = WantedFile(offer.file, offer.size, offer.sha256, (offer.address,))
    try:
        with WebClient.through(line, WORDING) as web:
            FileFetcher(web, attempts=3).fetch(wanted, file, lambda have: reporter.arrived(have, line))
    except OSError as error:
        raise UpdateError(
            f"{file.parent} cannot be written: {error.strerror or error}.", "Free some space on that disk."
        ) from error
    finally:
        report(Traffic(bytes_received=line.received))
    return UpdateFetched(file=file)


def _require_space(task: FetchUpdate) -> None:
    file = task.paths.updates / task.offer.file
    needed = task.offer.size - part_size(file) + _UNPACKED_FACTOR * task.offer.size + DISK_HEAD_ROOM
    if short := shortage("The new version", needed, free_bytes(file.parent)):
        raise UpdateError(*short)


class _UpdateReporter:
    """Reports the progress now and then."""

    def __init__(self, report: _Report, offer: UpdateOffer) -> None:
        self._report, self._total, self._last = report, offer.size, 0.0

    def arrived(self, have: int, line: Line) -> None:
        now = time.monotonic()
        if have == self._total or now - self._last >= _REPORT_EVERY:
            self._last = now
            self._report(FilesFetched(done=have, total=self._total))
            self._report(Traffic(bytes_received=line.received))


def _lay_out(task: LayOutUpdate) -> UpdateLaidOut:
    trees, offer = InstalledTrees.of(task.installation), task.offer
    package = task.paths.updates / offer.file
    if offer.channel is InstallChannel.NSIS:  # it is a program, which lays itself out
        require_digest(package, offer.sha256)
        return UpdateLaidOut(tree=package)
    if trees is None or offer.channel is not InstallChannel.TARBALL:
        raise UpdateError(
            "This installation cannot be updated by itself.", "Install the new version over it by hand."
        )
    return UpdateLaidOut(tree=lay_out(trees, package, offer.sha256, offer.version, offer.commit))
