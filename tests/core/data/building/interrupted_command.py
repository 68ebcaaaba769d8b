"""The command line, at which a user presses Ctrl-C once a shard is written; run as a script.

python -m tests.core.data.building.interrupted_command FOLDER WORDS...
"""

import signal
import sys
from pathlib import Path

from client.cli import main


def interrupt(event: str, arguments: tuple[object, ...]) -> None:
    if event == "os.rename" and Path(str(arguments[1])).parent.parent == folder:
        signal.raise_signal(signal.SIGINT)


folder = Path(sys.argv[1])
sys.addaudithook(interrupt)
signal.signal(signal.SIGINT, signal.default_int_handler)
main(sys.argv[2:])
