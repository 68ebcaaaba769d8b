"""Judges whether training can run in WSL2 on a Windows computer: pure functions from facts to findings."""

from collections.abc import Sequence
from dataclasses import dataclass

from client.doctor import CheckVerdict, Finding
from client.hosts.wsl.facts import WindowsFacts
from client.hosts.wsl.stages import WslAction
from core.memory.units import format_size

LEAST_BUILD = 19041
"""Windows 10, version 2004: the first build with WSL2."""
NEEDED_DISK = 12 << 30
"""Bytes that the distribution needs: its system, the trainer's packages, and their files while they are unpacked."""
LEAST_DRIVER = (470, 76)
"""First driver of NVIDIA for Windows that serves CUDA in WSL2, by NVIDIA's guide to CUDA on WSL."""

_FOR_ADMINISTRATORS = (WslAction.TURN_ON_WSL, WslAction.CHANGE_FIRMWARE)
"""Steps for which Windows asks an administrator to agree."""


@dataclass(frozen=True)
class WslFinding:
    """A finding, and what a user can do about it."""

    finding: Finding
    action: WslAction | None = None

    @property
    def blocks(self) -> bool:
        """True if training cannot be set up before something is done about it."""
        return self.finding.verdict is CheckVerdict.PROBLEM


def judge(facts: WindowsFacts) -> list[WslFinding]:
    """Return all findings, in the order in which they are to be dealt with."""
    wsl = _wsl(facts)
    found = [_windows(facts), _virtualisation(facts), _rights(facts, wsl), wsl, _disk(facts), _driver(facts)]
    return [finding for finding in found if finding is not None]


def first_problem(findings: Sequence[WslFinding]) -> WslFinding | None:
    """Return what has to be dealt with first before training can be set up; None: nothing."""
    return next((each for each in findings if each.blocks), None)


def warnings_beside(findings: Sequence[WslFinding], problem: WslFinding | None) -> list[WslFinding]:
    """Return the warnings but those that ask for the same as ``problem``, which is dealt with first."""
    action = problem.action if problem is not None else None
    warnings = [each for each in findings if each.finding.verdict is CheckVerdict.WARNING]
    return [each for each in warnings if each.action is not action]


def _windows(facts: WindowsFacts) -> WslFinding:
    if facts.build >= LEAST_BUILD:
        return _ok("Windows", f"Build {facts.build} can run WSL2.")
    return _problem(
        "Windows",
        f"Windows' build {facts.build} is too old for training, which needs Windows 10, version 2004, or newer.",
        "Install Windows' updates.",
        WslAction.UPDATE_WINDOWS,
    )


def _virtualisation(facts: WindowsFacts) -> WslFinding | None:
    # Once WSL works there is virtualisation, whatever else the processor's features say below a hypervisor.
    if facts.virtualisation is None or facts.wsl.refusal is None:
        return None
    if facts.virtualisation:
        return _ok("Virtualisation", "The firmware allows virtual machines.")
    return WslFinding(
        Finding(
            "Virtualisation",
            CheckVerdict.WARNING,
            "Virtualisation seems to be turned off in the computer's firmware; training needs it.",
            "If turning on WSL does not help: restart into the firmware's settings, turn on Intel VT-x or AMD SVM.",
        ),
        WslAction.CHANGE_FIRMWARE,
    )


def _rights(facts: WindowsFacts, wsl: WslFinding) -> WslFinding | None:
    """Return who has to agree, where the next step with WSL is one for an administrator."""
    if facts.administers is None or wsl.action not in _FOR_ADMINISTRATORS:
        return None
    if facts.administers:
        return _ok("Rights", "You may administer this computer, so you can agree to the change yourself.")
    return WslFinding(
        Finding(
            "Rights",
            CheckVerdict.WARNING,
            "You do not administer this computer, so another person has to agree to the change.",
            "Have someone who administers it enter a password when Windows asks for one.",
        ),
        WslAction.ASK_ADMINISTRATOR,
    )


def _wsl(facts: WindowsFacts) -> WslFinding:
    reading = facts.wsl
    if reading.refusal is not None:
        if facts.restart_pending:
            return _problem(
                "WSL",
                "Windows has to restart before training can be set up.",
                "Restart the computer. Idlebrush continues by itself then.",
                WslAction.RESTART,
            )
        missing = "not installed" in reading.refusal.what
        return _problem(
            "WSL",
            reading.refusal.what,
            "Turn on WSL. Windows asks an administrator to agree once, and may have to restart."
            if missing
            else reading.refusal.remedy,
            WslAction.TURN_ON_WSL if missing else _other_action(reading.refusal.what),
        )
    if reading.version is None:
        return WslFinding(
            Finding(
                "WSL",
                CheckVerdict.WARNING,
                "The WSL that came with Windows is installed. It gets no corrections any more.",
                "Run `wsl --update` in a terminal.",
            ),
            WslAction.UPDATE_WSL,
        )
    return _ok("WSL", f"WSL {'.'.join(map(str, reading.version))} is installed.")


def _other_action(what: str) -> WslAction:
    return WslAction.CHANGE_FIRMWARE if "virtualisation" in what else WslAction.TRY_AGAIN


def _disk(facts: WindowsFacts) -> WslFinding:
    if facts.disk_free >= NEEDED_DISK:
        return _ok("Disk for training", f"{format_size(facts.disk_free)} are free.")
    return _problem(
        "Disk for training",
        f"Training needs {format_size(NEEDED_DISK)} of disk, and {format_size(facts.disk_free)} are free.",
        f"Free {format_size(NEEDED_DISK - facts.disk_free)}.",
        WslAction.FREE_DISK,
    )


def _driver(facts: WindowsFacts) -> WslFinding | None:
    driver = facts.nvidia_driver
    if driver is None:
        return None
    name = f"{driver[0]}.{driver[1]:02}"
    if driver >= LEAST_DRIVER:
        return _ok("GPU in WSL", f"NVIDIA's driver {name} serves WSL2.")
    return WslFinding(
        Finding(
            "GPU in WSL",
            CheckVerdict.WARNING,
            f"NVIDIA's driver {name} does not serve WSL2, so training would use the processor.",
            "Install NVIDIA's current driver for Windows; none is installed within WSL.",
        ),
        WslAction.INSTALL_DRIVER,
    )


def _ok(name: str, found: str) -> WslFinding:
    return WslFinding(Finding(name, CheckVerdict.OK, found))


def _problem(name: str, found: str, remedy: str, action: WslAction) -> WslFinding:
    return WslFinding(Finding(name, CheckVerdict.PROBLEM, found, remedy), action)
