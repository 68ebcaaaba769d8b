"""Bounds the time that a check of data on the Hub may take."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import DataError
from core.network.pause_token import Ended, PauseToken


@contextmanager
def within(seconds: float, repo: str) -> Iterator[PauseToken]:
    """Give the token under which a data set is read in this context, and end the reading after ``seconds``.

    Raises:
        DataError: the Hub did not give what was asked of the data set ``repo`` in time.
    """
    token = PauseToken()
    timer = threading.Timer(seconds, token.end)
    timer.start()
    try:
        yield token
    except Ended as error:
        raise DataError(
            f"The Hub did not give the data set {repo} within {seconds:.0f} seconds.",
            "Check the connection to the Hub and run the same command again.",
        ) from error
    finally:
        timer.cancel()
        timer.join()  # a trainer forks next
