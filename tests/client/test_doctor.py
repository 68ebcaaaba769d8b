"""The examination itself: every check is bounded, and none hides what others find."""

import asyncio
import json
import os
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from client.api.errors import ClientError
from client.checks import all_checks
from client.doctor import Check, CheckVerdict, Examination, Finding, examine
from client.paths import HOME_VARIABLE
from client.side_thread import in_thread
from tests.command_line import COMMAND, idlebrush

FINE = Finding("Fine", CheckVerdict.OK, "All is well.")


async def find() -> Sequence[Finding]:
    return [FINE]


async def fail() -> Sequence[Finding]:
    raise ClientError("The cat is on the keyboard.", "Lift it.")


async def break_down() -> Sequence[Finding]:
    raise ZeroDivisionError("by zero")


async def hang() -> Sequence[Finding]:
    await asyncio.Event().wait()
    return []


def outcome(*checks: Check) -> list[tuple[str, CheckVerdict, str]]:
    examination = asyncio.run(examine(checks))
    return [(finding.name, finding.verdict, finding.found) for finding in examination.findings]


def test_a_check_that_fails_or_hangs_hides_no_other() -> None:
    assert outcome(
        Check("Cat", fail),
        Check("Bug", break_down),
        Check("Snail", hang, seconds=0.1),
        Check("Fine", find),
    ) == [
        ("Cat", CheckVerdict.WARNING, "The cat is on the keyboard."),
        ("Bug", CheckVerdict.WARNING, "It cannot be looked at (ZeroDivisionError: by zero)."),
        ("Snail", CheckVerdict.WARNING, "It did not answer in 0 seconds."),
        ("Fine", CheckVerdict.OK, "All is well."),
    ]


def test_a_thread_that_hangs_is_left_behind() -> None:
    release = threading.Event()

    async def look() -> Sequence[Finding]:
        await in_thread(release.wait)
        return []

    assert outcome(Check("Driver", look, seconds=0.1), Check("Fine", find))[1] == (
        "Fine",
        CheckVerdict.OK,
        "All is well.",
    )
    release.set()


def test_what_a_thread_raises_is_raised_where_it_is_waited_for() -> None:
    async def wait() -> None:
        await in_thread(lambda: int("x"))

    with pytest.raises(ValueError, match="'x'"):
        asyncio.run(wait())


@pytest.mark.parametrize(
    ("verdicts", "healthy"),
    [
        ([], True),
        ([CheckVerdict.OK, CheckVerdict.WARNING], True),
        ([CheckVerdict.OK, CheckVerdict.PROBLEM, CheckVerdict.OK], False),
    ],
)
def test_only_problems_make_an_installation_unhealthy(verdicts: list[CheckVerdict], healthy: bool) -> None:
    findings = tuple(Finding("x", verdict, "x") for verdict in verdicts)
    assert Examination(findings).healthy is healthy


def doctor(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        HOME_VARIABLE: str(home),
        "COLUMNS": "80",
        "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
        "HF_ENDPOINT": "http://127.0.0.1:1",
    }
    return subprocess.run(
        [*COMMAND, "doctor", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
        env=environment,
    )


def test_a_report_takes_the_place_of_no_file(tmp_path: Path) -> None:
    (tmp_path / "report.zip").write_text("mine")
    done = doctor(tmp_path, "--report", str(tmp_path / "report.zip"))
    assert done.returncode != 0
    assert "exists already" in " ".join(done.stderr.split())
    assert (tmp_path / "report.zip").read_text() == "mine"


def test_this_installation_is_examined_without_a_daemon(tmp_path: Path) -> None:
    done = doctor(tmp_path, "--json")
    report = json.loads(done.stdout)
    found = {finding["name"] for finding in report["findings"]}
    assert {"PyTorch", "Peer to peer", "Folders", "Daemon", "GPU", "Activity", "Readings", "Disk"} <= found
    assert {"Clock", "Keyring", "Network", "Port", "Run", "Memory", "Preferences", "Version"} <= found
    assert all(finding["found"].endswith((".", ".org")) for finding in report["findings"])
    assert done.returncode == (0 if report["healthy"] else 1)
    sound = {finding["name"]: finding["verdict"] for finding in report["findings"]}
    assert (sound["PyTorch"], sound["Peer to peer"], sound["Folders"]) == ("ok", "ok", "ok")


def test_a_folder_that_cannot_be_used_is_a_problem_with_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    known = all_checks.all_checks
    monkeypatch.setattr(
        all_checks,
        "all_checks",
        lambda *those: [check for check in known(*those) if check.name in ("Folders", "Version")],
    )
    done = idlebrush("doctor", environment={HOME_VARIABLE: str(tmp_path / "file"), "COLUMNS": "80"})
    assert done.returncode == 1
    assert "✗ Folders" in done.stdout
    assert "IDLEBRUSH_HOME" in done.stdout
    assert "✓ Version" in done.stdout
