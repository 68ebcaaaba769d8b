"""Decides which checkpoints are published, repeats attempts while the Hub is away, and notifies the organiser."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from coordinator.database.connect import Database
from coordinator.database.tables import Order
from coordinator.gate.audit import note
from coordinator.publisher.archive import Archive
from coordinator.publisher.jobs import Job
from coordinator.publisher.orders import argument_of
from coordinator.publisher.retention import KeptCheckpoint, to_publish
from coordinator.rollback import COORDINATOR, conclude
from core.errors import CoreError

Publish = Callable[[Path], str]
"""Publishes the checkpoint in a folder and returns the commit that has it; CoreError where that fails."""
_NOWHERE = "There is nowhere to publish to: set publish_to in the settings and HF_TOKEN in the environment."


@dataclass(frozen=True)
class _DueRelease:
    kept: KeptCheckpoint
    order: int | None
    """Number of the order; None: the release was due."""
    by: str


class Releases:
    """The releases of one generation."""

    def __init__(
        self,
        archive: Archive,
        database: Database,
        publish: Publish | None,
        *,
        every: int,
        is_passing: Callable[[CoreError], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare to publish by ``publish``; None if there is nowhere to publish to.

        ``is_passing`` tells after which errors a release is tried again.
        """
        self._archive, self._database, self._publish, self._every = archive, database, publish, every
        self._is_passing = is_passing
        self._job: Job[str] = Job("publishing", self._note_failure, clock=clock)
        self._current: _DueRelease | None = None
        self._has_noted_failure = False

    def order(self, order: Order) -> None:
        """Publish what an order asks for, as soon as nothing else is on its way."""
        if self._publish is None:
            conclude(self._database, order.id, _NOWHERE, datetime.now(UTC))
        elif self._current is None:
            argument = argument_of(order)
            found = [item for item in self._archive.kept() if argument.epoch in (None, item.epoch)]
            if found:
                self._current = _DueRelease(found[-1], order.id, argument.by)
            else:
                conclude(self._database, order.id, "There is no such checkpoint.", datetime.now(UTC))

    def turn(self) -> None:
        """Start the next release, or advance the one under way."""
        if self._job.is_done:
            self._handle(self._job.collect())
        if self._publish is None or not self._job.is_free:
            return
        if self._current is None:
            due = to_publish(self._archive.kept(), self._archive.since_published(), self._every)
            self._current = _DueRelease(due, None, COORDINATOR) if due else None
        if self._current is not None:
            publish, folder = self._publish, self._archive.path(self._current.kept)
            self._job.start(lambda: publish(folder))

    def close(self) -> None:
        self._job.close()

    def _handle(self, commit: str | None) -> None:
        if commit is None or self._current is None:
            self._job.put_off()
            return
        release, self._current, self._has_noted_failure = self._current, None, False
        self._archive.publish(release.kept, commit)
        self._note(release, "publish", commit)
        if release.order is not None:
            text = f"The checkpoint of epoch {release.kept.epoch} was published as {commit}."
            conclude(self._database, release.order, text, datetime.now(UTC))

    def _note_failure(self, error: CoreError) -> None:
        """Tell the organiser of an error, once for failures in a row.

        A release that failed for a lasting reason ends, together with its order; others are tried again.
        """
        assert self._current is not None
        release = self._current
        if not self._has_noted_failure:
            self._note(release, "publishing failed", str(error))
        self._has_noted_failure = True
        if not self._is_passing(error):
            self._current = None
            if release.order is not None:
                conclude(self._database, release.order, str(error), datetime.now(UTC))

    def _note(self, release: _DueRelease, action: str, detail: str) -> None:
        with self._database.session() as session:
            note(session, datetime.now(UTC), release.by, action, f"epoch {release.kept.epoch}", detail)
