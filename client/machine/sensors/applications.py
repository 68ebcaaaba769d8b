"""Finds the running ones among the applications that the volunteer wants the machine for."""

import re
from collections.abc import Callable, Collection
from pathlib import Path

from client.machine.processes import ProcessTable
from client.machine.readings import Known, Reading
from core.children.processes import Process

_PROC = Path("/proc")
_SOURCE = "list of processes"
_FOLDERS = re.compile(r"[/\\]")
_KERNEL = 2
"""Process id of the parent of the kernel's threads."""


class Applications:
    """Looks for programs by name; not for several threads at once."""

    def __init__(
        self, wanted: Callable[[], Collection[str]], table: ProcessTable, proc: Path = _PROC
    ) -> None:
        """Prepare to look for the programs that `wanted` gives.

        Their names are as the volunteer writes them: with or without folder, case and ``.exe``.
        """
        self._wanted = wanted
        self._table = table
        self._proc = proc
        self._names: dict[tuple[int, str], frozenset[str]] = {}

    def read(self) -> Reading[tuple[str, ...]]:
        """Return the running applications, in the volunteer's order and words.

        Without any in the preferences, nothing is scanned.
        """
        wanted = tuple(self._wanted())
        if not wanted:
            return Known((), "no exclusive applications are set")
        running = self._running()
        return Known(tuple(name for name in wanted if program_name(name) in running), _SOURCE)

    def _running(self) -> frozenset[str]:
        rows = [row for row in self._table.rows() if row.parent != _KERNEL]
        # A process keeps its names until it runs another program, which changes the one that the table has.
        keys = [(row.pid, row.name) for row in rows]
        self._names = {
            key: self._names.get(key) or self._read(row) for key, row in zip(keys, rows, strict=True)
        }
        return frozenset[str]().union(*self._names.values())

    def _read(self, row: Process) -> frozenset[str]:
        """Return the process's names: the kernel's, and its program files' (under Wine in the arguments)."""
        folder = self._proc / str(row.pid)
        names = {row.name}
        try:
            names.add((folder / "cmdline").read_bytes().partition(b"\0")[0].decode(errors="replace"))
            names.add(str((folder / "exe").readlink()))
        except OSError:
            pass  # it ended, or belongs to another user
        return frozenset(filter(None, map(program_name, names)))


def program_name(path: str) -> str:
    """Name by which programs are compared: the last part of a path of any system, in lower case, without ``.exe``.

    Programs that replace themselves while they run are still listed under their old file, as deleted.
    """
    return _FOLDERS.split(path.removesuffix(" (deleted)"))[-1].lower().removesuffix(".exe").strip()
