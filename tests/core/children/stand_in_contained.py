"""A child that does what the arguments in its first line say; it needs nothing but the standard library.

It prints a line with its process id, that of the process that it has started if it did, and its temporary folder.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]


def main() -> int:
    """Do the deed, and return the exit status."""

    deed = json.loads(sys.stdin.readline())["deed"]
    started = subprocess.Popen(SLEEP).pid if deed.startswith("parent") else 0
    folder = tempfile.gettempdir()
    (Path(folder) / "left").touch()
    print(json.dumps({"pid": os.getpid(), "started": started, "folder": folder}), flush=True)
    if deed.endswith("finish"):
        return 0
    if deed.endswith("fail"):
        return 7
    if deed == "obey":
        sys.stdin.read()
        return 0
    time.sleep(600)
    return 1


if __name__ == "__main__":
    sys.exit(main())
