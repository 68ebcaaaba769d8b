"""The variant that a machine uses, and the sentence that says why: a table."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from client.api.errors import NvmlAbsent, NvmlError, SetupError
from client.environment.lock_file import Variant, VariantNeeds, Wheel
from client.environment.machine_facts import GpuFacts, MachineFacts, read_facts
from client.environment.variants import choose, processor_variant
from client.machine.gpu.nvml import Nvml
from client.machine.readings import Known, Reading, Unknown

WHEEL = Wheel(
    package="torch",
    version="2.13.0",
    file="torch-2.13.0-cp311-cp311-manylinux_2_28_x86_64.whl",
    size=1,
    unpacked=1,
    sha256="0" * 64,
    addresses=("https://example.org/torch.whl",),
)
ABSENT = "Its driver is not installed, or does not run."


def variant(name: str, **needs: Any) -> Variant:
    needs = {"system": "linux", "machine": "x86_64", "python": "3.11", "glibc": "2.28", **needs}
    return Variant(
        name=name, title=name.upper(), needs=VariantNeeds(**needs), imports=("torch",), wheels=(WHEEL,)
    )


CPU = variant("cpu")
LISTED = (
    variant("cu13", gpu="nvidia", driver="580", capability="7.5"),
    variant("cu126", gpu="nvidia", driver="560.28.03", capability="5.0", capability_below="10.0"),
    variant("rocm", gpu="amd", targets=("gfx1100", "gfx1101")),
    CPU,
    variant("cpu-mac", system="macos", machine="arm64", glibc=None),
)


def nvidia(driver: str | None = "580.65.06", capability: str = "8.9", name: str = "RTX 4070") -> GpuFacts:
    if driver is None:
        return GpuFacts("nvidia", "NVIDIA GPU", Unknown(ABSENT), Unknown(ABSENT))
    return GpuFacts("nvidia", name, Known(driver, "NVML"), Known(capability, "NVML"))


def amd(target: str | None) -> GpuFacts:
    known: Reading[str] = (
        Known(target, "KFD") if target else Unknown("Its compute driver (ROCm) is not there.")
    )
    return GpuFacts("amd", "Radeon", Unknown("Linux does not report its version."), known)


@pytest.mark.parametrize(
    ("gpus", "name", "words", "is_fallback"),
    [
        ((), "cpu", "No GPU of NVIDIA or AMD was found, so the processor trains.", False),
        ((nvidia(),), "cu13", "RTX 4070 trains (CU13).", False),
        ((nvidia("580"),), "cu13", "RTX 4070 trains (CU13).", False),
        ((nvidia("579.99.99"),), "cu126", "RTX 4070 trains (CU126).", False),
        ((nvidia("560.28.3"),), "cu126", "RTX 4070 trains (CU126).", False),
        ((nvidia(capability="6.1"),), "cu126", "RTX 4070 trains (CU126).", False),
        (
            (nvidia("470.57"),),
            "cpu",
            "NVIDIA driver 470.57 is too old for RTX 4070: update it to 560.28.03",
            True,
        ),
        (
            (nvidia("575", "12.0"),),
            "cpu",
            "NVIDIA driver 575 is too old for RTX 4070: update it to 580",
            True,
        ),
        ((nvidia("575", "9.9"),), "cu126", "RTX 4070 trains (CU126).", False),
        ((nvidia("garbled"),), "cpu", "The NVIDIA driver garbled is too old", True),
        ((nvidia(capability="3.5"),), "cpu", "needs compute capability 5.0, and it has 3.5.", True),
        ((nvidia(None),), "cpu", "NVIDIA GPU cannot be used: its driver is not installed", True),
        ((amd("gfx1100"),), "rocm", "Radeon trains (ROCM).", False),
        ((amd("gfx906"),), "cpu", "PyTorch has no code for Radeon (gfx906).", True),
        ((amd(None),), "cpu", "Radeon cannot be used: its compute driver (ROCm) is not there.", True),
        ((amd(None), nvidia()), "cu13", "RTX 4070 trains (CU13).", False),
        ((nvidia("470.57"), amd("gfx1101")), "rocm", "Radeon trains (ROCM).", False),
        (
            (nvidia("470.57", name="A"), amd(None)),
            "cpu",
            "for A: update it to 560.28.03 or newer. Radeon",
            True,
        ),
    ],
)
def test_variant_by_gpu(gpus: tuple[GpuFacts, ...], name: str, words: str, is_fallback: bool) -> None:
    choice = choose(LISTED, MachineFacts("linux", "x86_64", "3.11", "2.36", gpus))
    assert (choice.variant.name, choice.is_fallback) == (name, is_fallback)
    assert words in choice.text


def test_a_gpu_that_is_newer_than_all_that_is_listed_is_told() -> None:
    choice = choose(
        (LISTED[1], CPU), MachineFacts("linux", "x86_64", "3.11", "2.36", (nvidia(capability="10.0"),))
    )
    assert choice.text == "The processor trains. PyTorch has no code for RTX 4070 (10.0)."


def test_a_gpu_for_which_nothing_is_listed_is_told() -> None:
    choice = choose((CPU,), MachineFacts("linux", "x86_64", "3.11", "2.36", (nvidia(),)))
    assert choice.text == "The processor trains. There are no packages for RTX 4070 on this system yet."
    assert choice.is_fallback


@pytest.mark.parametrize(
    ("facts", "name"),
    [
        (MachineFacts("macos", "arm64", "3.11", None, ()), "cpu-mac"),
        (MachineFacts("linux", "x86_64", "3.11", "2.28", ()), "cpu"),
    ],
)
def test_variant_by_system(facts: MachineFacts, name: str) -> None:
    assert choose(LISTED, facts).variant.name == name
    assert processor_variant(LISTED, facts) == choose(LISTED, facts).variant


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (
            MachineFacts("linux", "x86_64", "3.11", "2.27", (nvidia(),)),
            "They need glibc 2.28 or newer, and this",
        ),
        (MachineFacts("linux", "x86_64", "3.11", None, ()), "this system has another C library"),
        (MachineFacts("linux", "x86_64", "3.12", "2.36", ()), "for Python 3.11, and this is Python 3.12"),
        (MachineFacts("linux", "arm64", "3.11", "2.36", ()), "this is linux on arm64"),
        (MachineFacts("windows", "x86_64", "3.11", None, ()), "this is windows on x86_64"),
    ],
)
def test_a_machine_for_which_there_is_nothing_is_told_why(facts: MachineFacts, words: str) -> None:
    with pytest.raises(SetupError, match="no packages for training on this computer") as caught:
        choose(LISTED[:-1], facts)
    assert words in caught.value.what
    assert processor_variant(LISTED[:-1], facts) is None


class FakeNvml(Nvml):
    """NVML with one GPU, or with an error, at once or for some functions."""

    def __init__(self, error: NvmlError | None = None, fails_at: str = "nvmlDeviceGetCount") -> None:
        super().__init__()
        self._error, self._fails_at = error, fails_at

    def handles(self) -> list[Any]:
        self.ask("nvmlDeviceGetCount")
        return ["gpu"]

    def ask(self, function: str, *arguments: Any) -> Any:
        if self._error and function == self._fails_at:
            raise self._error
        return {
            "nvmlDeviceGetCount": 1,
            "nvmlDeviceGetMemoryInfo": SimpleNamespace(total=12 << 30),
            "nvmlSystemGetDriverVersion": b"580.65.06",
            "nvmlDeviceGetCudaComputeCapability": [8, 9],
            "nvmlDeviceGetName": "RTX 4070",
        }[function]


def folder_of_devices(folder: Path, *vendors: str, targets: tuple[int, ...] = ()) -> Path:
    """Files as the Linux kernel shows them for graphics cards, and for AMD's compute driver."""
    for number, vendor in enumerate(vendors):
        card = folder / f"bus/pci/devices/0000:0{number}:00.0"
        card.mkdir(parents=True)
        (card / "vendor").write_text(f"{vendor}\n")
        (card / "class").write_text("0x030000\n")
    for number, target in enumerate(targets):
        node = folder / f"class/kfd/kfd/topology/nodes/{number}"
        node.mkdir(parents=True)
        (node / "properties").write_text(f"cpu_cores_count 0\ngfx_target_version {target}\nvendor_id 4098\n")
    return folder


def test_facts_of_an_nvidia_gpu(tmp_path: Path) -> None:
    facts = read_facts(FakeNvml(), tmp_path, lambda: ("glibc", "2.36"))
    assert facts.gpus == (nvidia(),)
    assert facts.glibc == "2.36"


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (NvmlAbsent("No driver.", "-"), "Its driver does not run."),
        (NvmlError("The driver was updated.", "-"), "The driver was updated."),
    ],
)
def test_a_gpu_whose_driver_does_not_answer_is_known_to_be_there(
    error: NvmlError, why: str, tmp_path: Path
) -> None:
    devices = folder_of_devices(tmp_path, "0x10de", "0x8086")
    facts = read_facts(FakeNvml(error), devices, lambda: ("", ""))
    assert facts.glibc is None
    for gpu in facts.gpus:
        assert isinstance(gpu.driver, Unknown)
        assert why in gpu.driver.why
    assert {gpu.vendor for gpu in facts.gpus} == {"nvidia"}


def test_a_driver_that_is_lost_meanwhile_is_unknown(tmp_path: Path) -> None:
    lost = FakeNvml(NvmlError("The driver was updated.", "-"), "nvmlDeviceGetCudaComputeCapability")
    (gpu,) = read_facts(lost, tmp_path, lambda: ("glibc", "2.36")).gpus
    assert (gpu.name, gpu.driver) == ("RTX 4070", Unknown("The driver was updated."))


@pytest.mark.parametrize(
    ("targets", "found"), [((0, 110000), "gfx1100"), ((0, 90010), "gfx90a"), ((0,), None), ((), None)]
)
def test_facts_of_an_amd_gpu(targets: tuple[int, ...], found: str | None, tmp_path: Path) -> None:
    devices = folder_of_devices(tmp_path, "0x1002", targets=targets)
    (gpu,) = read_facts(FakeNvml(NvmlAbsent("-", "-")), devices, lambda: ("glibc", "2.36")).gpus
    assert gpu.vendor == "amd"
    assert (gpu.capability.value if isinstance(gpu.capability, Known) else None) == found
