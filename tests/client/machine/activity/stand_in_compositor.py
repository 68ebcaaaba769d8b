"""A Wayland compositor that offers what a test says."""

import asyncio
import contextlib
import struct
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Self


class StandInCompositor:
    """Announces interfaces, answers syncs, and notes which idle notifications it is asked for; never sends one."""

    def __init__(self, folder: Path, offered: Mapping[str, int]) -> None:
        self.environment = {"XDG_RUNTIME_DIR": str(folder), "WAYLAND_DISPLAY": "wayland-0"}
        self.respects_inhibitors: list[bool] = []
        self._offered = offered
        self._notifier = 0

    @classmethod
    @contextlib.asynccontextmanager
    async def running(cls, folder: Path, offered: Mapping[str, int]) -> AsyncIterator[Self]:
        compositor = cls(folder, offered)
        server = await asyncio.start_unix_server(compositor._serve, folder / "wayland-0")
        try:
            yield compositor
        finally:
            server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError):
            while True:
                target, opcode, size = struct.unpack("<IHH", await reader.readexactly(8))
                writer.write(self._answer(target, opcode, await reader.readexactly(size - 8)))
        writer.close()

    def _answer(self, target: int, opcode: int, arguments: bytes) -> bytes:
        (last,) = struct.unpack("<I", arguments[-4:] or bytes(4))
        if (target, opcode) == (1, 0):
            return _event(last, 0, bytes(4)) + _event(1, 1, struct.pack("<I", last))
        if (target, opcode) == (1, 1):
            return b"".join(self._announce(last))
        if target == 2 and b"ext_idle_notifier_v1" in arguments:
            self._notifier = last
        if target == self._notifier and opcode in (1, 2):
            self.respects_inhibitors.append(opcode == 1)
        return b""

    def _announce(self, registry: int) -> Iterator[bytes]:
        for name, (interface, version) in enumerate(self._offered.items(), 1):
            text = interface.encode() + b"\0"
            padded = struct.pack("<I", len(text)) + text + bytes(-len(text) % 4)
            yield _event(registry, 0, struct.pack("<I", name) + padded + struct.pack("<I", version))


def _event(target: int, number: int, arguments: bytes) -> bytes:
    return struct.pack("<IHH", target, number, 8 + len(arguments)) + arguments
