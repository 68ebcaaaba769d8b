"""Hosts of the processes that compute: this system, or a distribution of Linux that runs beside it.

A host starts a program so that nothing of it outlives this process, and reaches its processes for as long as they are
there. `tests/client/hosts` holds all hosts to the same contract.
"""

import sys
from pathlib import Path
from typing import Protocol, TypeVar

from pydantic import TypeAdapter

from client.installed import CODE, read_installation
from core.children.containment import ContainedChild
from core.children.freezing import Freezer
from core.children.processes import HeldMemory
from core.children.program import Patience, Program
from core.children.supervisor import Supervisor
from core.messages.lines import Message
from core.messages.paths import PathView

M = TypeVar("M", bound=Message)


class HostedChild(Protocol):
    """One child process on a host."""

    @property
    def contained(self) -> ContainedChild:
        """The child with all that it has started, and their end."""

    def freezer(self, computing: int) -> Freezer:
        """Return what stops and wakes the child's processes; ``computing`` is the one that computes."""

    async def memory_held(self) -> HeldMemory:
        """Return the RAM that the child's processes hold together."""

    def starved_seconds(self, pid: int) -> float:
        """Return the seconds for which the process ``pid`` has waited for the processor so far, as far as known."""


class TrainerHost(Protocol):
    """Starts and ends programs that compute."""

    @property
    def paths(self) -> PathView | None:
        """Translation of paths between this system and the host; None: they are the same."""

    @property
    def shares_process_ids(self) -> bool:
        """True if a process id of the host is one of this system."""

    @property
    def gpu_headroom(self) -> int:
        """Bytes of a GPU's memory that stay free on this host beside what the volunteer keeps free."""

    async def start(self, program: Program, patience: Patience) -> HostedChild:
        """Start ``program``; call it from the main thread.

        Of the time limits ``patience``, ``leaving`` and ``unkillable`` count here. Raises ChildError with a remedy if
        the program cannot be started.
        """

    async def close(self) -> None:
        """Give back what the host holds while nothing runs on it, such as the memory of a virtual machine."""


class HostedProcess:
    """A supervised child on a host, from before its start until after its end."""

    def __init__(self, host: TrainerHost) -> None:
        """Prepare to run one program on ``host``; `supervisor` makes what runs it."""
        self._host = host
        self.child: HostedChild | None = None
        """The child once it has been started."""

    def supervisor(
        self, program: Program, kinds: TypeAdapter[M], patience: Patience | None = None
    ) -> Supervisor[M]:
        """Return the supervisor of ``program``.

        Args:
            program: Program to run.
            kinds: Type adapter of the child's messages.
            patience: Time limits; None: the defaults.
        """
        return Supervisor(program, kinds, patience, self._contain, self._starved, self._host.paths)

    def local_id(self, pid: int | None) -> int | None:
        """Return the process id ``pid`` of the child if it is one of this system, or else None."""
        return pid if self._host.shares_process_ids else None

    async def _contain(self, program: Program, patience: Patience) -> ContainedChild:
        self.child = await self._host.start(program, patience)
        return self.child.contained

    def _starved(self, pid: int) -> float:
        return self.child.starved_seconds(pid) if self.child is not None else 0.0


def host_of_system(platform: str = sys.platform, code: Path = CODE) -> TrainerHost:
    """Return the host of this system.

    Args:
        platform: One of the names of `sys.platform`.
        code: Folder of our code. On Windows an installation's is handed to the distribution, which has none.

    Raises:
        StateError: The installation cannot be read.
    """
    if platform == "win32":
        from client.hosts.wsl.host import WslHost
        from client.hosts.wsl.paths import WslPaths

        return WslHost(paths=WslPaths(), code=code if read_installation(code) else None)
    from client.hosts.local import LocalHost

    return LocalHost()
