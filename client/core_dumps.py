"""Keeps what a crash would leave of a process's memory off the disk: there may be a token in it."""

import sys

LEAST = 1
"""Smallest limit on a core dump, in bytes.

With 0, Linux would still hand the whole memory to a program that collects crashes; see core(5).
"""


def forbid() -> None:
    """Forbid core dumps of this process and of what it starts; Windows writes none unless an administrator asks."""
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_CORE)
        limit = LEAST if most == resource.RLIM_INFINITY else min(LEAST, most)
        resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))
