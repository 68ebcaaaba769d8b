"""Reads what Windows' registry says of the machine: keys below HKEY_LOCAL_MACHINE, which every user may read.

Tried with a stand-in for winreg only.
"""

import importlib
from typing import Any, Protocol


class RegistryReader(Protocol):
    """Keys of the machine; each method raises OSError where the key or value is not there, or may not be read."""

    def names_below(self, key: str) -> list[str]:
        """Return the names of the keys below ``key``, a path with backslashes."""

    def value(self, key: str, name: str) -> object:
        """Return the value called ``name`` of ``key``: a str, an int or bytes, by its type."""


class MachineRegistry:
    """The registry of this machine."""

    def __init__(self, library: Any = None) -> None:
        """Prepare to read by ``library``, a module like ``winreg``; None: that of Python, which only Windows has."""
        self._library = library

    def names_below(self, key: str) -> list[str]:
        """Return the names of the keys below ``key``, a path with backslashes; raise OSError if it is missing."""
        winreg = self._open()
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, key) as found:
            return [winreg.EnumKey(found, number) for number in range(winreg.QueryInfoKey(found)[0])]

    def value(self, key: str, name: str) -> object:
        """Return the value called ``name`` of ``key``; raise OSError if either is missing."""
        winreg = self._open()
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, key) as found:
            value: object = winreg.QueryValueEx(found, name)[0]
            return value

    def _open(self) -> Any:
        try:
            self._library = self._library or importlib.import_module("winreg")
        except ImportError as error:
            raise OSError("This system has no registry.") from error
        return self._library
