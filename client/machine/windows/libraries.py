"""Finds functions of Windows' system libraries, with their types declared, and puts refusals into words.

Windows on x64 and on ARM64 has one calling convention, so ``ctypes.CDLL`` calls all of them. Types are declared with
fixed sizes, as those of ``ctypes.wintypes`` have other sizes on other systems: so readings are tried anywhere, with
libraries that answer as Windows documents it. They did not run on Windows yet.
"""

import ctypes
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from client.machine.readings import Reading, Unknown

T = TypeVar("T")


class Libraries(Protocol):
    """Libraries of the system, by their names without ``.dll``."""

    def function(self, library: str, name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
        """Return a function of a library with these types of ctypes; raise OSError if it is missing."""

    def last_error(self) -> int:
        """Return the error code of the last function that failed in this thread."""


class SystemLibraries:
    """The real libraries, each opened at its first use."""

    def __init__(self) -> None:
        self._opened: dict[str, ctypes.CDLL] = {}

    def function(self, library: str, name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
        """Return the function; raise OSError if this is no Windows, or one that lacks it."""
        if library not in self._opened:
            self._opened[library] = ctypes.CDLL(f"{library}.dll", use_last_error=True)
        try:
            found: Any = getattr(self._opened[library], name)
        except AttributeError as error:
            raise OSError(f"This Windows has no {name}") from error
        found.restype, found.argtypes = result, arguments
        typed: Callable[..., Any] = found
        return typed

    def last_error(self) -> int:
        """Return ctypes' own copy of the code, which nothing overwrites between the call and this question."""
        copied: Callable[[], int] = getattr(ctypes, "get_last_error", int)  # ctypes has it on Windows alone
        return copied()


def refusal(function: str, code: int) -> OSError:
    """Make the error of a function that failed with a code of Windows'."""
    return OSError(f"{function} answers 0x{code & 0xFFFFFFFF:08X}")


def succeed(function: str, code: int) -> None:
    """Raise OSError if the function's HRESULT, NTSTATUS or status of PDH is a failure: those are negative."""
    if code < 0:
        raise refusal(function, code)


def reading_of(failing: str, ask: Callable[[], Reading[T]]) -> Reading[T]:
    """Return what ``ask`` reads.

    Where it raises OSError, the reading is unknown, by the sentence ``failing`` and the words of the error.
    """
    try:
        return ask()
    except OSError as error:
        return Unknown(f"{failing} {str(error).rstrip('.')}.")
