"""The command line as a command: help at once, errors in two lines, answers for programs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from core.checkpoint import TrainingState, save


def idlebrush(*arguments: object) -> subprocess.CompletedProcess[str]:
    code = "import sys; from client.cli import main; sys.argv[0] = 'idlebrush'; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    folder = tmp_path / "checkpoint"
    tensors = {"weight": torch.arange(6, dtype=torch.float32)}
    save(folder, TrainingState("emoji", "ab" * 32, 7, tensors, tensors))
    return folder


def test_version() -> None:
    assert idlebrush("--version").stdout.startswith("idlebrush 0.")


@pytest.mark.parametrize(
    "verb", [(), ("demo",), ("bench",), ("dataset", "build"), ("dataset", "check"), ("checkpoint", "verify")]
)
def test_every_verb_explains_itself_without_loading_torch(verb: tuple[str, ...]) -> None:
    code = (
        "import sys; from client.cli import app; app([*sys.argv[1:], '--help'], standalone_mode=False);"
        "assert not {'torch', 'hivemind', 'numpy'} & sys.modules.keys()"
    )
    done = subprocess.run([sys.executable, "-c", code, *verb], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "--help" in done.stdout


def test_a_sound_checkpoint_is_described(checkpoint: Path) -> None:
    assert "the run emoji after epoch 7" in idlebrush("checkpoint", "verify", checkpoint).stdout
    report = json.loads(idlebrush("checkpoint", "verify", checkpoint, "--json").stdout)
    assert (report["epoch"], report["parameters"]) == (7, 6)


def test_this_machines_speed_is_told_beside_others() -> None:
    answer = json.loads(idlebrush("bench", "--seconds", "0", "--threads", "1", "--json").stdout)
    here, others = answer["this_machine"], answer["others"]
    assert here["threads"] == 1
    assert here["models"].keys() == others[0]["models"].keys()
    assert all(speed["tokens_per_second"] > 0 for speed in here["models"].values())


def test_a_checkpoint_with_one_byte_changed_is_refused_in_two_lines(checkpoint: Path) -> None:
    file = checkpoint / "model.safetensors"
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    done = idlebrush("checkpoint", "verify", checkpoint)
    assert done.returncode == 2
    assert "model.safetensors" in done.stderr
    assert len(done.stderr.splitlines()) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("checkpoint", "verify", "nowhere"), "checkpoint.json is missing"),
        (("dataset", "check", "nowhere"), "nowhere/index.json"),
        (("dataset", "build", "nowhere", "--out", "shards"), "nowhere"),
        (("demo", "--out", "/dev/null"), "/dev/null"),
    ],
)
def test_nonsense_is_refused_in_two_lines(arguments: tuple[str, ...], words: str) -> None:
    done = idlebrush(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("bench", "--threads", "0"),
        ("bench", "--seconds", "-1"),
        ("demo", "--epochs", "0"),
        ("demo", "--peers", "x"),
        ("paint",),
    ],
)
def test_a_command_line_that_makes_no_sense_is_refused(arguments: tuple[str, ...]) -> None:
    assert idlebrush(*arguments).returncode == 2
