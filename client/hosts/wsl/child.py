"""A child in a distribution: started, frozen, read and ended by the agent there, which is reached through wsl.exe.

Whichever of daemon, wsl.exe, agent and child dies first, nothing of the child is left: the agent ends it, the kernel
does once the agent is gone, and a second agent sweeps up what has the child's identifier in its environment.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Self

from client.hosts.wsl.command import RunWsl, WslCommand, run_wsl
from client.hosts.wsl.greeting import discard, greet, spawn
from client.hosts.wsl.link import AgentInput, AgentLink, Lease
from client.hosts.wsl.refusals import MISSING, refusal_of
from core.children.agent.frames import AgentOrder, StartOrder
from core.children.freezing import SETTLING_SECONDS, Freezer, settle_within
from core.children.processes import HeldMemory
from core.children.program import Patience, Program
from core.children.spawning import starting
from core.errors import ChildError

_log = logging.getLogger(__name__)
_KILLED = 128 + 9
"""Exit status of a child whose end no agent has reported."""
_LAST_WORDS = 5.0
"""Seconds for wsl.exe to end after its agent has."""
_READING_SECONDS = 5.0


@dataclass(frozen=True)
class WslAccess:
    """Access to a distribution."""

    command: WslCommand = field(default_factory=WslCommand)
    lease: Lease = field(default_factory=Lease)
    """Times of the channel to an agent."""
    run: RunWsl = run_wsl
    """Runs a command of wsl.exe to its end."""


class WslChild:
    """One child in a distribution, behind its agent."""

    def __init__(
        self,
        link: AgentLink,
        pid: int,
        identifier: str,
        access: WslAccess,
        patience: Patience,
        gone: Callable[[], None],
    ) -> None:
        """Take over what `start` has started.

        Args:
            link: Channel to the agent.
            pid: Process id of the child in the distribution.
            identifier: Identifier in the environment of the agent and of all that it has started.
            access: Access to the distribution.
            patience: Time limits, of which ``leaving`` and ``unkillable`` count here.
            gone: Called at the end of `leave_nothing`.
        """
        self._link, self._pid, self._identifier = link, pid, identifier
        self._access, self._patience, self._gone = access, patience, gone

    @classmethod
    async def start(
        cls,
        order: StartOrder,
        program: Program,
        patience: Patience,
        access: WslAccess,
        gone: Callable[[], None],
    ) -> Self:
        """Start an agent, and a child behind it.

        Args:
            order: What the agent starts.
            program: Program of the child, for its name and its log.
            patience: Time limits, of which ``leaving`` and ``unkillable`` count here.
            access: Access to the distribution.
            gone: Called once the child has ended and been cleaned up after.

        Raises:
            ChildError: wsl.exe, the distribution or the agent refuses; the error says why.
        """
        identifier = secrets.token_hex(16)
        with starting(program):
            before = program.log.stat().st_size if program.log.exists() else 0
            process = await spawn(access.command.of_agent("run", identifier=identifier), program)
        try:
            await greet(process, program, before, access.lease.greeting)
            link = AgentLink(process, access.lease)
            link.open()
            link.send(AgentOrder.START, order.encode())
            pid = await _started(link, program)
        except BaseException:
            await discard(process)
            raise
        return cls(link, pid, identifier, access, patience, gone)

    @property
    def contained(self) -> "WslChild":
        """The child with all that it has started, and their end."""
        return self

    @property
    def input(self) -> AgentInput:
        """Standard input of the child."""
        return self._link.input

    @property
    def output(self) -> asyncio.StreamReader:
        """Standard output of the child."""
        return self._link.output

    @property
    def has_ended(self) -> bool:
        """True once the agent has ended, or cannot be reached any more."""
        return self._link.over.is_set()

    @property
    def status(self) -> int:
        """Exit status of the child after `leave_nothing`; above 128 it is 128 + the signal that ended the child."""
        return _KILLED if self._link.status is None else self._link.status

    def family(self) -> list[int]:
        """Return no process ids: none of the child's is one of this system."""
        return []

    def owns(self, pid: int) -> bool | None:
        """Return true if ``pid`` is the process id of the child in the distribution."""
        return pid == self._pid

    def freezer(self, computing: int) -> Freezer:
        """Return what stops and wakes the child's processes; ``computing`` is the child, as the agent knows."""
        assert computing == self._pid, "the agent freezes the process that it has started"
        return WslFreezer(self._link)

    async def memory_held(self) -> HeldMemory:
        """Return the RAM that the child's processes hold together; as of the last look if the agent is silent."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._link.ask_for_reading()), _READING_SECONDS)
        last = self._link.last_reading
        return HeldMemory(last.memory, last.is_exact)

    def starved_seconds(self, pid: int) -> float:
        """Return the seconds for which the child has waited for the processor, as of the look before this one."""
        self._link.ask_for_reading()
        return self._link.last_reading.starved if pid == self._pid else 0.0

    async def leave_nothing(self, *, in_order: bool) -> bool:
        """End all that is left of the child, and return true if nothing is left.

        ``in_order`` is true if the child has closed the channel and may be about to end.
        """
        link, leaving = self._link, self._patience.leaving
        link.drop_output()
        if in_order:
            await _within(leaving, link.over)
        link.send(AgentOrder.END)
        await _within(leaving, link.over)
        await link.close(leaving)
        try:
            return link.status is not None or await self._sweep()
        finally:
            self._gone()

    async def _sweep(self) -> bool:
        """Start another agent that ends what the first one has left; return true if nothing is left."""
        seconds = self._patience.unkillable
        command = self._access.command.of_agent("sweep", self._identifier, str(seconds))
        try:
            answer = await self._access.run(
                command, seconds + _READING_SECONDS + self._patience.first_message
            )
        except ChildError as error:
            _log.error("The distribution cannot be searched for what a trainer has left: %s", error)
            return error.what == MISSING.what
        if answer.status in (0, 1):
            return answer.status == 0
        refusal = refusal_of(answer.output, answer.status)
        _log.error("The distribution cannot be searched for what a trainer has left: %s", refusal.what)
        return refusal.nothing_runs


class WslFreezer:
    """Freezer of a child in a distribution: its agent does what this one orders."""

    def __init__(self, link: AgentLink) -> None:
        """Give orders on ``link``."""
        self._link = link
        self._thawed = asyncio.Event()

    def freeze(self) -> None:
        """Stop computing, now."""
        self._thawed.clear()
        self._link.send(AgentOrder.FREEZE)

    def thaw(self) -> None:
        """Wake all processes, and stop limiting them."""
        self._thawed.set()
        self._link.send(AgentOrder.THAW)

    async def settle(self, settled: asyncio.Event, seconds: float = SETTLING_SECONDS) -> None:
        """Give all processes what a running round needs, until it ends or ``seconds`` have passed."""
        with self._limited(AgentOrder.SETTLE):
            await settle_within(settled, seconds)

    async def keep_quiet(self) -> None:
        """Stop the computing process, and let the others do no more than answer; until cancelled or thawed."""
        self._thawed.clear()
        with self._limited(AgentOrder.QUIET):
            await self._thawed.wait()

    async def leave_quietly(self) -> None:
        """Limit all processes to the pace of a settling round while they end, until cancelled or thawed."""
        self._thawed.clear()
        with self._limited(AgentOrder.SETTLE):
            await self._thawed.wait()

    def close(self) -> None:
        """Do nothing: the agent holds no process that has ended."""

    @contextlib.contextmanager
    def _limited(self, order: AgentOrder) -> Iterator[None]:
        self._link.send(order)
        try:
            yield
        finally:
            self._link.send(AgentOrder.RELEASE)


async def _started(link: AgentLink, program: Program) -> int:
    """Return the process id of the child; raises ChildError if the agent ends before it has started one."""
    try:
        return await link.started
    except ConnectionError:
        await link.close(_LAST_WORDS)
        raise ChildError(
            f"The {program.name} was not started: its agent in Windows' Subsystem for Linux has ended.",
            f"The end of {program.log} may say why.",
        ) from None


async def _within(seconds: float, event: asyncio.Event) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
