"""Checks of the machine, on real displays and buses where there is something to ask."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from client.api.snapshot import ReadingView
from client.checks.machine import (
    judge_gpus,
    judge_readings,
    look_at_activity,
    look_at_clock,
    look_at_disk,
    look_at_readings,
)
from client.doctor import Finding, Verdict
from client.machine.activity.choice import candidates
from client.machine.bus import Bus
from client.machine.devices import Backend, Device
from client.paths import Paths
from client.preferences.preferences import RunMode
from tests.client.listening_daemon import listening
from tests.client.snapshots import FULL
from tests.desktop import mock_service, private_bus, virtual_display

NO_DESKTOP = {
    "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
    "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere",
}
TIMEDATE = ("org.freedesktop.timedate1", "/org/freedesktop/timedate1", "org.freedesktop.timedate1")


def verdicts(findings: Sequence[Finding]) -> list[Verdict]:
    return [finding.verdict for finding in findings]


def test_the_source_of_activity_on_a_display_is_named() -> None:
    with virtual_display() as display:
        findings = asyncio.run(look_at_activity({**NO_DESKTOP, "DISPLAY": display}, RunMode.PREFERENCES))
    assert verdicts(findings) == [Verdict.OK]
    assert "X11" in findings[0].found


@pytest.mark.parametrize(
    ("mode", "verdict"), [(RunMode.PREFERENCES, Verdict.PROBLEM), (RunMode.ALWAYS, Verdict.OK)]
)
def test_without_a_source_each_that_was_tried_says_why(mode: RunMode, verdict: Verdict) -> None:
    first, *tried = asyncio.run(look_at_activity(NO_DESKTOP, mode))
    assert first.verdict is verdict
    names = [candidate.name for candidate in candidates(NO_DESKTOP, Bus("SESSION"), Bus("SYSTEM"))]
    for finding, name in zip(tried, names, strict=True):
        assert finding.found.startswith(f"Not used: {name}: ")


def test_readings_are_those_of_the_daemon_where_one_runs(tmp_path: Path) -> None:
    paths = Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path)})
    with listening(paths, FULL):
        known, battery = asyncio.run(look_at_readings(paths, NO_DESKTOP))
    assert known.found == "Known: Keyboard and mouse (X11 screen saver extension)."
    assert battery == Finding("Readings", Verdict.OK, "Not known: Battery. UPower does not answer.")


@pytest.mark.parametrize(
    ("name", "verdict"), [("last input", Verdict.WARNING), ("processor temperature", Verdict.OK)]
)
def test_only_what_holds_training_up_is_warned_of(name: str, verdict: Verdict) -> None:
    _, unknown = judge_readings([ReadingView(name=name, value="", source="Nobody tells.")])
    assert unknown == Finding("Readings", verdict, f"Not known: {name}. Nobody tells.")


def test_readings_are_read_where_no_daemon_runs(tmp_path: Path) -> None:
    paths = Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path)})
    known, *unknown = asyncio.run(look_at_readings(paths, {**os.environ, **NO_DESKTOP}))
    assert "free RAM" in known.found
    assert "processor used by others" in known.found
    assert any("last input" in finding.found for finding in unknown)


def test_nothing_known_is_said_so() -> None:
    assert judge_readings([ReadingView(name="x", value="", source="y")])[0].found == "Known: nothing."


@pytest.mark.parametrize(
    ("devices", "verdict", "words"),
    [
        ([], Verdict.OK, "the processor trains"),
        (
            [Device("H200", Backend.CUDA, 1 << 37, usable=True, remark="It can train.", index=1)],
            Verdict.OK,
            "GPU 1: H200 with 128 GiB",
        ),
        ([Device("Apple GPU", Backend.MPS, None, usable=False, remark="Not yet.")], Verdict.WARNING, "(MPS)"),
    ],
)
def test_gpus_are_judged(devices: list[Device], verdict: Verdict, words: str) -> None:
    (finding,) = judge_gpus(devices)
    assert finding.verdict is verdict
    assert words in finding.found


@pytest.mark.parametrize(("keep_free", "verdict"), [(0, Verdict.OK), (1 << 60, Verdict.PROBLEM)])
def test_a_disk_with_less_than_is_to_stay_free_is_a_problem(
    keep_free: int, verdict: Verdict, tmp_path: Path
) -> None:
    (finding,) = asyncio.run(look_at_disk(tmp_path / "not-made-yet", keep_free))
    assert finding.verdict is verdict


@pytest.mark.parametrize(
    ("synchronized", "verdict", "words"),
    [(True, Verdict.OK, "keeps it right"), (False, Verdict.WARNING, "Nothing keeps it right")],
)
def test_the_system_tells_whether_it_keeps_the_clock(
    synchronized: bool, verdict: Verdict, words: str
) -> None:
    with private_bus() as address, mock_service(address, *TIMEDATE) as service:
        service.add_property("NTPSynchronized", f"<{str(synchronized).lower()}>")
        (finding,) = asyncio.run(look_at_clock({"DBUS_SYSTEM_BUS_ADDRESS": address}))
    assert finding.verdict is verdict
    assert words in finding.found


def test_a_system_that_does_not_tell_of_its_clock_is_no_problem() -> None:
    (finding,) = asyncio.run(look_at_clock(NO_DESKTOP))
    assert finding.verdict is Verdict.OK
    assert "Nobody tells" in finding.found
