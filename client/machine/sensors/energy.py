"""Reads the energy of the processor from the kernel's counters (RAPL), and takes our processes' part of it.

The counters are those of Linux's power capping framework (Documentation/power/powercap in the kernel's source), which
Intel's and AMD's processors have. Since 2020 the kernel shows them to administrators only, because fast readings
betray what other programs compute (CVE-2020-8694).
"""

import time
from collections.abc import Callable
from pathlib import Path

from client.machine.readings import Known, Reading, Unknown
from client.machine.sensors.load import CpuSample

POWERCAP = Path("/sys/class/powercap")
"""Folder where Linux shows energy counters."""
_PACKAGE = "package"
"""Beginning of the name of what holds a whole processor; others are parts of it, or the whole computer."""
_MICRO = 1_000_000
_MOST_WATTS = 2_000.0
"""Power that no processor reaches: a counter that rose faster was reset, as some are while the computer sleeps."""
_SOURCE = "the kernel's energy counters (RAPL)"
_NONE = Unknown("The system does not report the energy of its processor.")
_NOT_YET = Unknown("It is measured between two moments, and the second is still to come.")


class ProcessorEnergy:
    """Adds up what the counters of all processors rose by; they begin again at zero after minutes to hours."""

    def __init__(self, folder: Path = POWERCAP, clock: Callable[[], float] = time.monotonic) -> None:
        """Prepare to read.

        Args:
            folder: Folder where the kernel shows the counters.
            clock: Returns monotonic seconds.
        """
        self._folder, self._clock = folder, clock
        self._packages: list[Path] = []
        self._before: dict[Path, int] = {}
        self._read_at = 0.0
        self._joules = 0.0

    def read(self) -> Reading[float]:
        """Return the joules since the first reading; between two readings, no counter may pass zero twice."""
        self._packages = self._packages or _packages(self._folder)
        if not self._packages:
            return _NONE
        try:
            counters = {package: _number(package / "energy_uj") for package in self._packages}
            ranges = {package: _number(package / "max_energy_range_uj") for package in self._packages}
        except (OSError, ValueError) as error:
            self._packages, self._before = [], {}
            return Unknown(
                f"The kernel shows the energy of the processor to administrators only ({_why(error)})."
            )
        self._add(counters, ranges)
        return Known(self._joules, _SOURCE)

    def _add(self, counters: dict[Path, int], ranges: dict[Path, int]) -> None:
        now = self._clock()
        most = (now - self._read_at) * _MOST_WATTS
        for package, counter in counters.items():
            if (before := self._before.get(package)) is not None:
                risen = counter - before if counter >= before else counter + ranges[package] - before
                self._joules += risen / _MICRO if 0 <= risen / _MICRO <= most else 0.0
        self._before, self._read_at = counters, now


class OwnEnergy:
    """Takes our part of the processor's energy, by our part of the time in which any core computed."""

    def __init__(self, processor: ProcessorEnergy, sample: Callable[[], CpuSample | None]) -> None:
        """Prepare to read.

        Args:
            processor: Counters of the whole processor.
            sample: Returns the newest sample of the processor's time; None: there is none yet.
        """
        self._processor, self._sample = processor, sample
        self._before: tuple[float, CpuSample] | None = None
        self._joules = 0.0

    def read(self) -> Reading[float]:
        """Return the joules of our processes since the first reading."""
        energy, sample = self._processor.read(), self._sample()
        if isinstance(energy, Unknown):
            self._before = None
            return energy
        if sample is None:
            return _NOT_YET
        if self._before is not None:
            joules, earlier = self._before
            if sample == earlier:  # the energy up to the next sample is shared out with it
                return Known(self._joules, _SOURCE)
            self._joules += (energy.value - joules) * own_part(earlier, sample)
        self._before = energy.value, sample
        return Known(self._joules, _SOURCE)


def own_part(before: CpuSample, after: CpuSample) -> float:
    """Return our part of the time in which any core computed between two samples, 0 to 1."""
    busy, ours = after.busy - before.busy, after.ours - before.ours
    return min(1.0, max(0.0, ours / busy)) if busy > 0 else 0.0


def _packages(folder: Path) -> list[Path]:
    return [found for found in sorted(folder.glob("intel-rapl:*")) if _name(found).startswith(_PACKAGE)]


def _name(domain: Path) -> str:
    try:
        return (domain / "name").read_text().strip()
    except (OSError, UnicodeDecodeError):
        return ""


def _number(path: Path) -> int:
    return int(path.read_text())


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else "") or str(error)
