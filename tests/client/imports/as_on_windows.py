"""Imports modules in a process that lacks what Windows lacks, and prints a line with the error for each that fails.

Libraries are imported first, as this system has them: they are ported by others. Paths stay this system's, as
`pathlib` knows no other's here.
"""

import importlib
import os
import pkgutil
import signal
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

OURS = ("client", "gui", "core")
POSIX_MODULES = ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "syslog", "readline")
UNINSTALLED = ("uvloop", "torch", "hivemind", "jeepney")
"""Libraries that are not installed there."""
WINDOWS_MODULES = ("msvcrt", "winreg")
"""Modules of the standard library that only Windows has; ours use nothing of them while they are imported."""
MISSING: dict[ModuleType, tuple[str, ...]] = {
    signal: (
        *(
            "SIGHUP",
            "SIGCONT",
            "SIGSTOP",
            "SIGTSTP",
            "SIGKILL",
            "SIGCHLD",
            "SIGALRM",
            "SIGUSR1",
            "SIGUSR2",
            "SIGQUIT",
        ),
        *(
            "SIGPIPE",
            "SIGWINCH",
            "pidfd_send_signal",
            "pthread_sigmask",
            "pthread_kill",
            "alarm",
            "setitimer",
        ),
    ),
    os: (
        *(
            "getuid",
            "geteuid",
            "getgid",
            "getegid",
            "getsid",
            "setsid",
            "getpgid",
            "setpgid",
            "getpgrp",
            "killpg",
        ),
        *("fork", "forkpty", "register_at_fork", "pidfd_open", "waitstatus_to_exitcode", "WNOHANG", "nice"),
        *(
            "fchmod",
            "fchown",
            "chown",
            "lchown",
            "mkfifo",
            "statvfs",
            "fstatvfs",
            "pread",
            "pwrite",
            "sendfile",
        ),
        *("sysconf", "getloadavg", "sched_getaffinity", "sched_setscheduler", "SCHED_IDLE", "setpriority"),
        *("O_NOFOLLOW", "O_DIRECTORY", "O_CLOEXEC", "O_NONBLOCK", "O_TMPFILE", "O_SYNC", "set_blocking"),
    ),
    socket: ("AF_UNIX", "SCM_RIGHTS", "SO_PEERCRED", "SO_REUSEPORT", "send_fds", "recv_fds"),
    time: ("clock_gettime", "CLOCK_MONOTONIC", "CLOCK_BOOTTIME", "tzset"),
}
"""Names that modules of the standard library lack there."""


class ModuleRefusal(MetaPathFinder):
    """Refuses modules by their names."""

    def __init__(self, refused: Sequence[str]) -> None:
        self._refused = refused

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name.partition(".")[0] in self._refused:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def modules(*packages: str) -> Iterator[str]:
    """Yield the names of all modules below those packages, and of the packages."""
    for package in packages:
        yield package
        found = importlib.import_module(package)
        yield from (module.name for module in pkgutil.walk_packages(found.__path__, f"{package}."))


def become_windows() -> None:
    """Take away from this process what Windows lacks."""
    for name in [name for name in sys.modules if name.partition(".")[0] in (*OURS, *POSIX_MODULES)]:
        del sys.modules[name]
    for module, names in MISSING.items():
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    sys.meta_path.insert(0, ModuleRefusal(POSIX_MODULES))
    sys.modules.update({name: ModuleType(name) for name in WINDOWS_MODULES})
    sys.platform = "win32"


def failure(module: str) -> str | None:
    """Return the error with which the import of a module fails, if it does."""
    try:
        importlib.import_module(module)
    except Exception as error:  # noqa: BLE001 - any of them keeps a program from starting
        return f"{type(error).__name__}: {error}"
    return None


def main() -> None:
    """Import all modules twice, as on this system and as on Windows, and print what fails the second time."""
    sys.meta_path.insert(0, ModuleRefusal(UNINSTALLED))
    names = list(modules("client", "gui", "core.children"))
    for name in names:
        failure(name)
    become_windows()
    for name in names:
        if why := failure(name):
            print(f"{name}\t{why}")


if __name__ == "__main__":
    main()
