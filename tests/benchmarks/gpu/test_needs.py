"""A machine that cannot run `make gpu` is told why and what to do, before anything is imported or measured."""

import sys
from typing import Any

import pytest
import torch

from benchmarks.gpu.needs import NEEDED, GpuError, MeasuredGpu, check_python, find_gpu, gpu_of

SEEN: dict[str, Any] = {
    "torch": "2.11.0+cu130",
    "cuda": "13.0",
    "gpus": 1,
    "error": "",
    "name": "NVIDIA H200",
    "memory": 150_000_000_000,
    "capability": [9, 0],
}


def all_but(*missing: str) -> Any:
    return lambda package: package not in missing


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 12, 3), (3, 13, 9)])
@pytest.mark.parametrize("torch", ["2.10.0", "2.11.0+cu130", "3.0.1"])
def test_supported_versions_are_taken(version: tuple[int, ...], torch: str) -> None:
    check_python(version, all_but(), lambda: torch)


@pytest.mark.parametrize("version", [(3, 10, 12), (3, 14, 0)])
def test_other_pythons_are_refused(version: tuple[int, ...]) -> None:
    with pytest.raises(GpuError, match=f"This is Python {version[0]}.{version[1]}, and"):
        check_python(version, all_but(), lambda: "2.11.0")


@pytest.mark.parametrize("torch", ["2.9.1", "1.13.0+cu117"])
def test_an_older_torch_is_refused(torch: str) -> None:
    with pytest.raises(GpuError, match=rf"PyTorch {torch.replace('+', '.')}, and 2.10 or newer"):
        check_python((3, 12), all_but(), lambda: torch)


def test_without_torch_the_python_that_has_it_is_asked_for() -> None:
    with pytest.raises(GpuError, match="PyTorch is not installed") as caught:
        check_python((3, 12), all_but("torch"), lambda: "")
    assert "make gpu PYTHON=" in caught.value.remedy


def test_missing_packages_are_named_with_what_brings_them() -> None:
    with pytest.raises(GpuError, match="lacks pydantic, rich") as caught:
        check_python((3, 12), all_but("pydantic", "rich"), lambda: "2.11.0")
    assert "benchmarks/environments/gpu.txt" in caught.value.remedy
    assert "PYTHONPATH" in caught.value.remedy


def test_hivemind_bitsandbytes_and_qt_are_not_needed() -> None:
    assert not {"hivemind", "bitsandbytes", "PySide6", "transformers", "pytest"} & set(NEEDED)


def test_a_gpu_is_known_by_what_torch_says_of_it() -> None:
    assert gpu_of(SEEN) == MeasuredGpu("NVIDIA H200", 150_000_000_000, (9, 0), "2.11.0+cu130", "13.0")


@pytest.mark.parametrize(
    ("changes", "what", "remedy"),
    [
        ({"cuda": None}, "No NVIDIA GPU was found: .* build without CUDA", "make gpu PYTHON="),
        ({"gpus": 0}, "No NVIDIA GPU was found by PyTorch 2.11.0", "nvidia-smi"),
        ({"error": "RuntimeError: driver too old"}, r"No NVIDIA GPU was found .*driver too old\)", "driver"),
    ],
)
def test_without_a_gpu_the_remedy_is_shown(changes: dict[str, Any], what: str, remedy: str) -> None:
    with pytest.raises(GpuError, match=what) as caught:
        gpu_of(SEEN | changes)
    assert remedy in caught.value.remedy


@pytest.mark.skipif(torch.cuda.is_available(), reason="There is a GPU.")
def test_this_machine_has_none() -> None:
    with pytest.raises(GpuError, match="No NVIDIA GPU was found"):
        find_gpu()


def test_a_torch_that_cannot_be_imported_is_reported_as_such() -> None:
    broken = [sys.executable, "-c", "raise SystemExit('libcuda.so is broken')"]
    with pytest.raises(GpuError, match=r"libcuda\.so is broken"):
        find_gpu(broken)
