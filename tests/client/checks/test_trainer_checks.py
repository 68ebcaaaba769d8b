"""Checks of what trains, with packages, environments and programs that do and do not work."""

import asyncio
import sys
import venv
from pathlib import Path, PurePosixPath

import pytest

from client.checks.trainer import (
    TorchView,
    command_in,
    judge_torch,
    look_at_p2p_daemon,
    look_at_packages,
    look_at_program,
    look_at_torch,
    look_at_torch_of,
)
from client.doctor import CheckVerdict
from client.environment.interpreter import TrainerPython
from client.environment.places import EnvironmentPlaces, EnvironmentRecord, write_record
from core.packages import PackageSet

CPU = TorchView(torch="2.13.0+cpu", cuda=None, gpus=0)
CUDA = TorchView(torch="2.13.0", cuda="12.8", gpus=2)
OWN = TrainerPython(EnvironmentPlaces(Path("none")), is_own=True)


@pytest.mark.parametrize(
    ("view", "nvidia", "verdict", "words"),
    [
        (CPU, False, CheckVerdict.OK, "for the processor only, sees no GPUs"),
        (CPU, True, CheckVerdict.WARNING, "The GPU of this computer stays unused"),
        (CUDA, True, CheckVerdict.OK, "for CUDA 12.8, sees 2 GPUs"),
        (CUDA.model_copy(update={"gpus": 0}), True, CheckVerdict.WARNING, "sees no GPUs"),
        (CUDA.model_copy(update={"gpus": 1}), True, CheckVerdict.OK, "sees 1 GPU."),
    ],
)
def test_pytorch_has_to_see_the_gpus_that_are_there(
    view: TorchView, nvidia: bool, verdict: CheckVerdict, words: str
) -> None:
    finding = judge_torch(view, nvidia)
    assert finding.verdict is verdict
    assert words in finding.found


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        ((), "The app, its trainer and the coordinator are installed."),
        (("fastapi",), "The app and its trainer are installed. To organise a run, add fastapi."),
    ],
)
def test_the_sets_of_packages_that_are_installed_are_named(missing: tuple[str, ...], words: str) -> None:
    def coordinators(wanted: PackageSet) -> tuple[str, ...]:
        return missing if wanted is PackageSet.COORDINATOR else ()

    (finding,) = asyncio.run(look_at_packages(OWN, coordinators))
    assert finding.verdict is CheckVerdict.OK
    assert finding.found == words


def test_an_environment_is_named_or_its_lack_with_the_command_that_ends_it(tmp_path: Path) -> None:
    python = TrainerPython(EnvironmentPlaces(tmp_path), is_own=False)
    (finding,) = asyncio.run(look_at_packages(python))
    assert finding.verdict is CheckVerdict.PROBLEM
    assert "idlebrush setup" in finding.remedy
    python.places.current.mkdir()
    write_record(python.places.current, EnvironmentRecord(variant="cpu", digest="d", serial=1, why="No GPU."))
    (finding,) = asyncio.run(look_at_packages(python))
    assert (finding.verdict, finding.remedy) == (CheckVerdict.OK, "")
    assert finding.found.endswith("No GPU.")


def test_an_environment_in_a_distribution_is_asked_there(tmp_path: Path) -> None:
    inside = PurePosixPath("/var/lib/idlebrush/environment")
    python = TrainerPython(EnvironmentPlaces(tmp_path), is_own=False, inside=inside)
    python.places.current.mkdir()
    write_record(python.places.current, EnvironmentRecord(variant="cpu", digest="d", serial=1, why="No GPU."))
    assert command_in(python, "print()") == (
        *("wsl.exe", "--distribution", "Idlebrush", "--exec"),
        *("/var/lib/idlebrush/environment/current/bin/python", "-I", "-c", "print()"),
    )


def test_the_environments_own_python_is_asked(tmp_path: Path) -> None:
    """Its PyTorch says which one it is; the Python of this process has another."""
    python = TrainerPython(EnvironmentPlaces(tmp_path), is_own=False)
    venv.create(python.places.current, symlinks=True)
    write_record(python.places.current, EnvironmentRecord(variant="cpu", digest="d", serial=1, why="No GPU."))
    (site,) = python.places.current.glob("lib/python*/site-packages")
    (site / "torch.py").write_text(
        "import types\n__version__ = '9.9'\nversion = types.SimpleNamespace(cuda=None)\n"
        "cuda = types.SimpleNamespace(device_count=lambda: 0)\n"
    )
    (finding,) = asyncio.run(look_at_torch_of(python, nvidia=False))
    assert "PyTorch 9.9" in finding.found
    (finding,) = asyncio.run(look_at_p2p_daemon(python))
    assert finding.verdict is CheckVerdict.PROBLEM
    assert "hivemind cannot be found" in finding.found
    assert "idlebrush setup" in finding.remedy


def test_the_pytorch_of_this_environment_works() -> None:
    (finding,) = asyncio.run(look_at_torch_of(OWN, nvidia=False))
    assert finding.verdict is CheckVerdict.OK
    assert "PyTorch 2." in finding.found


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("raise ImportError('libcuda.so is broken')", "ImportError: libcuda.so is broken"),
        ("import os; os.abort()", "exit status -6"),
        ("print('{}')", "exit status 0"),
    ],
)
def test_a_pytorch_that_does_not_load_says_its_last_words(code: str, words: str) -> None:
    (finding,) = asyncio.run(look_at_torch(nvidia=False, command=(sys.executable, "-c", code)))
    assert finding.verdict is CheckVerdict.PROBLEM
    assert words in finding.found


def test_the_peer_to_peer_daemon_of_this_environment_runs() -> None:
    (finding,) = asyncio.run(look_at_p2p_daemon(OWN))
    assert finding.verdict is CheckVerdict.OK


@pytest.mark.parametrize("content", [None, "garbage", "#!/bin/sh\nexit 1\n"])
def test_a_peer_to_peer_daemon_that_does_not_run_is_a_problem(content: str | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "p2pd").write_text(content)
        (tmp_path / "p2pd").chmod(0o755)
    assert (
        asyncio.run(look_at_program("p2pd", "1", (str(tmp_path / "p2pd"),))).verdict is CheckVerdict.PROBLEM
    )
