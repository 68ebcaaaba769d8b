"""The host that is a WSL2 distribution of our own: starts children there, and gives its memory back after the last.

Our code is read from the installation on Windows, so that host, agent and trainer are of one version; third-party
packages are the distribution's. Tried with a stand-in for wsl.exe only.
"""

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path

from client.hosts.wsl.child import WslAccess, WslChild
from core.children.agent.frames import StartOrder
from core.children.program import Patience, Program
from core.errors import ChildError
from core.messages.paths import PathView
from core.tasks import end_tasks

_log = logging.getLogger(__name__)
GPU_HEADROOM = 1 << 30
"""Bytes of GPU memory that stay free: Windows draws its desktop from it, and moves what does not fit to RAM silently,
which makes a trainer many times slower instead of failing."""
_GRACE = 60.0
"""Seconds without a child after which the distribution is ended: a trainer that restarts finds it running."""
_ADMINISTRATION_SECONDS = 60.0
_CODE = "PYTHONPATH"
ADMINISTRATOR = "root"
"""User of the distribution who may have the kernel drop cached files."""


class WslHost:
    """Runs children in one distribution."""

    shares_process_ids = False
    gpu_headroom = GPU_HEADROOM

    def __init__(
        self,
        access: WslAccess = WslAccess(),  # noqa: B008 - frozen
        *,
        paths: PathView | None = None,
        python: str = "",
        code: Path | None = None,
        grace: float = _GRACE,
    ) -> None:
        """Prepare to use the distribution; nothing is started yet.

        Args:
            access: Access to the distribution.
            paths: Translation of paths between this system and the distribution; None: they are the same.
            python: Interpreter of children whose program names none, as the distribution sees it; empty: the agent's.
            code: Folder of our code on this system, for the children; None: what their interpreter finds itself.
            grace: Seconds without a child after which the distribution is ended.
        """
        self.paths = paths
        self._access, self._python, self._code, self._grace = access, python, code, grace
        self._children = 0
        self._holds_memory = False
        self._turn = asyncio.Lock()
        self._waiting: asyncio.Task[None] | None = None

    async def start(self, program: Program, patience: Patience) -> WslChild:
        """Start ``program``; ChildError with a remedy if that is not possible.

        Of the time limits ``patience``, ``leaving`` and ``unkillable`` count here.
        """
        async with self._turn:
            self._children += 1
            try:
                child = await WslChild.start(
                    self._order(program), program, patience, self._access, self._left
                )
            except BaseException:
                self._left()
                raise
            self._holds_memory = True
        return child

    async def close(self) -> None:
        """End the distribution now if no child runs in it."""
        await end_tasks([self._waiting] if self._waiting is not None else [])
        await self._give_back()

    def _order(self, program: Program) -> StartOrder:
        variables = dict(program.environment)
        if self._code is not None:
            variables[_CODE] = str(self._code) if self.paths is None else self.paths.theirs(self._code)
        # Its path is one of Linux, whatever this system makes of it.
        named = program.interpreter.path.as_posix() if program.interpreter else ""
        return StartOrder(
            python=named or self._python,
            module=program.module,
            rank=program.rank,
            environment=variables,
            lease=self._access.lease.seconds,
        )

    def _left(self) -> None:
        """Give memory back after a while, unless another child is started or runs."""
        self._children -= 1
        is_waiting = self._waiting is not None and not self._waiting.done()
        if self._children == 0 and self._holds_memory and not is_waiting:
            self._waiting = asyncio.create_task(self._give_back_later())

    async def _give_back_later(self) -> None:
        await asyncio.sleep(self._grace)
        await self._give_back()

    async def _give_back(self) -> None:
        """Order the kernel to drop cached files, which Windows would not get back, and end the distribution."""
        async with self._turn:
            if self._children or not self._holds_memory:
                return
            command = self._access.command
            if await self._succeeds(command.of_agent("rest", user=ADMINISTRATOR)):
                await self._succeeds(command.administration("--terminate", command.distribution))
            self._holds_memory = False

    async def _succeeds(self, command: Sequence[str]) -> bool:
        try:
            answer = await self._access.run(command, _ADMINISTRATION_SECONDS)
        except ChildError as error:
            _log.warning("Memory of the distribution is not given back: %s", error)
            return False
        if answer.status != 0:
            _log.info("The distribution continues: it works for another program, or refuses. %s", answer.text)
        return answer.status == 0
