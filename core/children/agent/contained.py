"""The agent's child with its two pipes: what is written to it and read from it, without waiting for a slow reader.

Standard library only.
"""

import asyncio
import os
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable
from typing import Self

from core.children import descendants
from core.children.agent.frames import CHUNK, INPUT_WINDOW, FrameError


class AgentChild:
    """One child process, started by the event loop's thread."""

    def __init__(self, pid: int, input_: StreamWriter, output: StreamReader) -> None:
        """Take over what `start` has started: the process ``pid``, and the agent's ends ``input_`` and ``output``."""
        self.pid = pid
        self._input, self._output = input_, output
        self._waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._size = 0

    @classmethod
    async def start(cls, command: list[str], rank: str) -> Self:
        """Start ``command`` in a session of its own; ``rank`` is its priority, for `core.children.priority`.

        Raises:
            OSError: The system has no process or descriptor left.
        """
        reading, writing = os.pipe()
        output, childs_output = os.pipe()

        def prepare() -> None:
            os.setsid()  # its priority is lowered with its session, which must not be the agent's
            os.dup2(reading, 0)
            os.dup2(childs_output, 1)

        try:
            pid = descendants.start(command, rank, prepare)
        finally:
            os.close(reading)
            os.close(childs_output)
        return cls(pid, await write_to(writing), await read_from(output))

    def give(self, data: bytes) -> None:
        """Queue ``data`` for the child's input; raises FrameError if more waits than the host may send."""
        self._size += len(data)
        if self._size > INPUT_WINDOW:
            raise FrameError("more input was sent than may be under way")
        self._waiting.put_nowait(data)

    def end_input(self) -> None:
        """Close the child's input behind what was queued."""
        self._waiting.put_nowait(None)

    async def feed(self, taken: Callable[[int], None]) -> None:
        """Write what is queued until the end of the input; ``taken`` gets the number of bytes of each piece."""
        while (data := await self._waiting.get()) is not None:
            try:
                self._input.write(data)
                await self._input.drain()
            except (BrokenPipeError, ConnectionResetError):
                pass  # its end is noticed elsewhere, and the host must not wait for it
            self._size -= len(data)
            taken(len(data))
        self._input.close()

    async def read(self) -> bytes:
        """Return the next bytes of the child's output; none at its end."""
        return await self._output.read(CHUNK)


async def read_from(descriptor: int, limit: int = 2 * CHUNK) -> StreamReader:
    """Return a reader of the pipe or socket ``descriptor`` for lines of at most ``limit`` bytes."""
    reader = StreamReader(limit=limit)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(descriptor, "rb", 0))
    return reader


async def write_to(descriptor: int) -> StreamWriter:
    """Return a writer to the pipe or socket ``descriptor``, whose `drain` waits until the system has taken all."""
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, os.fdopen(descriptor, "wb", 0)
    )
    transport.set_write_buffer_limits(high=0)
    return StreamWriter(transport, protocol, None, loop)
