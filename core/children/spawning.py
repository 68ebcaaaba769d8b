"""Starts a program behind the guard: the one place of ours that spawns a child that lasts."""

import asyncio
import os
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping

from core.children.program import Program
from core.errors import ChildError
from core.messages.lines import MAX_LINE

MARK = "IDLEBRUSH_CHILD"
"""Environment variable that every descendant of a child inherits; its value is that child's own."""
_SECRETS = ("HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HF_API_TOKEN", "HUGGINGFACE_TOKEN", "DATABASE_URL")
"""Variables in which people keep their token of the Hub, for other programs, and their database's password."""


async def spawn(program: Program, mark: str) -> tuple[Process, socket.socket]:
    """Start a guard, and return it with the socket by which it notices that this process is gone.

    Args:
        program: Program to run behind the guard.
        mark: Value of the environment variable `MARK`, by which descendants are found.

    Raises:
        ChildError: The guard cannot be started.
    """
    lifeline, guards_end = socket.socketpair()
    try:
        return await _execute(program, mark, guards_end.fileno()), lifeline
    except OSError as error:
        lifeline.close()
        raise ChildError(
            f"The {program.name} cannot be started: {error}.",
            f"See that there is space on the disk and that {program.log.parent} can be written to.",
        ) from error
    finally:
        guards_end.close()


async def _execute(program: Program, mark: str, lifeline: int) -> Process:
    program.log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with open(program.log, "ab", opener=_for_owner) as log:
        return await asyncio.create_subprocess_exec(
            *_python("core.children.guard", str(lifeline), program.rank),
            *_python(program.module),
            stdin=PIPE,
            stdout=PIPE,
            stderr=log,
            pass_fds=(lifeline,),
            start_new_session=True,
            limit=MAX_LINE,
            env={**_without_tokens(os.environ), **program.environment, MARK: mark},
        )


def _for_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _without_tokens(environment: Mapping[str, str]) -> dict[str, str]:
    """Return ``environment`` without tokens, which are not meant for the child."""
    return {name: value for name, value in environment.items() if name not in _SECRETS}


def _python(module: str, *arguments: str) -> list[str]:
    return [sys.executable, "-P", "-m", module, *arguments]  # -P: no module of the working directory is ours
