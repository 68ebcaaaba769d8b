"""Limits and counts what a command fetches from the Hub by the user's cap and monthly quota."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from rich.console import Console

from client.api.errors import StatsError
from client.contribution.counting import counted_download
from client.contribution.database import ask
from client.contribution.stats import TrainedRun
from client.contribution.tally import Amounts, Calendar, Period
from client.paths import Paths
from client.preferences.preferences import Preferences
from client.preferences.preferences_file import load
from core.errors import DataError
from core.memory.units import format_size
from core.swarm.bandwidth import Line, ProcessLimiter


@dataclass(frozen=True)
class MeteredDownload:
    """The bytes that a command may fetch from the Hub, and those that it has fetched."""

    line: Line
    """Line that counts the bytes, and holds them to the user's cap."""
    allowed: int | None
    """Bytes that the month's quota allowed when the command began; None: there is no quota."""

    def require_quota(self) -> None:
        """Raise DataError if more was fetched than the month's quota allows."""
        if self.allowed is not None and self.line.received > self.allowed:
            raise DataError(
                f"The month's quota is used up: {format_size(self.line.received)} were fetched.",
                "Go on next month, or with a higher monthly quota: what was fetched is not fetched again.",
            )


def _meter_hub(limiter: ProcessLimiter) -> None:
    from core.data.network.metered import meter_hub  # here because it takes a second

    meter_hub(limiter)


@contextmanager
def metered_download(
    run: TrainedRun,
    paths: Paths,
    console: Console,
    *,
    is_needed: bool = True,
    meter: Callable[[ProcessLimiter], None] = _meter_hub,
) -> Iterator[MeteredDownload]:
    """Limit and count all that this process fetches from the Hub.

    Args:
        run: Run for which the bytes count.
        paths: The user's folders.
        console: Shows that the bytes cannot be counted.
        is_needed: False if nothing is fetched: nothing is limited then, and nothing written.
        meter: Lets a limiter pass all that this process fetches from now on.
    """
    if not is_needed:
        yield MeteredDownload(Line(), None)
        return
    paths.prepare()
    preferences, _ = load(paths.preferences)
    line = Line(download=preferences.download)
    meter(line.data)

    def show_error(error: StatsError) -> None:
        console.print(str(error), markup=False)

    with counted_download(paths.stats, run, show_error) as received:
        try:
            yield MeteredDownload(line, _left(paths, preferences))
        finally:
            received(line.received)


def _left(paths: Paths, preferences: Preferences) -> int | None:
    """Return the bytes that are left of the month's quota; None: there is no quota."""
    if preferences.monthly_quota is None:
        return None
    month = Calendar().start(Period.MONTH, datetime.now(UTC))
    used = ask(paths.stats, lambda database: database.since(None, month), Amounts())
    return max(0, preferences.monthly_quota - used.bytes_sent - used.bytes_received)
