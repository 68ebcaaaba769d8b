"""The demo as a command of its own, with real trainers on a run that takes seconds: OUT EMBEDDED [EPOCHS]."""

import sys
from pathlib import Path

from rich.console import Console

from client.demo.coordinating import coordinate
from client.demo.demo import DemoSettings, train_here

if __name__ == "__main__":
    out, embedded, *epochs = sys.argv[1:]
    last = int(epochs[0]) if epochs else None
    settings = DemoSettings(Path(out), Path(embedded), epochs=last, threads=1, checkpoint_every=1)
    sys.exit(train_here(settings, Console(), coordinate))
