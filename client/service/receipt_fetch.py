"""Fetches the volunteer's signed receipts for as long as somebody wants them."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from client.api.errors import StatsError


class ReceiptFetch:
    """One at a time: whoever asks again gives up the one before."""

    def __init__(self) -> None:
        self._fetching: asyncio.Task[int] | None = None

    @property
    def is_under_way(self) -> bool:
        return self._fetching is not None

    async def fetch(self, work: Coroutine[Any, Any, int]) -> int:
        """How many receipts there are; StatsError where nobody wants them any more."""
        if self._fetching:
            self._fetching.cancel()
        fetching = self._fetching = asyncio.create_task(work)
        try:
            await asyncio.wait({fetching})
        finally:
            fetching.cancel()  # with whoever waited for it
            await asyncio.wait({fetching})
            if self._fetching is fetching:
                self._fetching = None
        if fetching.cancelled():
            raise StatsError("The receipts are not fetched any more.", "Fetch them again when you like.")
        return fetching.result()

    def cancel(self) -> str:
        if self._fetching is None:
            return "No receipts are being fetched."
        self._fetching.cancel()
        return "The receipts are not fetched any more."
