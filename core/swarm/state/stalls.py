"""Ends a download that brings nothing any more, however long one takes that goes on."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from core.swarm.state.donors import DonorsBusy, StateUnavailable
from core.tasks import end_tasks

_Found = TypeVar("_Found")


class DownloadBrokeOff(StateUnavailable):
    """No donor gave its whole state, but pieces of it came: the next download goes on with them."""


async def unless_stalled(
    download: Coroutine[Any, Any, _Found], arrived: Callable[[], int], seconds: float
) -> _Found:
    """Return what ``download`` returns; it is cancelled once no piece came for a time, and frees its place.

    Args:
        download: downloads a state.
        arrived: returns the number of pieces that have come, which only grows.
        seconds: seconds after which it is looked whether pieces came since the last look.

    Raises:
        DownloadBrokeOff: the download failed or stood still after it had brought pieces.
        StateUnavailable: it failed or stood still, and brought nothing.
    """
    task, before = asyncio.create_task(download), arrived()
    try:
        await _until_it_stands_still(task, arrived, seconds)
        if not task.done():
            raise StateUnavailable(f"The peers gave nothing of the swarm's state for {seconds:.0f} s.")
        return task.result()
    except DonorsBusy:
        raise
    except StateUnavailable as error:
        if arrived() == before:
            raise
        raise DownloadBrokeOff(error.what) from error
    finally:
        await end_tasks([task])


async def _until_it_stands_still(
    task: "asyncio.Task[_Found]", arrived: Callable[[], int], seconds: float
) -> None:
    """Return once ``task`` is done, or has brought nothing for ``seconds``."""
    known = -1
    while not task.done() and known != arrived():
        known = arrived()
        await asyncio.wait({task}, timeout=seconds)
