"""Reads the processor's temperature from the sensors of Linux."""

from collections.abc import Iterator
from pathlib import Path

from client.machine.readings import Known, Reading, Unknown

_SYS = Path("/sys/class")
_CHIPS = ("coretemp", "k10temp", "zenpower", "cpu_thermal", "fam15h_power")
"""Names of the processor's own sensors, of Intel, AMD and small boards."""
_WHOLE = ("package id", "tdie", "tctl")
"""Labels of the sensor of the whole processor; Tctl of some Ryzen is 20 degrees above the real one, Tdie."""
_ZONES = ("x86_pkg_temp", "cpu-thermal", "cpu_thermal", "soc-thermal", "soc_thermal")
_PLAUSIBLE = range(-40, 150)
"""Degrees Celsius that a processor at work may have; a sensor that is not wired shows others."""


class ProcessorTemperature:
    """Finds the sensor once, as looking through all of them takes long; looks again when it fails."""

    def __init__(self, folder: Path = _SYS) -> None:
        self._folder = folder
        self._sensors: list[Path] = []
        self._source = ""

    def read(self) -> Reading[float]:
        """Return the temperature in degrees Celsius; of several processors, the hottest."""
        hottest = self._hottest()
        if hottest is None:
            self._sensors, self._source = find_sensors(self._folder)
            hottest = self._hottest()
        if hottest is None:
            return Unknown("The system shows no temperature of its processor.")
        return Known(hottest, self._source)

    def _hottest(self) -> float | None:
        return max(filter(None, map(_celsius, self._sensors)), default=None)


def find_sensors(folder: Path) -> tuple[list[Path], str]:
    """Return the files of the sensors, and their name for people."""
    for chip in _CHIPS:
        inputs = [path for device in _named(folder / "hwmon", "name", chip) for path in _whole(device)]
        if inputs:
            return inputs, f"sensor {chip}"
    for zone in _ZONES:
        inputs = [found / "temp" for found in _named(folder / "thermal", "type", zone)]
        if inputs:
            return inputs, f"thermal zone {zone}"
    return [], ""


def _named(folder: Path, file: str, name: str) -> Iterator[Path]:
    return (found.parent for found in sorted(folder.glob(f"*/{file}")) if _line(found) == name)


def _whole(device: Path) -> list[Path]:
    """Return the input of the whole processor, or all inputs where none is called so."""
    inputs = sorted(device.glob("temp*_input"))
    for name in _WHOLE:
        found = [path for path in inputs if _label(path).startswith(name)]
        if found:
            return found
    return inputs


def _label(path: Path) -> str:
    return _line(path.with_name(path.name.replace("_input", "_label"))).lower()


def _celsius(path: Path) -> float | None:
    try:
        celsius = int(_line(path)) / 1000
    except ValueError:
        return None
    return celsius if is_plausible(celsius) else None


def is_plausible(celsius: float) -> bool:
    """Return true if a processor may be that warm."""
    return int(celsius) in _PLAUSIBLE


def _line(path: Path) -> str:
    try:
        return path.read_text().strip()
    except (OSError, UnicodeDecodeError):
        return ""
