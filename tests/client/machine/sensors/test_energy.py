"""The processor's energy is read from files as the kernel shows them, and our part follows the processor's time."""

from pathlib import Path

import pytest

from client.machine.readings import Known, Reading, Unknown
from client.machine.sensors.energy import OwnEnergy, ProcessorEnergy, own_part
from client.machine.sensors.load import CpuSample

RANGE = 262_143_328_850


class Powercap:
    """A folder of counters, and a clock."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now = folder, 100.0
        self.energy = ProcessorEnergy(folder, lambda: self.now)

    def domain(self, number: str, name: str, counter: int) -> None:
        domain = self.folder / number
        domain.mkdir()
        (domain / "name").write_text(f"{name}\n")
        (domain / "max_energy_range_uj").write_text(f"{RANGE}\n")
        self.count(number, counter)

    def count(self, number: str, counter: int) -> None:
        (self.folder / number / "energy_uj").write_text(f"{counter}\n")

    def after(self, seconds: float) -> Reading[float]:
        self.now += seconds
        return self.energy.read()


@pytest.fixture
def powercap(tmp_path: Path) -> Powercap:
    return Powercap(tmp_path)


def joules(reading: Reading[float]) -> float:
    assert isinstance(reading, Known)
    return reading.value


def test_all_processors_are_added_up_and_their_parts_are_not(powercap: Powercap) -> None:
    domains = {"intel-rapl:0": "package-0", "intel-rapl:1": "package-1", "intel-rapl:0:0": "core",
               "intel-rapl:2": "psys", "intel-rapl-mmio:0": "package-0"}  # fmt: skip
    for number, name in domains.items():
        powercap.domain(number, name, 5_000_000)
    assert powercap.energy.read() == Known(0.0, "the kernel's energy counters (RAPL)")
    for number in domains:
        powercap.count(number, 25_500_000)
    assert joules(powercap.after(2.0)) == 41.0
    assert joules(powercap.after(2.0)) == 41.0


def test_a_counter_that_begins_again_loses_nothing(powercap: Powercap) -> None:
    powercap.domain("intel-rapl:0", "package-0", RANGE - 10_000_000)
    powercap.energy.read()
    powercap.count("intel-rapl:0", 20_000_000)
    assert joules(powercap.after(2.0)) == 30.0


def test_a_counter_that_was_reset_while_the_computer_slept_adds_nothing(powercap: Powercap) -> None:
    powercap.domain("intel-rapl:0", "package-0", 9_000_000_000)
    powercap.energy.read()
    powercap.count("intel-rapl:0", 1_000_000)
    assert joules(powercap.after(2.0)) == 0.0
    powercap.count("intel-rapl:0", 61_000_000)
    assert joules(powercap.after(2.0)) == 60.0


def test_without_counters_the_energy_is_unknown(powercap: Powercap) -> None:
    assert powercap.energy.read() == Unknown("The system does not report the energy of its processor.")
    powercap.domain("intel-rapl:0", "psys", 0)
    assert isinstance(powercap.energy.read(), Unknown)


def test_counters_that_cannot_be_read_are_named_as_such(powercap: Powercap) -> None:
    powercap.domain("intel-rapl:0", "package-0", 0)
    (powercap.folder / "intel-rapl:0/energy_uj").unlink()
    (powercap.folder / "intel-rapl:0/energy_uj").mkdir()
    reading = powercap.energy.read()
    assert isinstance(reading, Unknown)
    assert reading.why.startswith("The kernel shows the energy of the processor to administrators only (")
    (powercap.folder / "intel-rapl:0/energy_uj").rmdir()
    powercap.count("intel-rapl:0", 7_000_000)
    assert joules(powercap.after(2.0)) == 0.0  # an administrator has permitted it


@pytest.mark.parametrize(
    ("after", "part"),
    [
        (CpuSample(busy=110, idle=1000, ours=60), 1.0),
        (CpuSample(busy=110, idle=1090, ours=52.5), 0.25),
        (CpuSample(busy=110, idle=1000, ours=50), 0.0),
        (CpuSample(busy=110, idle=1000, ours=65), 1.0),  # read a little apart
        (CpuSample(busy=110, idle=1000, ours=40), 0.0),  # a process of ours has ended
        (CpuSample(busy=100, idle=1010, ours=50), 0.0),
    ],
)
def test_our_part_is_that_of_the_time_in_which_a_core_computed(after: CpuSample, part: float) -> None:
    assert own_part(CpuSample(busy=100, idle=1000, ours=50), after) == part


def test_energy_is_shared_out_between_two_samples(powercap: Powercap) -> None:
    samples: list[CpuSample | None] = [None]
    own = OwnEnergy(powercap.energy, lambda: samples[-1])
    powercap.domain("intel-rapl:0", "package-0", 0)
    assert isinstance(own.read(), Unknown)
    samples.append(CpuSample(busy=100, idle=0, ours=0))
    assert joules(own.read()) == 0.0
    powercap.now += 2.0
    powercap.count("intel-rapl:0", 40_000_000)
    assert joules(own.read()) == 0.0  # the sample is the same
    powercap.now += 2.0
    powercap.count("intel-rapl:0", 100_000_000)
    samples.append(CpuSample(busy=108, idle=4, ours=6))
    assert joules(own.read()) == 75.0
