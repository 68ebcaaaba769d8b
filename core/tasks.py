"""Ends tasks of an event loop, and waits until they have ended."""

import asyncio
from collections.abc import Collection
from typing import Any


async def end_tasks(tasks: Collection[asyncio.Future[Any]]) -> None:
    """Cancel ``tasks``, and return once all have ended; their results and errors are dropped."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
