"""GPUs are found through recordings of NVIDIA's library and through folders like /sys."""

from pathlib import Path

import pytest

from client.machine.gpu.cards import nvidia_asleep
from client.machine.gpu.devices import Backend, FoundDevice, find_devices
from client.machine.gpu.nvml import Nvml
from tests.client.machine.recorded_nvml import GIB, RecordedGpu, RecordedNvml

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


def test_this_machine_is_looked_through() -> None:
    assert all(device.remark for device in find_devices())
