"""Facts, findings and the setup of WSL2, with answers of wsl.exe as Microsoft's documentation and users show them.

No answer was recorded on a Windows of ours; the outputs are those of "Basic commands for WSL", "Manual installation
steps" and "Troubleshooting" in Microsoft's documentation, in English and German, in UTF-16 as wsl.exe writes it.
"""

import asyncio
import importlib
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from client.api.errors import DownloadInterrupted, SetupError
from client.autostart.interface import LoginCommand
from client.checks.all_checks import all_checks, look_at_wsl
from client.doctor import CheckVerdict
from client.hosts.wsl.checks import LEAST_BUILD, NEEDED_DISK, first_problem, judge, warnings_beside
from client.hosts.wsl.command import WslAnswer, WslCommand
from client.hosts.wsl.facts import (
    FactSources,
    WindowsFacts,
    WslReading,
    driver_version,
    read_windows_facts,
    read_wsl,
    wsl_version,
)
from client.hosts.wsl.refusals import MISSING, refusal_of, refused
from client.hosts.wsl.setup import WslSetup, WslSetupPlaces, WslSetupSources
from client.hosts.wsl.stages import AT_REST, WslAction, WslEvent, WslRecord, WslStage, transition
from client.hosts.wsl.windows import RUN_ONCE, elevate, restart_windows, start_once_after_restart
from client.paths import Paths
from core.children.agent.frames import GREETING
from core.errors import ChildError, CoreError
from tests.client.hosts.pretended_windows import NOT_INSTALLED, NoKeys

VERSION = "WSL version: 2.0.9.0\r\nKernel version: 5.15.133.1-1\r\nWSLg version: 1.0.59\r\n"
VERSION_GERMAN = "WSL-Version: 2.3.26.0\r\nKernelversion: 5.15.167.4-1\r\nWSLg-Version: 1.0.65\r\n"
STATUS = "Default Distribution: Ubuntu\r\nDefault Version: 2\r\n"
NO_HYPERVISOR = (
    "WSL2 is not supported with your current machine configuration.\r\n"
    'Please enable the "Virtual Machine Platform" optional component '
    "and ensure virtualization is enabled in the BIOS."
    "\r\nError code: Wsl/Service/CreateInstance/CreateVm/HCS/HCS_E_HYPERV_NOT_INSTALLED\r\n"
)
GOOD = WindowsFacts(
    build=22631,
    virtualisation=True,
    wsl=WslReading(None, (2, 0, 9)),
    restart_pending=False,
    disk_free=100 << 30,
    nvidia_driver=(581, 29),
)


class RecordedWsl:
    """A wsl.exe that answers as recorded, and does what it is asked to do with distributions."""

    def __init__(self, *distributions: str, refusal: str = "", version: str = VERSION) -> None:
        self.distributions, self.refusal, self.version = list(distributions), refusal, version
        self.commands: list[list[str]] = []
        self.import_fails_with = self.update_fails_with = ""
        self.updates_to = VERSION
        self.broken: set[str] = set()
        self.greeting = GREETING.decode()

    async def __call__(self, command: Sequence[str], seconds: float) -> WslAnswer:
        assert command[0] == "wsl.exe"
        self.commands.append(list(command[1:]))
        status, text = self._answer(list(command[1:]))
        return WslAnswer(status, text.encode("utf-16-le"))

    def _answer(self, arguments: list[str]) -> tuple[int, str]:
        if self.refusal:
            return 1, self.refusal
        match arguments:
            case ["--status"]:
                return 0, STATUS
            case ["--version"]:
                return (0, self.version) if self.version else (255, "Invalid command line option: --version")
            case ["--list", "--quiet"]:
                names = "\r\n".join(self.distributions)
                return (
                    (0, names)
                    if names
                    else (255, "Windows Subsystem for Linux has no installed distributions.")
                )
            case ["--import", name, *_] if self.import_fails_with:
                self.distributions.append(name)
                return 255, self.import_fails_with
            case ["--import", name, folder, system, "--version", "2"]:
                assert Path(folder).is_dir()
                assert not list(Path(folder).iterdir())
                assert Path(system).exists()
                (Path(folder) / "ext4.vhdx").touch()
                self.distributions.append(name)
                self.broken.discard(name)
                return 0, "The operation completed successfully."
            case ["--update"]:
                if self.update_fails_with:
                    return 1, self.update_fails_with
                self.version = self.updates_to
                return 0, "The most recent version of Windows Subsystem for Linux is already installed."
            case ["--unregister", name]:
                self.distributions.remove(name)
                return 0, "Unregistering."
            case ["--distribution", name, "--exec", "/opt/idlebrush/agent", "version"]:
                return (255, "") if name in self.broken else (0, self.greeting)
        raise AssertionError(arguments)


class Missing:
    """A computer without wsl.exe."""

    async def __call__(self, command: Sequence[str], seconds: float) -> WslAnswer:
        raise refused(MISSING)


# --- facts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "version"),
    [(VERSION, (2, 0, 9)), (VERSION_GERMAN, (2, 3, 26)), ("", None), ("WSL version: none", None)],
)
def test_the_version_of_wsl_is_the_first_one(text: str, version: tuple[int, int, int] | None) -> None:
    assert wsl_version(text) == version


@pytest.mark.parametrize(
    ("text", "version"),
    [("581.29", (581, 29)), ("470.76.01", (470, 76)), ("", None), (None, None), ("x", None)],
)
def test_the_version_of_a_driver_is_read(text: str | None, version: tuple[int, int] | None) -> None:
    assert driver_version(text) == version


def read(run: RecordedWsl | Missing) -> WslReading:
    return asyncio.run(read_wsl(run, WslCommand()))


def test_a_wsl_that_works_tells_version_and_distributions() -> None:
    assert read(RecordedWsl("Ubuntu", "Idlebrush")) == WslReading(None, (2, 0, 9), ("Ubuntu", "Idlebrush"))
    assert read(RecordedWsl()) == WslReading(None, (2, 0, 9))
    assert read(RecordedWsl("Ubuntu", version="")) == WslReading(None, None, ("Ubuntu",))


@pytest.mark.parametrize("run", [Missing(), RecordedWsl(refusal=NOT_INSTALLED)])
def test_a_wsl_that_is_not_there_is_told_from_one_that_does_not_work(run: RecordedWsl | Missing) -> None:
    reading = read(run)
    assert reading.refusal is not None
    assert reading.refusal.what == MISSING.what


def test_facts_are_read_together(tmp_path: Path) -> None:
    sources = FactSources(
        RecordedWsl("Ubuntu"),
        build=lambda: 19045,
        virtualisation=lambda: None,
        registry=NoKeys("RebootPending"),
        nvidia_driver=lambda: "581.29",
        administers=lambda: False,
    )
    facts = asyncio.run(read_windows_facts(sources, tmp_path / "not" / "there" / "yet"))
    assert replace(facts, disk_free=0) == WindowsFacts(
        19045, None, WslReading(None, (2, 0, 9), ("Ubuntu",)), True, 0, (581, 29), False
    )
    assert facts.disk_free > 0


# --- findings -------------------------------------------------------------------------------------------------


def refusing(text: str) -> WslReading:
    return WslReading(refusal_of(text.encode("utf-16-le"), 1))


@pytest.mark.parametrize(
    ("facts", "action"),
    [
        (GOOD, None),
        (replace(GOOD, wsl=WslReading(None, None)), None),
        (replace(GOOD, nvidia_driver=(466, 11)), None),
        (replace(GOOD, virtualisation=False), None),  # a hypervisor hides it, and WSL works
        (replace(GOOD, build=LEAST_BUILD - 1), WslAction.UPDATE_WINDOWS),
        (replace(GOOD, wsl=refusing(NOT_INSTALLED)), WslAction.TURN_ON_WSL),
        (replace(GOOD, wsl=refusing(NOT_INSTALLED), virtualisation=False), WslAction.TURN_ON_WSL),
        (replace(GOOD, wsl=refusing(NOT_INSTALLED), administers=False), WslAction.TURN_ON_WSL),
        (replace(GOOD, wsl=refusing(NOT_INSTALLED), restart_pending=True), WslAction.RESTART),
        (replace(GOOD, wsl=refusing(NO_HYPERVISOR)), WslAction.CHANGE_FIRMWARE),
        (replace(GOOD, wsl=refusing("Fehlercode: Wsl/E_UNEXPECTED")), WslAction.TRY_AGAIN),
        (replace(GOOD, disk_free=NEEDED_DISK - 1), WslAction.FREE_DISK),
        (replace(GOOD, disk_free=0, wsl=refusing(NOT_INSTALLED), build=1), WslAction.UPDATE_WINDOWS),
    ],
)
def test_what_has_to_be_done_first(facts: WindowsFacts, action: WslAction | None) -> None:
    findings = judge(facts)
    problem = first_problem(findings)
    assert (problem.action if problem else None) is action
    for each in findings:
        assert each.finding.found.endswith(".")
        assert bool(each.finding.remedy) == (each.finding.verdict is not CheckVerdict.OK)


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (replace(GOOD, nvidia_driver=(466, 11)), "466.11 does not serve WSL2"),
        (replace(GOOD, wsl=WslReading(None, None)), "came with Windows"),
        (
            replace(GOOD, wsl=refusing(NOT_INSTALLED), virtualisation=False),
            "turned off in the computer's firmware",
        ),
        (replace(GOOD, wsl=refusing(NOT_INSTALLED), administers=False), "another person has to agree"),
        (replace(GOOD, wsl=refusing(NO_HYPERVISOR), administers=False), "another person has to agree"),
    ],
)
def test_what_training_can_do_without_is_a_warning(facts: WindowsFacts, words: str) -> None:
    warnings = [each.finding for each in judge(facts) if each.finding.verdict is CheckVerdict.WARNING]
    assert [words in finding.found for finding in warnings] == [True]


@pytest.mark.parametrize(
    ("facts", "verdict"),
    [
        (replace(GOOD, wsl=refusing(NOT_INSTALLED), administers=True), CheckVerdict.OK),
        (replace(GOOD, wsl=refusing(NOT_INSTALLED), administers=False), CheckVerdict.WARNING),
        (replace(GOOD, wsl=refusing(NOT_INSTALLED), administers=None), None),
        (replace(GOOD, wsl=refusing(NOT_INSTALLED), restart_pending=True, administers=False), None),
        (replace(GOOD, wsl=refusing("Error code: Wsl/E_UNEXPECTED"), administers=False), None),
        (replace(GOOD, administers=False), None),
    ],
)
def test_rights_are_told_where_an_administrator_is_needed_and_nowhere_else(
    facts: WindowsFacts, verdict: CheckVerdict | None
) -> None:
    found = [each.finding.verdict for each in judge(facts) if each.finding.name == "Rights"]
    assert found == ([] if verdict is None else [verdict])


def test_a_warning_is_not_told_beside_the_problem_that_asks_for_the_same() -> None:
    off = judge(replace(GOOD, wsl=refusing(NO_HYPERVISOR), virtualisation=False, nvidia_driver=(466, 11)))
    problem = first_problem(off)
    assert [each.action for each in warnings_beside(off, problem)] == [WslAction.INSTALL_DRIVER]
    assert [each.action for each in warnings_beside(off, None)] == [
        WslAction.CHANGE_FIRMWARE,
        WslAction.INSTALL_DRIVER,
    ]


def test_the_doctor_checks_wsl_on_windows_alone(tmp_path: Path) -> None:
    paths = Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path)})
    names = {
        platform: [check.name for check in all_checks(paths, {}, platform)] for platform in ("win32", "linux")
    }
    assert set(names["win32"]) - set(names["linux"]) == {"WSL"}


def test_the_doctor_shows_the_findings(tmp_path: Path) -> None:
    sources = FactSources(
        RecordedWsl("Ubuntu"), build=lambda: 19045, virtualisation=lambda: None, registry=NoKeys()
    )
    found = asyncio.run(look_at_wsl(sources, tmp_path))
    assert [finding.name for finding in found] == [
        "Windows",
        "WSL",
        "Disk for training",
        "Linux for training",
    ]
    assert found[-1].verdict is CheckVerdict.PROBLEM
    beside = replace(sources, run=RecordedWsl("Idlebrush"))
    assert asyncio.run(look_at_wsl(beside, tmp_path))[-1].verdict is CheckVerdict.OK


# --- the setup ------------------------------------------------------------------------------------------------


class PretendedWindows:
    """A computer on which WSL is set up: its wsl.exe, its administrator, and its restarts."""

    def __init__(self, folder: Path, wsl: RecordedWsl) -> None:
        self.wsl, self.facts, self.agrees, self.booted = wsl, GOOD, True, 1000.0
        self.start_orders: list[bool] = []
        self.elevated: list[tuple[str, str]] = []
        self.registry_is_closed = False
        self.places = WslSetupPlaces.below(folder / "wsl")
        self.archive = folder / "system.tar.gz"
        self.archive.touch()
        self.fetches: list[CoreError | None] = []
        """Outcomes of the next downloads; without any, they succeed."""

    def setup(self) -> WslSetup:
        """Return the setup as a daemon that has just been started has it."""
        sources = WslSetupSources(
            self._facts,
            self.wsl,
            self._elevate,
            self._start_again,
            self._restart,
            lambda: self.booted,
            WslCommand(),
        )
        return WslSetup(self.places, sources)

    async def fetch(self) -> Path:
        """Fetch the archive."""
        if self.fetches and (error := self.fetches.pop(0)):
            raise error
        return self.archive

    def advance(self, setup: WslSetup) -> WslRecord:
        """Go as far as it goes without the user."""
        return asyncio.run(setup.advance(self.fetch))

    async def _facts(self) -> WindowsFacts:
        return replace(self.facts, wsl=await read_wsl(self.wsl, WslCommand()))

    async def _elevate(self, program: str, arguments: str) -> bool:
        self.elevated.append((program, arguments))
        return self.agrees

    async def _restart(self) -> None:
        self.booted += 3600.0

    def _start_again(self, is_wanted: bool) -> None:
        if self.registry_is_closed:
            raise PermissionError("Access is denied")
        self.start_orders.append(is_wanted)


@pytest.fixture
def windows(tmp_path: Path) -> PretendedWindows:
    return PretendedWindows(tmp_path, RecordedWsl("Ubuntu"))


def test_a_computer_with_wsl_gets_the_distribution_at_once(windows: PretendedWindows) -> None:
    setup = windows.setup()
    assert windows.advance(setup).stage is WslStage.READY
    assert windows.wsl.distributions == ["Ubuntu", "Idlebrush"]
    assert windows.advance(windows.setup()).stage is WslStage.READY
    assert sum(command[0] == "--import" for command in windows.wsl.commands) == 1


def test_wsl_is_turned_on_and_the_setup_goes_on_after_the_restart(windows: PretendedWindows) -> None:
    windows.wsl.refusal = NOT_INSTALLED
    setup = windows.setup()
    blocked = windows.advance(setup)
    assert (blocked.stage, blocked.action) == (WslStage.BLOCKED, WslAction.TURN_ON_WSL)
    assert "is not installed" in blocked.what
    assert asyncio.run(setup.turn_on()).stage is WslStage.RESTART_NEEDED
    assert windows.elevated == [("wsl.exe", "--install --no-distribution")]
    assert windows.start_orders == [True]
    assert (
        windows.setup().record.stage is WslStage.RESTART_NEEDED
    )  # the daemon was started again, not Windows
    windows.booted += 3600.0
    windows.wsl.refusal = ""
    after = windows.setup()
    assert after.record.stage is WslStage.CHECKING
    assert windows.start_orders == [True, False]
    assert windows.advance(after).stage is WslStage.READY


def test_the_setup_goes_on_where_windows_cannot_be_told_to_start_the_app(
    windows: PretendedWindows, caplog: pytest.LogCaptureFixture
) -> None:
    windows.registry_is_closed, windows.wsl.refusal = True, NOT_INSTALLED
    setup = windows.setup()
    windows.advance(setup)
    assert asyncio.run(setup.turn_on()).stage is WslStage.RESTART_NEEDED
    windows.booted += 3600.0
    windows.wsl.refusal = ""
    assert windows.advance(windows.setup()).stage is WslStage.READY
    assert caplog.text.count("Access is denied") == 2


def test_an_administrator_who_does_not_agree_is_asked_again_on_demand_only(windows: PretendedWindows) -> None:
    windows.wsl.refusal, windows.agrees = NOT_INSTALLED, False
    setup = windows.setup()
    windows.advance(setup)
    refused_ = asyncio.run(setup.turn_on())
    assert (refused_.stage, refused_.action) == (WslStage.BLOCKED, WslAction.TURN_ON_WSL)
    assert "no administrator agreed" in refused_.what
    assert windows.start_orders == []


def test_the_computer_restarts_into_its_firmware_and_the_setup_goes_on_then(
    windows: PretendedWindows,
) -> None:
    windows.wsl.refusal = NO_HYPERVISOR
    setup = windows.setup()
    assert windows.advance(setup).action is WslAction.CHANGE_FIRMWARE
    asyncio.run(setup.restart_into_firmware())
    assert windows.elevated == [("shutdown.exe", "/r /fw /t 0")]
    assert windows.start_orders == [True]
    windows.wsl.refusal = ""
    assert windows.advance(windows.setup()).stage is WslStage.READY


@pytest.mark.parametrize(
    ("text", "restart_pending", "orders"),
    [(NO_HYPERVISOR, False, [True, False]), (NOT_INSTALLED, True, [True, True, True])],
)
def test_a_restart_into_the_firmware_that_is_refused_says_how_else(
    windows: PretendedWindows, text: str, restart_pending: bool, orders: list[bool]
) -> None:
    """The start after a restart that Windows needs anyway is still wanted then."""
    windows.wsl.refusal, windows.agrees = text, False
    windows.facts = replace(GOOD, restart_pending=restart_pending)
    setup = windows.setup()
    before = windows.advance(setup)
    with pytest.raises(SetupError, match="no administrator agreed") as refused_:
        asyncio.run(setup.restart_into_firmware())
    assert "press the key" in refused_.value.remedy
    assert setup.record == before
    assert windows.start_orders == orders


# --- warnings, and the update of WSL --------------------------------------------------------------------------


async def at_once() -> None:
    """Nothing computes that an update has to wait for."""


def warned_of(setup: WslSetup) -> list[WslAction | None]:
    return [each.action for each in setup.warnings]


def test_warnings_are_kept_beside_a_setup_that_goes_on_and_beside_one_that_is_blocked(
    windows: PretendedWindows,
) -> None:
    windows.facts = replace(GOOD, nvidia_driver=(466, 11))
    setup = windows.setup()
    assert warned_of(setup) == []
    assert windows.advance(setup).stage is WslStage.READY
    assert warned_of(setup) == [WslAction.INSTALL_DRIVER]
    windows.wsl.refusal = NOT_INSTALLED
    windows.facts = replace(GOOD, nvidia_driver=(466, 11), administers=False, virtualisation=False)
    setup.again()
    assert windows.advance(setup).action is WslAction.TURN_ON_WSL
    assert warned_of(setup) == [
        WslAction.CHANGE_FIRMWARE,
        WslAction.ASK_ADMINISTRATOR,
        WslAction.INSTALL_DRIVER,
    ]


def test_wsl_is_updated_once_nothing_computes_in_it(windows: PretendedWindows) -> None:
    windows.wsl.version = ""
    setup = windows.setup()
    windows.advance(setup)
    assert warned_of(setup) == [WslAction.UPDATE_WSL]
    setup.announce_update()
    assert windows.setup().record.stage is WslStage.CHECKING, (
        "a daemon that was killed meanwhile checks again"
    )

    async def until_unused() -> None:
        assert setup.record.stage is WslStage.UPDATING
        assert ["--update"] not in windows.wsl.commands

    asyncio.run(setup.update(until_unused))
    assert setup.record.stage is WslStage.READY
    assert warned_of(setup) == []
    assert sum(command[0] == "--import" for command in windows.wsl.commands) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Update failed (exit code: 1603).", "It wrote: “Update failed (exit code: 1603).”"),
        ("", "although Windows reports no error"),  # wsl.exe says so where no administrator has agreed
    ],
)
def test_an_update_of_wsl_that_fails_says_why_and_changes_nothing(
    windows: PretendedWindows, text: str, words: str
) -> None:
    windows.wsl.version = windows.wsl.updates_to = ""
    windows.wsl.update_fails_with = text
    setup = windows.setup()
    windows.advance(setup)
    setup.announce_update()
    with pytest.raises(ChildError) as failed:
        asyncio.run(setup.update(at_once))
    assert words in failed.value.what
    assert "wsl --update" in failed.value.remedy
    assert setup.record.stage is WslStage.READY
    assert warned_of(setup) == [WslAction.UPDATE_WSL]


def test_a_setup_that_is_blocked_is_so_again_after_an_update_of_wsl(windows: PretendedWindows) -> None:
    windows.wsl.version, windows.facts = "", replace(GOOD, disk_free=0)
    setup = windows.setup()
    before = windows.advance(setup)
    setup.announce_update()
    asyncio.run(setup.update(at_once))
    assert setup.record == before
    assert (before.action, warned_of(setup)) == (WslAction.FREE_DISK, [])


def test_an_update_that_nobody_waits_for_any_more_leaves_the_checks(windows: PretendedWindows) -> None:
    windows.wsl.version = ""
    setup = windows.setup()
    windows.advance(setup)
    setup.announce_update()

    async def script() -> None:
        update = asyncio.create_task(setup.update(asyncio.Event().wait))
        await asyncio.sleep(0)
        update.cancel()
        with pytest.raises(asyncio.CancelledError):
            await update

    asyncio.run(script())
    assert setup.record.stage is WslStage.CHECKING
    assert ["--update"] not in windows.wsl.commands
    assert windows.advance(setup).stage is WslStage.READY


# --- interruptions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", list(WslStage))
def test_a_setup_that_was_killed_goes_on(windows: PretendedWindows, stage: WslStage) -> None:
    left = WslRecord(stage=stage, started=windows.booted - 3600.0)
    windows.places.record.parent.mkdir()
    windows.places.record.write_text(left.model_dump_json())
    if stage is WslStage.IMPORTING:  # half of it is there
        windows.wsl.distributions.append("Idlebrush")  # it answers as if it were whole
        windows.places.folder.mkdir()
        (windows.places.folder / "ext4.vhdx").touch()
    assert windows.advance(windows.setup()).stage is WslStage.READY
    assert windows.wsl.distributions == ["Ubuntu", "Idlebrush"]


def test_a_distribution_that_the_user_has_removed_is_imported_again(windows: PretendedWindows) -> None:
    windows.advance(windows.setup())
    windows.wsl.distributions.remove("Idlebrush")
    assert windows.advance(windows.setup()).stage is WslStage.READY
    assert windows.wsl.distributions == ["Ubuntu", "Idlebrush"]


def test_an_import_that_fails_says_why_and_leaves_nothing_when_it_is_tried_again(
    windows: PretendedWindows,
) -> None:
    windows.wsl.import_fails_with = "Error code: Wsl/Service/RegisterDistro/ERROR_DISK_FULL"
    setup = windows.setup()
    failed = windows.advance(setup)
    assert (failed.stage, failed.action) == (WslStage.BLOCKED, WslAction.TRY_AGAIN)
    assert "disk is full" in failed.what
    assert failed.remedy.startswith("Free some space")
    assert windows.wsl.distributions == ["Ubuntu"]
    assert not windows.places.folder.exists()
    windows.wsl.import_fails_with = ""
    assert windows.advance(setup).stage is WslStage.READY
    assert windows.wsl.distributions == ["Ubuntu", "Idlebrush"]


def test_a_download_that_fails_is_told_and_changes_nothing(windows: PretendedWindows) -> None:
    windows.fetches = [DownloadInterrupted("The connection was cut.", "Try again later.")]
    setup = windows.setup()
    with pytest.raises(DownloadInterrupted):
        windows.advance(setup)
    assert setup.record.stage is WslStage.CHECKING
    assert windows.wsl.distributions == ["Ubuntu"]
    assert windows.advance(setup).stage is WslStage.READY


def test_a_distribution_with_an_agent_of_another_version_is_replaced_when_the_user_asks(
    windows: PretendedWindows,
) -> None:
    setup = windows.setup()
    windows.advance(setup)
    windows.wsl.greeting = "idlebrush-agent 999\n"
    assert windows.advance(setup).stage is WslStage.READY
    assert sum(command[0] == "--import" for command in windows.wsl.commands) == 1
    setup.again()
    assert windows.advance(setup).stage is WslStage.READY
    assert sum(command[0] == "--import" for command in windows.wsl.commands) == 2


def test_leaving_removes_our_distribution_alone(windows: PretendedWindows) -> None:
    setup = windows.setup()
    windows.advance(setup)
    asyncio.run(setup.remove())
    assert windows.wsl.distributions == ["Ubuntu"]
    assert not windows.places.folder.exists()
    assert not windows.places.record.exists()
    asyncio.run(windows.setup().remove())  # nothing is there any more


def test_leaving_that_windows_refuses_keeps_the_record(windows: PretendedWindows) -> None:
    setup = windows.setup()
    windows.advance(setup)

    async def refuse(command: Sequence[str], seconds: float) -> WslAnswer:
        if "--unregister" in command:
            return WslAnswer(255, b"Error code: Wsl/Service/E_ACCESSDENIED")
        return await windows.wsl(command, seconds)

    unwilling = WslSetup(windows.places, replace(setup._sources, run=refuse))
    with pytest.raises(ChildError, match="does not allow this user"):
        asyncio.run(unwilling.remove())
    assert windows.places.record.exists()


def test_a_damaged_record_is_set_aside(windows: PretendedWindows) -> None:
    windows.places.record.parent.mkdir()
    windows.places.record.write_text("nonsense")
    assert windows.advance(windows.setup()).stage is WslStage.READY


def test_no_stage_is_without_a_way_on() -> None:
    for stage in WslStage:
        assert transition(stage, WslEvent.LOST) is WslStage.CHECKING
        assert stage not in AT_REST or transition(stage, WslEvent.AGAIN) is WslStage.CHECKING
    with pytest.raises(ValueError, match="cannot happen while"):
        transition(WslStage.READY, WslEvent.IMPORTED)


def test_a_pending_restart_is_waited_for_and_the_setup_continues_then(windows: PretendedWindows) -> None:
    windows.wsl.refusal = NOT_INSTALLED
    windows.facts = replace(GOOD, restart_pending=True)
    setup = windows.setup()
    waiting = windows.advance(setup)
    assert (waiting.stage, waiting.action) == (WslStage.RESTART_NEEDED, WslAction.RESTART)
    assert "Idlebrush continues by itself then" in waiting.remedy
    assert windows.advance(windows.setup()).stage is WslStage.RESTART_NEEDED
    assert windows.start_orders == [True]
    asyncio.run(setup.restart())
    windows.facts, windows.wsl.refusal = GOOD, ""
    assert windows.advance(windows.setup()).stage is WslStage.READY
    assert windows.start_orders == [True, False]


@pytest.mark.posix  # it runs `true` and `false`
@pytest.mark.parametrize(
    ("command", "words"), [(("false",), "status 1"), (("no-such-program",), "No such file")]
)
def test_where_windows_refuses_to_restart_the_volunteer_does(command: tuple[str, ...], words: str) -> None:
    with pytest.raises(SetupError, match=words) as refused:
        asyncio.run(restart_windows(command))
    assert "Start menu" in refused.value.remedy
    asyncio.run(restart_windows(("true",)))


# --- what Windows itself does, under Wine ----------------------------------------------------------------------

windows_only = pytest.mark.skipif(sys.platform != "win32", reason="make test-windows runs it under Wine")


@windows_only
@pytest.mark.parametrize(("status", "succeeds"), [(0, True), (3010, True), (5, False)])
def test_a_program_runs_as_an_administrator_to_its_end(status: int, succeeds: bool) -> None:
    """Wine asks nobody for consent."""
    assert asyncio.run(elevate("cmd.exe", f"/c exit {status}")) is succeeds


@windows_only
def test_a_program_that_is_not_there_is_not_run() -> None:
    assert asyncio.run(elevate("no-such-program.exe", "")) is False


@windows_only
def test_the_app_is_started_once_after_the_next_restart() -> None:
    winreg = importlib.import_module("winreg")
    command = LoginCommand(("C:\\Program Files\\app.exe", "--background"))

    def kept() -> object:
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, RUN_ONCE) as key:
            try:
                return winreg.QueryValueEx(key, "Idlebrush setup")[0]
            except FileNotFoundError:
                return None

    start_once_after_restart(True, command)
    assert kept() == '"C:\\Program Files\\app.exe" --background'
    start_once_after_restart(False)
    start_once_after_restart(False)
    assert kept() is None
