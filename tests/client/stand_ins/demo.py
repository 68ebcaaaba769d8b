"""The demo as a command of its own, over stand-ins: OUT EMBEDDED [EPOCHS]."""

import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from client.demo.coordinating import adopted
from client.demo.demo import DemoModules, DemoSettings, train_here
from client.demo.folder import DemoFolder
from coordinator.loopback import beside_trainers
from coordinator.serving import programs
from coordinator.serving.coordinator import Coordinator
from coordinator.serving.view import ServingView

ROOT = {"PYTHONPATH": str(Path(__file__).parents[3])}
TRAINER = DemoModules("tests.client.stand_ins.swarm", ROOT)
COORDINATOR = programs.Modules(
    bootstrap="tests.client.stand_ins.bootstrap",
    recorder="tests.coordinator.stand_in_peer",
    web="tests.coordinator.stand_in_web",
    environment=ROOT,
)


def coordinate(folder: DemoFolder, show: Callable[[ServingView], None]) -> Coordinator:
    return beside_trainers(adopted(folder), show, COORDINATOR)


if __name__ == "__main__":
    out, embedded, *epochs = sys.argv[1:]
    settings = DemoSettings(
        Path(out),
        Path(embedded),
        epochs=int(epochs[0]) if epochs else None,
        samples_every=2,
        modules=TRAINER,
    )
    sys.exit(train_here(settings, Console(), coordinate))
