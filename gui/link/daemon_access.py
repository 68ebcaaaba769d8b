"""Access to this user's daemon: how to connect to it and start it, and how long to wait for it."""

import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Self

from client.api import launch
from client.api.commands import (
    ChangeTeam,
    EnterGate,
    HideName,
    JoinCandidate,
    KeepFrames,
    KeepReceipts,
    OpenPage,
    SignIn,
)
from client.api.connection import ANSWER_SECONDS, COORDINATOR_SECONDS
from client.api.endpoint import local_endpoint
from client.api.environment import CancelSetup, PlanSetup, RestartIntoFirmware, UpdateWsl
from client.api.launch import DaemonProgram, Launching
from client.api.questions import ShowBoard, ShowTeams
from client.api.remote.computers import AddComputer, OrderComputer
from client.api.requests import AnyRequest
from client.api.runs import AddRunList, FindRuns, RemoveLocalSwarm, RemoveRunList

if TYPE_CHECKING:
    from client.paths import Paths

_CONNECT_SECONDS = 0.1 if sys.platform == "win32" else 0.02
"""Longest wait for a local socket, which accepts at once or not at all: one frame.

Windows' endpoint has to be answered by the daemon itself before it is trusted, which takes a busy computer longer.
"""
_COORDINATORS = (ShowBoard, ShowTeams, OpenPage, HideName, ChangeTeam, OrderComputer)
_UNTIL_IT_IS_DONE = (
    SignIn,
    AddComputer,
    EnterGate,
    JoinCandidate,
    KeepFrames,
    KeepReceipts,
    PlanSetup,
    CancelSetup,
    RestartIntoFirmware,
    UpdateWsl,
    FindRuns,
    AddRunList,
    RemoveRunList,
    RemoveLocalSwarm,
)
"""Requests that last as long as a person or a download; the daemon bounds them."""


@dataclass(frozen=True)
class DaemonAccess:
    connect: Callable[[], socket.socket]
    """Return a connected socket at once. Raises ControlError."""
    launching: Callable[[], Launching]
    """Begin to start a daemon; each step returns at once."""
    is_left_behind: Callable[[], bool]
    """Return whether a daemon has left its socket behind, which means that it did not end in order."""
    end_by_force: Callable[[], bool]
    """Kill a daemon that does not answer; returns whether there was one."""

    @classmethod
    def of(cls, paths: "Paths", program: DaemonProgram) -> Self:
        return cls(
            connect=partial(launch.connect, paths, _CONNECT_SECONDS),
            launching=partial(Launching, paths, program=program),
            is_left_behind=lambda: local_endpoint(paths.socket).is_there(),
            end_by_force=partial(launch.end_silent_daemon, paths),
        )


@dataclass(frozen=True)
class Timing:
    answer: float = ANSWER_SECONDS
    """Longest wait for a request that the daemon answers by itself."""
    coordinator: float = COORDINATOR_SECONDS
    """Longest wait for a request that the daemon forwards to the run's coordinator or to another computer."""
    quiet: float = 10.0
    """Longest silence before the daemon is probed."""
    sign_of_life: float = 10.0
    """Longest wait for the answer to a probe; after it, the daemon counts as hung."""
    start: float = 30.0
    """Longest wait for the first answer of a started daemon."""
    poll: float = 0.1
    """Interval of looks for that first answer."""
    look: float = 2.0
    """Interval of looks for a daemon that was started elsewhere."""
    settle: float = 0.3
    """Wait after the end of a connection, until its daemon has exited."""
    patience: float = 120.0
    """Period in which a daemon may crash `collapses` times before it is no longer restarted."""
    collapses: int = 3

    def seconds_for(self, request: AnyRequest) -> float | None:
        """Return the longest wait for an answer in seconds; None for as long as the daemon lives."""
        if isinstance(request, _UNTIL_IT_IS_DONE):
            return None
        return self.coordinator if isinstance(request, _COORDINATORS) else self.answer
