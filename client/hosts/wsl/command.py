"""Runs wsl.exe: the commands of a distribution, their output and exit status, and the errors of wsl.exe itself."""

import asyncio
import contextlib
import os
import subprocess
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from client.hosts.wsl.refusals import MISSING, decoded, refused
from core.children.processes import CHILD_VARIABLE
from core.children.spawning import environment_without_secrets
from core.errors import ChildError

APART = getattr(subprocess, "CREATE_NO_WINDOW", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
"""Flags by which a command on Windows opens no window, and gets no signals of a terminal."""
DISTRIBUTION = "Idlebrush"
"""Name of the distribution, which belongs to this program alone."""
_MOST_OUTPUT = 64 * 1024
"""Bytes of an answer that are kept."""


@dataclass(frozen=True)
class WslCommand:
    """Program and names by which a distribution is reached."""

    program: tuple[str, ...] = ("wsl.exe",)
    distribution: str = DISTRIBUTION
    agent: tuple[str, ...] = ("/opt/idlebrush/agent",)
    """Program of the agent, as the distribution sees it: `core.children.agent`."""

    def administration(self, *arguments: str) -> list[str]:
        """Return the command that has wsl.exe do what ``arguments`` say."""
        return [*self.program, *arguments]

    def inside(self, *command: str, user: str = "") -> list[str]:
        """Return the command that runs ``command`` in the distribution; ``user`` is who runs it, empty: its user."""
        as_user = ["--user", user] if user else []
        return [*self.program, "--distribution", self.distribution, *as_user, "--exec", *command]

    def of_agent(self, *arguments: str, identifier: str | None = None, user: str = "") -> list[str]:
        """Return the command of the agent with ``arguments``.

        Args:
            arguments: Arguments of the agent.
            identifier: Identifier of all that it starts; None: it starts nothing.
            user: User who runs it; empty: that of the distribution.
        """
        marking = [] if identifier is None else ["/usr/bin/env", f"{CHILD_VARIABLE}={identifier}"]
        return self.inside(*marking, *self.agent, *arguments, user=user)


@dataclass(frozen=True)
class WslAnswer:
    """Outcome of a command of wsl.exe."""

    status: int
    output: bytes

    @property
    def text(self) -> str:
        """Output of the command as text."""
        return decoded(self.output)


class RunWsl(Protocol):
    """Function that runs a command of wsl.exe to its end."""

    async def __call__(self, command: Sequence[str], seconds: float) -> WslAnswer:
        """Run ``command``; raises ChildError if it is missing, or does not end within ``seconds``."""


async def run_wsl(command: Sequence[str], seconds: float) -> WslAnswer:
    """Run ``command``; raises ChildError if it is missing, or does not end within ``seconds``."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=STDOUT,
            env=environment(),
            creationflags=APART,
        )
    except FileNotFoundError:
        raise refused(MISSING) from None
    except OSError as error:
        raise ChildError(f"{command[0]} cannot be started: {error}.", "Restart the computer.") from error
    try:
        async with asyncio.timeout(seconds):
            output, _ = await process.communicate()
    except TimeoutError:
        raise ChildError(
            f"Windows' Subsystem for Linux has not answered for {seconds:.0f} s.",
            "Run `wsl --shutdown` in a terminal, which ends all distributions, or restart the computer.",
        ) from None
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    return WslAnswer(process.returncode or 0, output[-_MOST_OUTPUT:])


def environment() -> dict[str, str]:
    """Return the environment of wsl.exe: without tokens, and with its own words in UTF-8 where it can."""
    return {**environment_without_secrets(os.environ), "WSL_UTF8": "1"}
