"""Entry point of the reporter's process: reports each epoch to TensorBoard or Weights & Biases, as the settings say.

It ends at the end of its input. It reads the database alone: nothing that it does, or fails to do, reaches the swarm.
"""

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import NoReturn

from pydantic import TypeAdapter

from coordinator.database.connect import Database
from coordinator.errors import DatabaseError
from coordinator.home import Home
from coordinator.messages import ReporterReady, StartReporter
from coordinator.reports.epochs import RecordedRun
from coordinator.reports.place import KeptPlaces
from coordinator.reports.reporting import Reporting
from coordinator.reports.sink import ReportSink
from coordinator.settings import ReportSettings, Settings
from core.children import child
from core.messages.children import Admit
from core.messages.lines import Channel
from core.run.manifest import RunManifest

_log = logging.getLogger(__name__)
_PATIENCE_SECONDS = 2.0
"""Seconds between two attempts to read the database."""
WANDB_KEY = "WANDB_API_KEY"
"""Variable in which wandb looks for the organiser's key."""
WANDB_MODE = "WANDB_MODE"
"""Variable by which wandb sends nothing, if it is `offline`, and writes files for a later upload."""


def main() -> NoReturn:
    """Report as the process's start message says, until its input ends."""
    child.live(TypeAdapter(StartReporter), report)


def report(start: StartReporter, channel: Channel) -> None:
    """Report until the input ends; CoreError where that cannot be gone on with."""
    home = Home(start.home)
    manifest, settings = RunManifest.load(home.manifest), Settings.load(home.settings).reports
    if start.wandb_key is not None:
        os.environ[WANDB_KEY] = start.wandb_key  # for wandb's own process, which this one starts
    with closing(Database.open(start.database)) as database:
        with child.importing():  # once the channel is ours, since importing prints
            sinks = list(_sinks(home, manifest, settings))
        ended = threading.Event()
        channel.listen(TypeAdapter(Admit), lambda order: None, ended.set)
        run = RecordedRun(database, manifest.training.schedule, home.frames)
        reporting = Reporting(run, KeptPlaces(home.reports), sinks)
        channel.send(ReporterReady())
        pause = 0.0
        while not ended.wait(pause):
            pause = _turn(reporting)
        reporting.close()


def _turn(reporting: Reporting) -> float:
    try:
        return reporting.turn()
    except DatabaseError as error:
        _log.warning("%s", error)
        return _PATIENCE_SECONDS


def _sinks(home: Home, manifest: RunManifest, settings: ReportSettings) -> Iterator[ReportSink]:
    """Yield the places that the settings name; their packages are imported here."""
    if settings.tensorboard is not None:
        from coordinator.reports.tensorboard import TensorBoardSink

        yield TensorBoardSink(home.root / settings.tensorboard)
    if settings.wandb is not None:
        from coordinator.reports.weights_and_biases import WandbSink

        digest, title = manifest.training_digest, manifest.contact.title
        is_offline = os.environ.get(WANDB_MODE) in {"offline", "dryrun"}
        yield WandbSink(settings.wandb, home.root / "wandb", digest, title, is_offline=is_offline)


if __name__ == "__main__":
    main()
