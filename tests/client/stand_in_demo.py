"""The demo as a command of its own, over stand-ins: OUT EMBEDDED [EPOCHS]."""

import sys
from pathlib import Path

from rich.console import Console

from client.demo.demo import DemoSettings, Modules, train_here

ROOT = str(Path(__file__).parents[2])
STAND_INS = Modules("tests.client.stand_in_swarm", "tests.client.stand_in_bootstrap", {"PYTHONPATH": ROOT})

if __name__ == "__main__":
    out, embedded, *epochs = sys.argv[1:]
    settings = DemoSettings(
        Path(out),
        Path(embedded),
        epochs=int(epochs[0]) if epochs else None,
        samples_every=2,
        modules=STAND_INS,
    )
    sys.exit(train_here(settings, Console()))
