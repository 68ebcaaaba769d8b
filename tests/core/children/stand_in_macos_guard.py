"""A guard that finds what macOS has: no /proc, no parent-death signal, and no adoption of orphans."""

import sys
from pathlib import Path

import psutil  # noqa: F401 - it has to see the system as it is

sys.platform = "darwin"

from core.children import guard, processes  # noqa: E402

processes._PROC = Path("/none")

if __name__ == "__main__":
    sys.exit(guard.main(sys.argv[1:]))
