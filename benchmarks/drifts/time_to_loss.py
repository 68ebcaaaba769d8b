"""Seconds until a swarm of the embedded run reaches loss 2.0, in both procedures and for several numbers of peers.

Each row is a demo with the real trainers, in processes of their own with one thread each: they enter a swarm on
loopback, begin together, and end once the mean loss over the last samples is low enough. The clock starts when all
have entered. Peers of a paced row compute for a share of the time, so that they do not compete for cores: their rows
compare with the paced row of one peer. Each row is added to the results as soon as it is measured.
"""

import argparse
import asyncio
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assets.embedded.recipe.write_manifest import SCHEDULES, SWARM
from benchmarks.measuring.report import RESULTS, measure_missing, rounded
from client.demo.coordinating import coordinate
from client.demo.demo import Demo, DemoSettings
from client.demo.folder import DemoFolder, prepare
from client.demo.messages import SwarmLimits
from client.demo.progress import DemoState, EpochRecord
from client.joining.embedded import MANIFESTS, EmbeddedSet, embedded_run
from core.messages.events import TrainingBudget
from core.run.encodings import Encoding
from core.run.manifest import RunManifest
from core.run.rules import Overlap, ScheduleRules, SwarmRules
from core.signing import SigningKey

_NAME = "time_to_loss"
_WANTED_LOSS = 2.0
_LOSS_SAMPLES = 192
"""Samples over which the loss is averaged, at least: epochs are added until they have as many."""
_MOST_SECONDS = 1500.0
_MOST_EPOCHS = 10_000
_GRADIENTS = SwarmRules(
    target_batch_size=96,
    gradient_encoding=Encoding.BLOCKWISE8,
    overlap=Overlap.FULL,
    matchmaking_seconds=3.0,
    allreduce_seconds=30.0,
    averaging_seconds=60.0,
)


@dataclass(frozen=True)
class TimedCase:
    """A row: a procedure, the number of peers, and how much of the time each computes."""

    procedure: str
    peers: int
    share: float = 1.0

    @property
    def name(self) -> str:
        """Name of the row, for ``--only``."""
        paced = f"-share{self.share:g}" if self.share < 1 else ""
        return f"{self.procedure}-k{self.peers}{paced}"


PROCEDURES: dict[str, tuple[SwarmRules, ScheduleRules]] = {
    "gradients": (_GRADIENTS, ScheduleRules(peak_lr=1.5e-2, warmup_epochs=20, total_epochs=600)),
    "local": (SWARM, SCHEDULES["starter"]),
}
"""The rules and learning rates of each procedure: gradients as the embedded run once had, its local steps."""
CASES = {
    case.name: case
    for procedure in PROCEDURES
    for case in (
        *(TimedCase(procedure, peers) for peers in (1, 2)),
        *(TimedCase(procedure, peers, 0.2) for peers in (1, 2, 4)),
        *(TimedCase(procedure, peers, 0.1) for peers in (1, 2, 4, 8)),
    )
}


def run_of(procedure: str, folder: Path) -> Path:
    """Copy the embedded run into ``folder`` with the rules of that procedure, signed anew, and return it."""
    shutil.copytree(embedded_run(), folder)
    path = folder / MANIFESTS[EmbeddedSet.STARTER]
    manifest = RunManifest.load(path)
    swarm, schedule = PROCEDURES[procedure]
    training = manifest.training.model_copy(update={"swarm": swarm, "schedule": schedule})
    RunManifest.create(training, manifest.contact, SigningKey.generate()).save(path)
    return folder


class LossWatch:
    """Watches a demo, and interrupts it as Ctrl-C does once its loss is low enough or its time is up."""

    def __init__(self) -> None:
        self.began: float | None = None
        self.reached: float | None = None
        self.state: DemoState | None = None

    def show(self, state: DemoState) -> None:
        """See the newest state of the demo."""
        self.state = state
        if self.began is None and state.all_joined:
            self.began = time.monotonic()
        if self.began is None or self.reached is not None:
            return
        waited = time.monotonic() - self.began
        if recent_loss(state.epochs) <= _WANTED_LOSS or waited > _MOST_SECONDS:
            self.reached = waited
            os.kill(os.getpid(), signal.SIGINT)


def recent_loss(epochs: Sequence[EpochRecord]) -> float:
    """Return the mean loss over the last samples; infinity while there are too few."""
    total, samples = 0.0, 0
    for epoch in reversed(epochs):
        total, samples = total + epoch.loss * epoch.samples, samples + epoch.samples
        if samples >= _LOSS_SAMPLES:
            return total / samples
    return float("inf")


def measure(case: TimedCase) -> dict[str, Any]:
    """Return a row of the report."""
    with tempfile.TemporaryDirectory(prefix="time-to-loss-") as name:
        embedded = run_of(case.procedure, Path(name) / "embedded")
        settings = DemoSettings(
            out=Path(name) / "demo",
            embedded=embedded,
            peers=case.peers,
            threads=1,
            samples_every=_MOST_EPOCHS,
            checkpoint_every=_MOST_EPOCHS,
            limits=SwarmLimits(budget=TrainingBudget(share=case.share)),
        )
        watch = LossWatch()
        asyncio.run(_train(settings, watch))
    state = watch.state
    assert state is not None
    assert watch.reached is not None, "the demo ended by itself"
    epochs = state.epochs
    samples, seconds = sum(each.samples for each in epochs), sum(each.seconds for each in epochs)
    return {
        "case": case.name,
        "seconds": rounded(watch.reached),
        "loss": rounded(recent_loss(epochs)),
        "epochs": len(epochs),
        "samples": samples,
        "samples_a_second": rounded(samples / seconds),
        "peers_an_epoch": rounded(sum(each.peers for each in epochs) / len(epochs)),
        "megabytes_sent_a_peer": rounded(state.bytes_sent / case.peers / 1e6),
        "loss_after_each_epoch": [rounded(each.loss) for each in epochs],
    }


async def _train(settings: DemoSettings, watch: LossWatch) -> None:
    folder = DemoFolder(settings.out)
    with folder.locked():
        prepare(folder, settings.embedded, settings.kind)
        await Demo(settings, folder, watch.show, coordinate).run()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--only", help="rows, separated by commas, as --list shows them")
    parser.add_argument("--list", action="store_true", help="show the names of all rows, and measure none")
    given = parser.parse_args()
    if given.list:
        print(*CASES, sep="\n")
        return
    measure_missing(
        _NAME,
        __doc__ or "",
        given.only.split(",") if given.only else CASES,
        lambda name: measure(CASES[name]),
        folder=given.out,
        wanted_loss=_WANTED_LOSS,
    )


if __name__ == "__main__":
    main()
