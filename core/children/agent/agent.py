"""Guard and freezer of one child in a distribution: does what its host orders by lines, while its lease lasts.

The agent ends the child and all that descends from it, frozen or not, once the child has ended, on order, at the end
of its input, on a signal, or if no line has come for the time of the lease. If the agent is killed, the kernel kills
the child and what `core.children.parent_death` ties to it, and `leftovers` finds the rest. Standard library only.
"""

import asyncio
import logging
import os
import signal
import sys
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable, Coroutine
from typing import Any

from core.children import descendants, guard_folder, parent_death, processes
from core.children.agent import leftovers
from core.children.agent.contained import AgentChild
from core.children.agent.frames import (
    GREETING,
    AgentOrder,
    AgentReading,
    AgentReport,
    FrameError,
    StartOrder,
    frame,
    parse,
)
from core.children.freezing import LocalFreezer
from core.tasks import end_tasks

_log = logging.getLogger(__name__)
_FIRST_LEASE = 60.0
"""Seconds within which the order to start has to come."""
_LAST_WORDS = 5.0
"""Seconds for a host to take what the child has written before its end."""


class Agent:
    """One child and its end, within one event loop."""

    def __init__(self, orders: StreamReader, reports: StreamWriter) -> None:
        """Prepare to obey; ``orders`` and ``reports`` are the two directions of the channel to the host."""
        self._orders, self._reports = orders, reports
        self._starvation = processes.Starvation()
        self._lease, self._renewed = _FIRST_LEASE, asyncio.get_running_loop().time()
        self._ended = asyncio.Event()
        self._reaped: dict[int, descendants.EndedProcess] = {}
        self._limiting: set[asyncio.Task[None]] = set()
        self._reading: asyncio.Task[None] | None = None
        self._is_over = False

    async def run(self) -> None:
        """Greet, start what is ordered, and return once nothing of it is left.

        Raises:
            FrameError: The first order is not one to start a child.
            EOFError: The channel has ended before an order to start.
            TimeoutError: No order to start has come.
        """
        self._reports.write(GREETING)
        order, data = await asyncio.wait_for(self._next_order(), _FIRST_LEASE)
        if order is not AgentOrder.START:
            raise FrameError(f"the first order is {order}")
        start = StartOrder.decode(data)
        leftovers.end_orphans()  # before the child needs memory and space on the disk
        with guard_folder.own_folder() as folder:
            os.environ.update(start.environment)
            os.environ |= {"TMPDIR": folder, leftovers.AGENT: leftovers.identity()}
            command = [start.python or sys.executable, "-P", "-m", start.module]
            self._child = await AgentChild.start(command, start.rank)
            self._lease = start.lease
            self._obey_signals()
            await self._serve()
        descendants.remove_shared_memory(self._reaped)

    async def _serve(self) -> None:
        child = self._child
        self._freezer = LocalFreezer(child.pid, lambda: processes.family(os.getpid()))
        self._report(AgentReport.STARTED, b"%d" % child.pid)
        self._collect()
        passing = asyncio.ensure_future(self._pass_output())
        feeding = asyncio.ensure_future(
            child.feed(lambda size: self._report(AgentReport.TAKEN, b"%d" % size))
        )
        obeying = asyncio.ensure_future(self._obey())
        expiring = asyncio.ensure_future(self._expire())
        ends: list[asyncio.Task[Any]] = [obeying, expiring, asyncio.ensure_future(self._ended.wait())]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            self._limit_no_more()
            self._reaped |= descendants.kill_all()
            if not obeying.done():  # the host may take its time
                await asyncio.wait({passing, obeying, expiring}, return_when=asyncio.FIRST_COMPLETED)
            if self._is_over:
                await asyncio.wait({passing}, timeout=_LAST_WORDS)
        finally:
            await end_tasks([*ends, passing, feeding])
            self._freezer.close()
        await self._say_goodbye()

    async def _say_goodbye(self) -> None:
        child = self._reaped.get(self._child.pid)
        status = descendants.exit_status(child.status if child is not None else signal.SIGKILL)
        self._report(AgentReport.GONE, b"%d" % status)
        try:
            await asyncio.wait_for(self._reports.drain(), _LAST_WORDS)
        except (TimeoutError, OSError):
            self._reports.transport.abort()  # the host is gone, or has stopped reading
        else:
            self._reports.close()

    # --- orders ---------------------------------------------------------------------------------------------------

    async def _obey(self) -> None:
        """Carry out orders until the one to end, the end of the channel, or a line that is not understood."""
        while not self._is_over:
            try:
                order, data = await self._next_order()
                self._carry_out(order, data)
            except EOFError:
                return
            except FrameError as error:
                _log.error("The host's orders are not understood: %s.", error)
                return

    async def _next_order(self) -> tuple[AgentOrder, bytes]:
        try:
            line = await self._orders.readline()
        except ValueError:  # longer than the reader's limit
            raise FrameError("a line is too long") from None
        except OSError:
            line = b""
        if not line:
            raise EOFError
        self._renewed = asyncio.get_running_loop().time()
        return parse(line, AgentOrder)

    def _carry_out(self, order: AgentOrder, data: bytes) -> None:
        freezer = self._freezer
        actions: dict[AgentOrder, Callable[[], None]] = {
            AgentOrder.INPUT: lambda: self._child.give(data),
            AgentOrder.END_OF_INPUT: self._child.end_input,
            AgentOrder.FREEZE: freezer.freeze,
            AgentOrder.THAW: self._thaw,
            AgentOrder.SETTLE: lambda: self._limit(freezer.leave_quietly()),
            AgentOrder.QUIET: lambda: self._limit(freezer.keep_quiet()),
            AgentOrder.RELEASE: self._limit_no_more,
            AgentOrder.READ: self._read,
            AgentOrder.RENEW: lambda: self._report(AgentReport.RENEWED),
            AgentOrder.END: self._end,
        }
        if order not in actions:
            raise FrameError(f"{order} comes at the wrong time")
        actions[order]()

    def _thaw(self) -> None:
        self._limit_no_more()
        self._freezer.thaw()

    def _limit(self, work: Coroutine[Any, Any, None]) -> None:
        self._limit_no_more()
        task = asyncio.create_task(work)
        self._limiting.add(task)
        task.add_done_callback(self._limiting.discard)

    def _limit_no_more(self) -> None:
        for task in self._limiting:
            task.cancel()

    def _end(self) -> None:
        self._is_over = True

    def _read(self) -> None:
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._take_reading())

    async def _take_reading(self) -> None:
        pids = processes.family(os.getpid())
        held = await asyncio.to_thread(processes.memory_held, pids)
        reading = AgentReading(held.size, held.is_exact, self._starvation.seconds(self._child.pid))
        self._report(AgentReport.READING, reading.encode())

    # --- what follows by itself -----------------------------------------------------------------------------------

    def _report(self, report: AgentReport, data: bytes = b"") -> None:
        self._reports.write(frame(report, data))

    async def _pass_output(self) -> None:
        """Report the child's output; a host that does not read it holds up the child, but no order."""
        try:
            while data := await self._child.read():
                self._report(AgentReport.OUTPUT, data)
                await self._reports.drain()
            self._report(AgentReport.END_OF_OUTPUT)
        except OSError:
            _log.warning("The host is gone: the child's output is lost.")

    async def _expire(self) -> None:
        """Return once the lease has not been renewed in time."""
        loop = asyncio.get_running_loop()
        while (left := self._renewed + self._lease - loop.time()) > 0:
            await asyncio.sleep(left)
        _log.error("The host has not renewed the lease for %.0f s: the child is ended.", self._lease)

    def _obey_signals(self) -> None:
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGCHLD, self._collect)
        for ending in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            loop.add_signal_handler(ending, self._ended.set)

    def _collect(self) -> None:
        """Take note of processes that have ended."""
        self._reaped |= descendants.reap()[0]
        if self._child.pid in self._reaped:
            self._ended.set()


def prepare_process() -> None:
    """Become the parent of orphans, and let the kernel wake this process should what has started it be killed."""
    parent_death.signal_on_parent_death(signal.SIGCONT)
    parent_death.adopt_orphans()
