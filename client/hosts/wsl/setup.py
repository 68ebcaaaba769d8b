"""Sets up the distribution for training step by step, across restarts of Windows.

The record is saved before each step, so that a setup that was killed, or interrupted by a restart, goes on with the
next call. Tried with recorded commands only.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from client.hosts.wsl.checks import WslAction, WslFinding, judge, next_action
from client.hosts.wsl.command import RunWsl, WslCommand
from client.hosts.wsl.facts import WindowsFacts
from client.hosts.wsl.refusals import refusal_of, refused
from client.state_file import load, save
from core.errors import ChildError
from core.storage.moving import discard_folder

_log = logging.getLogger(__name__)
_IMPORT_SECONDS = 900.0
_ADMINISTRATION_SECONDS = 60.0
_SAME_BOOT = 60.0
"""Seconds by which two readings of the time of the last start may differ, as the clock is set meanwhile."""


class WslStage(StrEnum):
    """Stages of the setup."""

    CHECKING = "checking"
    BLOCKED = "blocked"  # the user has to do something
    TURNING_ON = "turning on"  # an administrator is asked
    RESTART_NEEDED = "restart needed"
    IMPORTING = "importing"
    READY = "ready"


class WslEvent(StrEnum):
    """Events that lead from one stage to the next."""

    PASSED = "passed"  # all checks
    FOUND_PROBLEM = "found problem"
    FOUND_DISTRIBUTION = "found distribution"
    ASKED = "asked"  # the user wants WSL to be turned on
    TURNED_ON = "turned on"
    REFUSED = "refused"  # by the user, an administrator or Windows
    RESTARTED = "restarted"
    IMPORTED = "imported"
    LOST = "lost"  # the distribution, or a step that was interrupted
    AGAIN = "again"


_NEXT = {
    (WslStage.CHECKING, WslEvent.PASSED): WslStage.IMPORTING,
    (WslStage.CHECKING, WslEvent.FOUND_PROBLEM): WslStage.BLOCKED,
    (WslStage.CHECKING, WslEvent.FOUND_DISTRIBUTION): WslStage.READY,
    (WslStage.BLOCKED, WslEvent.ASKED): WslStage.TURNING_ON,
    (WslStage.TURNING_ON, WslEvent.TURNED_ON): WslStage.RESTART_NEEDED,
    (WslStage.TURNING_ON, WslEvent.REFUSED): WslStage.BLOCKED,
    (WslStage.RESTART_NEEDED, WslEvent.RESTARTED): WslStage.CHECKING,
    (WslStage.IMPORTING, WslEvent.IMPORTED): WslStage.READY,
    (WslStage.IMPORTING, WslEvent.REFUSED): WslStage.BLOCKED,
    **{(stage, WslEvent.LOST): WslStage.CHECKING for stage in WslStage},
    **{(stage, WslEvent.AGAIN): WslStage.CHECKING for stage in (WslStage.BLOCKED, WslStage.RESTART_NEEDED)},
}


def transition(stage: WslStage, event: WslEvent) -> WslStage:
    """Return the stage that follows; raise ValueError where the event makes no sense."""
    try:
        return _NEXT[stage, event]
    except KeyError:
        raise ValueError(f"{event!r} cannot happen while {stage}") from None


class WslRecord(BaseModel):
    """The record of the setup on the disk."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    stage: WslStage = WslStage.CHECKING
    action: WslAction | None = None
    """Remedy that the user has to carry out while the setup is blocked."""
    what: str = ""
    """Sentence about it."""
    started: float = 0.0
    """Time of Windows' last start when a restart became necessary, in seconds since 1970."""


Elevate = Callable[[str, str], Awaitable[bool]]
"""Function that runs a program with arguments as an administrator to its end.

It returns false if no administrator agrees, or if the program fails.
"""


@dataclass(frozen=True)
class WslSetupPlaces:
    """Files of a setup."""

    record: Path
    system: Path
    """Archive of the distribution's file system."""
    folder: Path
    """Folder of the distribution's disk."""


@dataclass(frozen=True)
class WslSetupSources:
    """Readings and calls of a setup; tests hand in others."""

    facts: Callable[[], Awaitable[WindowsFacts]]
    run: RunWsl
    elevate: Elevate
    start_again: Callable[[bool], None]
    """Has Windows start the app once after the next restart, or no longer."""
    boot_time: Callable[[], float]
    """Returns the time of Windows' last start, in seconds since 1970."""
    command: WslCommand = WslCommand()  # noqa: RUF009 - frozen


class WslSetup:
    """The setup of one user's distribution."""

    def __init__(self, places: WslSetupPlaces, sources: WslSetupSources) -> None:
        """Read the record of an earlier setup, and take back a step that was interrupted."""
        self._places, self._sources = places, sources
        self.record, fault = load(places.record, WslRecord, WslRecord())
        self.findings: tuple[WslFinding, ...] = ()
        if fault is not None:
            _log.warning("%s", fault)
        self._take_up()

    async def advance(self) -> WslRecord:
        """Check and import as far as that goes without the user, and return the record."""
        if self.record.stage is WslStage.BLOCKED:
            self._move(WslEvent.AGAIN)
        if self.record.stage is WslStage.READY and not await self._is_there():
            self._move(WslEvent.LOST)
        if self.record.stage is WslStage.CHECKING:
            await self._check()
        if self.record.stage is WslStage.IMPORTING:
            await self._import()
        return self.record

    async def turn_on(self) -> WslRecord:
        """Ask an administrator to turn WSL on, and return the record; Windows may have to restart then."""
        self._move(WslEvent.ASKED)
        if await self._sources.elevate(self._sources.command.program[0], "--install --no-distribution"):
            self._move(WslEvent.TURNED_ON, started=self._sources.boot_time())
            self._sources.start_again(True)
        else:
            what = "WSL was not turned on: no administrator agreed, or Windows refused."
            self._move(WslEvent.REFUSED, WslAction.TURN_ON_WSL, what)
        return self.record

    async def remove(self) -> None:
        """Remove the distribution with all its files, and the record; other distributions are left alone.

        Raises ChildError if Windows refuses; the record is kept then.
        """
        if await self._is_there():
            command = self._sources.command
            await self._administer("--unregister", command.distribution, seconds=_IMPORT_SECONDS)
        discard_folder(self._places.folder)
        self._sources.start_again(False)
        self._places.record.unlink(missing_ok=True)
        self.record = WslRecord()

    def _take_up(self) -> None:
        """Follow up on a setup that was killed in a step, or interrupted by a restart."""
        stage = self.record.stage
        if stage is WslStage.RESTART_NEEDED:
            if abs(self._sources.boot_time() - self.record.started) > _SAME_BOOT:
                self._sources.start_again(False)
                self._move(WslEvent.RESTARTED)
        elif stage in (WslStage.TURNING_ON, WslStage.IMPORTING):
            self._move(WslEvent.LOST)

    async def _check(self) -> None:
        facts = await self._sources.facts()
        self.findings = tuple(judge(facts))
        problem = next((each for each in self.findings if each.blocks), None)
        if self._sources.command.distribution in facts.wsl.distributions and await self._answers():
            self._move(WslEvent.FOUND_DISTRIBUTION)
        elif problem is None:
            self._move(WslEvent.PASSED)
        else:
            self._move(WslEvent.FOUND_PROBLEM, next_action(self.findings), problem.finding.found)

    async def _import(self) -> None:
        """Import the distribution; what an earlier attempt has left of it is removed before."""
        places, name = self._places, self._sources.command.distribution
        try:
            if await self._is_there():
                await self._administer("--unregister", name, seconds=_IMPORT_SECONDS)
            discard_folder(places.folder)
            places.folder.mkdir(parents=True)
            target = (str(places.folder), str(places.system))
            await self._administer("--import", name, *target, "--version", "2", seconds=_IMPORT_SECONDS)
        except (ChildError, OSError) as error:
            _log.error("The distribution was not imported: %s", error)
            self._move(WslEvent.REFUSED, WslAction.TRY_AGAIN, str(error))
        else:
            self._move(WslEvent.IMPORTED)

    async def _is_there(self) -> bool:
        command = self._sources.command
        answer = await self._sources.run(command.administration("--list", "--quiet"), _ADMINISTRATION_SECONDS)
        return answer.status == 0 and command.distribution in map(str.strip, answer.text.splitlines())

    async def _answers(self) -> bool:
        """Return true if a program runs in the distribution: an import that was killed leaves one that is broken."""
        command = self._sources.command
        inside = command.administration("--distribution", command.distribution, "--exec", "/bin/true")
        try:
            return (await self._sources.run(inside, _ADMINISTRATION_SECONDS)).status == 0
        except ChildError as error:
            _log.warning("The distribution does not answer, and is imported again: %s", error)
            return False

    async def _administer(self, *arguments: str, seconds: float) -> None:
        answer = await self._sources.run(self._sources.command.administration(*arguments), seconds)
        if answer.status != 0:
            raise refused(refusal_of(answer.output, answer.status))

    def _move(
        self, event: WslEvent, action: WslAction | None = None, what: str = "", started: float = 0.0
    ) -> None:
        stage = transition(self.record.stage, event)
        _log.info("Setup of WSL: %s, %s -> %s. %s", event, self.record.stage, stage, what)
        self.record = WslRecord(stage=stage, action=action, what=what, started=started)
        save(self._places.record, self.record)
