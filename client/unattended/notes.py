"""Keeps what later unattended starts have to know: which run a link led to, the limits given, and the passes taken.

The daemon's own files say what is joined now. Only together with these notes do they say that a run was left by hand.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from client import state_file
from client.joining.invitation import RunInvitation
from client.service.kept.joined_runs import MOST_RUNS
from core.fingerprint import same_fingerprint


class NotedRun(BaseModel):
    """A run that an unattended start has joined, and what it was named by."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    location: str
    """Address or path of its manifest."""
    fingerprint: str | None
    """Fingerprint of the organiser's key; None: the manifest is a file of the volunteer's own."""
    digest: str
    """Training digest of the manifest."""

    def is_named_by(self, invitation: RunInvitation) -> bool:
        """Return true if the invitation is for the same location and key."""
        ours, theirs = self.fingerprint, invitation.fingerprint
        same_key = ours == theirs if ours is None or theirs is None else same_fingerprint(ours, theirs)
        return same_key and self.location == invitation.location


class UnattendedState(BaseModel):
    """The notes between two starts, at `Paths.unattended`; they hold no secret."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    runs: Annotated[tuple[NotedRun, ...], Field(max_length=MOST_RUNS)] = ()
    limits: frozenset[str] = frozenset()
    """Fields of the preferences that were given as limits, at any start."""
    passes: Annotated[dict[str, str], Field(max_length=MOST_RUNS)] = {}
    """SHA-256 of the pass that was taken last, by the run's digest."""


class UnattendedNotes:
    """The notes; each change is saved at once, or raises StateError."""

    def __init__(self, path: Path, notice: Callable[[str], None]) -> None:
        self._path = path
        self._state, problem = state_file.load(path, UnattendedState, UnattendedState())
        if problem is not None:
            notice(str(problem))

    @property
    def limits(self) -> frozenset[str]:
        """Fields of the preferences that were given as limits, at any start."""
        return self._state.limits

    def digest_of(self, invitation: RunInvitation) -> str | None:
        """Return the digest of the run that an earlier start has joined by the same invitation."""
        return next((run.digest for run in self._state.runs if run.is_named_by(invitation)), None)

    def has_taken(self, run: str, digest: str) -> bool:
        """Return true if the pass of that SHA-256 is the last that was taken for a run."""
        return self._state.passes.get(run) == digest

    def add_run(self, invitation: RunInvitation, digest: str, *, instead: bool) -> None:
        """Note that a run was joined; ``instead`` forgets all others, which were not left by hand."""
        others = () if instead else tuple(run for run in self._state.runs if not run.is_named_by(invitation))
        run = NotedRun(location=invitation.location, fingerprint=invitation.fingerprint, digest=digest)
        self._save(runs=(*others, run)[-MOST_RUNS:])

    def forget_run(self, invitation: RunInvitation) -> None:
        """Forget the run that an earlier start has joined by this invitation."""
        self._save(runs=tuple(run for run in self._state.runs if not run.is_named_by(invitation)))

    def add_limits(self, fields: Iterable[str]) -> None:
        """Note which preferences were given as limits."""
        self._save(limits=self._state.limits | frozenset(fields))

    def add_pass(self, run: str, digest: str) -> None:
        """Note the SHA-256 of the pass that was taken for a run."""
        others = [item for item in self._state.passes.items() if item[0] != run]
        self._save(passes=dict([*others, (run, digest)][-MOST_RUNS:]))

    def _save(self, **changes: object) -> None:
        changed = self._state.model_copy(update=changes)
        if changed != self._state or not self._path.exists():
            state_file.save(self._path, changed)
            self._state = changed
