"""A front end's end of the control channel: a connection that blocks, and a codec for those that may not."""

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from client.api.answers import ANSWERS, MAX_ANSWER, DaemonAnswer, Done, Refused, Status
from client.api.endpoint import ENDED, Endpoint, local_endpoint
from client.api.errors import DaemonOld, DaemonSilent, NoDaemon, RequestRefused
from client.api.questions import Watch
from client.api.requests import AnyRequest
from client.api.snapshot import Snapshot
from core.messages.lines import LineError, decode, encode

CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 30.0
COORDINATOR_SECONDS = 90.0
"""Time limit for an answer that the daemon has to request from the run's coordinator."""
_PIECE = 64 * 1024


class LineBuffer:
    """Turns received bytes into answers.

    It serves front ends whose event loop reads the socket, and `Connection`.
    """

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, received: bytes) -> list[DaemonAnswer]:
        """Return the answers that the bytes ``received`` complete.

        Raises DaemonOld if a line is too long, or is not an answer of this version.
        """
        *lines, self._rest = (self._rest + received).split(b"\n")
        if len(self._rest) >= MAX_ANSWER:
            raise DaemonOld
        return [_understand(line + b"\n") for line in lines]


def line_of(request: AnyRequest, number: int) -> bytes:
    """Encode a request.

    Args:
        request: Request to send.
        number: Number of the request, which its answer carries.

    Returns:
        One line, with its line break.
    """
    return encode(request.model_copy(update={"id": number}))


def _understand(line: bytes) -> DaemonAnswer:
    try:
        answer = decode(line, ANSWERS, MAX_ANSWER)
    except LineError as error:
        raise DaemonOld from error
    if isinstance(answer, Refused) and answer.code == DaemonOld.code:
        raise DaemonOld
    return answer


class Connection:
    """Connection to this user's daemon, for one thread; it numbers the requests.

    The daemon ends a connection that is silent for a minute, unless it is watched.
    """

    def __init__(self, connected: socket.socket) -> None:
        """Take over ``connected``, a socket that `Endpoint.connect` has returned; `close` closes it."""
        self._socket = connected
        self._buffer = LineBuffer()
        self._waiting: list[DaemonAnswer] = []
        self._number = 0

    @classmethod
    def open(
        cls, path: Path, seconds: float = CONNECT_SECONDS, *, at: Callable[[Path], Endpoint] = local_endpoint
    ) -> Self:
        """Connect to the daemon that listens at a path.

        Args:
            path: Path of the control channel, `client.paths.Paths.socket`.
            seconds: Time limit.
            at: Kind of the endpoint.

        Raises:
            NoDaemon: No daemon listens there.
            ControlError: It cannot be reached for another reason.
        """
        return cls(at(path).connect(seconds))

    def ask(self, request: AnyRequest, seconds: float = ANSWER_SECONDS) -> Done | Status:
        """Send a request, and return its answer.

        Args:
            request: Request to send.
            seconds: Time limit for the answer.

        Raises:
            RequestRefused: The daemon gives the reason why it does not carry it out.
            DaemonSilent: There was no answer in time.
            NoDaemon: The daemon has ended.
        """
        deadline = time.monotonic() + seconds
        number = self._send(request, seconds)
        while True:
            answer = self._next(deadline)
            if answer.id == number or (isinstance(answer, Refused) and answer.id == 0):
                return _accepted(answer)

    def watch(self) -> Iterator[Snapshot]:
        """Yield the daemon's snapshot now, and another after each change.

        Raises:
            NoDaemon: The daemon has ended.
            DaemonSilent: The first snapshot did not come in time.
            RequestRefused: The daemon gives the reason why it sends none.
        """
        number = self._send(Watch(), ANSWER_SECONDS)
        deadline: float | None = time.monotonic() + ANSWER_SECONDS
        while True:
            answer = _accepted(self._next(deadline))
            deadline = None  # the next change may be hours away
            if isinstance(answer, Status) and answer.id == number:
                yield answer.snapshot

    def ends(self, seconds: float) -> bool:
        """Wait up to ``seconds`` for the daemon to end the connection; return true if it has."""
        deadline = time.monotonic() + seconds
        try:
            while True:
                self._next(deadline)
        except NoDaemon:
            return True
        except DaemonSilent:
            return False

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _send(self, request: AnyRequest, seconds: float) -> int:
        self._number += 1
        line = line_of(request, self._number)
        self._socket.settimeout(seconds)
        try:
            self._socket.sendall(line)
        except TimeoutError as error:
            raise DaemonSilent from error
        except ConnectionError as error:
            raise NoDaemon(ENDED) from error
        return self._number

    def _next(self, deadline: float | None) -> DaemonAnswer:
        while not self._waiting:
            self._waiting = self._buffer.feed(self._receive(deadline))
        return self._waiting.pop(0)

    def _receive(self, deadline: float | None) -> bytes:
        try:
            self._socket.settimeout(None if deadline is None else max(deadline - time.monotonic(), 1e-3))
            received = self._socket.recv(_PIECE)
        except TimeoutError as error:
            raise DaemonSilent from error
        except ConnectionError as error:
            raise NoDaemon(ENDED) from error
        if not received:
            raise NoDaemon(ENDED)
        return received


def _accepted(answer: DaemonAnswer) -> Done | Status:
    if isinstance(answer, Refused):
        raise RequestRefused(answer.code, answer.what, answer.remedy)
    return answer
