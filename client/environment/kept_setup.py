"""The environment that is kept: its record, the lock that keeps other processes out, and its first epoch.

An environment is on trial until it has made an epoch. If it makes none, the one before it is put back.
"""

import errno
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from client import state_file
from client.api.errors import SetupError
from client.environment.places import EnvironmentPlaces, record_of
from client.environment.stages import RUNNING, SetupEvent, SetupFailure, SetupStage, SetupState
from core.storage.file_lock import alone

NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class KeptSetup:
    """The state of the environment on the disk."""

    def __init__(self, places: EnvironmentPlaces) -> None:
        """Keep the state in ``places``."""
        self.places = places

    @property
    def state(self) -> SetupState:
        """The saved state; where nothing is under way, the environment in use says what it is."""
        state, _ = state_file.load(self.places.state, SetupState, SetupState())
        if state.stage in RUNNING or state.stage is SetupStage.FAILED:
            return state
        record = record_of(self.places.current)
        if record is None:
            return state.model_copy(update={"stage": SetupStage.ABSENT})
        found = record.model_dump(include={"variant", "digest", "why", "is_fallback"})
        stage = SetupStage.READY if record.has_made_epoch else SetupStage.ON_TRIAL
        serial = max(state.serial, record.serial)
        return state.model_copy(update={**found, "stage": stage, "serial": serial})

    def save(self, state: SetupState) -> None:
        """Save ``state``; raise StateError if it cannot be written."""
        state_file.save(self.places.state, state)

    def made_epoch(self) -> None:
        """Note that the environment in use has made an epoch; the one before it is removed.

        Nothing happens if there is none. Raises SetupError if another process sets the next environment up; the
        caller asks again after a later epoch.
        """
        with self.alone():
            state = self.state
            if record_of(self.places.current) is None:
                return
            self.places.keep_current()
            if state.stage is SetupStage.ON_TRIAL:
                self.save(state.after(SetupEvent.MADE_EPOCH))

    def note_damage(self) -> None:
        """Note that packages are missing in the environment in use, so that it is set up again.

        Raises SetupError if another process sets one up, or if the disk does not allow it.
        """
        with self.alone():
            if (record := record_of(self.places.current)) is not None:
                self.save(self.state.model_copy(update={"damaged": record.digest}))

    def take_back(self, why: str) -> bool:
        """Put the environment before the one in use back, because that one does not work.

        No trainer may run meanwhile.

        Args:
            why: Sentence that says what does not work.

        Returns:
            True if there is an environment in use now.

        Raises:
            SetupError: The environment in use is not on trial, or another process sets one up.
        """
        with self.alone():
            state, record = self.state, record_of(self.places.current)
            if record is None or record.has_made_epoch:
                raise SetupError(
                    "There is no environment on trial that could be rolled back.",
                    "If training does not work, set the environment up again.",
                )
            is_back = self.places.take_back()
            remedy = "The one before it is in use again." if is_back else "Set it up again."
            failure = SetupFailure(
                code=SetupError.code, what=f"The new environment was removed. {why}", remedy=remedy
            )
            if state.stage is SetupStage.ON_TRIAL:  # and not in the middle of setting up the next one
                state = state.after(SetupEvent.TAKEN_BACK if is_back else SetupEvent.REMOVED)
            self.save(state.model_copy(update={"failure": failure, "taken_back": record.digest}))
            return is_back

    def cancel(self) -> None:
        """Give up the set-up that was under way, or failed, and remove what it has fetched and made.

        Raises SetupError if another process sets one up, or if the disk does not allow it.
        """
        with self.alone():
            state = self.state
            if state.stage in (*RUNNING, SetupStage.FAILED):
                self.save(state.after(SetupEvent.CANCELLED, failure=None, building=""))
            self.places.clear_up()
            self.places.forget_wheels()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other processes out; complete what one that was killed had begun to roll back.

        Raises SetupError if another one is at work, or if the disk does not allow it.
        """
        with ExitStack() as stack:
            try:
                self.places.root.mkdir(parents=True, exist_ok=True, mode=0o700)
                stack.enter_context(alone(self.places.lock))
                self.places.restore()
            except BlockingIOError as error:
                raise SetupError(
                    "The training environment is being set up by another process.", "Wait for it to end."
                ) from error
            except OSError as error:
                raise disk_error(error, self.places) from error
            yield


def disk_error(error: OSError, places: EnvironmentPlaces) -> SetupError:
    """Return the error of a disk in words."""
    if error.errno in NO_SPACE:
        return SetupError(
            f"The disk with {places.root} is full.",
            "Free some space on that disk, and try again; what was downloaded is kept.",
        )
    return SetupError(
        f"{places.root} cannot be used: {error.strerror or error}.",
        "See that you may write to that folder, and try again.",
    )
