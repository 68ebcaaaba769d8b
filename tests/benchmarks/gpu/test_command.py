"""`make gpu` on a machine without a GPU: all parts run on the processor, with nothing but what they need."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
import torch

from benchmarks.gpu.__main__ import main, outcome_of, run_part
from benchmarks.gpu.cuda_tests import marked_files
from benchmarks.gpu.needs import LIST, NEEDED
from benchmarks.gpu.parts import PARTS, GpuPart, Omission, PartEnding
from tests.blocked_packages import required, without
from tests.waiting import wait_until

ROOT = Path(__file__).parents[3]
ALL_PARTS = """
import importlib, sys
from benchmarks.gpu.part import run_part
from benchmarks.gpu.parts import PARTS
options = ["--device", "cpu", "--seconds", "600", "--out", sys.argv[1], "--reference", "none"]
modules = [(part.name, importlib.import_module(part.module)) for part in PARTS]
sys.exit(sum(run_part(name, module.__doc__, module.measure, options) for name, module in modules))
"""
STAND_IN = GpuPart("stand_in", "tests.benchmarks.gpu.stand_in_part", 10, "nothing")


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """An environment in which none of the project's packages can be imported but those that are needed."""
    blocked = required("", "trainer", "coordinator", "dev") - {*NEEDED, "pytest"}
    assert {"hivemind", "bitsandbytes", "PySide6", "pyarrow", "tokenizers", "cryptography"} <= blocked
    return without(blocked, tmp_path / "blocking")


def run(environment: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    whole = [sys.executable, *command]
    return subprocess.run(whole, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def written(folder: Path) -> dict[str, Any]:
    return {path.stem.removeprefix("gpu_"): json.loads(path.read_text()) for path in folder.glob("gpu*.json")}


def test_all_parts_run_without_a_gpu_and_without_the_packages_of_the_rest(
    bare: dict[str, str], tmp_path: Path
) -> None:
    done = run(bare, "-c", ALL_PARTS, str(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    found = written(tmp_path)
    assert found.keys() == {part.name for part in PARTS}
    assert [name for name, content in found.items() if not content["results"]] == ["volunteer"]
    assert not any(content["settings"]["failed"] for content in found.values())
    assert {row["outcome"] for row in found["tests"]["results"]} == {"skipped"}
    assert all(row["ratio"] > 0 for row in found["memory"]["results"])
    for row in found["speed"]["results"]:
        assert row["MFU_of_product"] > 0
        assert row["model_TFLOP"] <= row["computed_TFLOP"]
    assert [row["techniques"] for row in found["speed"]["results"]][:2] == ["plan", "fixed"]
    assert {row["side"] for row in found["training"]["results"]} == {"idlebrush"}
    left_out = {
        item["what"]: item["why"] for content in found.values() for item in content["settings"]["left_out"]
    }
    assert left_out.keys() == {"BERT, GPT-2, T5, GPT-J", "CUDA graphs", "dalle-pytorch", "the client"}
    assert "dalle_pytorch, einops" in left_out["dalle-pytorch"]
    assert LIST in left_out["dalle-pytorch"]
    assert LIST in left_out["BERT, GPT-2, T5, GPT-J"]


@pytest.mark.exhaustive  # its trainer has the lowest priority, and waits while other tests compute
def test_a_volunteer_joins_trains_and_pauses(tmp_path: Path) -> None:
    options = ("--device", "cpu", "--seconds", "280", "--out", str(tmp_path))
    done = run({**os.environ}, "-m", "benchmarks.gpu.volunteer", *options)
    assert done.returncode == 0, done.stdout + done.stderr
    found = written(tmp_path)["volunteer"]
    stages = [row["stage"] for row in found["results"]]
    assert stages == ["joined", "trained", "paused", "a second later", "resumed"]
    assert found["results"][1]["samples_/_s"] > 0
    assert "Without a GPU" in found["settings"]["plan_of_embedded"]


@pytest.mark.exhaustive
def test_training_is_compared_with_a_reference_where_there_is_one(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text(
        f'#!/bin/sh\nshift 2\nexec "{sys.executable}" -m tests.benchmarks.gpu.stand_in_reference "$@"\n'
    )
    python.chmod(0o755)
    options = ("--device", "cpu", "--seconds", "240", "--out", str(tmp_path), "--reference", str(python))
    done = run({**os.environ, "OMP_NUM_THREADS": "1"}, "-m", "benchmarks.gpu.training", *options)
    assert done.returncode == 0, done.stdout + done.stderr
    found = written(tmp_path)["training"]
    assert not found["settings"]["failed"]
    assert not found["settings"]["left_out"]
    losses = found["settings"]["losses"]
    assert losses["idlebrush"] == pytest.approx(losses["dalle-pytorch"], rel=2e-2)
    rows = [(row["card_GiB"], row["side"]) for row in found["results"]]
    assert rows == [(card, side) for card in (8, 4) for side in ("dalle-pytorch", "idlebrush")]
    assert all(row["batch"] > 0 for row in found["results"])
    assert all((row["ratio"] > 0) == (row["side"] == "idlebrush") for row in found["results"])


def test_a_run_says_at_its_end_what_ran_and_what_was_left_out(tmp_path: Path) -> None:
    options = ("--device", "cpu", "--only", "generation", "--out", str(tmp_path), "--minutes", "2")
    done = run({**os.environ, "OMP_NUM_THREADS": "1"}, "-m", "benchmarks.gpu", *options)
    assert done.returncode == 0, done.stdout + done.stderr
    found = written(tmp_path)
    assert found.keys() == {"gpu", "generation"}
    assert [(row["part"], row["ending"]) for row in found["gpu"]["results"]] == [("generation", "ran")]
    *_, ran, left_out, where = done.stdout.splitlines()
    assert ran.startswith("generation (drawing with and without CUDA graphs): ran, ")
    assert left_out == "    left out: CUDA graphs: there is no GPU"
    assert where == f"Results are in {tmp_path}."


STAND_IN_PYTHON = """#!/bin/sh
case "$1" in
-c) {answer} ;;
-m) echo "$0 $*" ;;
esac
"""
"""A Python that answers whether its PyTorch is built for CUDA, and prints how it is started."""
HAS_CUDA, LACKS_CUDA = "exit 0", "echo PyTorch 2.13.0+cpu is a build without CUDA >&2; exit 1"


def stand_ins(folder: Path, answers: dict[str, str]) -> None:
    for name, answer in answers.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(STAND_IN_PYTHON.format(answer=answer))
        (folder / name).chmod(0o755)


def make_gpu(folder: Path, *given: str) -> subprocess.CompletedProcess[str]:
    """Run `make gpu` where ``folder`` is all of the search path, and its folder `venv` the environment."""
    program = shutil.which("make")
    assert program is not None
    command = [program, "--no-print-directory", "--silent", "gpu", f"VENV={folder}/venv", *given]
    environment = {"PATH": str(folder), "HOME": str(folder)}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("answers", "given", "taken"),
    [
        ({"venv/bin/python": HAS_CUDA, "python3": HAS_CUDA}, (), "venv/bin/python"),
        ({"venv/bin/python": LACKS_CUDA, "python3": HAS_CUDA}, (), "python3"),
        ({"python3.12": LACKS_CUDA, "python3": LACKS_CUDA, "python": HAS_CUDA}, (), "python"),
        ({"venv/bin/python": HAS_CUDA, "mine": LACKS_CUDA}, ("PYTHON=mine",), "mine"),
    ],
    ids=["the environment's", "the machine's", "the last one", "the one that is named, whatever it has"],
)
def test_the_python_that_is_named_measures_or_else_the_first_whose_torch_has_cuda(
    tmp_path: Path, answers: dict[str, str], given: tuple[str, ...], taken: str
) -> None:
    stand_ins(tmp_path, answers)
    done = make_gpu(tmp_path, *given)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [f"{tmp_path}/{taken}", "-m", "benchmarks.gpu"]


def test_without_a_torch_for_cuda_it_says_which_pythons_were_tried_and_what_to_do(tmp_path: Path) -> None:
    stand_ins(tmp_path, {"venv/bin/python": LACKS_CUDA, "python3.13": "echo no torch >&2; exit 1"})
    done = make_gpu(tmp_path)
    assert done.returncode != 0
    assert done.stderr.splitlines()[:4] == [
        "No Python with a PyTorch that is built for CUDA was found. These were tried:",
        f"  {tmp_path}/venv/bin/python: PyTorch 2.13.0+cpu is a build without CUDA",
        "  python3.13: no torch",
        "Name the Python that has it: make gpu PYTHON=/path/to/python3. Nothing is installed by make gpu.",
    ]


def test_where_no_python_is_installed_it_says_so(tmp_path: Path) -> None:
    done = make_gpu(tmp_path)
    assert done.returncode != 0
    assert "These were tried: none is installed" in done.stderr


@pytest.mark.skipif(torch.version.cuda is not None, reason="This PyTorch is built for CUDA.")
def test_a_real_torch_without_cuda_is_known(tmp_path: Path) -> None:
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    (tmp_path / "venv" / "bin" / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (tmp_path / "venv" / "bin" / "python").chmod(0o755)
    done = make_gpu(tmp_path)
    assert f"PyTorch {torch.__version__} is a build without CUDA" in done.stderr


def test_without_a_gpu_it_ends_at_once_and_says_what_to_do(bare: dict[str, str], tmp_path: Path) -> None:
    done = run({**bare, "CUDA_VISIBLE_DEVICES": ""}, "-m", "benchmarks.gpu", "--out", str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith("No NVIDIA GPU was found")
    assert len(done.stderr.splitlines()) == 2, "what happened and what to do, and no traceback"
    assert not list(tmp_path.glob("*.json"))


@pytest.mark.parametrize("minutes", ["nan", "inf", "0", "-1", "eight"])
def test_a_time_that_is_none_is_refused(minutes: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([f"--minutes={minutes}"])
    assert "--minutes" in capsys.readouterr().err


def test_a_part_that_does_not_end_is_killed_with_all_that_it_started(tmp_path: Path) -> None:
    options = argparse.Namespace(device="cpu", out=tmp_path, reference=None)
    began = time.monotonic()
    outcome = run_part(STAND_IN, 3.0, options)
    assert time.monotonic() - began < 10
    assert outcome.ending is PartEnding.RAN, "what it had measured counts"
    assert outcome.left_out == (Omission("what it had not begun", "its time was over, and it was killed"),)
    child = json.loads((tmp_path / "gpu_stand_in.json").read_text())["settings"]["child"]
    wait_until(lambda: not _runs(child), "what it had started still runs")


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def results(*, failed: bool = False, rows: int = 1) -> dict[str, Any]:
    wrong = [{"what": "this", "why": "that"}] if failed else []
    settings = {"left_out": [{"what": "BERT", "why": "no time was left"}], "failed": wrong}
    return {"settings": settings, "results": [{}] * rows}


@pytest.mark.parametrize(
    ("status", "written", "ending", "why"),
    [
        (0, results(), PartEnding.RAN, ""),
        (None, results(), PartEnding.RAN, ""),
        (1, results(failed=True), PartEnding.FAILED, "this: that"),
        (-11, results(), PartEnding.FAILED, "status -11"),
        (1, None, PartEnding.FAILED, "status 1"),
        (None, None, PartEnding.LEFT_OUT, "killed"),
        (0, results(rows=0), PartEnding.LEFT_OUT, "no time was left"),
    ],
)
def test_how_a_part_came_out(
    status: int | None, written: dict[str, Any] | None, ending: PartEnding, why: str
) -> None:
    outcome = outcome_of(STAND_IN, status, written)
    assert outcome.ending is ending
    assert why in outcome.why


def test_every_room_of_the_core_that_uses_a_gpu_has_tests_for_one() -> None:
    core = Path(__file__).parents[2] / "core"
    rooms = {path.relative_to(core).parts[0] for path in marked_files() if path.is_relative_to(core)}
    assert {"model", "memory", "generation", "optim", "trainer"} <= rooms
