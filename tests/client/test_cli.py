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
    "verb",
    [
        (),
        ("demo",),
        ("bench",),
        ("plan",),
        ("dataset", "build"),
        ("dataset", "check"),
        ("checkpoint", "verify"),
    ],
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


def test_a_plan_tells_programs_all_it_knows() -> None:
    answer = json.loads(idlebrush("plan", "dalle", "--gpu-memory", "8GiB", "--ram", "16GiB", "--json").stdout)
    assert answer["parameters"] == 125_894_244
    assert answer["available"] == {"gpu": 8 << 30, "ram": 16 << 30}
    for place, size in answer["taken"].items():
        assert sum(line["bytes"] for line in answer["lines"] if line["place"] == place.upper()) == size
        assert size <= answer["usable"][place] < answer["available"][place]
    assert all(line["name"] and line["formula"] and line["source"] for line in answer["lines"])
    assert answer["peak_moments"].keys() == {"gpu", "ram"}
    assert (answer["fits"], answer["on_gpu"], answer["in_swarm"]) == (True, True, True)
    assert answer["techniques"]["optimizer_on_cpu"] is True
    assert answer["missing"] == {"gpu": 0, "ram": 0}
    assert "8 GiB of free GPU memory" in answer["reason"]


def test_a_given_combination_is_planned_without_loading_torch() -> None:
    code = (
        "import sys; from client.cli import app; app(sys.argv[1:], standalone_mode=False);"
        "assert not {'torch', 'hivemind', 'numpy'} & sys.modules.keys()"
    )
    asked = (
        "plan gpt2 --gpu-memory 0 --ram 64GiB --batch 3 --length 256 --precision float32"
        " --activations checkpoint --shared-layers 4 --alone --json"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *asked.split()], capture_output=True, text=True, check=False
    )
    answer = json.loads(done.stdout)
    expected = {"micro_batch": 3, "precision": "float32", "activations": "checkpoint"}
    assert answer["techniques"] == answer["techniques"] | expected
    assert answer["machine"]["gpu_bytes"] is None
    assert (answer["in_swarm"], answer["on_gpu"]) == (False, False)
    assert answer["slowdown"] > 1.2


def test_a_plan_for_this_machine_leaves_it_head_room() -> None:
    answer = json.loads(idlebrush("plan", "bert-base", "--json").stdout)
    assert answer["machine"]["cores"] >= 1
    assert 0 < answer["usable"]["ram"] < answer["machine"]["ram_bytes"]


def test_what_does_not_fit_is_still_broken_down() -> None:
    done = idlebrush("plan", "gpt3-175b", "--gpu-memory", "24GiB", "--ram", "64GiB", "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 2
    assert not answer["fits"]
    assert answer["missing"]["gpu"] > 500 << 30
    assert "more GPU memory and" in done.stderr
    assert len(done.stderr.splitlines()) == 2


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
        (("plan", "gpt5"), "gpt-j-6b, dalle, dalle-12b"),
        (("plan", "dalle", "--ram", "3bananas"), "'3bananas' is not an amount of memory"),
        (("plan", "dalle", "--gpu-memory", "-1"), "'-1' is not an amount of memory"),
        (("plan", "dalle", "--gpu-memory", "0", "--ram", "100MB"), "more RAM than there is"),
        (("plan", "gpt2", "--length", "5000"), "Choose from 1 to 1024"),
        (("plan", "gpt2", "--batch", "0"), "Choose 1 or more"),
        (("plan", "gpt2", "--activations", "reverse"), "not reversible"),
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
        ("plan",),
        ("plan", "gpt2", "--precision", "int4"),
        ("paint",),
    ],
)
def test_a_command_line_that_makes_no_sense_is_refused(arguments: tuple[str, ...]) -> None:
    assert idlebrush(*arguments).returncode == 2
