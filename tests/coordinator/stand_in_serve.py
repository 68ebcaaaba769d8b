"""A coordinator as a command of its own, over stand-ins for its processes: HOME."""

import sys
from pathlib import Path

from rich.console import Console

from coordinator.home import Home
from coordinator.serving.foreground import display, serve
from coordinator.serving.programs import Modules
from core.errors import CoreError

STAND_INS = Modules(
    bootstrap="tests.client.stand_ins.bootstrap",
    recorder="tests.coordinator.stand_in_peer",
    publisher="tests.coordinator.stand_in_peer",
    auditor="tests.coordinator.stand_in_auditor",
    web="tests.coordinator.stand_in_web",
    environment={"PYTHONPATH": str(Path(__file__).parents[2])},
)

if __name__ == "__main__":
    try:
        with display(Console(), plain=True) as show:
            serve(Home(Path(sys.argv[1])), {}, show, STAND_INS)
    except CoreError as error:
        print(error)
        sys.exit(2)
