"""Starts an agent by wsl.exe, and waits for its first line; whatever else comes is translated into an error."""

import asyncio
import contextlib
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from pathlib import Path

from client.hosts.wsl.command import APART, environment
from client.hosts.wsl.link import has_ended
from client.hosts.wsl.refusals import MISSING, refusal_of, refused
from core.children import logs
from core.children.agent.frames import GREETING, MAX_FRAME
from core.children.program import Program
from core.errors import ChildError

_LAST_WORDS = 5.0
"""Seconds for wsl.exe to write why it refuses."""
_MOST_OF_LOG = 4096


async def spawn(command: Sequence[str], program: Program) -> Process:
    """Start ``command``, whose errors go to the log of ``program``; raises ChildError if wsl.exe is missing."""
    with logs.appending(program.log) as log:
        try:
            return await asyncio.create_subprocess_exec(
                *command,
                stdin=PIPE,
                stdout=PIPE,
                stderr=log,
                limit=MAX_FRAME,
                env=environment(),
                creationflags=APART,
            )
        except FileNotFoundError:
            raise refused(MISSING) from None


async def greet(process: Process, program: Program, before: int, seconds: float) -> None:
    """Wait for the agent's first line.

    Args:
        process: Process of wsl.exe.
        program: Program that the agent is to start, for its name and its log.
        before: Size that the log had before wsl.exe could write to it.
        seconds: Longest time to wait.

    Raises:
        ChildError: Another line comes, or none.
    """
    assert process.stdout is not None
    try:
        line = await asyncio.wait_for(process.stdout.readline(), seconds)
    except TimeoutError:
        raise ChildError(
            f"Windows' Subsystem for Linux did not start the {program.name} within {seconds:.0f} s.",
            "Run `wsl --shutdown` in a terminal, which ends all distributions, or restart the computer.",
        ) from None
    except ValueError:  # longer than the reader's limit
        line = b""
    if line.rstrip(b"\r\n") == GREETING.rstrip():
        return
    if line.startswith(GREETING.split()[0]):
        raise ChildError(
            "Idlebrush and its part in Windows' Subsystem for Linux are of different versions.",
            "Start Idlebrush's setup for training again; it brings them together.",
        )
    with contextlib.suppress(TimeoutError, ValueError):
        line += await asyncio.wait_for(process.stdout.read(_MOST_OF_LOG), _LAST_WORDS)
    await has_ended(process, _LAST_WORDS)
    raise refused(refusal_of(line or _written_since(program.log, before), process.returncode))


def _written_since(log: Path, before: int) -> bytes:
    """Return the end of what was written to ``log`` after it had the size ``before``."""
    with contextlib.suppress(OSError), log.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(before, size - _MOST_OF_LOG))
        return file.read()
    return b""


async def discard(process: Process) -> None:
    """End ``process``, and read its output to the end, which closes the pipe."""
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await has_ended(process, _LAST_WORDS)
    process.stdin.close()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_LAST_WORDS):
            while await process.stdout.read(MAX_FRAME):
                pass
