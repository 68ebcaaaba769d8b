"""NVIDIA's management library (NVML): opened at the first use, and again after the driver was lost."""

import contextlib
import importlib
from typing import Any

from client.api.errors import NvmlAbsent, NvmlError

_SUCCESS, _INVALID_ARGUMENT, _NOT_SUPPORTED, _NO_PERMISSION, _NOT_FOUND, _OLD_DRIVER = 0, 2, 3, 4, 6, 13
_REFUSALS = (_NOT_SUPPORTED, _NO_PERMISSION, _NOT_FOUND, _OLD_DRIVER)
"""Codes for values that a GPU does not report, after which the library still works; the numbers are those of
nvml.h.
"""
_DRIVER_NOT_LOADED, _LIBRARY_NOT_FOUND, _OTHER_DRIVER = 9, 12, 18


class Nvml:
    """Calls by NVML's names, its errors translated; not for several threads at once."""

    def __init__(self, library: Any = None) -> None:
        """Prepare to call `library`: a module like ``pynvml``; None: the installed one (package nvidia-ml-py)."""
        self._library = library
        self._is_open = False
        self._was_open = False

    def another(self) -> "Nvml":
        """Return the same driver for use in another thread."""
        return Nvml(self._library)

    def handles(self) -> list[Any]:
        """Return handles of all GPUs, in the order of the PCI bus.

        Raises:
            NvmlAbsent: There is no driver.
            NvmlError: It does not work.
        """
        self._open()
        return [self.ask("nvmlDeviceGetHandleByIndex", i) for i in range(self.ask("nvmlDeviceGetCount"))]

    def ask(self, function: str, *arguments: Any) -> Any:
        """Return the result of a function; raise NvmlError if there is none."""
        try:
            return self._call(function, *arguments)
        except self._library.NVMLError as error:
            raise self._lost(error) from error

    def ask_if_reported(self, function: str, *arguments: Any) -> Any:
        """Return the result of a function, or None if this GPU does not report it.

        Raise NvmlError if the driver is lost.
        """
        try:
            return self._call(function, *arguments)
        except self._library.NVMLError as error:
            if _code(error) in _REFUSALS:
                return None
            raise self._lost(error) from error

    def order(self, function: str, *arguments: Any) -> bool:
        """Change a setting by a function; return false if this user may not, or this GPU cannot.

        Raise NvmlError if the driver is lost.
        """
        try:
            self._call(function, *arguments)
        except self._library.NVMLError as error:
            if _code(error) in (*_REFUSALS, _INVALID_ARGUMENT):
                return False
            raise self._lost(error) from error
        return True

    def samples_by_process(self, handle: Any, since: int) -> list[Any] | None:
        """Return samples of each process's use after ``since``, a time of the driver's.

        Return None if the GPU does not report them; raise NvmlError if the driver is lost.
        """
        try:
            return list(self._call("nvmlDeviceGetProcessUtilization", handle, since))
        except self._library.NVMLError as error:
            # pynvml raises even success, where there is no sample.
            if _code(error) in (_SUCCESS, _NOT_FOUND):
                return []
            if _code(error) in _REFUSALS:
                return None
            raise self._lost(error) from error

    def close(self) -> None:
        """Give the driver back; a later use opens it again."""
        if self._is_open:
            self._is_open = False
            with contextlib.suppress(self._library.NVMLError):  # a lost driver is shut down already
                self._call("nvmlShutdown")

    def _open(self) -> None:
        if self._is_open:
            return
        try:
            self._library = self._library or importlib.import_module("pynvml")
        except ImportError as error:
            raise NvmlAbsent("NVIDIA's GPUs cannot be read.", "Install the package nvidia-ml-py.") from error
        try:
            self._call("nvmlInit")
        except self._library.NVMLError as error:
            raise self._unopened(error) from error
        self._is_open = self._was_open = True

    def _call(self, function: str, *arguments: Any) -> Any:
        return getattr(self._library, function)(*arguments)

    def _lost(self, error: Exception) -> NvmlError:
        self.close()
        return NvmlError(
            f"The NVIDIA driver does not report a GPU: {error}.", "If this stays so, restart the computer."
        )

    def _unopened(self, error: Exception) -> NvmlError:
        code = _code(error)
        if code == _OTHER_DRIVER:
            return NvmlError("The NVIDIA driver was updated while it was in use.", "Restart the computer.")
        if code in (_DRIVER_NOT_LOADED, _LIBRARY_NOT_FOUND) and not self._was_open:
            return NvmlAbsent("No NVIDIA driver runs here.", "If there is an NVIDIA GPU, install its driver.")
        return self._lost(error)


def _code(error: Exception) -> int | None:
    code = getattr(error, "value", None)
    return code if isinstance(code, int) else None
