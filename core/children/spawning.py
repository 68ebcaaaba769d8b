"""Starts a program behind the guard, and has what all children are started with: command, environment and log."""

import asyncio
import contextlib
import os
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Iterator, Mapping
from pathlib import Path

from core.children import logs
from core.children.processes import CHILD_VARIABLE
from core.children.program import Interpreter, Program
from core.errors import ChildError
from core.messages.lines import MAX_LINE

_SECRETS = (
    "HF_TOKEN",
    "HUGGING_FACE_HUB_TOKEN",
    "HF_API_TOKEN",
    "HUGGINGFACE_TOKEN",
    "DATABASE_URL",
    "WANDB_API_KEY",
    "IDLEBRUSH_PASS",
)
"""Variables in which people keep tokens of the Hub and of Weights & Biases, their database's password, and a server's
pass to a run.
"""
_OF_THIS_PYTHON = ("PYTHONHOME", "PYTHONPATH")
"""Variables by which this process's Python finds packages, which are not for another Python."""


async def spawn(program: Program, identifier: str) -> tuple[Process, socket.socket]:
    """Start a guard, and return it with the socket by which it notices that this process is gone.

    Args:
        program: Program to run behind the guard.
        identifier: Value of the environment variable `CHILD_VARIABLE`, by which descendants are found.

    Raises:
        ChildError: The guard cannot be started.
    """
    lifeline, guards_end = socket.socketpair()
    try:
        with starting(program):
            return await _execute(program, identifier, guards_end.fileno()), lifeline
    except ChildError:
        lifeline.close()
        raise
    finally:
        guards_end.close()


async def _execute(program: Program, identifier: str, lifeline: int) -> Process:
    with logs.appending(program.log) as log:
        return await asyncio.create_subprocess_exec(
            *python("core.children.guard", str(lifeline), program.rank),
            *command_of(program),
            stdin=PIPE,
            stdout=PIPE,
            stderr=log,
            pass_fds=(lifeline,),
            start_new_session=True,
            limit=MAX_LINE,
            env={**environment_of(program), CHILD_VARIABLE: identifier},
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
    inherited = environment_without_secrets(os.environ)
    if program.interpreter is not None:
        inherited = leading_to(program.interpreter, inherited)
    return {**inherited, **program.environment}


def environment_without_secrets(environment: Mapping[str, str]) -> dict[str, str]:
    """Return ``environment`` without the variables in which people keep tokens and passwords."""
    return {name: value for name, value in environment.items() if name not in _SECRETS}


def leading_to(interpreter: Interpreter, environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which a Python finds our code and its own packages, and no others.

    Args:
        interpreter: The Python.
        environment: Variables to begin with.
    """
    kept = {name: value for name, value in environment.items() if name not in _OF_THIS_PYTHON}
    return {**kept, "PYTHONPATH": str(interpreter.code)}


def command_of(program: Program) -> list[str]:
    """Return the command that runs the module of ``program`` by its interpreter."""
    if program.interpreter is None:
        return python(program.module)
    return python(program.module, executable=program.interpreter.path)


def python(module: str, *arguments: str, executable: Path | None = None) -> list[str]:
    """Return the command that runs ``module`` with ``arguments``, but nothing of the working directory.

    ``executable`` is the Python that runs it; None: this process's own.
    """
    return [str(executable or sys.executable), "-P", "-m", module, *arguments]
