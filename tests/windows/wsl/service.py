"""The Linux side of the stand-in for wsl.exe: starts what `relay.c` asks for, and relays three streams to it.

It also does what a test under Wine cannot do to processes of Linux: ``--stand-in left`` lists those of agents,
``--stand-in kill agent|trainer|all`` ends some, ``--stand-in stopped`` waits until the trainer is frozen and returns
the time, ``--stand-in woken`` until it is not, ``--stand-in cpu SECONDS`` measures processor time.
"""

import asyncio
import contextlib
import json
import os
import shlex
import time
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import PIPE
from collections.abc import Sequence
from pathlib import Path

from core.children import processes
from core.children.processes import CHILD_VARIABLE

_DISTRIBUTION = "Idlebrush"
_CHUNK = 32 * 1024


class WslService:
    """One distribution, whose programs are processes of this system."""

    def __init__(self, environment: dict[str, str]) -> None:
        """Start programs with ``environment``, by which they are found again."""
        self._environment = environment
        self._server: asyncio.Server | None = None

    async def open(self) -> int:
        """Listen on loopback, and return the port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Listen no more."""
        assert self._server is not None
        self._server.close()

    def inside(self) -> list[processes.Process]:
        """Return all processes of agents of this distribution."""
        value = self._environment[STAND_IN]
        found = processes.marked(STAND_IN, value)
        return [process for process in found if _has_variable(process.pid, CHILD_VARIABLE)]

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        line = (await reader.readline()).decode()
        _, *arguments = shlex.split(line.replace("\\", "/"))
        try:
            with contextlib.suppress(ConnectionError):
                status = await self._carry_out(arguments, reader, writer)
                writer.write(_piece(3, bytes([status & 255])))
                await writer.drain()
        finally:
            writer.close()

    async def _carry_out(self, arguments: Sequence[str], reader: StreamReader, writer: StreamWriter) -> int:
        match arguments:
            case ["--distribution", name, "--exec", *command] | [
                "--distribution",
                name,
                "--user",
                _,
                "--exec",
                *command,
            ] if name == _DISTRIBUTION:
                return await self._relay(command, reader, writer)
            case ["--terminate", name] if name == _DISTRIBUTION:
                self.end(self.inside())
                return 0
            case ["--stand-in", *order]:
                answer = await asyncio.to_thread(self._obey, order)
                writer.write(_piece(1, json.dumps(answer).encode()))
                return 0
        text = "There is no distribution with the supplied name.\r\nError code: Wsl/Service/WSL_E_DISTRO_NOT_FOUND"
        writer.write(_piece(1, text.encode("utf-16-le")))
        return 255

    async def _relay(self, command: Sequence[str], reader: StreamReader, writer: StreamWriter) -> int:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=self._environment, start_new_session=True
        )
        assert process.stdin
        assert process.stdout
        assert process.stderr
        giving = asyncio.ensure_future(_give(reader, process.stdin))
        await asyncio.gather(_take(process.stdout, 1, writer), _take(process.stderr, 2, writer))
        giving.cancel()
        return await process.wait()

    def _obey(self, order: Sequence[str]) -> object:
        match order:
            case ["left"]:
                return [f"{each.pid} {each.name}" for each in self.inside()]
            case ["kill", "all"]:
                self.end(self.inside())
            case ["kill", kind]:
                self.end(self._of_kind(kind))
            case ["state"]:
                return [_state(each.pid) for each in self._of_kind("trainer")]
            case ["stopped" | "woken" as change]:
                return self._when(is_stopped=change == "stopped")
            case ["cpu", seconds]:
                pids = [each.pid for each in self.inside() if each not in self._of_kind("agent")]
                before = sum(map(processes.cpu_seconds, pids))
                time.sleep(float(seconds))
                return sum(map(processes.cpu_seconds, pids)) - before
        return None

    def _of_kind(self, kind: str) -> list[processes.Process]:
        module = {"agent": "core.children.agent", "trainer": "client.trainer"}[kind]
        return [each for each in self.inside() if _runs(each.pid, module)]

    def _when(self, *, is_stopped: bool) -> float:
        """Return the time at which the trainer was seen stopped, or not stopped any more."""
        (trainer, *_) = [each.pid for each in self._of_kind("trainer") if _runs_itself(each)]
        until = time.monotonic() + 60
        while (_state(trainer) == "T") != is_stopped and time.monotonic() < until:
            time.sleep(0.0005)
        return time.time()

    def end(self, found: Sequence[processes.Process]) -> None:
        """SIGKILL processes."""
        for each in found:
            processes.kill(each.pid)


STAND_IN = "WSL_STAND_IN_DISTRIBUTION"
"""Environment variable of all that a service has started."""


def _piece(stream: int, data: bytes) -> bytes:
    return bytes([stream]) + len(data).to_bytes(4, "little") + data


async def _give(reader: StreamReader, target: StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(_CHUNK):
            target.write(data)
            await target.drain()
    target.close()


async def _take(source: StreamReader, stream: int, writer: StreamWriter) -> None:
    """Pass on what comes; a wsl.exe that was killed holds up no program, which goes on without a reader."""
    while data := await source.read(_CHUNK):
        with contextlib.suppress(ConnectionError):
            writer.write(_piece(stream, data))
            await writer.drain()


def _runs(pid: int, module: str) -> bool:
    return module in _file(pid, "cmdline").split("\0")


def _runs_itself(process: processes.Process) -> bool:
    """Return true for a trainer itself, and false for what it has forked."""
    return not _runs(process.parent, "client.trainer")


def _has_variable(pid: int, name: str) -> bool:
    return any(each.startswith(f"{name}=") for each in _file(pid, "environ").split("\0"))


def _state(pid: int) -> str:
    return (_file(pid, "stat").rpartition(")")[2].split() or ["gone"])[0]


def _file(pid: int, name: str) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_text(errors="replace")
    except OSError:
        return ""


def environment_of(identifier: str, code: Path) -> dict[str, str]:
    """Return the environment of programs in a distribution with that identifier, which find our ``code``."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    return {**kept, STAND_IN: identifier, "PYTHONPATH": str(code), "HOME": "/root"}
