"""Hands over from one version's daemon to another's: `python -m client.updates.handover`, started by the first one.

It belongs to the version in use, outlives that version's daemon, and ends once the new daemon has answered. Only then
the link leads to the new tree. If the new daemon does not answer in time, it is killed, and the one before is started
again. If this process is killed, the next daemon that starts completes the hand-over or gives it up (`recovered`).
"""

import logging
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from client.api.errors import REPORT_THIS, AlreadyRunning, BrokenVersion, ClientError, StateError, UpdateError
from client.api.launch import detached
from client.installed import Installation, read_installation
from client.paths import Paths
from client.updates.daemons import ANY_VERSION, DaemonProcess, Daemons, UserDaemons
from client.updates.kept import KeptUpdate
from client.updates.stages import UpdateEvent, UpdateStage, UpdateState, answered, problem_of
from client.updates.trees import InstalledTrees, ReplacedTree
from core.children import logs

_log = logging.getLogger(__name__)

_PATIENCE = 2.0
"""Seconds for the lock: a process that asks whether it is held takes it for an instant."""
MODULE = "client.updates.handover"
UNIT_VARIABLE = "IDLEBRUSH_UNIT"
"""Environment variable that the unit of systemd sets."""
_REMEDY = f"The version before it is in use again. {REPORT_THIS}"


@dataclass(frozen=True)
class HandoverLimits:
    """Time limits, in seconds."""

    ending: float = 120.0
    """Seconds for the daemon in use to end: more than a trainer takes to leave its swarm."""
    answering: float = 60.0
    """Seconds for the new daemon to answer."""
    poll: float = 0.2


def _now() -> datetime:
    return datetime.now(UTC)


class Handover:
    """One hand-over; all that it does is saved, so that another process can continue."""

    def __init__(
        self,
        kept: KeptUpdate,
        trees: InstalledTrees,
        daemons: Daemons,
        limits: HandoverLimits = HandoverLimits(),
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
        now: Callable[[], datetime] = _now,
    ) -> None:
        """Prepare a hand-over.

        Args:
            kept: Record of updates, which says what is to be done.
            trees: Trees of the installation.
            daemons: Starts and asks daemons.
            limits: Time limits.
            clock: Returns the time in seconds.
            sleep: Waits for that many seconds.
            now: Returns the time of day, with its zone.
        """
        self._kept, self._trees, self._daemons, self._limits = kept, trees, daemons, limits
        self._clock, self._sleep, self._now = clock, sleep, now

    def run(self) -> None:
        """Hand over, or take back, as the record says; nothing is done if another process does it already.

        Raises:
            OSError: The disk does not allow it.
        """
        try:
            with self._kept.alone(patience=_PATIENCE):
                version = self._next()
        except BlockingIOError:
            _log.info("Another process hands over already.")
            return
        if version:
            self._start_again(version)

    def _next(self) -> str:
        """Carry the record's step out; return the version whose daemon is to be started, empty: none."""
        state = self._kept.state
        match state.stage:
            case UpdateStage.HANDING_OVER:
                return self._hand_over(state)
            case UpdateStage.TAKING_BACK:
                return self._take_back(state)
            case _:
                _log.info("There is nothing to hand over while the update is %s.", state.stage)
                return ""

    def _hand_over(self, state: UpdateState) -> str:
        assert state.offer is not None, "it was unpacked"
        version, before = state.offer.version, self._trees.used
        if not self._is_out_of_the_way():
            error = UpdateError(
                "The update waits, because the daemon in use did not end.", "It is tried again later."
            )
            self._save(state.lost(error, self._now()))
            return ""
        failure = self._start(version)
        if failure is None:
            self._trees.use(version)
            self._save(answered(state))
            return ""
        _log.error("%s", failure)
        self._save(state.broken(failure))
        return before

    def _start(self, version: str) -> BrokenVersion | None:
        """Start the daemon of a version and wait for its answer; return what is wrong with it, if something is."""
        deadline = self._clock() + self._limits.answering
        try:
            process = self._started(version)
            # Another process may ask at this moment whether the lock is held, and take it for that.
            while self._settles(process, version, deadline) and process.poll() == AlreadyRunning.STATUS:
                process = self._started(version)
        except OSError as error:
            return BrokenVersion(f"Version {version} cannot be started: {error.strerror or error}.", _REMEDY)
        if process.poll() is None and self._answers(version):
            _log.info("The daemon of version %s answers.", version)
            return None
        what = self._complaint(process.poll())
        self._daemons.end(process)
        self._wait(lambda: not self._daemons.is_running(), self._limits.ending)
        return BrokenVersion(f"Version {version} {what}.", _REMEDY)

    def _started(self, version: str) -> DaemonProcess:
        return self._daemons.start(self._trees.tree(version))

    def _settles(self, process: DaemonProcess, version: str, deadline: float) -> bool:
        """Return true once a daemon answers or has ended, and false if neither happens in time."""
        return self._wait(
            lambda: process.poll() is not None or self._answers(version), deadline - self._clock()
        )

    def _answers(self, version: str) -> bool:
        return self._daemons.answering() in (version, ANY_VERSION)

    def _complaint(self, status: int | None) -> str:
        if status is None or status == AlreadyRunning.STATUS:
            return f"did not answer within {self._limits.answering:.0f} seconds"
        return f"ended during its start with exit status {status}"

    def _take_back(self, state: UpdateState) -> str:
        self._is_out_of_the_way()
        why = state.problem or problem_of(UpdateError("The new version did not work.", _REMEDY))
        try:
            self._trees.use(state.previous)
        except OSError as error:  # the daemon before makes its own tree the one in use
            _log.error("The link to version %s cannot be put back: %s", state.previous, error)
        self._save(state.broken(BrokenVersion(why.what, why.remedy), UpdateEvent.TAKEN_BACK))
        return state.previous

    def _start_again(self, version: str) -> None:
        """Start the daemon of the version before.

        If it ends as well, the computer is at fault, as with a full disk: the new version may be tried again then.
        """
        _log.info("The daemon of version %s is started again.", version)
        process = self._started(version)
        self._settles(process, version, self._clock() + self._limits.answering)
        if process.poll() in (None, AlreadyRunning.STATUS):
            return
        _log.error("The daemon of version %s ended with exit status %s.", version, process.poll())
        state = self._kept.state
        if state.offer is not None and state.stage is UpdateStage.REJECTED:
            others = tuple(name for name in state.rejected if name != state.offer.version)
            self._save(state.model_copy(update={"rejected": others}))

    def _save(self, state: UpdateState) -> None:
        """Save the record; where that fails, the daemon that is started next finds its way without (`recovered`)."""
        try:
            self._kept.save(state)
        except (StateError, OSError) as error:
            _log.error("%s", error)

    def _is_out_of_the_way(self) -> bool:
        """Wait for the daemon in use to end, and else kill it: it was to end, and nothing would start another."""
        if self._wait(lambda: not self._daemons.is_running(), self._limits.ending):
            return True
        _log.warning("The daemon in use does not end, and is killed.")
        self._daemons.kill_running()
        return self._wait(lambda: not self._daemons.is_running(), self._limits.ending)

    def _wait(self, until: Callable[[], bool], seconds: float) -> bool:
        """Wait until something is true; return whether that happened in time."""
        deadline = self._clock() + seconds
        while not until():
            if self._clock() >= deadline:
                return False
            self._sleep(self._limits.poll)
        return True


def start_handover(paths: Paths, environment: Mapping[str, str]) -> None:
    """Start a hand-over in a process of its own, which outlives this one.

    Raises:
        UpdateError: It cannot be started.
    """
    try:
        with logs.appending(paths.log("update")) as writing:
            subprocess.Popen(
                handover_command(environment, sys.executable),
                stdin=subprocess.DEVNULL,
                stdout=writing,
                stderr=writing,
                env=dict(environment),
                **detached(),
            )
    except OSError as error:
        raise UpdateError(
            f"The update cannot be started: {error.strerror or error}.", "Free some memory, and try again."
        ) from error


def handover_command(environment: Mapping[str, str], python: str) -> list[str]:
    """Return the command of a hand-over.

    Systemd ends what is left of a unit once its main process has ended, so the daemon of a unit hands over in a scope
    of its own. The daemon that the hand-over starts stays in that scope until the user's services start again.

    Args:
        environment: Environment of the daemon.
        python: Interpreter of the version in use.
    """
    command = [python, "-P", "-m", MODULE]
    if environment.get(UNIT_VARIABLE):
        return ["systemd-run", "--user", "--scope", "--quiet", "--collect", *command]
    return command


def start_installer(installer: Path) -> "subprocess.Popen[bytes]":
    """Start an installer for Windows that replaces this installation without questions, and outlives this process.

    Raises:
        UpdateError: It cannot be started.
    """
    return _start_outside([str(installer), "/S"], "Start it by hand, or try again later.")


def start_taking_back(
    paths: Paths, environment: Mapping[str, str], installation: Installation | None, version: str
) -> None:
    """Start what puts the version before in use again, in a process that outlives this one.

    Args:
        paths: Folders of this user's client.
        environment: Environment of the daemon.
        installation: This installation; None: a clone.
        version: Version that is put in use again.

    Raises:
        UpdateError: It cannot be started.
    """
    if (replaced := _replaced(installation)) is None:
        start_handover(paths, environment)
    else:
        _start_outside(replaced.command(version), REPORT_THIS)


def _start_outside(command: list[str], remedy: str) -> "subprocess.Popen[bytes]":
    """Start a program of Windows that ends this process: it does not belong to this process's Job Object."""
    try:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, **detached(leaves_job=True))
    except OSError as error:
        raise UpdateError(
            f"The installer {command[0]} cannot be started: {error.strerror or error}.", remedy
        ) from error


def give_way(
    paths: Paths, environment: Mapping[str, str], version: str, installation: Installation | None
) -> None:
    """Refuse to be the daemon while another version is on its way to be it.

    Windows' installer needs no refusal: it ends the daemon that it finds.

    Args:
        paths: Folders of this user's client.
        environment: Environment of the daemon.
        version: Version of this daemon.
        installation: This installation; None: a clone.

    Raises:
        AlreadyRunning: A hand-over is under way, and not to this version.
        UpdateError: This version is being rolled back, and that cannot continue.
    """
    kept = KeptUpdate(paths.updates)
    state = kept.state
    is_offered = state.offer is not None and state.offer.version == version
    if kept.is_handing_over:
        if not is_offered or state.stage is not UpdateStage.HANDING_OVER:
            raise AlreadyRunning("An update of Idlebrush is being installed.", "Wait a minute.")
    elif is_offered and state.stage is UpdateStage.TAKING_BACK and not _replaced(installation):
        # The process that did it was killed.
        start_handover(paths, environment)
        raise AlreadyRunning(f"Version {version} of Idlebrush is being rolled back.", "Wait a minute.")


def _replaced(installation: Installation | None) -> ReplacedTree | None:
    return ReplacedTree.of(installation) if installation else None


def take_back_if_on_trial(
    paths: Paths, environment: Mapping[str, str], why: str, installation: Installation | None
) -> bool:
    """Begin to roll a new version back whose daemon does not start any more.

    Args:
        paths: Folders of this user's client.
        environment: Environment of the daemon.
        why: Sentence that says what happened.
        installation: This installation; None: a clone.

    Returns:
        True if the version before it will be started; false if no version is on trial.
    """
    kept, replaced = KeptUpdate(paths.updates), _replaced(installation)
    state = kept.state
    if state.stage is not UpdateStage.ON_TRIAL or not state.previous or kept.is_handing_over:
        return False
    if replaced is not None and not replaced.is_there:
        return False
    try:
        kept.save(state.unhealthy(UpdateError(f"The new version was rolled back. {why}", _REMEDY)))
        start_taking_back(paths, environment, installation, state.previous)
    except (StateError, UpdateError) as error:
        _log.warning("The new version cannot be rolled back: %s", error)
        return False
    return True


def main() -> int:
    """Hand over as the record says; returns the exit status."""
    logs.to_standard_error()
    paths = Paths.of_user()
    try:
        installation = read_installation()
        trees = InstalledTrees.of(installation) if installation else None
        if trees is None:
            _log.error("This installation does not update itself.")
            return 2
        Handover(KeptUpdate(paths.updates), trees, UserDaemons(paths)).run()
    except (ClientError, OSError) as error:
        _log.error("The hand-over failed: %s", error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
