"""The pace of a training loop: it stands still within a micro-step, sleeps for its share, and never queues far ahead.

Its owner wants the machine back at once, but a micro-step may take seconds: therefore `between` is called between
sublayers, forward and backward, where nothing is lost by waiting.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

import torch

from core.messages.events import Command, CommandSource

_SHORTEST_SLEEP = 0.03
"""Shortest sleep in seconds; shorter ones would cost more in waking up than they leave to others."""
_SUBLAYERS_QUEUED = 2
_WAITING_SECONDS = 1.0
_SETTLING_SECONDS = 0.2
_LONGEST_NAP = 1.0
"""Longest nap in seconds; between naps the loop gives a sign of life and reads its current share."""
_MOST_OWED = 60.0
"""Longest owed sleep in seconds.

A sleeping peer misses rounds that the others wait for, and a long stall may count as work.
"""
_NEGLIGIBLE = 0.001


class Abandoned(Exception):
    """A micro-step was given up because the loop is to stop now; what it has added to gradients is incomplete."""


class SettlingMember(Protocol):
    """The parts that pause with the loop: the peer in its swarm, and the reading of data."""

    def stand_back(self) -> None:
        """Take part in no new round."""

    @property
    def settled(self) -> bool:
        """True if this peer has no part in a running round."""

    def come_back(self) -> None:
        """Take part again."""


class Together:
    """Several parts that pause as one."""

    def __init__(self, *members: SettlingMember) -> None:
        self._members = members

    def stand_back(self) -> None:
        """Keep all parts from new rounds."""
        for member in self._members:
            member.stand_back()

    @property
    def settled(self) -> bool:
        """True if no part is in a running round."""
        return all(member.settled for member in self._members)

    def come_back(self) -> None:
        """Readmit all parts to new rounds."""
        for member in self._members:
            member.come_back()


class Queue(Protocol):
    """Work that a device has been given and has not done."""

    def bound(self) -> None:
        """Wait until little is left, so that a pause need not wait for much."""

    def drain(self) -> None:
        """Wait until nothing is left."""


class Pace:
    """Obeys orders to pause, and sleeps so that computing takes no more than its share of the time."""

    def __init__(
        self,
        commands: CommandSource,
        standing: SettlingMember,
        on_settled: Callable[[], None],
        queue: Queue | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Keep the pace of one training loop.

        Args:
            commands: Source of commands, and of the budget with the share of the time that may be computed.
            standing: Parts that stand back when a pause begins, and come back when it ends.
            on_settled: Called once for each order to pause, when ``standing`` has settled.
            queue: Work that the device has not done yet; None where operations are done when they return, as on a
                CPU.
            clock: Returns monotonic seconds.
        """
        self._commands, self._standing, self._on_settled = commands, standing, on_settled
        self._queue, self._clock = queue, clock
        self._pending: Command | None = None
        self._since: float | None = None
        self._unpaid = 0.0
        """Seconds that were computed and not yet slept for."""
        self.compute_seconds = 0.0
        """Seconds spent in micro-steps, excluding pauses and sleeps within them."""
        self.micro_steps = 0

    def next_command(self) -> Command | None:
        """Return the command to obey between micro-steps; a pause is over when this returns."""
        command, self._pending = self._pending or self._commands.poll(), None
        return self._stand_still() if command == Command.PAUSE else command

    def between(self) -> None:
        """Obey orders between sublayers, and sleep what is due; raises Abandoned if the loop is to stop."""
        if self._queue is not None:
            self._queue.bound()
        if self._commands.pressing():
            self._obey()
        elif self._queue is None:  # on a GPU what was queued has not been computed yet
            self._count()
            self._sleep()

    @contextmanager
    def micro_step(self) -> Iterator[None]:
        """Count the time within as that of a micro-step, and sleep for its share afterwards."""
        self._since = self._clock()
        try:
            yield
            self.micro_steps += 1
        finally:
            self._count()
            self._since = None
        self._sleep()

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Sleep for the time within as for a micro-step's, but do not count it as one's."""
        began = self._clock()
        try:
            yield
        finally:
            self._unpaid += self._clock() - began
        self._sleep()

    def _obey(self) -> None:
        self._count()
        while self._commands.pressing():
            command = self._commands.poll()
            if command == Command.PAUSE:
                command = self._stand_still()
            if command in (Command.FINISH, Command.STOP):  # for the loop, once the micro-step is over
                self._pending = command
            if command == Command.STOP:
                raise Abandoned
        self._since = self._clock()

    def _stand_still(self) -> Command | None:
        """Wait for the order to go on; return a command that ends the pause otherwise."""
        if self._queue is not None:
            self._queue.drain()
        self._standing.stand_back()
        command, reported = None, False
        while command not in (Command.RESUME, Command.FINISH, Command.STOP):
            if not reported and self._standing.settled:
                reported = True
                self._on_settled()
            command = self._commands.wait(_WAITING_SECONDS if reported else _SETTLING_SECONDS)
            reported = reported and command != Command.PAUSE  # a new pause order gets its own answer
        if command != Command.STOP:
            self._standing.come_back()
        self._unpaid = 0.0
        return None if command == Command.RESUME else command

    def _count(self) -> None:
        """Add what was computed since the last time to the account."""
        if self._since is None:
            return
        now = self._clock()
        worked, self._since = now - self._since, now
        self.compute_seconds += worked
        self._unpaid += worked

    def _owed(self) -> float:
        """Return the seconds to sleep for what was computed, by the share that holds now."""
        share = self._commands.budget.share
        return min(self._unpaid * (1 - share) / share, _MOST_OWED)

    def _sleep(self) -> None:
        """Sleep off what is owed; an order to pause or stop wakes up."""
        if self._owed() < _SHORTEST_SLEEP:
            return
        began = self._clock()
        while (left := self._owed() - (self._clock() - began)) > _NEGLIGIBLE:
            if self._commands.pressing(min(left, _LONGEST_NAP)):
                break
        self._unpaid = 0.0
        if self._since is not None:
            self._since += self._clock() - began


class CudaQueue:
    """Bounds the work that a GPU has been given and has not done to that of two sublayers."""

    def __init__(self, device: torch.device) -> None:
        """Prepare to bound the work of ``device``, the model's GPU.

        It need not be the current GPU of every thread.
        """
        self._device = device
        self._marks: list[torch.cuda.Event] = []

    def bound(self) -> None:
        """Wait until at most the work of the last two sublayers is left."""
        mark = torch.cuda.Event(blocking=True)
        mark.record(torch.cuda.current_stream(self._device))
        self._marks.append(mark)
        if len(self._marks) > _SUBLAYERS_QUEUED:
            self._marks.pop(0).synchronize()

    def drain(self) -> None:
        """Wait until no work is left."""
        torch.cuda.current_stream(self._device).synchronize()
        self._marks.clear()
