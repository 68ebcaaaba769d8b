"""Preferences set by hand and by command are both kept, and the system applies those that concern it."""

import asyncio
from pathlib import Path

import pytest

from client.api.errors import AutostartError, PreferenceError
from client.preferences.preferences import RunMode
from client.service.kept.choices import KeptPreferences


class Login:
    """A system that starts programs at login, or refuses to."""

    def __init__(self, refuses: bool = False) -> None:
        self.on, self._refuses = False, refuses

    def enable(self) -> None:
        if self._refuses:
            raise AutostartError("It cannot be turned on.", "Ask somebody.")
        self.on = True

    def disable(self) -> None:
        self.on = False

    def is_enabled(self) -> bool:
        return self.on


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "preferences.toml"


def test_a_change_by_command_keeps_what_was_written_by_hand_since_the_last_look(file: Path) -> None:
    kept = KeptPreferences(file, Login(), pytest.fail)
    kept.read()
    file.write_text('run-mode = "never"\n')
    asyncio.run(kept.change("upload", "1 MB/s"))
    assert kept.read() is not None
    assert kept.current.run_mode is RunMode.NEVER
    assert kept.current.upload == 1_000_000


def test_two_changes_at_once_are_both_made(file: Path) -> None:
    kept = KeptPreferences(file, Login(), pytest.fail)

    async def change() -> None:
        await asyncio.gather(kept.change("upload", "1 MB/s"), kept.change("run-mode", "never"))

    asyncio.run(change())
    kept.read()
    assert (kept.current.upload, kept.current.run_mode) == (1_000_000, RunMode.NEVER)


def test_a_bad_value_changes_nothing(file: Path) -> None:
    kept = KeptPreferences(file, Login(), pytest.fail)
    with pytest.raises(PreferenceError, match="idle-minutes"):
        asyncio.run(kept.change("idle-minutes", "soon"))
    assert not file.exists()


def test_a_file_with_faults_is_kept_aside_and_reported(file: Path) -> None:
    notices: list[str] = []
    file.write_text("threads = 0\n")
    asyncio.run(KeptPreferences(file, Login(), notices.append).change("upload", "1 MB/s"))
    (aside,) = file.parent.glob("preferences.toml.set-aside-*")
    assert aside.read_text() == "threads = 0\n"
    assert [text for text in notices if aside.name in text]


def test_the_system_starts_it_at_login_as_preferred(file: Path) -> None:
    login, notices = Login(), list[str]()
    kept = KeptPreferences(file, login, notices.append)
    for wanted in ("on", "off"):
        asyncio.run(kept.change("start-at-login", wanted))
        kept.read()
        assert login.on is (wanted == "on")
    assert not notices


def test_what_the_system_refuses_is_reported(file: Path) -> None:
    notices: list[str] = []
    kept = KeptPreferences(file, Login(refuses=True), notices.append)
    asyncio.run(kept.change("start-at-login", "on"))
    kept.read()
    assert notices == ["It cannot be turned on. Ask somebody."]
