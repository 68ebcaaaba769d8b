"""Starts the swarm on this computer for the conversation in a terminal that leads to its run."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from client.api.candidate import CandidateStage, CandidateView
from client.api.commands import ForgetCandidate, LookAtRun
from client.api.errors import ClientError, JoinError
from client.api.launch import ensure_daemon
from client.api.runs import LOCAL_SWARM
from client.console.sign_in import look
from client.joining.invitation import RunInvitation, read_invitation
from client.joining.run_card import MANIFEST
from client.paths import Paths

_LOOK_SECONDS = 0.3
_SECONDS = 900.0
"""Longest time for the swarm to be ready and its run to be inspected."""


@contextmanager
def local_swarm(paths: Paths) -> Iterator[RunInvitation]:
    """Start the swarm by the daemon, and yield the invitation to its run.

    Afterwards the swarm ends unless its run was joined.

    Raises:
        ClientError: This computer cannot have a swarm, or it does not get ready.
    """
    print("The swarm on this computer is being started: a coordinator with a website, and a second trainer.")
    with ensure_daemon(paths) as daemon:
        daemon.ask(LookAtRun(location=LOCAL_SWARM))
    try:
        _wait(paths)
        yield read_invitation(str(paths.swarm / "run" / MANIFEST))
    finally:
        with ensure_daemon(paths) as daemon:
            daemon.ask(ForgetCandidate())


def _wait(paths: Paths) -> None:
    """Return once the daemon has inspected the run; raise its error if that fails."""
    ends = time.monotonic() + _SECONDS
    while time.monotonic() < ends:
        with ensure_daemon(paths) as daemon:
            seen = look(daemon).candidate
        if _is_ready(seen):
            return
        time.sleep(_LOOK_SECONDS)
    raise JoinError("The swarm on this computer does not get ready.", "Look into its log: `idlebrush logs`.")


def _is_ready(seen: CandidateView | None) -> bool:
    if seen is None or seen.location != LOCAL_SWARM:
        raise JoinError("Another run is being inspected in the app.", "Close its preview, and try again.")
    if seen.stage is CandidateStage.FAILED and seen.problem is not None:
        raise ClientError(seen.problem.what, seen.problem.remedy)
    return seen.stage is CandidateStage.READY
