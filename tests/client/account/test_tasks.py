"""The processes that run tasks: light for the daemon, gone with it, and never loud about what they carry."""

import asyncio
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from client.account.tasks import (
    CheckToken,
    GrantByCode,
    HubSettings,
    SignInGrant,
)
from client.api.errors import ClientError, HubError, SignInError
from client.task import TaskReader
from client.task_kinds import TASKS, Shown
from client.tasks import FROM_TASK, TaskRunner
from core.messages.lines import LineError, MessageKinds, decode, encode
from tests.hub.hub_server import CLIENT_ID, Canned, running_hub
from tests.processes.process_tree import started
from tests.processes.started_processes import started_processes
from tests.waiting import eventually

SECRET = "hf_a_token_that_is_looked_for"


def tasks(folder: Path) -> TaskRunner:
    return TaskRunner(folder / "tasks.log")


def test_an_task_answers_and_shows_what_comes_on_the_way(tmp_path: Path) -> None:
    shown: list[Shown] = []
    with running_hub() as hub:
        hub.approve_next("anna")
        task = GrantByCode(hub=HubSettings(endpoint=hub.address, client_id=CLIENT_ID))
        granted = asyncio.run(tasks(tmp_path).run(task, SignInGrant, 20, shown.append))
    assert granted.credentials.name == "anna"
    assert len(shown) == 1


def test_an_error_comes_back_as_what_it_was(tmp_path: Path) -> None:
    task = GrantByCode(hub=HubSettings(endpoint="https://hub.example", client_id=""))
    with pytest.raises(SignInError, match="not registered"):
        asyncio.run(tasks(tmp_path).run(task, SignInGrant, 20))


def test_an_task_that_takes_too_long_is_ended_and_reported(tmp_path: Path) -> None:
    with running_hub() as hub:
        hub.canned["/api/whoami-v2"] = Canned(body=b"x" * 1000, drip_seconds=0.1)
        task = CheckToken(hub=HubSettings(endpoint=hub.address), token=SecretStr(SECRET))
        with pytest.raises(HubError, match="did not answer in 2 seconds"):
            asyncio.run(tasks(tmp_path).run(task, SignInGrant, 2))


def test_an_task_that_is_killed_is_an_error_in_words(tmp_path: Path) -> None:
    async def kill() -> None:
        with running_hub() as hub:
            hub.canned["/api/whoami-v2"] = Canned(body=b"x" * 1000, drip_seconds=0.1)
            task = CheckToken(hub=HubSettings(endpoint=hub.address), token=SecretStr(SECRET))
            running = asyncio.create_task(tasks(tmp_path).run(task, SignInGrant, 20))
            await eventually(lambda: bool(hub.requests("/api/whoami-v2")), "the Hub is not asked")
            for pid in task_pids():
                os.kill(pid, signal.SIGKILL)
            await running

    with pytest.raises(ClientError, match="ended unexpectedly"):
        asyncio.run(kill())


def test_a_daemon_that_is_killed_leaves_no_task_behind(tmp_path: Path) -> None:
    with running_hub() as hub, started("-m", "tests.client.task_in_flight", hub.address, tmp_path) as tree:
        hub.canned["/api/whoami-v2"] = Canned(body=b"x" * 10_000, drip_seconds=0.1)
        tree.wait_for("^asking$")
        hub.wait_for("/api/whoami-v2")
        left = tree.alive()
        assert len(left) >= 3  # the daemon's stand-in, the guard and the task
        os.kill(tree.process.pid, signal.SIGKILL)
        assert tree.vanishes(left, 20), tree.describe()


@pytest.mark.parametrize(
    "line",
    [
        f'{{"type": "check_token", "token": "{SECRET}"}}',
        f'{{"type": "check_token", "hub": "{SECRET}", "token": ["{SECRET}"]}}',
        f'{{"type": "save_to_keyring", "entry": 1, "secret": ["{SECRET}"]}}',
        f'"{SECRET}"',
        f'{{"token": "{SECRET}"',
    ],
)
def test_a_malformed_message_is_never_quoted(line: str) -> None:
    adapters: tuple[MessageKinds[Any], ...] = (TASKS, TaskReader(), FROM_TASK)
    for kinds in adapters:
        with pytest.raises(LineError) as caught:
            decode(line.encode() + b"\n", kinds)
        assert SECRET not in f"{caught.value} {caught.value.__cause__!r} {caught.value.__cause__}"


def test_an_task_survives_the_way_with_its_secret_and_shows_it_to_nobody() -> None:
    task = CheckToken(hub=HubSettings(), token=SecretStr(SECRET))
    assert decode(encode(task), TaskReader()) == decode(encode(task), TASKS) == task
    assert SECRET not in f"{task!r} {task}"


def task_pids() -> list[int]:
    below = started_processes()
    return [process.pid for process in below if is_task(process.pid)]


def is_task(pid: int) -> bool:
    words = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    return "client.task" in words and "core.children.guard" not in words
