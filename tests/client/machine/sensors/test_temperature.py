"""Sensors as the kernel shows them, in folders made for it."""

from pathlib import Path

import pytest

from client.machine.readings import Known, Unknown
from client.machine.sensors.temperature import ProcessorTemperature


def show(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True)
    for name, contents in files.items():
        (folder / name).write_text(contents + "\n")
    return folder


CORETEMP = {
    "name": "coretemp",
    "temp1_label": "Package id 0",
    "temp1_input": "61000",
    "temp2_label": "Core 0",
    "temp2_input": "64000",
}
RYZEN = {
    "name": "k10temp",
    "temp1_label": "Tctl",
    "temp1_input": "85000",
    "temp2_label": "Tdie",
    "temp2_input": "65000",
    "temp3_label": "Tccd1",
    "temp3_input": "66000",
}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (CORETEMP, Known(61.0, "sensor coretemp")),
        (RYZEN, Known(65.0, "sensor k10temp")),
        ({"name": "k10temp", "temp1_input": "48500"}, Known(48.5, "sensor k10temp")),
        ({"name": "cpu_thermal", "temp1_input": "39000"}, Known(39.0, "sensor cpu_thermal")),
    ],
)
def test_the_sensor_of_the_whole_processor_counts(
    tmp_path: Path, files: dict[str, str], expected: Known[float]
) -> None:
    show(tmp_path / "hwmon/hwmon0", name="nvme", temp1_input="99000")
    show(tmp_path / "hwmon/hwmon1", **files)
    show(tmp_path / "thermal/thermal_zone0", type="x86_pkg_temp", temp="90000")
    assert ProcessorTemperature(tmp_path).read() == expected


def test_of_two_processors_the_hotter_counts(tmp_path: Path) -> None:
    show(tmp_path / "hwmon/hwmon0", **CORETEMP)
    show(tmp_path / "hwmon/hwmon1", **CORETEMP | {"temp1_label": "Package id 1", "temp1_input": "72000"})
    assert ProcessorTemperature(tmp_path).read() == Known(72.0, "sensor coretemp")


def test_a_thermal_zone_stands_in_for_a_sensor(tmp_path: Path) -> None:
    show(tmp_path / "thermal/thermal_zone0", type="acpitz", temp="27800")
    show(tmp_path / "thermal/thermal_zone1", type="x86_pkg_temp", temp="52000")
    assert ProcessorTemperature(tmp_path).read() == Known(52.0, "thermal zone x86_pkg_temp")


@pytest.mark.parametrize("text", ["", "hot", "-274000", "4294967295"])
def test_nonsense_is_unknown(tmp_path: Path, text: str) -> None:
    show(tmp_path / "hwmon/hwmon0", name="coretemp", temp1_input=text)
    assert isinstance(ProcessorTemperature(tmp_path).read(), Unknown)


def test_a_machine_without_sensors_is_unknown(tmp_path: Path) -> None:
    assert ProcessorTemperature(tmp_path).read() == Unknown(
        "The system shows no temperature of its processor."
    )


def test_a_sensor_that_moves_is_found_again(tmp_path: Path) -> None:
    sensor = show(tmp_path / "hwmon/hwmon0", name="coretemp", temp1_input="50000")
    temperature = ProcessorTemperature(tmp_path)
    assert temperature.read() == Known(50.0, "sensor coretemp")
    (sensor / "temp1_input").write_text("51000")
    assert temperature.read() == Known(51.0, "sensor coretemp")
    sensor.rename(tmp_path / "hwmon/hwmon3")
    assert temperature.read() == Known(51.0, "sensor coretemp")
    (tmp_path / "hwmon/hwmon3/temp1_input").unlink()
    assert isinstance(temperature.read(), Unknown)
