"""What is to run as a child process, and how patient its supervisor is with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.lines import Message


@dataclass(frozen=True)
class Program:
    """A module of ours that speaks `core.lines`, and what it is told first."""

    name: str
    """What it is to a person, such as "trainer"."""
    module: str
    start: Message
    log: Path
    """Receives all that the process writes to standard error."""
    is_idle: bool = False
    """Whether it runs only where nothing else wants to (`core.children.priority`)."""
    niceness: int = 0
    """How far it gives way to others, where it is not idle altogether."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """What differs from this process's own; never a secret, which other processes could read there."""

    @property
    def rank(self) -> str:
        """Its priority, as the guard is told."""
        return "idle" if self.is_idle else str(self.niceness)


@dataclass(frozen=True)
class Patience:
    """Seconds after which a child is given up."""

    first_message: float = 180.0
    silence: float = 30.0
    """Between messages; heartbeats come every other second."""
    idle: float = 900.0
    """Without a sign of life of the child's main loop."""
    leaving: float = 3.0
    """For the guard to sweep up after the child's end, before it is killed as well."""
    unkillable: float = 10.0
    """After which no end of a killed process is expected any more: it hangs in a driver, or in a file system."""
    tick: float = 0.5
