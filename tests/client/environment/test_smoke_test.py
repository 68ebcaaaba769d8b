"""The smoke test passes in an environment that trains, and names the step that fails in one that does not."""

import sys
from pathlib import Path

import pytest

from client.environment.places import python_of
from client.environment.programs import ProgramRunner
from client.environment.smoke_test import SmokeFailure, SmokeTest


@pytest.fixture
def programs(tmp_path: Path) -> ProgramRunner:
    return ProgramRunner(tmp_path / "setup.log", tmp_path / "temporary")


def test_this_environment_passes_with_the_real_packages(programs: ProgramRunner) -> None:
    SmokeTest(programs).run(Path(sys.prefix), "cpu", ("torch", "hivemind"))


def environment_of(folder: Path, script: str) -> Path:
    """An environment whose Python does what the script says, whatever it is to run."""
    python = python_of(folder)
    python.parent.mkdir(parents=True)
    python.write_text(f"#!{sys.executable}\nimport os, time\n{script}\n")
    python.chmod(0o755)
    return folder


@pytest.mark.parametrize(
    ("script", "words", "on_gpu"),
    [
        (
            """print('{"smoke": {"begun": "imports"}}'); exit('No module named torch')""",
            "packages cannot be loaded",
            0,
        ),
        (
            """print('{"smoke": {"begun": "product"}}', flush=True); os.kill(os.getpid(), 4)""",
            "ended by signal 4",
            1,
        ),
        ("""print('{"smoke": {"begun": "product"}}', flush=True); time.sleep(60)""", "takes too long", 1),
        ("""print('{"smoke": {"passed": true}}', flush=True); exit(3)""", "exit status 3", 0),
        ("print('fine'); exit(0)", "does not start", 0),
        (
            """print('{"smoke": {"begun": "product"}}'); print('CUDA error: out of memory'); exit(1)""",
            "out of memory",
            0,
        ),
    ],
    ids=["imports", "crash", "hang", "late crash", "another program", "no memory"],
)
def test_the_step_that_fails_is_named(
    script: str, words: str, on_gpu: int, tmp_path: Path, programs: ProgramRunner
) -> None:
    environment = environment_of(tmp_path / "environment", script)
    with pytest.raises(SmokeFailure, match=words) as caught:
        SmokeTest(programs, seconds=3.0).run(environment, "cuda", ("torch",))
    assert caught.value.on_gpu is bool(on_gpu)


def test_a_failure_on_the_processor_is_no_failure_of_a_gpu(tmp_path: Path, programs: ProgramRunner) -> None:
    script = """print('{"smoke": {"begun": "product"}}', flush=True); os.kill(os.getpid(), 4)"""
    environment = environment_of(tmp_path / "environment", script)
    with pytest.raises(SmokeFailure, match="a product on the processor failed") as caught:
        SmokeTest(programs).run(environment, "cpu", ("torch",))
    assert not caught.value.on_gpu


def test_an_environment_without_python_is_told_in_words(tmp_path: Path, programs: ProgramRunner) -> None:
    with pytest.raises(SmokeFailure, match="its Python cannot be started: No such file"):
        SmokeTest(programs).run(tmp_path / "environment", "cpu", ("torch",))
