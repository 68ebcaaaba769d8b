"""Joins a run where no person can be asked, and says what that means; then the daemon takes this process's place."""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

import typer
from rich.console import Console

from client.api.commands import Join
from client.api.environment import BeginSetup
from client.api.errors import DownloadInterrupted, JoinError, PersonNeeded, PreferenceError
from client.api.launch import DaemonProgram, ensure_daemon, without_pass
from client.console.join_dialogue import Dialogue, JoinOptions
from client.console.terminal import say
from client.environment.interpreter import TrainerPython
from client.joining.invitation import RunInvitation
from client.joining.join import JoinedRun
from client.joining.run_card import MANIFEST, RunCard
from client.paths import Paths
from client.preferences.preferences import Preferences
from client.preferences.preferences_file import change, load
from client.service.channel.lock import DaemonLock
from client.service.kept.beginning import go_on_or_begin
from client.service.kept.choices import VolunteerChoices
from client.service.kept.joined_runs import JoinedRuns
from client.state_file import utc_now
from client.unattended.admitting import UnattendedAdmission
from client.unattended.notes import UnattendedNotes
from client.unattended.terms import UnattendedTerms, limits_given, unattended_preferences
from core.children.logs import TO_STDERR
from core.run.manifest import RunManifest

Replace = Callable[[list[str], Mapping[str, str]], NoReturn]
"""Replaces this process by a command with an environment."""


@dataclass(frozen=True)
class UnattendedOptions:
    """Options of a join where no person can be asked."""

    limits: tuple[str, ...] = ()
    """Preferences such as ``ram-limit=8GiB``."""
    server_pass: Path | None = None
    """File with this computer's pass to a run that has a gate, made on another computer."""
    benchmark_seconds: float | None = None
    """Duration of the speed measurement; None: there is none."""
    instead: bool = False
    """True to leave all other runs."""
    again: bool = False
    """True to join a run that was left by hand."""
    note: str = ""
    """Sentence about the other joined runs."""


@dataclass(frozen=True)
class UnattendedJoin:
    """Joins one run, in `detached` or `in_foreground`."""

    console: Console
    paths: Paths
    options: UnattendedOptions
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    module: str = "client.daemon"
    """Program that runs as the daemon."""

    def in_foreground(self, invitation: RunInvitation, replace: Replace) -> NoReturn:
        """Join, and become the daemon, which ends in order on SIGTERM and logs to standard error as well.

        Raises:
            AlreadyRunning: A daemon of this user runs.
            PersonNeeded: Only a person can answer or correct something.
            CoreError: It cannot be joined for another reason.
        """
        self.paths.prepare()
        with DaemonLock(self.paths.lock, self.paths.socket):  # before anything is changed or downloaded
            notes = self._notes()
            joined = self._join(invitation, notes, owns_lock=True)
            self._note_start(joined)
            notes.add_run(invitation, joined.manifest.training_digest, instead=self.options.instead)
        self.console.print("The daemon starts now.")
        environment = {**without_pass(self.environment), TO_STDERR: "1"}
        sys.stdout.flush()
        replace([sys.executable, "-P", "-m", self.module], environment)

    def detached(self, invitation: RunInvitation) -> JoinedRun:
        """Join by the daemon that runs, or by one that is started and goes on in the background.

        Raises:
            PersonNeeded: Only a person can answer or correct something.
            CoreError: It cannot be joined for another reason.
        """
        self.paths.prepare()
        notes = self._notes()
        joined = self._join(invitation, notes, owns_lock=False)
        digest, instead = joined.manifest.training_digest, self.options.instead
        is_new = self._runs().of(digest) is None
        with ensure_daemon(self.paths, program=DaemonProgram(self.module, self.environment)) as daemon:
            if self._needs_packages:
                daemon.ask(BeginSetup())
            if is_new or instead:  # a run that was joined before keeps its pause
                daemon.ask(Join(folder=str(joined.folder), instead=instead))
        notes.add_run(invitation, digest, instead=instead)
        return joined

    def _join(self, invitation: RunInvitation, notes: UnattendedNotes, *, owns_lock: bool) -> JoinedRun:
        """Say what it means, fetch the run's files or find those of an earlier start, and set the limits."""
        _require_vouched(invitation)
        self._require_not_left(invitation, notes)
        if invitation.code is not None:
            self._warn(
                "The invitation code in the link is not used, since nobody signs in here: "
                "`idlebrush server-pass`, on a computer with a browser, takes it."
            )
        limits = self._limits()
        preferences = unattended_preferences(load(self.paths.preferences)[0], limits, notes.limits)
        for sentence in UnattendedTerms(preferences, self.paths, self._needs_packages).sentences():
            say(self.console, sentence)
        admission = UnattendedAdmission(
            self.paths, notes, self.options.server_pass, self.environment, owns_lock
        )
        joined = self._fetch(invitation, admission, preferences, notes)
        given_before = notes.limits
        change(self.paths.preferences, lambda now: unattended_preferences(now, limits, given_before))
        notes.add_limits(limits)
        return joined

    def _fetch(
        self,
        invitation: RunInvitation,
        admission: UnattendedAdmission,
        preferences: Preferences,
        notes: UnattendedNotes,
    ) -> JoinedRun:
        options = JoinOptions(
            consented=True,
            benchmark_seconds=self.options.benchmark_seconds,
            note=self.options.note,
            enter=admission.admit,
            sets_up=False,
        )
        dialogue = Dialogue(self.console, _no_answer, self.paths, preferences=preferences)
        try:
            joined = dialogue.hold(invitation, options)
        except DownloadInterrupted as error:
            if (known := self._joined_before(invitation, notes)) is None:
                raise
            self._warn(f"The run was joined before, and goes on with what is here. {error.what}")
            return known
        if joined is None:
            raise JoinError("The run was declined.", "Join it without --unattended to see the questions.")
        return joined

    def _limits(self) -> Mapping[str, str]:
        """Return the limits given, all of which can be set; raise PersonNeeded for one that cannot."""
        try:
            limits = limits_given(self.options.limits, self.environment)
            unattended_preferences(Preferences(), limits)
        except PreferenceError as error:
            raise PersonNeeded(error.what, error.remedy) from error
        return limits

    def _require_not_left(self, invitation: RunInvitation, notes: UnattendedNotes) -> None:
        """Raise PersonNeeded if the run was joined by an earlier start, and left by hand since."""
        if self.options.again:
            notes.forget_run(invitation)
        digest, problems = notes.digest_of(invitation), list[str]()
        if digest is None or not self.paths.joined.exists():
            return
        is_joined = JoinedRuns(self.paths.joined, problems.append, utc_now).of(digest) is not None
        if not is_joined and not problems:  # what is damaged says nothing of what was left
            raise PersonNeeded(
                "This run was left on this computer by hand, so it is not joined again by itself.",
                "To join it again, add --again once.",
            )

    def _joined_before(self, invitation: RunInvitation, notes: UnattendedNotes) -> JoinedRun | None:
        """Return the run that an earlier start has joined by this very invitation, if it is here."""
        digest = notes.digest_of(invitation)
        run = self._runs().of(digest) if digest is not None else None
        if run is None or not (run.folder / MANIFEST).exists():
            return None
        return JoinedRun(run.folder, RunManifest.load(run.folder / MANIFEST))

    def _note_start(self, joined: JoinedRun) -> None:
        """Note the run in what the daemon keeps; the caller holds the daemon's lock."""
        runs, card = self._runs(), RunCard.of(joined.manifest)
        choices = VolunteerChoices(self.paths.state, self._warn, utc_now)
        go_on_or_begin(choices, runs, joined.folder, card, instead=self.options.instead)
        if self._needs_packages and not choices.wants_environment:
            choices.want_environment(True)
        runs.save()
        choices.save()

    def _runs(self) -> JoinedRuns:
        return JoinedRuns(self.paths.joined, self._warn, utc_now)

    def _notes(self) -> UnattendedNotes:
        return UnattendedNotes(self.paths.unattended, self._warn)

    @property
    def _needs_packages(self) -> bool:
        return not TrainerPython.of_user(self.paths).is_there

    def _warn(self, text: str) -> None:
        say(self.console, text)


def replace_process(command: list[str], environment: Mapping[str, str]) -> NoReturn:
    """Run ``command`` in place of this process."""
    os.execve(command[0], command, dict(environment))


def _require_vouched(invitation: RunInvitation) -> None:
    try:
        invitation.require_vouched()
    except JoinError as error:
        raise PersonNeeded(error.what, error.remedy) from error


def _no_answer(_question: str) -> bool:
    raise typer.Abort
