"""The task (`client.tasks`) that reads lists of runs, after one was added or removed."""

from pathlib import Path
from typing import Literal

from client.api.runs import DirectoryView
from client.joining.allowed import ResourceLimits
from core.messages.lines import Message


class ReadLists(Message):
    """Read all lists in a folder, and choose the runs for this machine."""

    type: Literal["read_lists"] = "read_lists"
    folder: Path
    """Folder of the lists (`client.directory.known_lists`)."""
    allowed: ResourceLimits
    add: str = ""
    """Location of a list to add first; empty: none is added."""
    key: str = ""
    """Fingerprint of the key of the list to add."""
    held_gpu: int = 0
    held_ram: int = 0
    """Bytes that this computer's trainer holds, and would give back before it trains another run."""
    remove: str = ""
    """Location of a list to remove first; empty: none is removed."""


class ListsRead(Message):
    """Answer: the lists as they are now."""

    type: Literal["lists_read"] = "lists_read"
    directory: DirectoryView
