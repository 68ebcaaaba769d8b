"""Sets the trainer's environment up: fetch, install, test, put in place; a killed attempt goes on where it was.

Every step can be repeated. The environment in use is not touched before the new one has passed its test. One thread
runs this, in a process of its own (`client.task`); another one there gives it orders by `FetchControl`.
"""

import hashlib
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from client.api.errors import REPORT_THIS, SetupError, StateError
from client.environment.installation import StoredWheel, WheelInstaller
from client.environment.interpreter import rebase_on_own
from client.environment.kept_setup import KeptSetup, disk_error
from client.environment.lock_file import EnvironmentLock, Variant, read_lock
from client.environment.machine_facts import MachineFacts, read_facts
from client.environment.places import EnvironmentRecord, record_of, write_record
from client.environment.progress import SetupReporter
from client.environment.smoke_test import SmokeFailure, SmokeTest
from client.environment.stages import RUNNING, SetupEvent, SetupFailure, SetupStage, SetupState
from client.environment.variants import VariantChoice, choose, processor_variant
from client.fetching.control import FetchControl
from client.fetching.files import (
    ATTEMPTS,
    DISK_HEAD_ROOM,
    FileFetcher,
    free_bytes,
    missing_bytes,
    shortage,
)
from client.fetching.web_client import WebClient, Wording
from core.errors import CoreError
from core.network.pause_token import PauseToken
from core.network.persistence import Outage
from core.storage.files import sha256_of

_log = logging.getLogger(__name__)

WORDING = Wording("the listed package", REPORT_THIS, "try another network")


@dataclass(frozen=True)
class Tools:
    """Tools of a set-up."""

    control: FetchControl
    installation: WheelInstaller
    smoke: SmokeTest
    reporter: SetupReporter
    facts: Callable[[], MachineFacts] = read_facts
    free: Callable[[Path], int] = free_bytes
    """Free bytes on the disk that holds a folder."""
    attempts: int = ATTEMPTS
    """Interruptions in a row without a byte in between after which a download is given up for now."""
    outage: Callable[[PauseToken, Callable[[str], None], str], Outage] = Outage
    """Makes what waits between attempts."""
    await_trainer: Callable[[], None] = lambda: None
    """Returns once no trainer runs: under a running one, the folder of its modules must not be exchanged."""


@dataclass(frozen=True)
class SetupPlan:
    """Preview of a set-up, for the volunteer to see before."""

    choice: VariantChoice
    """The packages, and why these."""
    is_needed: bool
    """False if these very packages are in use already."""
    download: int
    """Bytes to fetch, less what earlier attempts have left."""
    disk: int
    """Bytes that it needs on the disk, the download included."""
    was_taken_back: bool = False
    """True if these packages were in use and made no epoch, so that they were removed, or lack something."""


class Setup:
    """One attempt at setting up what a signed list describes."""

    def __init__(self, kept: KeptSetup, lock: EnvironmentLock, tools: Tools) -> None:
        """Prepare an attempt; nothing is done yet.

        Args:
            kept: The environment on the disk.
            lock: List of packages, verified.
            tools: What it works with.
        """
        self._kept, self._places, self._lock, self._tools = kept, kept.places, lock, tools
        self._facts = tools.facts()
        self._steps = {
            SetupStage.FETCHING: self._fetch,
            SetupStage.INSTALLING: self._install,
            SetupStage.TESTING: self._test,
            SetupStage.PLACING: self._place,
        }

    def plan(self) -> SetupPlan:
        """Return what `run` would do; raise SetupError if there is nothing for this machine."""
        choice, state = choose(self._lock.variants, self._facts), self._kept.state
        known = self._is_known(state, choice)
        variant = self._variant(state) if known else choice.variant
        missing = self._missing(variant)
        is_needed = not (known and self._is_in_use(state))
        # Packages that were set up again and still lack some are not fetched once more by themselves.
        is_useless = state.stage is SetupStage.ON_TRIAL and state.damaged == variant.digest
        was_taken_back = is_useless or state.taken_back == variant.digest
        return SetupPlan(choice, is_needed, missing, missing + variant.unpacked, was_taken_back)

    def run(self) -> SetupState:
        """Set the environment up, and return its state: on trial, or ready if there was nothing to do.

        Raises:
            CoreError: It cannot be set up; the state says so as well, and a later attempt goes on with what is here.
            Ended: The control's token has ended; the next attempt goes on here.
        """
        with self._kept.alone():
            state = self._begin(self._kept.state)
            while state.stage in RUNNING:
                try:
                    state = self._steps[state.stage](state)
                    self._kept.save(state)
                except OSError as error:
                    raise self._failed(state, disk_error(error, self._places)) from error
                except CoreError as error:
                    raise self._failed(state, error) from error
            return state

    def _failed(self, state: SetupState, error: CoreError) -> CoreError:
        if state.stage in RUNNING:
            with suppress(StateError):  # on a full disk; the next attempt goes on where this one was
                self._kept.save(state.after(SetupEvent.FAILED, failure=SetupFailure.of(error)))
        return error

    def _begin(self, state: SetupState) -> SetupState:
        """Return the state to go on from: that of a killed attempt at the same packages, or the beginning."""
        choice = choose(self._lock.variants, self._facts)
        if self._is_known(state, choice) and (state.stage in RUNNING or self._is_in_use(state)):
            state = state.model_copy(update={"serial": self._lock.serial})
        else:
            cleared = dict.fromkeys(("gpu_failed", "taken_back", "building"), "")
            begun = state.after(SetupEvent.BEGUN, failure=None, **cleared)
            state = self._chosen(begun, choice)
        self._kept.save(state)
        return state

    def _is_known(self, state: SetupState, choice: VariantChoice) -> bool:
        """Return true if the state is about the chosen packages, or about those that replaced them."""
        return state.digest in (choice.variant.digest, *self._fallbacks(state, choice))

    def _is_in_use(self, state: SetupState) -> bool:
        is_at_rest = state.stage in (SetupStage.ON_TRIAL, SetupStage.READY)
        is_damaged = bool(state.digest) and state.digest == state.damaged
        return is_at_rest and not is_damaged and _is_whole(self._places.current, state)

    def _fallbacks(self, state: SetupState, choice: VariantChoice) -> tuple[str, ...]:
        """Return the digest of the processor's variant if this very variant failed on these GPUs before."""
        if state.gpu_failed != self._tried(choice.variant.digest):
            return ()
        variant = processor_variant(self._lock.variants, self._facts)
        return (variant.digest,) if variant else ()

    def _tried(self, digest: str) -> str:
        """Return a digest of a variant and of the GPUs with their drivers, of which a new one is another try."""
        return hashlib.sha256(f"{digest} {self._facts.gpus}".encode()).hexdigest()

    def _chosen(self, state: SetupState, choice: VariantChoice) -> SetupState:
        _log.info("Packages of %s are set up. %s", choice.variant.name, choice.text)
        named = {"variant": choice.variant.name, "digest": choice.variant.digest}
        reasons = {"why": choice.text, "is_fallback": choice.is_fallback}
        return state.model_copy(update={"serial": self._lock.serial, **named, **reasons})

    def _variant(self, state: SetupState) -> Variant:
        return next(variant for variant in self._lock.variants if variant.digest == state.digest)

    def _stored(self, state: SetupState) -> list[StoredWheel]:
        return [StoredWheel(wheel, self._places.wheel(wheel)) for wheel in self._variant(state).wheels]

    def _fetch(self, state: SetupState) -> SetupState:
        variant, control = self._variant(state), self._tools.control
        self._places.clear_up()
        self._places.forget_wheels(kept=variant.wheels)
        self._require_space(variant)
        paths = {wheel.wanted: self._places.wheel(wheel) for wheel in variant.wheels}
        outage = self._tools.outage(control.token, self._tools.reporter.on_outage, "packages")
        with WebClient.through(control.line, WORDING, control.token, self._lock.may_redirect) as web:
            FileFetcher(web, control.token, outage, self._tools.attempts).fetch_all(
                list(paths),
                paths.__getitem__,
                lambda name, done, total: self._tools.reporter.show(SetupStage.FETCHING, name, done, total),
            )
        return state.after(SetupEvent.FETCHED)

    def _missing(self, variant: Variant) -> int:
        """Return the bytes of a variant's wheels that are still to be fetched."""
        places = ((self._places.wheel(wheel), wheel.size) for wheel in variant.wheels)
        return missing_bytes((path, size) for path, size in places if not path.exists())

    def _require_space(self, variant: Variant) -> None:
        needed = self._missing(variant) + variant.unpacked + DISK_HEAD_ROOM
        # In a distribution, its own disk seems to be far larger than what is left for it on that of Windows.
        free = min(map(self._tools.free, {self._places.root, self._places.shared}))
        short = shortage("The training environment", needed, free)
        if short is not None:
            raise SetupError(*short)

    def _install(self, state: SetupState) -> SetupState:
        stored, show = self._stored(state), self._tools.reporter.show
        if not all(wheel.path.exists() for wheel in stored):
            return state.after(SetupEvent.LOST)
        self._places.clear_up()
        building = self._places.new_building()
        show(SetupStage.INSTALLING, total=self._variant(state).unpacked)
        try:
            self._tools.installation.install(
                stored,
                building,
                lambda name, done, total: show(SetupStage.INSTALLING, name, done, total),
            )
            write_record(building, _record(state))
        except Exception as error:
            self._places.clear_up()
            if isinstance(error, SetupError):
                _forget_damaged(stored)
            raise
        return state.after(SetupEvent.INSTALLED, building=building.name)

    def _test(self, state: SetupState) -> SetupState:
        building, variant = self._places.root / state.building, self._variant(state)
        rebase_on_own(building)  # an earlier version of Idlebrush may have made it, by its own Python
        if record_of(building) is None:
            return state.after(SetupEvent.LOST, building="")
        self._tools.reporter.show(SetupStage.TESTING, total=1)
        try:
            self._tools.smoke.run(building, variant.device, variant.imports)
        except SmokeFailure as failure:
            self._places.clear_up()
            if failure.on_gpu and (spare := processor_variant(self._lock.variants, self._facts)):
                return self._fall_back(state, spare, failure)
            raise
        self._tools.reporter.show(SetupStage.TESTING, done=1, total=1)
        return state.after(SetupEvent.PASSED)

    def _fall_back(self, state: SetupState, spare: Variant, failure: SmokeFailure) -> SetupState:
        _log.warning("%s The packages for the processor are set up instead.", failure.what)
        text = f"The processor trains, because the packages for the GPU do not work here. {failure.what}"
        changed = state.after(SetupEvent.GPU_FAILED, gpu_failed=self._tried(state.digest), building="")
        return self._chosen(changed, VariantChoice(spare, text, is_fallback=True))

    def _place(self, state: SetupState) -> SetupState:
        building, show = self._places.root / state.building, self._tools.reporter.show
        for folder in (building, self._places.current):  # as in the test before
            rebase_on_own(folder)
        if not any(_is_whole(folder, state) for folder in (building, self._places.current)):
            return state.after(SetupEvent.LOST, building="")
        show(SetupStage.PLACING, total=3)
        self._tools.await_trainer()
        old = record_of(self._places.current)
        self._places.place(
            building,
            lambda done: show(SetupStage.PLACING, done=done, total=3),
            keeps_old=old is not None and old.digest != state.damaged,
        )
        self._places.forget_wheels()
        self._places.clear_up()
        show(SetupStage.PLACING, done=3, total=3)
        _log.info("The environment for %s is in place.", state.variant)
        return state.after(SetupEvent.PLACED, building="", damaged="", failure=None)


def open_lock(text: bytes, key: str, kept: KeptSetup, newest_serial: int = 0) -> EnvironmentLock:
    """Return the list in ``text``, verified with ``key``, unless it is older than one that was used before.

    ``newest_serial`` is that of a list that was seen, if not used. Raises SetupError if it is not good.
    """
    return read_lock(text, key, max(newest_serial, kept.state.serial))


def _forget_damaged(stored: list[StoredWheel]) -> None:
    """Remove wheels that are no longer what was fetched, so that the next attempt fetches them again."""
    for wheel in stored:
        if sha256_of(wheel.path) != wheel.wheel.sha256:
            _log.warning("%s on this disk is damaged; it is fetched again.", wheel.path.name)
            wheel.path.unlink()


def _record(state: SetupState) -> EnvironmentRecord:
    fields = {"variant", "digest", "serial", "why", "is_fallback"}
    return EnvironmentRecord(**state.model_dump(include=fields))


def _is_whole(folder: Path, state: SetupState) -> bool:
    record = record_of(folder)
    return record is not None and record.digest == state.digest
