"""Starts a program behind the guard, and has what all children are started with: command, environment and log."""

import asyncio
import contextlib
import os
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Iterator, Mapping

from core.children import logs
from core.children.processes import MARK
from core.children.program import Program
from core.errors import ChildError
from core.messages.lines import MAX_LINE

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
        with starting(program):
            return await _execute(program, mark, guards_end.fileno()), lifeline
    except ChildError:
        lifeline.close()
        raise
    finally:
        guards_end.close()


async def _execute(program: Program, mark: str, lifeline: int) -> Process:
    with logs.appending(program.log) as log:
        return await asyncio.create_subprocess_exec(
            *python("core.children.guard", str(lifeline), program.rank),
            *python(program.module),
            stdin=PIPE,
            stdout=PIPE,
            stderr=log,
            pass_fds=(lifeline,),
            start_new_session=True,
            limit=MAX_LINE,
            env={**environment_of(program), MARK: mark},
        )


@contextlib.contextmanager
def starting(program: Program) -> Iterator[None]:
    """Within the context, raise an OSError as the ChildError that ``program`` cannot be started."""
    try:
        yield
    except OSError as error:
        raise ChildError(
            f"The {program.name} cannot be started: {error}.",
            f"See that there is space on the disk and that {program.log.parent} can be written to.",
        ) from error


def environment_of(program: Program) -> dict[str, str]:
    """Return this process's environment with that of ``program``, but without tokens, which are not for the child."""
    return {**environment_without_secrets(os.environ), **program.environment}


def environment_without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """Return ``environment`` without the variables in which people keep tokens and passwords."""
    return {name: value for name, value in environment.items() if name not in _SECRETS}


def python(module: str, *arguments: str) -> list[str]:
    """Return the command that runs ``module`` with ``arguments``, but nothing of the working directory."""
    return [sys.executable, "-P", "-m", module, *arguments]
