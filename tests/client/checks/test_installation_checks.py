"""Checks of what is installed, with programs and daemons that do and do not work."""

import asyncio
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from client.checks.installation import (
    TorchView,
    judge_torch,
    look_at_daemon,
    look_at_folders,
    look_at_p2p_daemon,
    look_at_packages,
    look_at_program,
    look_at_torch,
    output_of,
)
from client.doctor import CheckVerdict
from client.paths import Paths
from core.packages import PackageSet
from tests.client.listening_daemon import listening
from tests.client.snapshots import FULL

CPU = TorchView(torch="2.13.0+cpu", cuda=None, gpus=0)
CUDA = TorchView(torch="2.13.0", cuda="12.8", gpus=2)


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path / "home")})


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
    ("missing", "verdict", "words"),
    [
        ((), CheckVerdict.OK, "The app, its trainer and the coordinator are installed."),
        (
            ("fastapi",),
            CheckVerdict.OK,
            "The app and its trainer are installed. To organise a run, add fastapi.",
        ),
        (("fastapi", "torch"), CheckVerdict.PROBLEM, "without its trainer. Missing: torch."),
    ],
)
def test_the_sets_of_packages_that_are_installed_are_named(
    missing: tuple[str, ...], verdict: CheckVerdict, words: str
) -> None:
    owners = {PackageSet.TRAINER: {"torch"}, PackageSet.COORDINATOR: {"fastapi"}}
    (finding,) = asyncio.run(
        look_at_packages(lambda wanted: tuple(name for name in missing if name in owners[wanted]))
    )
    assert finding.verdict is verdict
    assert words in finding.found
    assert ("make install" in finding.remedy) == (verdict is CheckVerdict.PROBLEM)


def test_the_pytorch_of_this_environment_works() -> None:
    (finding,) = asyncio.run(look_at_torch(nvidia=False))
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
    (finding,) = asyncio.run(look_at_p2p_daemon())
    assert finding.verdict is CheckVerdict.OK


@pytest.mark.parametrize("content", [None, "garbage", "#!/bin/sh\nexit 1\n"])
def test_a_peer_to_peer_daemon_that_does_not_run_is_a_problem(content: str | None, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / "p2pd").write_text(content)
        (tmp_path / "p2pd").chmod(0o755)
    assert asyncio.run(look_at_program(tmp_path / "p2pd")).verdict is CheckVerdict.PROBLEM


def test_a_program_that_nobody_waits_for_any_more_is_ended(tmp_path: Path) -> None:
    async def give_up() -> None:
        async with asyncio.timeout(0.5):
            await output_of(sys.executable, "-c", f"import os, time; {note}; time.sleep(600)")

    file = tmp_path / "pid"
    note = f"open({str(file)!r}, 'w').write(str(os.getpid()))"
    with pytest.raises(TimeoutError):
        asyncio.run(give_up())
    assert not file.exists() or not Path(f"/proc/{file.read_text()}").exists()


def test_folders_that_can_be_used_are_named(paths: Paths) -> None:
    for _ in ("before they are made", "and after"):
        (finding,) = asyncio.run(look_at_folders(paths))
        assert finding.verdict is CheckVerdict.OK
        assert str(paths.data) in finding.found
        paths.prepare()


def test_a_folder_that_others_may_write_to_is_a_problem(paths: Paths) -> None:
    paths.prepare()
    paths.data.chmod(0o777)
    (finding,) = asyncio.run(look_at_folders(paths))
    assert finding.verdict is CheckVerdict.PROBLEM
    assert finding.remedy == f"Run: chmod 700 {paths.data}"


def test_a_folder_below_a_file_is_a_problem(paths: Paths) -> None:
    paths.data.parent.write_text("")
    findings = asyncio.run(look_at_folders(paths))
    assert {finding.verdict for finding in findings} == {CheckVerdict.PROBLEM}


@pytest.mark.parametrize(
    ("installed", "verdict", "words"),
    [
        (version("idlebrush"), CheckVerdict.OK, "runs as process 4700"),
        ("0.0.1", CheckVerdict.WARNING, "version 0.0.1"),
    ],
)
def test_a_daemon_of_another_version_is_reported(
    installed: str, verdict: CheckVerdict, words: str, paths: Paths
) -> None:
    with listening(paths, FULL.model_copy(update={"version": installed})):
        (finding,) = asyncio.run(look_at_daemon(paths))
    assert finding.verdict is verdict
    assert words in finding.found


def test_a_daemon_that_does_not_run_is_no_problem(paths: Paths) -> None:
    (finding,) = asyncio.run(look_at_daemon(paths))
    assert finding.verdict is CheckVerdict.OK
