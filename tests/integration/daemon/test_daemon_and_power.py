"""The real daemon keeps its computer awake and holds the power of its GPU while its trainer computes."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from client.api.commands import Pause
from client.api.snapshot import Activity, GpuPowerMeans
from tests.client.machine.recorded_nvml import RecordedGpu
from tests.desktops.desktop import MockService, mock_service, private_bus
from tests.integration.stand_in_learner import learner_settings
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import VolunteerMachine, volunteer_at
from tests.waiting import AT_ONCE, wait_until

LOGIND = ("org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager")
UPOWER = ("org.freedesktop.UPower", "/org/freedesktop/UPower", "org.freedesktop.UPower")
OURS = "('sleep', 'Idlebrush', 'Training', 'block-weak'"


@pytest.fixture
def logind() -> Iterator[tuple[str, MockService]]:
    with private_bus() as bus, mock_service(bus, *UPOWER, template="upower") as upower:
        upower.set_property("OnBattery", "<false>")
        with mock_service(bus, *LOGIND, template="logind") as service:
            yield bus, service


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    return tmp_path / "nvml.jsonl"


@pytest.fixture
def person(tmp_path: Path, recording: Path, logind: tuple[str, MockService]) -> Iterator[VolunteerMachine]:
    settings = {
        "environment": {"DBUS_SYSTEM_BUS_ADDRESS": logind[0]},
        "settings": learner_settings(nvml=str(recording)),
    }
    with volunteer_at(tmp_path / "home", **settings) as volunteer:
        yield volunteer


def draw(recording: Path, watts: int) -> None:
    """The driver reports a GPU that draws that power, and lets nobody set a limit."""
    frame = {"gpus": [asdict(RecordedGpu(milliwatts=watts * 1000))], "fails": {}}
    with recording.open("a") as file:
        file.write(json.dumps(frame) + "\n")


def test_a_computer_that_trains_stays_awake_and_its_gpu_is_held(
    tmp_path: Path, person: VolunteerMachine, recording: Path, logind: tuple[str, MockService]
) -> None:
    service = logind[1]
    person.prefer(run_mode="always", other_cpu_load="off", keep_awake="on", gpu_power="200 W")
    draw(recording, 100)
    person.start()
    person.join(write_tiny_run(tmp_path / "run"))
    person.wait_for(Activity.TRAINING, Activity.THROTTLED)
    person.wait_until(lambda seen: seen.power.is_kept_awake, "it may fall asleep")
    assert OURS in service.call("ListInhibitors")
    person.wait_until(lambda seen: seen.power.gpu_means is GpuPowerMeans.SHARE, "its power is not held")
    lines = {line.name: line.value for line in person.look().readings}
    assert lines["automatic sleep"] == "prevented while it trains"
    assert lines["GPU power"] == "at most 200 W on average, by short breaks"

    draw(recording, 300)  # however little it computes: it is held as far down as it may be
    person.wait_until(
        lambda seen: (
            seen.activity is Activity.THROTTLED and [reason.code for reason in seen.reasons] == ["gpu_power"]
        ),
        "the share of the time is not lowered",
    )
    seen = person.look()
    assert seen.budget is not None
    assert seen.budget.share < 1

    person.ask(Pause(seconds=3600))
    person.wait_until(lambda seen: not seen.power.is_kept_awake, "it stays awake", AT_ONCE)
    wait_until(lambda: OURS not in service.call("ListInhibitors"), "the lock stays", AT_ONCE)
    assert person.look().power.gpu_means is None
