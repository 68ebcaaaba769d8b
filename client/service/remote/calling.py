"""Controls one of the user's other computers: watches its snapshots while front ends ask, and sends orders."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from client.api.answers import Done, Refused, Status
from client.api.connection import LineBuffer, line_of
from client.api.errors import ClientError, ComputerAway, DaemonOld, RequestRefused
from client.api.protocol import ProblemView
from client.api.questions import Watch
from client.api.remote.computers import ComputerReach, ComputerView, RemoteOrder
from client.api.requests import AnyRequest
from client.api.snapshot import Snapshot
from client.remote.addresses import read_address
from client.remote.identity import ComputerIdentity
from client.remote.kept import ControlledComputer
from client.remote.permitted import shown_to_others
from client.remote.tls import control_context, peer_certificate
from client.service.channel.bounded import bounded
from core.excerpt import excerpt
from core.messages.lines import MAX_LINE
from core.tasks import end_tasks

_PIECE = 64 * 1024
_NUMBER = 1


@dataclass(frozen=True)
class CallTiming:
    """Patience with another computer, in seconds."""

    connect: float = 10.0
    answer: float = 30.0
    """Time limit of an order."""
    silence: float = 300.0
    """Longest silence of a computer that is watched, whose snapshots change with every reading."""
    retry: float = 5.0
    """Wait before another attempt to connect."""
    wanted: float = 30.0
    """Time for which it is watched after a front end has asked."""


class ComputerLink:
    """The link to one computer; `look` begins to watch it, and `close` ends that."""

    def __init__(
        self,
        computer: ControlledComputer,
        identity: Callable[[], Awaitable[ComputerIdentity]],
        now: Callable[[], datetime],
        timing: CallTiming,
    ) -> None:
        """Prepare to connect.

        Args:
            computer: The computer.
            identity: Returns the identity of this one.
            now: Clock with a time zone.
            timing: Patience with it.
        """
        self.computer = computer
        self._identity, self._now, self._timing = identity, now, timing
        self._watching: asyncio.Task[None] | None = None
        self._wanted_until = 0.0
        self._reach, self._since = ComputerReach.CONNECTING, now()
        self._is_being_tried = False
        self._why: ClientError | None = None
        self._snapshot: Snapshot | None = None
        self._seen: datetime | None = None

    @property
    def view(self) -> ComputerView:
        """The computer as front ends show it."""
        why = self._why
        return ComputerView(
            name=self.computer.name,
            address=self.computer.address,
            fingerprint=self.computer.fingerprint,
            reach=self._reach,
            since=self._since,
            is_being_tried=self._is_being_tried,
            why=ProblemView(code=why.code, what=excerpt(why.what), remedy=excerpt(why.remedy))
            if why
            else None,
            snapshot=self._snapshot,
            seen=self._seen,
        )

    def look(self) -> None:
        """Watch the computer for a while from now on."""
        self._wanted_until = asyncio.get_running_loop().time() + self._timing.wanted
        if self._watching is None or self._watching.done():
            if self._reach is ComputerReach.CONNECTED:  # what was seen then is no longer sure
                self._move(ComputerReach.CONNECTING)
            self._is_being_tried = True
            self._watching = asyncio.create_task(self._watch_while_wanted())

    async def order(self, request: RemoteOrder) -> Done:
        """Send the computer a request, and return the answer.

        Raises:
            ComputerAway: It cannot be reached.
            RequestRefused: It gives the reason why it does not do that.
        """
        self.look()  # so that front ends soon see what came of it
        async with self._connected() as (reader, writer), self._in_time(self._timing.answer):
            async for answer in self._answers(reader, writer, request):
                if isinstance(answer, Refused):
                    raise RequestRefused(answer.code, excerpt(answer.what), excerpt(answer.remedy))
                if isinstance(answer, Done) and answer.id == _NUMBER:
                    return Done(id=0, text=excerpt(answer.text), preferences=answer.preferences)
        raise self._refused()

    async def close(self) -> None:
        """End the connection."""
        if self._watching is not None:
            await end_tasks([self._watching])

    async def _watch_while_wanted(self) -> None:
        loop = asyncio.get_running_loop()
        while loop.time() < self._wanted_until:
            self._is_being_tried = True
            try:
                await self._watch()
            except ClientError as error:
                self._why, self._is_being_tried = error, False
                self._move(ComputerReach.AWAY)
                await asyncio.sleep(self._timing.retry)

    async def _watch(self) -> None:
        """Take over snapshots until no front end asks any more."""
        loop = asyncio.get_running_loop()
        async with self._connected() as (reader, writer):
            async for answer in self._answers(reader, writer, Watch()):
                if isinstance(answer, Status):
                    self._take(answer.snapshot)
                if isinstance(answer, Refused):
                    raise RequestRefused(answer.code, excerpt(answer.what), excerpt(answer.remedy))
                if loop.time() >= self._wanted_until:
                    return
        if self._reach is ComputerReach.CONNECTED:
            raise self._away("the connection has ended")
        raise self._refused()

    def _take(self, snapshot: Snapshot) -> None:
        """Keep a snapshot, bounded again: the computer may be in other hands by now."""
        shown = bounded(shown_to_others(snapshot))
        if len(shown.model_dump_json().encode()) > MAX_LINE:
            raise self._away("it sends more than a state needs")
        self._snapshot, self._seen, self._why, self._is_being_tried = shown, self._now(), None, False
        self._move(ComputerReach.CONNECTED)

    def _move(self, reach: ComputerReach) -> None:
        if reach is not self._reach:
            self._reach, self._since = reach, self._now()

    async def _answers(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: AnyRequest
    ) -> AsyncIterator[Done | Refused | Status]:
        """Send a request, and yield what comes until the other side ends the connection."""
        buffer = LineBuffer()
        try:
            writer.write(line_of(request, _NUMBER))
            while received := await asyncio.wait_for(reader.read(_PIECE), self._timing.silence):
                for answer in buffer.feed(received):
                    yield answer
        except DaemonOld as error:
            raise ComputerAway(
                f"{self.computer.name} runs another version of Idlebrush.", "Update it on both computers."
            ) from error
        except TimeoutError as error:
            raise self._away("it does not answer") from error
        except ssl.SSLError as error:
            raise self._refused() from error
        except OSError as error:
            raise self._away(error.strerror or str(error)) from error

    @asynccontextmanager
    async def _connected(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """Connect within the time limit; ComputerAway if the other side is not the paired computer."""
        identity, (host, port) = await self._identity(), read_address(self.computer.address)
        context = control_context(identity.file, identity.password, self.computer.der)
        try:
            async with asyncio.timeout(self._timing.connect):
                reader, writer = await asyncio.open_connection(host, port, ssl=context)
        except TimeoutError as error:
            raise self._away("it does not answer") from error
        except ssl.SSLCertVerificationError as error:
            raise ComputerAway(
                f"Another device answers at {self.computer.address} in place of {self.computer.name}.",
                "Add it again if its address or its installation has changed.",
            ) from error
        except ssl.SSLError as error:
            raise self._refused() from error
        except OSError as error:
            raise self._away(error.strerror or str(error)) from error
        try:
            if peer_certificate(writer.transport) != self.computer.der:
                raise self._away("another device answers at its address")
            yield reader, writer
        finally:
            writer.transport.abort()

    @asynccontextmanager
    async def _in_time(self, seconds: float) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(seconds):
                yield
        except TimeoutError as error:
            raise self._away("it does not answer") from error

    def _away(self, why: str) -> ComputerAway:
        return ComputerAway(
            f"{self.computer.name} cannot be reached at {self.computer.address}: {why}.",
            "Check that it is on and in your network, that Idlebrush runs there, and that remote control is on.",
        )

    def _refused(self) -> ComputerAway:
        return ComputerAway(
            f"{self.computer.name} does not let this computer control it.",
            "Turn remote control on there, or add it again by a new code.",
        )
