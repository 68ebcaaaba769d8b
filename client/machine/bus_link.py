"""One live D-Bus connection: it hands answers to callers and signals to listeners, and reports its end to all.

jeepney's own router is not used: it never tells listeners that the connection is gone, and an answer that comes
just as its caller gives up ends it.
"""

import asyncio
import contextlib
import struct
from collections import deque
from typing import Any, Self

from jeepney import HeaderFields, MessageType
from jeepney.io.asyncio import DBusConnection

from client.api.errors import BusError

BUS = "org.freedesktop.DBus"
_WAITING = 64
"""Signals that a listener may leave unread; beyond them, the oldest are dropped."""


class Subscription:
    """Bodies of the signals for one listener; BusError once service or bus are gone."""

    def __init__(self, service: str, path: str, interface: str, member: str) -> None:
        self.owner: str | None = None
        """Bus name of the service's connection; others may not signal in its name."""
        self._service = service
        self._signal = (path, interface, member)
        self._bodies: deque[tuple[Any, ...]] = deque(maxlen=_WAITING)
        self._changed = asyncio.Event()
        self._lost = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> tuple[Any, ...]:
        while not self._bodies:
            if self._lost:
                raise BusError(f"{self._service} ended.", "It is asked again once it is back.")
            self._changed.clear()
            await self._changed.wait()
        return self._bodies.popleft()

    def hear(self, sender: str, signal: tuple[str, str, str], body: tuple[Any, ...]) -> None:
        """Take in any signal of the bus, given by path, interface and member."""
        if sender == BUS and signal[2] == "NameOwnerChanged" and body[:2] == (self._service, self.owner):
            self.lose()
        if sender == self.owner and signal == self._signal:
            self._bodies.append(body)
            self._changed.set()

    def lose(self) -> None:
        self._lost = True
        self._changed.set()


class BusLink:
    """A connection that has said hello."""

    def __init__(self, connection: DBusConnection) -> None:
        self._connection = connection
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._subscriptions: set[Subscription] = set()
        self._broken = False
        self._receiving = asyncio.create_task(self._receive())

    @property
    def alive(self) -> bool:
        """True if the next call may use this connection."""
        return not self._broken and not self._receiving.done()

    async def ask(self, message: Any) -> tuple[Any, ...]:
        """Return the body of the answer.

        Raise BusError where it is an error, or where the connection ends first.
        """
        if not self.alive:
            raise _gone()
        serial = next(self._connection.outgoing_serial)
        self._answers[serial] = asyncio.get_running_loop().create_future()
        try:
            await self._connection.send(message, serial=serial)
            return body_of(await self._answers[serial])
        except OSError as error:
            # The receiving task learns of it only at the loop's next turn; a caller may try again before.
            self._broken = True
            raise _gone() from error
        finally:
            del self._answers[serial]

    def subscribe(self, subscription: Subscription) -> None:
        self._subscriptions.add(subscription)

    def unsubscribe(self, subscription: Subscription) -> None:
        self._subscriptions.discard(subscription)

    async def close(self) -> None:
        self._receiving.cancel()
        await asyncio.wait([self._receiving])
        with contextlib.suppress(OSError):
            await self._connection.close()

    async def _receive(self) -> None:
        try:
            # What is malformed cannot be skipped: where the next message would begin is unknown.
            with contextlib.suppress(OSError, EOFError, ValueError, struct.error):
                while True:
                    self._take(await self._connection.receive())
        finally:
            self._end()

    def _take(self, message: Any) -> None:
        fields = message.header.fields
        if message.header.message_type is MessageType.signal:
            signal = fields[HeaderFields.path], fields[HeaderFields.interface], fields[HeaderFields.member]
            for subscription in self._subscriptions:
                subscription.hear(fields.get(HeaderFields.sender, ""), signal, message.body)
        answer = self._answers.get(fields.get(HeaderFields.reply_serial, -1))
        if answer and not answer.done():
            answer.set_result(message)

    def _end(self) -> None:
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(_gone())
        for subscription in self._subscriptions:
            subscription.lose()


def body_of(message: Any) -> tuple[Any, ...]:
    """Return the body of an answer; raise BusError if the answer is an error."""
    body: tuple[Any, ...] = message.body
    if message.header.message_type is not MessageType.error:
        return body
    name = str(message.header.fields.get(HeaderFields.error_name, ""))
    text = body[0].strip() if body and isinstance(body[0], str) else ""
    # Services in Python send their traceback, whose last line says what happened.
    words = text.rpartition("\n")[2].rstrip(".") or name
    raise BusError(f"D-Bus answers: {words}.", "Check that this service is installed and runs.", name)


def _gone() -> BusError:
    return BusError("The connection to D-Bus ended.", "It is opened again at the next attempt.")
