"""The channel between a child process and the process that started it: bounded lines, a JSON object each.

The child takes the channel over from its standard input and output, which are then free: output of libraries
goes to standard error, and processes that the child forks hold no end of the channel.
"""

import logging
import os
import queue
import sys
import threading
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from core.errors import CoreError
from core.messages.paths import PathView

MAX_LINE = 64 * 1024
"""Bytes of the longest line, its end included, where a channel has no bound of its own."""
_MAX_WAITING = 256
"""Messages that may wait for a reader who has stopped reading, before replaceable ones are dropped."""

SILENT = ConfigDict(hide_input_in_errors=True)
"""Configuration of an adapter whose errors quote nothing of what was received, which may be a secret."""

_SAID_INSTEAD = {
    "extra_forbidden": "one of its fields is not known.",
    "union_tag_invalid": "its type is not known.",
}
"""Replacements for pydantic's complaints that would quote the sender."""

M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)
_log = logging.getLogger(__name__)


class LineError(CoreError):
    """A line of the channel is not a message that this version knows."""

    code = "line"


class MessageKinds(Protocol[M_co]):
    """Reads messages of certain kinds, as a TypeAdapter of pydantic does."""

    def validate_json(self, data: bytes, /, *, context: Any = None) -> M_co:
        """Return the message in ``data``; ValidationError if it is none of these kinds.

        ``context`` is passed to the validators of its fields.
        """


class Message(BaseModel):
    """Base of everything that travels on a channel; each subclass has a literal `type`."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")


def encode(message: Message, limit: int = MAX_LINE, paths: PathView | None = None) -> bytes:
    """Return ``message`` as a line, with the end that belongs to it.

    Args:
        message: Message to send.
        limit: Most bytes of the line, its end included.
        paths: Translates the paths of files; None: the receiver sees them under the same paths.

    Raises:
        LineError: The line is too long, or names a file that the receiver cannot see.
    """
    try:
        line = message.model_dump_json(context=paths).encode() + b"\n"
    except PydanticSerializationError as error:
        raise LineError(
            f"A process cannot be told of a file: {error}",
            "Keep Idlebrush's files on a drive of this computer.",
        ) from None
    if len(line) > limit:
        raise LineError(f"A message of {len(line)} bytes is too long.", "Please report this.")
    return line


def decode(line: bytes, kinds: MessageKinds[M], limit: int = MAX_LINE, paths: PathView | None = None) -> M:
    """Return the message in ``line``.

    Args:
        line: A line with its end.
        kinds: The messages that are accepted.
        limit: Most bytes of the line, its end included.
        paths: Translates the paths of files; None: the sender sees them under the same paths.

    Raises:
        LineError: the line is cut off, too long, or not one of these messages.
    """
    if len(line) > limit or not line.endswith(b"\n"):
        raise LineError("A message is cut off or too long.", "Start the process again.")
    try:
        return kinds.validate_json(line, context=paths)
    except ValidationError as error:
        raise LineError(
            f"A message is not understood: {_first_error(error)}",
            "Make sure that all parts of Idlebrush are of the same version, and start again.",
        ) from None  # the cause would print what was received, which may be a secret


def _first_error(error: ValidationError) -> str:
    """Return the first complaint and its place, in words that repeat nothing of the received text."""
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] in _SAID_INSTEAD:
        return _SAID_INSTEAD[first["type"]]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']}." if where else f"{first['msg']}."


class Channel:
    """The child's end of the channel. Sending never blocks; `receive` does."""

    def __init__(self, reading: int, writing: int) -> None:
        """Read from the file descriptor ``reading``, and write to ``writing`` on a thread of the channel's own."""
        self._lines = os.fdopen(reading, "rb")
        self._writing = writing
        self._waiting: queue.Queue[bytes | None] = queue.Queue()
        self._writer = threading.Thread(target=self._write, name="channel", daemon=True)
        self._writer.start()

    @classmethod
    def claim(cls) -> "Channel":
        """Take over standard input and output, before anything else uses them, and return the channel."""
        reading, writing = os.dup(0), os.dup(1)
        nowhere = os.open(os.devnull, os.O_RDWR)
        sys.stdout.flush()
        os.dup2(nowhere, 0)
        os.dup2(2, 1)

        def leave_to_parent() -> None:
            os.dup2(nowhere, reading, inheritable=False)
            os.dup2(nowhere, writing, inheritable=False)

        if hasattr(os, "register_at_fork"):  # Windows has no forks
            os.register_at_fork(after_in_child=leave_to_parent)
        return cls(reading, writing)

    def fileno(self) -> int:
        """Return the descriptor that is readable once a message, or the end of input, has arrived."""
        return self._lines.fileno()

    def receive(self, kinds: MessageKinds[M]) -> M | None:
        """Wait for the next message, one of ``kinds``, and return it, or None at the end of input.

        Raises LineError if the line is not such a message.
        """
        line = self._lines.readline(MAX_LINE + 1)
        return decode(line, kinds) if line else None

    def listen(
        self, kinds: TypeAdapter[M], hear: Callable[[M], object], on_end: Callable[[], object]
    ) -> None:
        """Call ``hear`` with each message that comes, one of ``kinds``, on a thread of its own; return at once.

        That thread calls ``on_end`` at the end of input, and after a line that is not such a message.
        """

        def receive_all() -> None:
            try:
                while (message := self.receive(kinds)) is not None:
                    hear(message)
            except LineError as error:
                _log.error("%s", error)
            on_end()

        threading.Thread(target=receive_all, name="orders", daemon=True).start()

    def send(self, message: Message, *, replaceable: bool = False) -> None:
        """Send a message; if it is ``replaceable``, it is dropped when the reader lags far behind."""
        if replaceable and self._waiting.qsize() > _MAX_WAITING:
            return
        self._waiting.put(encode(message))

    def close(self, timeout: float = 5.0) -> None:
        """Write the waiting messages, for at most ``timeout`` seconds."""
        self._waiting.put(None)
        self._writer.join(timeout)

    def _write(self) -> None:
        for line in iter(self._waiting.get, None):
            if not self._write_whole(line):
                return

    def _write_whole(self, line: bytes) -> bool:
        try:
            while line:
                line = line[os.write(self._writing, line) :]
        except OSError:  # a reader who has gone: EPIPE, or EINVAL on Windows
            return False
        return True
