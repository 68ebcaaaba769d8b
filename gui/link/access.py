"""How the app gets at the daemon of this user: handed to the link, so that tests can have another one."""

import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Self

from client.api import launch
from client.api.endpoint import local_endpoint
from client.api.launch import DaemonProgram, Launching

if TYPE_CHECKING:
    from client.paths import Paths

_CONNECT_SECONDS = 0.02
"""A local socket is taken at once, or not: the event loop waits for nothing longer than a frame."""


@dataclass(frozen=True)
class DaemonAccess:
    connect: Callable[[], socket.socket]
    """A connected socket, at once; ControlError without one."""
    launching: Callable[[], Launching]
    """A daemon that is to be brought up, whose steps take no time."""
    is_left_behind: Callable[[], bool]
    """Whether a daemon that is gone has left its socket: then it has not ended in order."""
    end_by_force: Callable[[], bool]
    """End a daemon that does not answer; whether there was one."""

    @classmethod
    def of(cls, paths: "Paths", program: DaemonProgram) -> Self:
        return cls(
            connect=partial(launch.connect, paths, _CONNECT_SECONDS),
            launching=partial(Launching, paths, program=program),
            is_left_behind=lambda: local_endpoint(paths.socket).is_there(),
            end_by_force=partial(launch.end_silent_daemon, paths),
        )
