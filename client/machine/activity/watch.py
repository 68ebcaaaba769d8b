"""The user's activity for as long as the daemon runs: sources come and go with sessions, and are looked for again."""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable

from client.api.errors import SourceLost
from client.machine.activity.choice import SourceCandidate, choose
from client.machine.activity.source import REMEDY, IdleSource
from client.machine.readings import Known, Reading, Unknown

_log = logging.getLogger(__name__)


_RETRY = 30.0
"""Seconds between searches for a source, while none works."""
_RETRY_FOR_BETTER = 300.0
"""Seconds between searches while one that has to be polled does: a desktop may be up later than we are."""
_REST = 1.0
"""Seconds from a loss to the search: who trains has to hear of the loss first, and a search may take a while."""


class ActivityWatch:
    """Never raises; what it does not know is Unknown, and counts as activity."""

    def __init__(
        self, candidates: Callable[[], Iterable[SourceCandidate]], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.refusals: tuple[str, ...] = ()
        """Sources that were tried in vain at the last search, and why; for `idlebrush doctor`."""
        self._candidates = candidates
        self._clock = clock
        self._source: IdleSource | None = None
        self._next_search = float("-inf")
        self._opening = asyncio.Lock()
        self._logged = ""
        """Name of the source that was logged last."""

    @property
    def is_event(self) -> bool:
        """True if activity is signalled at once; False also where no source works."""
        return self._source is not None and self._source.is_event

    @property
    def has_source(self) -> bool:
        """True if a source works."""
        return self._source is not None

    async def idle(self) -> Reading[float]:
        """Return the seconds since the last key or movement of the mouse."""
        source = await self._open()
        if source is None:
            return Unknown("The time since your last input is unknown. " + " ".join(self.refusals))
        try:
            return Known(await source.idle_seconds(), source.name)
        except Exception as error:  # noqa: BLE001 - what answers nonsense tells no more than what is gone
            await self._drop(source, error)
            return Unknown(_in_words(source, error))

    async def until_active(self) -> None:
        """Return at the first key or movement after the call, or as soon as no source works."""
        source = await self._open()
        if source is None:
            return
        try:
            await source.until_active()
        except Exception as error:  # noqa: BLE001 - likewise
            await self._drop(source, error)

    async def close(self) -> None:
        if self._source:
            await self._drop(self._source)

    async def _open(self) -> IdleSource | None:
        async with self._opening:
            if not self._is_best and self._clock() >= self._next_search:
                await self._search()
            return self._source

    @property
    def _is_best(self) -> bool:
        return self._source is not None and (self._source.is_event or not self.refusals)

    async def _search(self) -> None:
        choice = await choose(self._candidates())
        name = choice.source.name if choice.source else "nothing"
        if name != self._logged:
            _log.info("Input is reported by %s.%s", name, "".join(f" {each}" for each in choice.refusals))
            self._logged = name
        # Who waits for a polled source may go on with it: there is nothing that its end would take away.
        self._source, self.refusals = choice.source, choice.refusals
        self._next_search = self._clock() + (_RETRY_FOR_BETTER if choice.source else _RETRY)

    async def _drop(self, source: IdleSource, error: Exception | None = None) -> None:
        if error is not None:
            _log.warning("A source of input was lost. %s", _in_words(source, error))
            self._logged = ""
        if source is self._source:
            self._source = None
            self._next_search = self._clock() + _REST
        await source.close()


def _in_words(source: IdleSource, error: Exception) -> str:
    if isinstance(error, SourceLost):
        return str(error)
    return f"The {source.name} sent an invalid answer ({error!r}). {REMEDY}"
