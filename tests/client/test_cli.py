"""The command line as a command: help at once, errors in two lines, answers for programs."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import torch
from typer.main import get_command

from client import cli
from client.api.commands import Quit
from client.api.connection import Connection
from client.api.errors import NoDaemon
from client.paths import HOME_VARIABLE, Paths
from core.storage.checkpoint import TrainingState, save
from core.trainer import speed
from core.trainer.speed import EMBEDDED, MIDDLE, measure
from tests.command_line import COMMAND, idlebrush
from tests.swarms.tiny_run import MODEL


def process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, **environment},
    )


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    folder = tmp_path / "checkpoint"
    tensors = {"weight": torch.arange(6, dtype=torch.float32)}
    save(folder, TrainingState("emoji", "ab" * 32, 7, tensors, tensors))
    return folder


def test_version() -> None:
    assert process("--version").stdout.startswith("idlebrush 0.")


def test_a_command_that_is_refused_ends_with_a_status_and_two_lines() -> None:
    done = process("plan", "gpt5")
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 2


SHOW = {
    *(
        "status",
        "whoami",
        "stats",
        "leaderboard",
        "doctor",
        "plan",
        "simulate",
        "bench",
        "generate",
        "samples",
        "write",
        "evaluate",
        "prefs show",
    ),
    "receipts verify",
    "setup",
    *("remote list", "remote status"),
    *("runs search", "runs lists", "runs joined"),
    *("dataset build", "dataset check", "dataset push"),
    *("checkpoint import", "checkpoint export", "checkpoint verify"),
    *("coordinator evidence list", "coordinator status", "coordinator members", "coordinator audit"),
    "coordinator work list",
    "coordinator team list",
}
"""Verbs that tell of something; all others do something, and say in a sentence that they did."""
DO = {
    "timelapse",
    "logs",
    *(
        "daemon",
        "demo",
        "join",
        "open",
        "leave",
        "pause",
        "resume",
        "finish",
        "quit",
        "login",
        "logout",
    ),
    *("update", "uninstall", "server-pass"),
    *(f"team {verb}" for verb in ("found", "join", "leave", "rename", "hand-over", "close")),
    "coordinator team remove",
    *("prefs set", "prefs reset"),
    *(f"coordinator news {verb}" for verb in ("add", "list", "remove")),
    *(f"remote {verb}" for verb in ("pair", "add", "remove", "on", "off", "pause", "resume", "mode", "set")),
    *("runs show", "runs add-list", "runs remove-list", "runs make-list", "runs share"),
    *("coordinator init", "coordinator serve", "coordinator backup", "coordinator restore"),
    *("coordinator gather", "coordinator begin-with"),
    "coordinator pages",
    *("coordinator evaluation publish", "coordinator evaluation remove"),
    "coordinator work lift",
    *(
        "coordinator bootstrap",
        "coordinator contact add",
        "coordinator contact list",
        "coordinator contact remove",
    ),
    *(f"coordinator evidence {verb}" for verb in ("save", "uphold", "lift", "verify")),
    *("coordinator invite", "coordinator allow", "coordinator disallow", "coordinator ban"),
    *("coordinator unban", "coordinator moderator add", "coordinator moderator remove"),
    *("coordinator publish", "coordinator rollback", "coordinator rebuild", "coordinator take-down"),
}


def test_every_verb_that_shows_something_tells_it_to_programs_too() -> None:
    options = dict(verbs(get_command(cli.app)))
    assert {verb for verb, own in options.items() if "--json" in own} == SHOW
    assert options.keys() == SHOW | DO


def verbs(command: Any, *words: str) -> Iterator[tuple[str, set[str]]]:
    """All of them, with their options."""
    for name, verb in getattr(command, "commands", {}).items():
        if hasattr(verb, "commands"):
            yield from verbs(verb, *words, name)
        else:
            yield " ".join((*words, name)), {option for item in verb.params for option in item.opts}


HELP = """
import io, sys
from contextlib import redirect_stdout
from typer.main import get_command
from client.cli import app

def walk(command, *verb):
    output = io.StringIO()
    with redirect_stdout(output):
        program([*verb, "--help"], standalone_mode=False)
    assert "--help" in output.getvalue()
    print("idlebrush", *verb)
    for name, below in getattr(command, "commands", {}).items():
        walk(below, *verb, name)

program = get_command(app)
walk(program)
loaded = {"torch", "hivemind", "numpy", "requests", "keyring", "cryptography", "sqlite3"} & sys.modules.keys()
assert not loaded, loaded
"""


def test_every_verb_explains_itself_and_loads_nothing_heavy_for_it() -> None:
    done = subprocess.run([sys.executable, "-c", HELP], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    verbs = (
        *(
            "status",
            "pause",
            "resume",
            "finish",
            "quit",
            "join",
            "daemon",
            "doctor",
            "demo",
            "generate",
            "timelapse",
            "bench",
            "plan",
        ),
        *("login", "logout", "whoami", "prefs show", "prefs set", "stats"),
        *("dataset build", "dataset check", "checkpoint import", "checkpoint export", "checkpoint verify"),
    )
    assert {f"idlebrush {verb}" for verb in verbs} <= set(done.stdout.splitlines())


def test_a_sound_checkpoint_is_described(checkpoint: Path) -> None:
    assert "the run emoji after epoch 7" in idlebrush("checkpoint", "verify", checkpoint).stdout
    report = json.loads(idlebrush("checkpoint", "verify", checkpoint, "--json").stdout)
    assert (report["epoch"], report["parameters"]) == (7, 6)


def test_this_machines_speed_is_reported_beside_others(monkeypatch: pytest.MonkeyPatch) -> None:
    small = [
        replace(workload, config=MODEL) for workload in (EMBEDDED, MIDDLE)
    ]  # as measured, but in no time
    monkeypatch.setattr(speed, "measure", partial(measure, small))
    answer = json.loads(idlebrush("bench", "--seconds", "0", "--threads", "1", "--json").stdout)
    here, others = answer["this_machine"], answer["others"]
    assert here["threads"] == 1
    assert here["models"].keys() == others[0]["models"].keys()
    assert all(model["tokens_per_second"] > 0 for model in here["models"].values())


def test_the_page_shows_what_plan_prints() -> None:
    page = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text()
    (asked, shown) = page.split("```text\n$ idlebrush plan ")[1].split("```")[0].split("\n", 1)
    printed = _stripped(
        idlebrush("plan", *asked.split(), environment={**os.environ, "COLUMNS": "100"}).stdout
    )
    parts = [_stripped(part) for part in shown.split("\n...\n")]
    assert len(parts) == 2, "the table of the RAM is left out"
    assert all(part in printed for part in parts)


def _stripped(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


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


@pytest.mark.parametrize("bits", [8, 32])
@pytest.mark.parametrize("place", ["--offload", "--no-offload"])
def test_a_plan_takes_the_optimizer_that_was_asked_for(bits: int, place: str) -> None:
    asked = (
        "--gpu-memory",
        "24GiB",
        "--ram",
        "64GiB",
        "--alone",
        "--optimizer-bits",
        str(bits),
        place,
        "--json",
    )
    techniques = json.loads(idlebrush("plan", "gpt2", *asked).stdout)["techniques"]
    assert techniques["eight_bit_optimizer"] is (bits == 8)
    assert techniques["optimizer_on_cpu"] is (place == "--offload")


def test_in_a_swarm_the_optimizer_cannot_be_kept_on_the_gpu() -> None:
    refused = idlebrush("plan", "gpt2", "--gpu-memory", "24GiB", "--ram", "64GiB", "--no-offload")
    assert refused.returncode == 2
    assert "In a swarm the optimizer always works on the CPU" in refused.stderr


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
        (("plan", "dalle", "--gpu-memory", "0", "--ram", "100MB"), "more RAM than is available"),
        (("plan", "gpt2", "--length", "5000"), "Choose from 1 to 1024"),
        (("plan", "gpt2", "--batch", "0"), "Choose 1 or more"),
        (("plan", "gpt2", "--activations", "reverse"), "not reversible"),
        (("open", "idlebrush://leave"), "is not a join link"),
        (("open", "nowhere.idlebrush"), "There is no run manifest at"),
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


@pytest.mark.parametrize(
    "arguments",
    [
        ("--version",),
        # What prints JSON writes it as it does the text of --version, and the table is written by rich.
        pytest.param(("plan", "dalle", "--json"), marks=pytest.mark.exhaustive),
        ("plan", "dalle"),
    ],
)
def test_a_reader_that_has_seen_enough_ends_it_without_a_word(arguments: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*COMMAND, *arguments], stdout=writing, stderr=subprocess.PIPE, check=False, timeout=120
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_what_cannot_be_written_is_reported_in_two_lines() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "plan", "dalle", "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=120,
        )
    assert done.returncode == 2
    assert "No space left" in done.stderr
    assert len(done.stderr.splitlines()) == 2


def test_a_terminal_that_lacks_a_letter_shows_another(tmp_path: Path) -> None:
    done = process(
        "prefs", "show", "cpu-temperature", PYTHONIOENCODING="ascii", **{HOME_VARIABLE: str(tmp_path)}
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "is 90 ?C" in done.stdout


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        ("login --token-stdin <&-", "No token was given"),
        # The first one's standard input is closed as theirs.
        pytest.param("login --token <&-", "no terminal", marks=pytest.mark.exhaustive),
        pytest.param("join embedded --no-measure <&-", "give --yes", marks=pytest.mark.exhaustive),
        ("plan gpt5 >&-", "gpt-j-6b, dalle, dalle-12b"),
    ],
)
def test_streams_that_are_closed_are_no_surprise(verb: str, words: str, tmp_path: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", f'"$@" {verb}', "bash", *COMMAND],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, HOME_VARIABLE: str(tmp_path)},
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 2


COMPLETE = """
import json, os, sys
from client.cli import main
sys.argv[0] = "idlebrush"
for asked in json.load(sys.stdin):
    os.environ.update(asked)
    try:
        main()
    except SystemExit:
        print(end=chr(0), flush=True)
"""


def answers_to_shells(*asked: Mapping[str, str]) -> list[str]:
    """The answers of a process in each of these environments: a shell starts one for each."""
    done = subprocess.run(
        [sys.executable, "-c", COMPLETE],
        input=json.dumps([{"_IDLEBRUSH_COMPLETE": "", **each} for each in asked]),
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stderr
    *answers, rest = done.stdout.split("\0")
    assert not rest
    return answers


def test_every_shell_gets_a_script_that_completes_and_bash_understands_its_own() -> None:
    shells = ("bash", "zsh", "fish", "powershell")
    scripts = answers_to_shells(*({"_IDLEBRUSH_COMPLETE": f"source_{shell}"} for shell in shells))
    for shell, script in zip(shells, scripts, strict=True):
        assert "_IDLEBRUSH_COMPLETE" in script
        assert f"complete_{shell}" in script
    known = subprocess.run(
        ["bash", "-c", f"{scripts[0]}\ncomplete -p idlebrush"], capture_output=True, text=True, check=True
    )
    assert "_idlebrush_completion" in known.stdout


COMPLETIONS = {
    "plan gpt3-1": {"gpt3-125m", "gpt3-1.3b", "gpt3-13b", "gpt3-175b"},
    "plan dalle --precision b": {"bfloat16"},
    "join emb": {"embedded", "embedded-all", "embedded-text"},
    "prefs set run": {"run-mode"},
    "prefs set while": {"while-in-use-cpu", "while-in-use-gpu"},
}


def completing(begun: str) -> Mapping[str, str]:
    """The environment in which bash asks what may follow."""
    words = f"idlebrush {begun}"
    return {
        "_IDLEBRUSH_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }


def test_words_are_completed() -> None:
    answers = answers_to_shells(*map(completing, COMPLETIONS))
    assert [set(answer.split()) for answer in answers] == list(COMPLETIONS.values())


def test_a_shell_that_asks_gets_its_answer_and_nothing_else() -> None:
    done = process(**completing("pau"))
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["pause"], "")


def test_the_verb_daemon_becomes_the_daemon_and_keeps_nothing_of_the_command_line(tmp_path: Path) -> None:
    environment = {HOME_VARIABLE: str(tmp_path)}
    paths = Paths.of_user(environment)
    with subprocess.Popen([*COMMAND, "daemon"], env={**os.environ, **environment}) as process:
        try:
            with _once_it_listens(paths, process) as connection:
                command_line = Path(f"/proc/{process.pid}/cmdline").read_bytes().split(b"\0")
                connection.ask(Quit())
            assert command_line[1:4] == [b"-P", b"-m", b"client.daemon"]
            assert process.wait(60) == 0
        finally:
            process.kill()


def _once_it_listens(paths: Paths, process: "subprocess.Popen[bytes]") -> Connection:
    deadline = time.monotonic() + 60
    while True:
        try:
            return Connection.open(paths.socket)
        except NoDaemon:
            assert process.poll() is None, "it ended"
            assert time.monotonic() < deadline, "it does not listen"
            time.sleep(0.05)


@pytest.mark.parametrize("arguments", [("--verbose", "daemon", "--help"), ("daemon", "--help")])
def test_more_is_logged_by_any_verb_if_asked_for(arguments: tuple[str, ...]) -> None:
    script = (
        "import atexit, os, sys; from client.cli import main;"
        "atexit.register(lambda: print('VERBOSE', os.environ.get('IDLEBRUSH_VERBOSE')));"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True
    )
    assert f"VERBOSE {'1' if arguments[0] == '--verbose' else None}" in done.stdout
