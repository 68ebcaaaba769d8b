"""The host that is this system: children run within its containment, and are reached by their process ids."""

from client.side_thread import in_thread
from core.children import processes
from core.children.containment import Contain, ContainedChild, containment
from core.children.freezing import Freezer, LocalFreezer
from core.children.processes import HeldMemory
from core.children.program import Patience, Program


class LocalChild:
    """A child of this system."""

    def __init__(self, contained: ContainedChild) -> None:
        """Reach the processes of ``contained``."""
        self.contained = contained
        self._starvation = processes.Starvation()

    def freezer(self, computing: int) -> Freezer:
        """Return what stops and wakes the child's processes; ``computing`` is the one that computes."""
        return LocalFreezer(computing, self.contained.family)

    async def memory_held(self) -> HeldMemory:
        """Return the RAM that the child's processes hold together."""
        family = self.contained.family()
        return await in_thread(lambda: processes.memory_held(family))

    def starved_seconds(self, pid: int) -> float:
        """Return the seconds for which the process ``pid`` has waited for the processor so far, as far as known."""
        return self._starvation.seconds(pid)


class LocalHost:
    """Runs children behind a guard, or in a Job Object on Windows."""

    paths = None
    shares_process_ids = True
    gpu_headroom = 0

    def __init__(self, contain: Contain | None = None) -> None:
        """Use ``contain`` to start children; None: the containment of the system."""
        self._contain = contain or containment()

    async def start(self, program: Program, patience: Patience) -> LocalChild:
        """Start ``program``; ChildError with a remedy if that is not possible.

        Of the time limits ``patience``, ``leaving`` and ``unkillable`` count here.
        """
        return LocalChild(await self._contain(program, patience))

    async def close(self) -> None:
        """Do nothing: without children, nothing is held."""
