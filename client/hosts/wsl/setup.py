"""Sets up the distribution for training step by step, across restarts of Windows.

The record is saved before each step, so that a setup that was killed, or interrupted by a restart, continues with the
next call. Tried with recorded commands, and with a stand-in for wsl.exe.
"""

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from client.api.errors import SetupError
from client.hosts.wsl.checks import WslFinding, first_problem, judge, warnings_beside
from client.hosts.wsl.command import RunWsl, WslCommand
from client.hosts.wsl.facts import WindowsFacts
from client.hosts.wsl.refusals import MISSING, refusal_of, refused, told_by
from client.hosts.wsl.stages import AT_REST, WslAction, WslEvent, WslRecord, WslStage, transition
from client.state_file import load, save
from core.children.agent.frames import GREETING
from core.errors import ChildError
from core.storage.moving import discard_folder

_log = logging.getLogger(__name__)
_IMPORT_SECONDS = 900.0
_ADMINISTRATION_SECONDS = 60.0
_UPDATE_SECONDS = 1800.0
"""Time limit of an update of WSL, which downloads some hundred megabytes and asks an administrator to agree."""
_TO_FIRMWARE = ("shutdown.exe", "/r /fw /t 0")
"""Command that restarts into the firmware's settings; it has no effect on computers with a BIOS of the old kind."""
_SAME_BOOT = 60.0
"""Seconds by which two readings of the time of the last start may differ, as the clock is set meanwhile."""


Elevate = Callable[[str, str], Awaitable[bool]]
"""Function that runs a program with arguments as an administrator to its end.

It returns false if no administrator agrees, or if the program fails.
"""


@dataclass(frozen=True)
class WslSetupPlaces:
    """Files of a setup."""

    record: Path
    folder: Path
    """Folder of the distribution's disk."""

    @classmethod
    def below(cls, folder: Path) -> Self:
        """Return the files of a setup that has ``folder`` for itself."""
        return cls(folder / "setup.json", folder / "disk")


@dataclass(frozen=True)
class WslSetupSources:
    """Readings and calls of a setup; tests hand in others."""

    facts: Callable[[], Awaitable[WindowsFacts]]
    run: RunWsl
    elevate: Elevate
    start_again: Callable[[bool], None]
    """Has Windows start the app once after the next restart, or no longer."""
    restart: Callable[[], Awaitable[None]]
    """Restarts Windows, or raises SetupError."""
    boot_time: Callable[[], float]
    """Returns the time of Windows' last start, in seconds since 1970."""
    command: WslCommand = WslCommand()  # noqa: RUF009 - frozen


FetchArchive = Callable[[], Awaitable[Path]]
"""Function that returns the path of the distribution's archive once it is whole and verified, or raises CoreError."""


class WslSetup:
    """The setup of one user's distribution."""

    def __init__(self, places: WslSetupPlaces, sources: WslSetupSources) -> None:
        """Read the record of an earlier setup, and take back a step that was interrupted."""
        self._places, self._sources = places, sources
        self.record, fault = load(places.record, WslRecord, WslRecord())
        if fault is not None:
            _log.warning("%s", fault)
        self.warnings: list[WslFinding] = []
        """Warnings of the newest check beside the problem that blocks; none before this daemon has checked."""
        self._take_up()

    def again(self) -> None:
        """Check everything again with the next `advance`: the user asks, and may have changed something."""
        if self.record.stage in AT_REST:
            self._move(WslEvent.AGAIN)

    async def advance(self, fetch: FetchArchive) -> WslRecord:
        """Check, fetch and import as far as that goes without the user, and return the record.

        Raises:
            CoreError: By ``fetch``, or because wsl.exe does not answer; the next call begins with the checks.
        """
        try:
            await self._advance(fetch)
        except BaseException:
            if self.record.stage not in AT_REST:
                self._move(WslEvent.LOST)
            raise
        return self.record

    async def turn_on(self) -> WslRecord:
        """Ask an administrator to turn WSL on, and return the record; Windows may have to restart then."""
        self._move(WslEvent.ASKED)
        if await self._sources.elevate(self._sources.command.program[0], "--install --no-distribution"):
            self._await_restart(WslEvent.TURNED_ON, _RESTART)
        else:
            self._move(WslEvent.REFUSED, _NOT_TURNED_ON)
        return self.record

    async def restart(self) -> None:
        """Restart Windows, which starts the app again then; SetupError if Windows refuses."""
        await self._sources.restart()

    async def restart_into_firmware(self) -> None:
        """Restart into the firmware's settings with an administrator's consent; Windows starts the app again then.

        Raises:
            SetupError: No administrator agrees, or the firmware offers no such restart.
        """
        self._start_again(True)
        if not await self._sources.elevate(*_TO_FIRMWARE):
            self._start_again(self.record.stage is WslStage.RESTART_NEEDED)
            raise SetupError(
                "The computer does not restart into its firmware's settings: no administrator agreed, or the "
                "firmware does not offer that.",
                "Restart it, and press the key that opens them, often F2 or Del, before Windows starts.",
            )

    def announce_update(self) -> None:
        """Note that WSL is about to be updated: nothing is to be started in the distribution from now on."""
        self._move(WslEvent.UPDATE_ASKED)

    async def update(self, until_unused: Callable[[], Awaitable[object]]) -> None:
        """Update WSL, which ends all distributions, and check everything again.

        Args:
            until_unused: Returns once nothing of Idlebrush's runs in the distribution.

        Raises:
            ChildError: WSL was not updated.
        """
        failure: ChildError | None = None
        try:
            await until_unused()
            await self._update()
        except ChildError as error:
            failure = error
        finally:
            self._move(WslEvent.UPDATE_ENDED)
        await self._check()
        if failure is None and any(each.action is WslAction.UPDATE_WSL for each in self.warnings):
            failure = ChildError("WSL was not updated, although Windows reports no error.", _UPDATE_BY_HAND)
        if failure is not None:
            raise failure

    async def _update(self) -> None:
        answer = await self._sources.run(self._sources.command.administration("--update"), _UPDATE_SECONDS)
        if answer.status != 0:
            told = told_by(answer.output, answer.status)
            raise ChildError(f"WSL was not updated. {told}", _UPDATE_BY_HAND)

    async def remove(self) -> None:
        """Remove the distribution with all its files, and the record; other distributions are left alone.

        Raises:
            ChildError: Windows refuses; the record is kept then.
        """
        try:
            await self._unregister()
        except ChildError as error:
            if error.what != MISSING.what:  # without WSL, there is no distribution
                raise
        discard_folder(self._places.folder)
        self._sources.start_again(False)
        self._places.record.unlink(missing_ok=True)
        self.record, self.warnings = WslRecord(), []

    def _take_up(self) -> None:
        """Follow up on a setup that was killed in a step, or interrupted by a restart."""
        stage = self.record.stage
        if stage is WslStage.RESTART_NEEDED:
            if abs(self._sources.boot_time() - self.record.started) > _SAME_BOOT:
                self._start_again(False)
                self._move(WslEvent.RESTARTED)
        elif stage not in AT_REST:
            self._move(WslEvent.LOST)

    async def _advance(self, fetch: FetchArchive) -> None:
        if self.record.stage is WslStage.BLOCKED:
            self._move(WslEvent.AGAIN)
        if self.record.stage is WslStage.READY and not await self._is_there():
            self._move(WslEvent.LOST)
        if self.record.stage is WslStage.CHECKING:
            await self._check()
        if self.record.stage is WslStage.FETCHING:
            archive = await fetch()
            self._move(WslEvent.FETCHED)
            await self._import(archive)

    async def _check(self) -> None:
        facts = await self._sources.facts()
        findings = judge(facts)
        problem = first_problem(findings)
        self.warnings = warnings_beside(findings, problem)
        is_listed = self._sources.command.distribution in facts.wsl.distributions
        if is_listed and not self.record.is_partial and await self._answers():
            self._move(WslEvent.FOUND_DISTRIBUTION)
        elif problem is None:
            self._move(WslEvent.PASSED)
        else:
            message = _UserMessage(problem.action, problem.finding.found, problem.finding.remedy)
            if problem.action is WslAction.RESTART:
                self._await_restart(WslEvent.FOUND_RESTART_PENDING, message)
            else:
                self._move(WslEvent.FOUND_PROBLEM, message)

    def _await_restart(self, event: WslEvent, message: "_UserMessage") -> None:
        self._move(event, message, started=self._sources.boot_time())
        self._start_again(True)

    def _start_again(self, is_wanted: bool) -> None:
        """Ask Windows to start the app after the restart, or no longer; if that fails, the user starts it."""
        try:
            self._sources.start_again(is_wanted)
        except OSError as error:
            _log.warning("Windows' start of the app after a restart was not set to %s: %s", is_wanted, error)

    async def _import(self, archive: Path) -> None:
        """Import the distribution; of an earlier attempt, or of this one if it fails, nothing is left."""
        places, name = self._places, self._sources.command.distribution
        try:
            await self._leave_nothing()
            places.folder.mkdir(parents=True)
            target = (str(places.folder), str(archive))
            await self._administer("--import", name, *target, "--version", "2", seconds=_IMPORT_SECONDS)
        except (ChildError, OSError) as error:
            message = _message_of(error, self._places.folder)
            _log.error("The distribution was not imported: %s", message.what)
            with suppress(ChildError, OSError):  # the next attempt removes it
                await self._leave_nothing()
            self._move(WslEvent.REFUSED, message)
        else:
            self._move(WslEvent.IMPORTED)

    async def _leave_nothing(self) -> None:
        await self._unregister()
        discard_folder(self._places.folder)

    async def _unregister(self) -> None:
        if await self._is_there():
            name = self._sources.command.distribution
            await self._administer("--unregister", name, seconds=_IMPORT_SECONDS)

    async def _is_there(self) -> bool:
        command = self._sources.command
        answer = await self._sources.run(command.administration("--list", "--quiet"), _ADMINISTRATION_SECONDS)
        return answer.status == 0 and command.distribution in map(str.strip, answer.text.splitlines())

    async def _answers(self) -> bool:
        """Return true if the distribution has an agent of this version."""
        try:
            asked = self._sources.command.of_agent("version")
            answer = await self._sources.run(asked, _ADMINISTRATION_SECONDS)
        except ChildError as error:
            _log.warning("The distribution does not answer, and is imported again: %s", error)
            return False
        return answer.status == 0 and answer.text.strip() == GREETING.decode().strip()

    async def _administer(self, *arguments: str, seconds: float) -> None:
        answer = await self._sources.run(self._sources.command.administration(*arguments), seconds)
        if answer.status != 0:
            raise refused(refusal_of(answer.output, answer.status))

    def _move(self, event: WslEvent, message: "_UserMessage | None" = None, started: float = 0.0) -> None:
        before, stage = self.record, transition(self.record.stage, event)
        message = message or _UserMessage()
        _log.info("Setup of WSL: %s, %s -> %s. %s", event, before.stage, stage, message.what)
        is_lost = before.stage is WslStage.IMPORTING and event is not WslEvent.IMPORTED
        self.record = WslRecord(
            stage=stage,
            action=message.action,
            what=message.what,
            remedy=message.remedy,
            started=started,
            is_partial=is_lost or (before.is_partial and event is not WslEvent.IMPORTED),
        )
        self._places.record.parent.mkdir(parents=True, exist_ok=True)
        save(self._places.record, self.record)


@dataclass(frozen=True)
class _UserMessage:
    """Sentences for the user, and the step that they ask for."""

    action: WslAction | None = None
    what: str = ""
    remedy: str = ""


_RESTART = _UserMessage(
    WslAction.RESTART,
    "Windows has to restart before training can be set up.",
    "Restart the computer. Idlebrush continues by itself then.",
)
_UPDATE_BY_HAND = "Run `wsl --update` in a terminal, with someone who administers this computer."
_NOT_TURNED_ON = _UserMessage(
    WslAction.TURN_ON_WSL,
    "WSL was not turned on: no administrator agreed, or Windows refused.",
    "Turn it on again, and agree when Windows asks.",
)


def _message_of(error: ChildError | OSError, folder: Path) -> _UserMessage:
    if isinstance(error, ChildError):
        return _UserMessage(WslAction.TRY_AGAIN, error.what, error.remedy)
    why = f"{folder} cannot be used: {error.strerror or error}."
    return _UserMessage(WslAction.TRY_AGAIN, why, "See that the disk has space, and try again.")
