"""The program of a child process, and the time limits of its supervisor."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.messages.lines import Message


@dataclass(frozen=True)
class Interpreter:
    """A Python besides this process's own, with packages of its own."""

    path: Path
    code: Path
    """Folder of our code, which that Python has not installed: it finds that by PYTHONPATH, and nothing else."""


@dataclass(frozen=True)
class Program:
    """A module of ours that communicates by `core.messages.lines`, and its first message."""

    name: str
    """Name of the program for people, such as "trainer"."""
    module: str
    start: Message
    log: Path
    """File that receives the standard error of the process."""
    is_idle: bool = False
    """True if it runs only while no other program wants the processor (`core.children.priority`)."""
    niceness: int = 0
    """Niceness, unless the program is idle altogether."""
    interpreter: Interpreter | None = None
    """Python that runs the module; None: this process's own. What contains the child runs by this process's own."""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables that differ from this process's own; never a secret, because other processes can read them."""

    @property
    def rank(self) -> str:
        """Priority as the guard reads it: ``idle`` or a niceness."""
        return "idle" if self.is_idle else str(self.niceness)


@dataclass(frozen=True)
class Patience:
    """Seconds after which a child is given up."""

    first_message: float = 180.0
    """Seconds that a child may take from its start to its first message."""
    silence: float = 30.0
    """Longest silence between messages, in seconds; heartbeats come every other second."""
    idle: float = 900.0
    """Seconds without a sign of life from the child's main loop."""
    leaving: float = 3.0
    """Seconds that the guard has for sweeping after the child's end, before it is killed as well."""
    unkillable: float = 10.0
    """Seconds after which a killed process is taken for one that hangs in a driver or a file system."""
    tick: float = 0.5
    """Seconds between two checks of a child."""
