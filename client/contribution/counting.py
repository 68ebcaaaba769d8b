"""Counts what a command fetches in a process of its own, beside the daemon, towards the same month."""

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from client.api.errors import StatsError
from client.api.messages import Traffic
from client.contribution.stats import Contribution, TrainedRun

_ATTEMPTS = 20
_REST_SECONDS = 0.1
"""Pause between attempts, as the daemon may be writing."""


@contextmanager
def counted_download(
    path: Path,
    run: TrainedRun,
    notify: Callable[[StatsError], None],
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    sleep: Callable[[float], object] = time.sleep,
) -> Iterator[Callable[[int], None]]:
    """Give a function that takes the bytes received so far; the last number counts when the context ends."""
    contribution, life = Contribution(path, notify), secrets.token_hex(8)

    def received(size: int) -> None:
        contribution.heard(run, life, Traffic(bytes_received=size), now())

    try:
        yield received
    finally:
        for _ in range(_ATTEMPTS):
            if contribution.write(now()):
                break
            sleep(_REST_SECONDS)
        contribution.close(now())
