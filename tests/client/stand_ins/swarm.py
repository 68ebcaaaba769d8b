"""A trainer that pretends: commits an epoch with each look at its orders, the same ones as all of its kind.

What goes wrong is asked for by files in its state folder: `crash` ends it after an epoch, once, `stray` gives it
other parameters, `refuse` makes it say that it cannot go on, `idle` makes it commit nothing.
"""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from client.api.messages import Start
from client.trainer import Commands, main
from core.errors import DataError
from core.messages.events import (
    CheckpointSaved,
    Command,
    EpochCommitted,
    Event,
    Finished,
    Joined,
    Progress,
    SamplesDrawn,
)

LAST_EPOCH = 1_000_000
_PATIENCE = 3.0
"""Time limit in seconds; a demo that is about to end keeps nothing any more."""


def loop(start: Start, report: Callable[[Event], None], commands: Commands) -> None:
    start.state_dir.mkdir(parents=True, exist_ok=True)
    checkpoint = start.state_dir / "checkpoint"
    epoch = int(checkpoint.read_text()) if checkpoint.exists() else 0
    if (start.state_dir / "refuse").exists():
        raise DataError("The shard is damaged.", "Get it again.")
    report(Joined(peer_id=str(start.seed), epoch=epoch, parameters=1))
    report(
        Progress(
            epoch=epoch,
            loss=5.0,
            samples=8,
            swarm_samples=16,
            target_batch_size=32,
            peers=2,
            samples_per_second=1.0,
            seconds_to_next_epoch=16.0,
            bytes_sent=100 * epoch,
            bytes_received=50 * epoch,
            micro_steps=1,
            compute_seconds=0.5,
        )
    )
    last = start.stop_at_epoch or LAST_EPOCH
    if start.paused:
        assert commands.wait(60) is Command.PAUSE
        if commands.wait(60) is not Command.RESUME:
            last = epoch
    while epoch < last and commands.wait(0.01) is not Command.STOP:
        if (start.state_dir / "idle").exists():
            continue
        epoch += 1
        report(
            EpochCommitted(
                epoch=epoch,
                loss=5.0 / epoch,
                samples=32,
                own_samples=16,
                peers=2,
                seconds=1.5,
                parameter_digest=_digest(start),
                bytes_sent=100,
                bytes_received=50,
            )
        )
        if (start.state_dir / "crash").exists():
            (start.state_dir / "crash").unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        if start.samples and start.samples.path and epoch % start.samples.every == 0:
            _draw(start.samples.path, epoch, report)
    _save(checkpoint, epoch, report)
    report(Finished(epoch=epoch, parameter_digest=_digest(start)))
    while start.stay and epoch >= last and commands.wait(1.0) is not Command.STOP:
        pass


def _draw(sheet: Path, epoch: int, report: Callable[[Event], None]) -> None:
    """Slowly enough, as a real one does, that the demo has kept it before the next takes its place."""
    from client.demo.folder import DemoFolder  # as costly to load as all the rest, for the few that draw

    drawn, kept = f"picture of epoch {epoch}", DemoFolder(sheet.parent).samples_of(epoch)
    sheet.write_text(drawn)
    report(SamplesDrawn(epoch=epoch, path=sheet))
    patience = time.monotonic() + _PATIENCE
    while time.monotonic() < patience and not (kept.exists() and kept.read_text() == drawn):
        time.sleep(0.01)


def _digest(start: Start) -> str:
    return ("b" if (start.state_dir / "stray").exists() else "a") * 64


def _save(checkpoint: Path, epoch: int, report: Callable[[Event], None]) -> None:
    checkpoint.write_text(str(epoch))
    report(CheckpointSaved(epoch=epoch, path=checkpoint))


if __name__ == "__main__":
    main(loop)
