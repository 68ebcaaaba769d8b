"""The check of the keyring, with a real one, a locked one, and none."""

import asyncio
import os
import signal
from collections.abc import Mapping
from pathlib import Path

import pytest

from client.checks.account import look_at_keyring
from client.doctor import CheckVerdict, Finding
from client.paths import Paths
from tests.desktops.keyring_daemon import NO_BUS, KeyringDaemon, keyring_daemon
from tests.processes.started_processes import started_processes
from tests.secret_search import find_secret
from tests.waiting import eventually


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path / "home")})


def look(paths: Paths, environment: Mapping[str, str]) -> Finding:
    (finding,) = asyncio.run(look_at_keyring(paths, environment))
    return finding


def test_a_keyring_that_works_is_reported(paths: Paths, tmp_path: Path) -> None:
    with keyring_daemon(tmp_path) as keyring:
        finding = look(paths, keyring.environment)
    assert finding == Finding("Keyring", CheckVerdict.OK, "The system's keyring works; it holds no sign-in.")


def test_a_locked_keyring_is_not_asked_for_its_password(paths: Paths, tmp_path: Path) -> None:
    with keyring_daemon(tmp_path, locked=True) as keyring:
        finding = look(paths, keyring.environment)
        assert keyring.prompts() == 0
    assert finding.verdict is CheckVerdict.WARNING
    assert "locked" in finding.found


def test_tokens_of_other_programs_are_not_given_to_whoever_asks_the_keyring(
    paths: Paths, tmp_path: Path
) -> None:
    token = "hf_of_other_programs"

    async def look_while_it_waits(keyring: KeyringDaemon) -> None:
        looking = asyncio.create_task(look_at_keyring(paths, {**keyring.environment, "HF_TOKEN": token}))
        await eventually(lambda: len(started()) >= 2, "no task runs")  # behind its guard
        assert find_secret(token, [], started()) == []
        looking.cancel()
        await asyncio.wait({looking})

    with keyring_daemon(tmp_path) as keyring:
        os.kill(keyring.pid, signal.SIGSTOP)  # so that the task stays
        try:
            before = set(started())
            asyncio.run(look_while_it_waits(keyring))
            assert set(started()) == before
        finally:
            os.kill(keyring.pid, signal.SIGCONT)


def started() -> list[int]:
    """The guard and the task."""
    below = started_processes()
    return [
        process.pid for process in below if b"client." in Path(f"/proc/{process.pid}/cmdline").read_bytes()
    ]


def test_without_a_keyring_it_says_how_to_sign_in_all_the_same(paths: Paths) -> None:
    finding = look(paths, NO_BUS)
    assert finding.verdict is CheckVerdict.WARNING
    assert "--keep session" in finding.remedy
