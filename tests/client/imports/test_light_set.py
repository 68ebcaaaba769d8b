"""Tray, command line and tasks work with the light set of packages alone, and say what is missing for the rest."""

import ast
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from client.joining.allowed import ResourceLimits
from client.joining.tasks import FetchedRun, FetchRun, InspectedRun, LookUp
from client.paths import HOME_VARIABLE, Paths
from client.task_kinds import AnyTask
from client.tasks import FROM_TASK, TaskMessage
from core.messages.lines import decode, encode
from core.run.manifest import RunManifest
from core.storage.files import resolve_file
from tests.blocked_packages import ROOT, required, without
from tests.swarms.tiny_run import write_tiny_run

BEYOND = {"httpx2", "starlette", "msgpack", "taming"}
"""Packages that come with those of the extras, or beside them."""
LIGHT_VERBS = (
    *("daemon", "doctor", "finish", "join", "leaderboard", "leave", "login", "logout"),
    *(
        "logs",
        "pause",
        "plan",
        "quit",
        "resume",
        "samples",
        "setup",
        "stats",
        "status",
        "timelapse",
        "whoami",
    ),
)
LIGHT_GROUPS = (("prefs", "set"), ("receipts", "verify"))
HEAVY = {
    "bench": (),
    "generate": ("a red heart",),
    "write": ("a beginning",),
    "checkpoint": ("verify", "."),
    "dataset": ("check", ".", "--grid", "4", "--vocab", "32"),
    "coordinator": ("status",),
}
"""Verbs that need more, with words that they accept."""
RUN_ALL = """
import json, sys
from client.cli import main
for words in json.loads(sys.argv[1]):
    try:
        main(words)
    except SystemExit as end:
        print(words, "ends with", end.code, file=sys.stderr)
"""
METADATA = """Metadata-Version: 2.4
Name: idlebrush
Version: 9
Requires-Dist: a-package-that-is-missing>=1; extra == "trainer"
"""


@pytest.fixture
def light(tmp_path: Path) -> dict[str, str]:
    """An environment of the light set, with a home of its own."""
    blocked = (required("trainer", "coordinator") | BEYOND) - required("")
    assert {"torch", "hivemind", "numpy", "pyarrow", "tokenizers", "safetensors", "fastapi"} <= blocked
    home = {HOME_VARIABLE: str(tmp_path / "home"), "QT_QPA_PLATFORM": "offscreen", "COLUMNS": "100"}
    return {**without(blocked, tmp_path / "blocking"), **home}


def python(light: dict[str, str], *words: str, given: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-P", *words]
    return subprocess.run(command, env=light, input=given, capture_output=True, check=False, timeout=100)


def run_verbs(light: dict[str, str], verbs: Sequence[Sequence[str]]) -> list[str]:
    """Run commands in one process; the lines of its standard error."""
    return (
        python(light, "-c", RUN_ALL, json.dumps([list(words) for words in verbs]))
        .stderr.decode()
        .splitlines()
    )


def test_verbs_explain_themselves_and_work_or_say_what_is_missing(
    light: dict[str, str], tmp_path: Path
) -> None:
    """All in one process: each verb loads what it needs by itself."""
    explained = [(verb,) for verb in (*LIGHT_VERBS, *HEAVY)] + [
        *LIGHT_GROUPS,
        ("demo",),
        ("dataset", "build"),
    ]
    working = [
        ("plan", "dalle", "--gpu-memory", "8GiB", "--ram", "16GiB"),
        ("prefs", "show"),
        ("stats",),
        ("join", str(write_tiny_run(tmp_path / "served")), "--no-measure"),
    ]
    lacking = [(verb, *words) for verb, words in HEAVY.items()]
    said = run_verbs(light, [*((*words, "--help") for words in explained), *working, *lacking])
    said = [line for line in said if not line.startswith("Measuring")]
    ended = [
        *(f"{[*words, '--help']} ends with 0" for words in explained),
        *(f"{list(words)} ends with 0" for words in working[:3]),
    ]
    assert said[: len(ended)] == ended
    answered, missing = said[len(ended) : -3 * len(lacking)], said[-3 * len(lacking) :]
    # The last of those that work shows the run, and asks; without a terminal, nothing is joined.
    assert answered[0].startswith("idlebrush: There was no answer. No run was joined.")
    assert answered[-1].startswith("['join'")
    for what, remedy, end in zip(missing[::3], missing[1::3], missing[2::3], strict=True):
        assert what.startswith("idlebrush: This needs the package ")
        assert "make install" in remedy
        assert end.endswith("ends with 2")


def test_verbs_that_need_more_do_not_begin_where_the_installation_says_that_it_is_light(
    light: dict[str, str], tmp_path: Path
) -> None:
    record = tmp_path / "blocking" / "idlebrush-9.dist-info"
    record.mkdir()
    (record / "METADATA").write_text(METADATA)
    said = run_verbs(light, [(verb, *words) for verb, words in (*HEAVY.items(), ("demo", ("--headless",)))])
    assert len(said) == 3 * (1 + len(HEAVY))
    assert set(said[::3]) == {
        "idlebrush: This needs packages that are not installed: a-package-that-is-missing."
    }


def test_app_daemon_checks_and_tasks_are_loaded(light: dict[str, str]) -> None:
    """Each kind of task imports within a function of `client.task` what it needs."""
    tree = ast.parse((ROOT / "client" / "task.py").read_text())
    of_tasks = {
        f"from {node.module} import {name.name}"
        for function in tree.body
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    assert len(of_tasks) > 8
    programs = ("gui.app", "client.daemon", "client.checks.all_checks")
    loading = [*sorted(of_tasks), *(f"import {module}" for module in programs)]
    done = python(light, "-c", "\n".join(loading))
    assert done.returncode == 0, done.stderr.decode()


def carried_out(light: dict[str, str], task: AnyTask) -> TaskMessage:
    """The last message of the process that runs a task."""
    done = python(light, "-m", "client.task", given=encode(task))
    assert done.returncode == 0, done.stderr.decode()
    return decode(done.stdout.splitlines(keepends=True)[-1], FROM_TASK)


def test_a_run_is_looked_up_and_fetched(light: dict[str, str], tmp_path: Path) -> None:
    served = write_tiny_run(tmp_path / "served")
    manifest, paths = RunManifest.load(served), Paths.of_user(light)
    allowed = ResourceLimits(threads=1, gpus=())
    look = LookUp(location=str(served), key=None, paths=paths, allowed=allowed, hub="https://hub.example")
    seen = carried_out(light, look)
    assert isinstance(seen, InspectedRun)
    assert seen.view.digest == manifest.training_digest
    fetch = FetchRun(
        location=str(served),
        key=manifest.fingerprint,
        paths=paths,
        allowed=allowed,
        digest=manifest.training_digest,
    )
    fetched = carried_out(light, fetch)
    assert isinstance(fetched, FetchedRun)
    for ref in manifest.files:
        resolve_file(ref, fetched.folder)


def test_a_child_that_lacks_a_package_says_so(light: dict[str, str]) -> None:
    """Its parent then knows that another try is in vain."""
    live = (
        "from core.children import child\nfrom client.task_kinds import TASKS\n"
        "def work(task, channel):\n    import torch\n"
        "child.live(TASKS, work)"
    )
    task = LookUp(
        location="x",
        key=None,
        paths=Paths.of_user(light),
        allowed=ResourceLimits(threads=1),
        hub="https://hub.example",
    )
    done = python(light, "-c", live, given=encode(task))
    said = decode(done.stdout.splitlines(keepends=True)[-1], FROM_TASK)
    assert (done.returncode, said.type) == (2, "failed")
    assert "the package torch, which is not installed" in done.stdout.decode()
