"""A sign-in as a value that shows no secret, and in a file that only its owner can read."""

import os
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pydantic import SecretStr

from client.account.credentials import Credentials, CredentialsFile
from client.account.renewal import Renewal
from client.api.errors import StateError
from tests.secret_search import find_secret

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SECRET, REFRESH = "hf_oauth_of_anna", "hf_refresh_of_anna"


def credentials(hours: float | None = 8, refresh: bool = True) -> Credentials:
    return Credentials(
        endpoint="https://hub.example",
        name="anna",
        token=SecretStr(SECRET),
        kind="oauth",
        issued=NOW,
        expires=NOW + timedelta(hours=hours) if hours else None,
        refresh_token=SecretStr(REFRESH) if refresh else None,
    )


@pytest.fixture
def file(tmp_path: Path) -> CredentialsFile:
    return CredentialsFile(tmp_path / "credentials.json")


def test_neither_repr_nor_str_shows_a_secret() -> None:
    shown = f"{credentials()!r} {credentials()} {credentials().model_dump()}"
    assert SECRET not in shown
    assert REFRESH not in shown


def test_the_file_gives_back_what_was_saved_and_nobody_else_can_read_it(file: CredentialsFile) -> None:
    before = os.umask(0)
    try:
        file.save(credentials())
    finally:
        os.umask(before)
    assert file.load() == credentials()
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600


def test_saving_that_fails_leaves_no_part_behind(file: CredentialsFile) -> None:
    file.path.mkdir()  # nothing can be put in its place
    with pytest.raises(StateError, match="cannot be written"):
        file.save(credentials())
    assert list(file.path.parent.iterdir()) == [file.path]


def test_a_file_that_was_opened_to_others_is_closed_again(file: CredentialsFile) -> None:
    file.save(credentials())
    file.path.chmod(0o644)
    file.load()
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600


def test_without_a_file_nobody_is_signed_in(file: CredentialsFile) -> None:
    assert file.load() is None


@pytest.mark.parametrize(
    "contents",
    [
        b"",
        b"{",
        b"\x00" * 100,
        b'{"token": "hf_oauth_of_anna"}',
        b'"hf_oauth_of_anna"',
        b"x" * 40_000,
    ],
)
def test_a_damaged_file_is_set_aside_and_reported_without_its_contents(
    file: CredentialsFile, contents: bytes
) -> None:
    file.path.write_bytes(contents)
    with pytest.raises(StateError, match="set aside") as caught:
        file.load()
    error = caught.value
    assert SECRET not in f"{error} {error.__cause__} {error.__context__}"
    assert file.load() is None


def test_forgetting_leaves_nothing_of_it_in_the_folder(file: CredentialsFile) -> None:
    file.path.write_text(f'"{SECRET}"')
    with pytest.raises(StateError):
        file.load()
    file.save(credentials())
    assert find_secret(SECRET, [file.path.parent])
    file.forget()
    file.forget()
    assert list(file.path.parent.iterdir()) == []


def test_forgetting_finds_what_a_save_that_was_killed_has_left(file: CredentialsFile) -> None:
    saving = (
        "import os, sys, pathlib; from core.storage import files;"
        "files.write_atomically(pathlib.Path(sys.argv[1]), b'x', mode=0o600)"
    )
    file.save(credentials())
    killed = ["-c", f"import os; os.fsync = lambda _: os.kill(os.getpid(), 9); {saving}", str(file.path)]
    subprocess.run([sys.executable, *killed], check=False)
    assert len(list(file.path.parent.iterdir())) == 2
    file.forget()
    assert list(file.path.parent.iterdir()) == []


@pytest.mark.parametrize(
    ("hours", "refresh", "due"),
    [
        (8, True, NOW + timedelta(hours=6)),
        (24 * 30, True, NOW + timedelta(days=29)),
        (None, True, None),
        (8, False, NOW + timedelta(hours=8)),
    ],
)
def test_a_sign_in_is_looked_after_in_time(hours: float | None, refresh: bool, due: datetime | None) -> None:
    renewal = Renewal(60, lambda: NOW)
    assert renewal.due(credentials(hours, refresh)) == due
    assert not renewal.is_due(credentials(hours, refresh))
    assert renewal.wait(credentials(hours, refresh)) == (timedelta(minutes=15) if due else None)


def test_attempts_that_fail_are_made_ever_more_rarely_until_one_succeeds() -> None:
    now = NOW + timedelta(hours=7)
    renewal = Renewal(60, lambda: now)
    waits = []
    for _ in range(9):
        renewal.failed()
        waits.append(renewal.pause().total_seconds() / 60)
        assert renewal.due(credentials()) == now + renewal.pause()
    assert waits == [1, 2, 4, 8, 16, 32, 64, 64, 64]
    renewal.succeeded()
    assert renewal.is_due(credentials())
