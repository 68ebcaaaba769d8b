"""Keeps the website's processes, which share one port: each is restarted on its own while the others answer."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

from coordinator.messages import FROM_WEB, WebMessage, WebReady
from coordinator.serving.programs import Programs, pause_after
from core.children.keeper import Keeper
from core.children.outcome import Outcome
from core.errors import ChildError


class Website:
    """The processes of one website over all their lives."""

    def __init__(
        self, programs: Programs, answers: Callable[[str], None], lost: Callable[[Outcome, bool], None]
    ) -> None:
        """Prepare the processes; `run` starts them.

        Args:
            programs: make the processes' programs, and know how many there are.
            answers: called with the website's address on this machine each time that all processes answer.
            lost: called after an abnormal end of a process with its outcome, and with true if it starts again.
        """
        self._programs, self._answers, self._lost = programs, answers, lost
        self._port = programs.settings.web.port
        self._known = asyncio.Event()
        self._ready: set[int] = set()
        self._numbers = range(programs.settings.web.processes)
        self._keepers = [self._keeper(number) for number in self._numbers]

    @property
    def logs(self) -> list[Path]:
        """Log files of the processes."""
        return [self._programs.web_log(number) for number in self._numbers]

    async def run(self) -> None:
        """Run the processes until they have ended in order; raises ChildError once all of them are given up."""
        self._programs.clear_counts()
        lives = (self._live(number, keeper) for number, keeper in enumerate(self._keepers))
        ends = await asyncio.gather(*lives, return_exceptions=True)
        for end in ends:
            if isinstance(end, BaseException) and not isinstance(end, ChildError):
                raise end
        if ends and isinstance(ends[0], ChildError) and all(ends):
            raise ends[0]

    async def stop(self, timeout: float) -> None:
        """Stop the processes in order within ``timeout`` seconds."""
        self._known.set()
        await asyncio.gather(*(keeper.stop(timeout) for keeper in self._keepers))

    async def _live(self, number: int, keeper: Keeper[WebMessage]) -> None:
        if number and self._port == 0:  # the first one takes a port for all
            await self._known.wait()
        await keeper.run()

    def _keeper(self, number: int) -> Keeper[WebMessage]:
        return Keeper(
            lambda: self._programs.web(self._port, number),
            FROM_WEB,
            partial(self._handle, number),
            partial(self._lose, number),
            pause_after,
        )

    def _handle(self, number: int, message: WebMessage) -> None:
        if not isinstance(message, WebReady):
            return
        self._port = int(message.address.rpartition(":")[2].strip("/"))
        self._known.set()
        self._ready.add(number)
        if len(self._ready) == len(self._keepers):
            self._answers(message.address)

    def _lose(self, number: int, outcome: Outcome, again: bool) -> None:
        self._ready.discard(number)
        self._lost(outcome, again)
