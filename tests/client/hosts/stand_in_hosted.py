"""A child that does what its first line says, with the messages of a trainer; it needs only the standard library.

With ``family``, it has a process that the kernel ties to it, and one that has left its session and its parent, as
libp2p's daemon may.
"""

import json
import os
import subprocess
import sys
import time

from core.children import parent_death


def tell(**message: object) -> None:
    """Write a message to the supervisor."""
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def start_family(is_busy: bool) -> None:
    """Start a process that is tied to this one, and one below a parent that has ended."""
    parent_death.tie_forks()
    if os.fork() == 0:
        while is_busy:
            pass
        time.sleep(600)
    subprocess.run(["setsid", "--fork", "sleep", "600"], check=True)


def compute(seconds: float) -> None:
    """Compute, and give a sign of life now and then."""
    until = time.monotonic() + seconds
    next_sign = 0.0
    while (now := time.monotonic()) < until:
        sum(range(10_000))
        if now >= next_sign:
            tell(type="heartbeat", idle_seconds=0.0)
            next_sign = now + 0.5


def main() -> int:
    """Do the deed, and return the exit status."""
    start = json.loads(sys.stdin.readline())
    deed, size = start["deed"], start["size"]
    if start["family"]:
        start_family(is_busy=deed == "compute")
    tell(type="hello", protocol=1, pid=os.getpid())
    match deed:
        case "echo":  # returns lines, and their end
            for line in sys.stdin.buffer:
                sys.stdout.buffer.write(line)
                sys.stdout.buffer.flush()
        case "flood":  # writes much before it reads anything
            for _ in range(size):
                sys.stdout.buffer.write(bytes(range(256)) * 256)
            sys.stdout.buffer.flush()
            sys.stdout.buffer.write(b"read %d\n" % len(sys.stdin.buffer.read()))
        case "compute":
            compute(600)
        case "fail":
            return 7
        case "crash":
            os.abort()
        case "silent":
            time.sleep(600)
        case "garble":
            sys.stdout.write("x" * size)
            sys.stdout.flush()
            time.sleep(600)
    return 0


if __name__ == "__main__":
    sys.exit(main())
