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
    look_at_disk,
    look_at_gpu_choice,
    look_at_readings,
)
from client.doctor import CheckVerdict, Finding
from client.machine.gpu.devices import Backend, FoundDevice
from client.machine.gpu.nvml import Nvml
from client.paths import HOME_VARIABLE, Paths
from client.preferences.preferences import Preferences, RunMode
from tests.client.listening_daemon import listening
from tests.client.machine.recorded_nvml import RecordedGpu, RecordedNvml
from tests.client.snapshots import FULL
from tests.desktops.desktop import virtual_display

NO_DESKTOP = {
    "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere",
    "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere",
}


def verdicts(findings: Sequence[Finding]) -> list[CheckVerdict]:
    return [finding.verdict for finding in findings]


@pytest.mark.posix
def test_the_source_of_activity_on_a_display_is_named() -> None:
    with virtual_display() as display:
        findings = asyncio.run(look_at_activity({**NO_DESKTOP, "DISPLAY": display}, RunMode.PREFERENCES))
    assert verdicts(findings) == [CheckVerdict.OK]
    assert "X11" in findings[0].found


@pytest.mark.posix
@pytest.mark.parametrize(
    ("mode", "verdict"), [(RunMode.PREFERENCES, CheckVerdict.PROBLEM), (RunMode.ALWAYS, CheckVerdict.OK)]
)
def test_without_a_source_each_that_was_tried_says_why(mode: RunMode, verdict: CheckVerdict) -> None:
    from client.machine.bus import Bus  # which Windows lacks
    from client.machine.systems.linux import activity_candidates

    first, *tried = asyncio.run(look_at_activity(NO_DESKTOP, mode))
    assert first.verdict is verdict
    names = [candidate.name for candidate in activity_candidates(NO_DESKTOP, Bus(""), Bus(""))]
    for finding, name in zip(tried, names, strict=True):
        assert finding.found.startswith(f"Not used: {name}: ")


def test_readings_are_those_of_the_daemon_where_one_runs(tmp_path: Path) -> None:
    paths = Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path)})
    with listening(paths, FULL):
        known, battery = asyncio.run(look_at_readings(paths, NO_DESKTOP))
    assert known.found == "Known: last input (X11 screen saver extension)."
    assert battery == Finding(
        "Readings", CheckVerdict.OK, "Not known: battery charge. UPower does not answer."
    )


@pytest.mark.parametrize(
    ("name", "verdict"), [("last input", CheckVerdict.WARNING), ("processor temperature", CheckVerdict.OK)]
)
def test_only_what_holds_training_up_is_warned_of(name: str, verdict: CheckVerdict) -> None:
    _, unknown = judge_readings([ReadingView(name=name, value="", source="Nobody tells.")])
    assert unknown == Finding("Readings", verdict, f"Not known: {name}. Nobody tells.")


@pytest.mark.posix
def test_readings_are_read_where_no_daemon_runs(tmp_path: Path) -> None:
    paths = Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path)})
    known, *unknown = asyncio.run(look_at_readings(paths, {**os.environ, **NO_DESKTOP}))
    assert "free RAM" in known.found
    assert "processor used by others" in known.found
    assert any("last input" in finding.found for finding in unknown)


def test_nothing_known_is_called_so() -> None:
    assert judge_readings([ReadingView(name="x", value="", source="y")])[0].found == "Known: nothing."


@pytest.mark.parametrize(
    ("devices", "verdict", "words"),
    [
        ([], CheckVerdict.OK, "Training uses the processor"),
        (
            [FoundDevice("H200", Backend.CUDA, 1 << 37, usable=True, remark="It can train.", index=1)],
            CheckVerdict.OK,
            "GPU 1: H200 with 128 GiB",
        ),
        (
            [FoundDevice("Apple GPU", Backend.MPS, None, usable=False, remark="Not yet.")],
            CheckVerdict.WARNING,
            "(MPS)",
        ),
    ],
)
def test_gpus_are_judged(devices: list[FoundDevice], verdict: CheckVerdict, words: str) -> None:
    (finding,) = judge_gpus(devices)
    assert finding.verdict is verdict
    assert words in finding.found


def test_of_several_gpus_doctor_names_the_one_that_trains(tmp_path: Path) -> None:
    """It does so without a daemon, by the preferences."""
    paths = Paths.of_user({HOME_VARIABLE: str(tmp_path)})
    two = RecordedNvml.still(RecordedGpu(name="slow", units=1_000), RecordedGpu(name="fast"))

    def found(**preferred: object) -> list[str]:
        preferences = Preferences().model_copy(update=preferred)
        return [
            finding.found
            for finding in asyncio.run(look_at_gpu_choice(paths, preferences, lambda: Nvml(two)))
        ]

    advice = "`idlebrush prefs set gpus` chooses another."
    assert found() == [f"GPU 0 (slow) is not used: it is slower. GPU 1 (fast) trains. {advice}"]
    assert found(gpus=(0,)) == [
        f"GPU 0 (slow) trains. GPU 1 (fast) is not used: the preference gpus leaves it out. {advice}"
    ]
    assert two.open == 0


def test_with_one_gpu_there_is_no_choice_to_name(tmp_path: Path) -> None:
    paths, one = Paths.of_user({HOME_VARIABLE: str(tmp_path)}), RecordedNvml.still(RecordedGpu())
    assert asyncio.run(look_at_gpu_choice(paths, Preferences(), lambda: Nvml(one))) == []


@pytest.mark.parametrize(("keep_free", "verdict"), [(0, CheckVerdict.OK), (1 << 60, CheckVerdict.PROBLEM)])
def test_a_disk_with_less_than_is_to_stay_free_is_a_problem(
    keep_free: int, verdict: CheckVerdict, tmp_path: Path
) -> None:
    (finding,) = asyncio.run(look_at_disk(tmp_path / "not-made-yet", keep_free))
    assert finding.verdict is verdict
