"""The check of the keyring, with a real one, a locked one, and none."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from client.checks.account import look_at_keyring
from client.doctor import Finding, Verdict
from client.paths import Paths
from tests.keyring_daemon import NO_BUS, keyring_daemon


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path / "home")})


def look(paths: Paths, environment: Mapping[str, str]) -> Finding:
    (finding,) = asyncio.run(look_at_keyring(paths, environment))
    return finding


def test_a_keyring_that_works_is_told(paths: Paths, tmp_path: Path) -> None:
    with keyring_daemon(tmp_path) as keyring:
        finding = look(paths, keyring.environment)
    assert finding == Finding("Keyring", Verdict.OK, "The system's keyring works; no sign-in is kept in it.")


def test_a_locked_keyring_is_not_asked_for_its_password(paths: Paths, tmp_path: Path) -> None:
    with keyring_daemon(tmp_path, locked=True) as keyring:
        finding = look(paths, keyring.environment)
        assert keyring.prompts() == 0
    assert finding.verdict is Verdict.WARNING
    assert "locked" in finding.found


def test_without_a_keyring_it_says_how_to_sign_in_all_the_same(paths: Paths) -> None:
    finding = look(paths, NO_BUS)
    assert finding.verdict is Verdict.WARNING
    assert "--keep session" in finding.remedy
