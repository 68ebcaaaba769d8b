"""Details for a report of a fault: in English, for whoever mends it, and without names, addresses or secrets."""

from collections.abc import Iterator
from pathlib import Path

from client.api.snapshot import Snapshot
from gui.about.components import Installation

_TOLD = ("torch", "hivemind", "numpy", "pydantic")


def report(installed: Installation, snapshot: Snapshot | None, home: Path) -> str:
    """A few lines that can be pasted into an issue."""
    lines = [*_of_installation(installed), *(_of_daemon(snapshot) if snapshot else ["Daemon: not connected"])]
    return "\n".join(shortened(line, home) for line in lines) + "\n"


def shortened(line: str, home: Path) -> str:
    """Without the user's name, which the home folder has in it."""
    return line.replace(str(home), "~")


def _of_installation(installed: Installation) -> Iterator[str]:
    yield f"Idlebrush {installed.version}, Python {installed.python}, Qt {installed.qt}"
    yield f"System: {installed.system}"
    yield ", ".join(f"{name} {version}" for name in _TOLD if (version := installed.version_of(name)))


def _of_daemon(snapshot: Snapshot) -> Iterator[str]:
    yield f"Daemon: {snapshot.version}, {snapshot.activity}"
    if snapshot.reasons:
        yield "Reasons: " + ", ".join(reason.code for reason in snapshot.reasons)
    if snapshot.run is not None:
        yield f"Run: {snapshot.run.name} ({snapshot.run.digest[:16]})"
    if snapshot.progress is not None:
        yield f"Epoch: {snapshot.progress.epoch}, peers: {snapshot.progress.peers}"
    if snapshot.trainer is not None:
        yield f"Trainer: {snapshot.trainer.plan} Restarts: {snapshot.trainer.restarts}"
    if snapshot.problem is not None:
        yield f"Problem: {snapshot.problem.code}: {snapshot.problem.what} {snapshot.problem.remedy}"
