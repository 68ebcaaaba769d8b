"""GPUs are found through recordings of NVIDIA's library, folders like /sys, and a registry like Windows'."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from client.machine.gpu.cards import nvidia_asleep
from client.machine.gpu.devices import Backend, FoundDevice, find_devices
from client.machine.gpu.nvml import Nvml
from core.windows_registry import MachineRegistry
from tests.client.machine.recorded_nvml import GIB, RecordedGpu, RecordedNvml
from tests.windows_registry import StandInWinreg

ABSENT = RecordedNvml.still(nvmlInit=12)
NVIDIA, AMD, INTEL = "0x10de", "0x1002", "0x8086"


def card(sys: Path, vendor: str, kind: str = "0x030000", **files: str) -> None:
    folder = sys / "bus/pci/devices" / f"0000:0{len(list(sys.rglob('vendor')))}:00.0"
    (folder / "power").mkdir(parents=True)
    for name, contents in ({"vendor": vendor, "class": kind} | files).items():
        (folder / name).write_text(contents + "\n")


def find(
    sys: Path, library: RecordedNvml = ABSENT, on: tuple[str, str] = ("Linux", "x86_64")
) -> tuple[FoundDevice, ...]:
    return find_devices(Nvml(library), sys, *on)


def test_a_gpu_whose_driver_runs_can_train(tmp_path: Path) -> None:
    card(tmp_path, NVIDIA)
    library = RecordedNvml.still(RecordedGpu(name="RTX 4090", total=24 * GIB))
    assert find(tmp_path, library) == (
        FoundDevice("RTX 4090", Backend.CUDA, 24 * GIB, True, "It can train.", 0),
    )
    assert library.open == 0


def test_gpus_are_numbered_as_in_the_preferences(tmp_path: Path) -> None:
    library = RecordedNvml.still(RecordedGpu(name="RTX 3060"), RecordedGpu(name="RTX 4090"))
    found = {device.index: device.name for device in find(tmp_path, library)}
    assert found == {0: "RTX 3060", 1: "RTX 4090"}


def test_a_gpu_without_its_driver_says_what_to_install(tmp_path: Path) -> None:
    card(tmp_path, NVIDIA, kind="0x030200")
    card(tmp_path, NVIDIA, kind="0x040300")  # its sound
    (found,) = find(tmp_path)
    assert (found.backend, found.usable) == (Backend.CUDA, False)
    assert "Install NVIDIA's driver" in found.remark


def test_a_driver_that_fails_says_so(tmp_path: Path) -> None:
    (found,) = find(tmp_path, RecordedNvml.still(nvmlInit=18))
    assert not found.usable
    assert found.remark == "The NVIDIA driver was updated while it was in use. Restart the computer."


@pytest.mark.parametrize(("has_driver", "words"), [(True, "is there"), (False, "is not installed")])
def test_an_amd_gpu_is_not_used_yet(tmp_path: Path, has_driver: bool, words: str) -> None:
    card(tmp_path, AMD, mem_info_vram_total=str(16 * GIB), product_name="Radeon RX 7800 XT")
    if has_driver:
        (tmp_path / "class/kfd/kfd").mkdir(parents=True)
    (found,) = find(tmp_path)
    assert (found.name, found.memory, found.usable) == ("Radeon RX 7800 XT", 16 * GIB, False)
    assert found.backend is Backend.ROCM
    assert words in found.remark


def test_an_amd_gpu_that_tells_nothing_has_a_plain_name(tmp_path: Path) -> None:
    card(tmp_path, AMD)
    (found,) = find(tmp_path)
    assert (found.name, found.memory) == ("AMD GPU", None)


@pytest.mark.parametrize(("architecture", "backends"), [("arm64", [Backend.MPS]), ("x86_64", [])])
def test_apples_own_processors_have_a_gpu(tmp_path: Path, architecture: str, backends: list[Backend]) -> None:
    assert [device.backend for device in find(tmp_path, on=("Darwin", architecture))] == backends


def test_graphics_that_nobody_can_train_on_are_none(tmp_path: Path) -> None:
    card(tmp_path, INTEL)
    assert find(tmp_path) == ()


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        (("suspended",), True),
        (("suspended", "suspended"), True),
        (("suspended", "active"), False),
        (("active",), False),
        ((), False),
    ],
)
def test_nvidia_gpus_sleep_if_all_do(tmp_path: Path, states: tuple[str, ...], expected: bool) -> None:
    card(tmp_path, INTEL, **{"power/runtime_status": "active"})
    for state in states:
        card(tmp_path, NVIDIA, **{"power/runtime_status": state})
    assert nvidia_asleep(tmp_path) is expected


ADAPTERS = r"SYSTEM\CurrentControlSet\Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}"
RADEON = {
    "DriverDesc": "AMD Radeon RX 7800 XT",
    "MatchingDeviceId": r"PCI\VEN_1002&DEV_747E&REV_C8",
    "HardwareInformation.qwMemorySize": 16 * GIB,
}
GEFORCE = {
    "DriverDesc": "NVIDIA GeForce RTX 4090",
    "MatchingDeviceId": r"pci\ven_10de&dev_2684",
    "HardwareInformation.qwMemorySize": (24 * GIB).to_bytes(8, "little"),
}


def find_on_windows(
    *adapters: Mapping[str, Any], library: RecordedNvml = ABSENT, denied: str = ""
) -> list[FoundDevice]:
    keys = {rf"{ADAPTERS}\{number:04}": adapter for number, adapter in enumerate(adapters)}
    winreg = StandInWinreg({**keys, rf"{ADAPTERS}\Configuration": RADEON}, denied)
    registry = MachineRegistry(winreg)
    return list(find_devices(Nvml(library), Path("/nowhere"), "Windows", "AMD64", registry))


def test_an_amd_gpu_of_windows_is_named_by_its_driver() -> None:
    remark = "Training on AMD's GPUs is not supported yet; the processor trains."
    assert find_on_windows(RADEON) == [
        FoundDevice("AMD Radeon RX 7800 XT", Backend.ROCM, 16 * GIB, False, remark)
    ]


def test_on_windows_nvidias_library_comes_first() -> None:
    library = RecordedNvml.still(RecordedGpu(name="RTX 4090", total=24 * GIB))
    nvidia, amd = find_on_windows(GEFORCE, RADEON, library=library)
    assert (nvidia.name, nvidia.usable, amd.backend) == ("RTX 4090", True, Backend.ROCM)
    (without,) = find_on_windows(GEFORCE)
    assert (without.name, without.memory, without.usable) == ("NVIDIA GeForce RTX 4090", 24 * GIB, False)


@pytest.mark.parametrize(
    "adapter",
    [
        {"DriverDesc": "Microsoft Basic Display Adapter", "MatchingDeviceId": r"PCI\CC_0300"},
        {"DriverDesc": "Intel(R) UHD Graphics 630", "MatchingDeviceId": r"PCI\VEN_8086&DEV_3E92"},
        {"DriverDesc": "Remote Display", "MatchingDeviceId": "RdpIdd_IndirectDisplay"},
        {},
    ],
)
def test_on_windows_others_are_no_gpus_to_train_on(adapter: Mapping[str, Any]) -> None:
    assert find_on_windows(adapter) == []


@pytest.mark.parametrize("memory", [{}, {"HardwareInformation.qwMemorySize": 0}])
def test_a_gpu_of_windows_may_have_neither_name_nor_memory(memory: Mapping[str, Any]) -> None:
    (found,) = find_on_windows({"MatchingDeviceId": r"PCI\VEN_1002&DEV_747E", **memory})
    assert (found.name, found.memory) == ("AMD GPU", None)


@pytest.mark.parametrize(("denied", "names"), [(ADAPTERS, []), (rf"{ADAPTERS}\0000", ["AMD GPU"])])
def test_keys_of_windows_that_may_not_be_read_are_left_out(denied: str, names: list[str]) -> None:
    found = find_on_windows(RADEON, {"MatchingDeviceId": r"PCI\VEN_1002&DEV_164E"}, denied=denied)
    assert [device.name for device in found] == names


def test_this_machine_is_looked_through() -> None:
    assert all(device.remark for device in find_devices())
