"""Requests of the WSL setup to Windows itself: an administrator's consent, and a start after the next restart.

Tried under Wine only, which asks for no consent and does not restart.
"""

import contextlib
import ctypes
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import psutil

from client.api.errors import NvmlError, SetupError
from client.autostart.interface import LoginCommand
from client.environment.machine_facts import MachineFacts, read_facts
from client.hosts.wsl.command import run_wsl
from client.hosts.wsl.facts import FactSources, read_windows_facts
from client.hosts.wsl.setup import WslSetupSources
from client.machine.readings import Known
from client.paths import Paths
from client.side_thread import in_thread

RUN_ONCE = r"Software\Microsoft\Windows\CurrentVersion\RunOnce"
"""Key of this user whose commands Windows starts once, at the next sign-in, and removes."""
_NAME = "Idlebrush setup"
_KEEP_PROCESS = 0x40
"""SEE_MASK_NOCLOSEPROCESS: the started process can be waited for."""
_NO_MESSAGE = 0x400
"""SEE_MASK_FLAG_NO_UI: a program that cannot be started opens no window, which no user may be there to close."""
_HIDDEN = 0
_FOREVER = 0xFFFFFFFF
_RESTART_REQUIRED = 3010
"""ERROR_SUCCESS_REBOOT_REQUIRED, the exit status of a setup that is complete after a restart."""


class _ExecuteInfo(ctypes.Structure):
    """SHELLEXECUTEINFOW."""

    _fields_ = (
        ("size", ctypes.c_uint32),
        ("mask", ctypes.c_uint32),
        ("window", ctypes.c_void_p),
        ("verb", ctypes.c_wchar_p),
        ("file", ctypes.c_wchar_p),
        ("parameters", ctypes.c_wchar_p),
        ("directory", ctypes.c_wchar_p),
        ("show", ctypes.c_int),
        ("instance", ctypes.c_void_p),
        ("id_list", ctypes.c_void_p),
        ("class_name", ctypes.c_wchar_p),
        ("class_key", ctypes.c_void_p),
        ("hot_key", ctypes.c_uint32),
        ("icon", ctypes.c_void_p),
        ("process", ctypes.c_void_p),
    )


async def elevate(program: str, arguments: str) -> bool:
    """Run ``program`` as an administrator to its end; false if no administrator agrees, or if it fails."""
    return await in_thread(lambda: _elevate(program, arguments))


def _elevate(program: str, arguments: str) -> bool:
    library: Any = getattr(ctypes, "WinDLL", None)
    if library is None:
        return False
    shell, kernel = library("shell32"), library("kernel32")
    asked = _ExecuteInfo(mask=_KEEP_PROCESS | _NO_MESSAGE, verb="runas", show=_HIDDEN)
    asked.file, asked.parameters, asked.size = program, arguments, ctypes.sizeof(asked)
    if not shell.ShellExecuteExW(ctypes.byref(asked)) or not asked.process:
        return False
    process, status = ctypes.c_void_p(asked.process), ctypes.c_uint32(1)
    try:
        kernel.WaitForSingleObject(process, _FOREVER)
        kernel.GetExitCodeProcess(process, ctypes.byref(status))
    finally:
        kernel.CloseHandle(process)
    return status.value in (0, _RESTART_REQUIRED)


async def restart_windows(command: Sequence[str] = ("shutdown.exe", "/r", "/t", "0")) -> None:
    """Restart Windows, which asks programs with unsaved work first.

    Raises:
        SetupError: Windows refuses: an administrator may forbid it, and an update may be under way.
    """
    try:
        done = await in_thread(lambda: subprocess.run(command, capture_output=True, check=False))
        why = "" if done.returncode == 0 else f"status {done.returncode}"
    except OSError as error:
        why = str(error)
    if why:
        raise SetupError(f"Windows does not restart: {why}.", "Restart it from the Start menu.")


def start_once_after_restart(is_wanted: bool, command: LoginCommand | None = None) -> None:
    """Register ``command`` to be started once at the next sign-in, or no longer; None: this installation's client.

    Raises:
        OSError: The registry cannot be written.
    """
    line = subprocess.list2cmdline((command or LoginCommand.of_client()).arguments)
    if sys.platform == "win32":
        import winreg

        if is_wanted:
            with winreg.CreateKey(winreg.HKEY_CURRENT_USER, RUN_ONCE) as key:
                winreg.SetValueEx(key, _NAME, 0, winreg.REG_SZ, line)
            return
        with (
            contextlib.suppress(FileNotFoundError),
            winreg.OpenKey(winreg.HKEY_CURRENT_USER, RUN_ONCE, access=winreg.KEY_SET_VALUE) as key,
        ):
            winreg.DeleteValue(key, _NAME)
    else:
        raise OSError(f"This system has no registry to keep {line} in.")


def setup_sources(paths: Paths) -> WslSetupSources:
    """Return the sources of the setup of this user's distribution, on this computer."""
    return WslSetupSources(
        facts=lambda: read_windows_facts(fact_sources(), paths.distribution),
        run=run_wsl,
        elevate=elevate,
        start_again=start_once_after_restart,
        restart=restart_windows,
        boot_time=psutil.boot_time,
    )


def fact_sources(read: Callable[[], MachineFacts] = read_facts) -> FactSources:
    """Return the sources of facts on this computer; ``read`` returns its GPUs with their drivers."""
    return FactSources(run_wsl, nvidia_driver=lambda: _nvidia_driver(read))


def _nvidia_driver(read: Callable[[], MachineFacts]) -> str | None:
    try:
        gpus = read().gpus
    except NvmlError:
        return None
    known = (gpu.driver for gpu in gpus if gpu.vendor == "nvidia")
    return next((driver.value for driver in known if isinstance(driver, Known)), None)
