"""Tells whether a run's ranker has to be downloaded, and refuses a download that is larger than allowed."""

from collections.abc import Callable

from core.errors import RankingError
from core.memory.units import format_size
from core.run.contact import ClipRanking, Ranking


def is_downloaded(ranking: Ranking | None) -> bool:
    """Return true if the ranker comes from the Hub, and not with the files of the run or the model."""
    return isinstance(ranking, ClipRanking)


def no_more_than(allowed: int | None) -> Callable[[int, int], None]:
    """Return what refuses a download of which more than ``allowed`` bytes are missing; None: no limit.

    It does so once it is known how many are missing, which is before the download begins.
    """

    def arrived(done: int, total: int) -> None:
        if allowed is not None and total - done > allowed:
            raise RankingError(
                f"Ranking pictures needs a download of {format_size(total - done)}, but only"
                f" {format_size(allowed)} may be downloaded now.",
                "Ask again on a connection that is not metered, next month, or with a higher monthly quota.",
            )

    return arrived
