"""A worker that adds, and that dies when asked to."""

import os
import sys
from typing import Any

from benchmarks.contestants.protocol import serve


def add(left: Any, right: Any) -> Any:
    print("a library talks")
    return left + right


def die() -> None:
    print("out of paint", file=sys.stderr, flush=True)
    os._exit(1)


if __name__ == "__main__":
    serve({"add": add, "die": die})
