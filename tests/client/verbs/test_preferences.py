"""`prefs show`, `prefs set` and `prefs reset` as commands, with and without a daemon."""

import json
import os
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from client.api.commands import SetPreference
from client.console.preferences_report import markdown, table
from client.paths import HOME_VARIABLE, Paths
from client.preferences.preferences import Preferences, describe, with_value
from client.preferences.preferences_file import load
from client.verbs.preferences import app
from tests.client.listening_daemon import listening
from tests.client.snapshots import FULL
from tests.command_line import idlebrush

PAGE = Path(__file__).parents[3] / "docs" / "preferences.md"


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, HOME_VARIABLE: str(tmp_path), "COLUMNS": "80"}


def prefs(home: dict[str, str], *arguments: str) -> Result:
    return CliRunner().invoke(app, arguments, env=home, catch_exceptions=False)


def test_what_is_set_is_kept_and_shown_and_can_be_put_back(home: dict[str, str]) -> None:
    done = prefs(home, "set", "Upload", "16 Mbit/s")
    assert (done.stdout, done.stderr) == ("upload is 2 MB/s.\n", "")
    assert load(Paths.of_user(home).preferences) == (Preferences(upload=2_000_000), None)
    assert prefs(home, "show", "upload").stdout.startswith(
        "upload is 2 MB/s; the default is unlimited.\nThe highest speed"
    )
    assert prefs(home, "reset", "upload").stdout == "upload is unlimited.\n"
    assert load(Paths.of_user(home).preferences) == (Preferences(), None)


@pytest.mark.parametrize(
    ("arguments", "errors"),
    [
        (
            ("set", "threads", "0"),
            "idlebrush: threads cannot be '0'.\nIt may be auto, or a number from 1 to 1024.\n",
        ),
        (
            ("show", "thraeds"),
            "idlebrush: There is no preference 'thraeds'.\nDid you mean threads? "
            "`idlebrush prefs show` lists all of them.\n",
        ),
    ],
)
def test_what_cannot_be_is_reported_in_two_lines(
    home: dict[str, str], arguments: tuple[str, ...], errors: str
) -> None:
    done = idlebrush("prefs", *arguments, environment=home)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", errors)


def test_a_running_daemon_is_reported_and_writes_the_file_itself(home: dict[str, str]) -> None:
    paths = Paths.of_user(home)
    with listening(paths, FULL) as daemon:
        done = prefs(home, "set", "idle_minutes", "5")
        assert done.stdout == "idle-minutes is 5 min.\n", done.stderr
        (asked,) = daemon.requests
        assert isinstance(asked, SetPreference)
        assert (asked.name, asked.value) == ("idle-minutes", "5 min")
    assert not paths.preferences.exists()


def test_starting_at_login_is_seen_to_before_any_daemon_has_run(home: dict[str, str], tmp_path: Path) -> None:
    desktop = {**home, "XDG_CONFIG_HOME": str(tmp_path / "desktop")}
    entry = tmp_path / "desktop" / "autostart" / "idlebrush.desktop"
    assert prefs(desktop, "set", "start-at-login", "on").stdout == "start-at-login is on.\n"
    assert f"{HOME_VARIABLE}={tmp_path}" in entry.read_text()
    assert prefs(desktop, "reset", "start-at-login").stdout == "start-at-login is off.\n"
    assert not entry.exists()


def test_where_starting_at_login_cannot_be_arranged_nothing_is_changed(
    home: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "desktop").write_text("no folder")
    desktop = {**home, "XDG_CONFIG_HOME": str(tmp_path / "desktop")}
    done = idlebrush("prefs", "set", "start-at-login", "on", environment=desktop)
    assert (done.returncode, done.stdout) == (2, "")
    assert "The setting for starting at login is kept in" in done.stderr
    assert not Paths.of_user(home).preferences.exists()


def test_a_file_with_faults_is_reported_and_kept(home: dict[str, str]) -> None:
    file = Paths.of_user(home).preferences
    file.parent.mkdir()
    file.write_text('threads = 0\nupload = "1 MB/s"\n')
    done = prefs(home, "set", "video-pause", "off")
    assert "Line 1: threads cannot be '0'." in done.stderr
    (aside,) = file.parent.glob("preferences.toml.set-aside-*")
    assert f"the previous file is kept as {aside.name}." in done.stderr
    assert load(file) == (Preferences(upload=1_000_000, video_pause=False), None)


def test_programs_get_all_of_them(home: dict[str, str]) -> None:
    shown = json.loads(prefs(home, "show", "--json").stdout)
    assert list(shown) == [row.name for row in describe(Preferences())]
    assert shown["threads"] == {
        "value": "auto",
        "default": "auto",
        "is_default": True,
        "is_simple": False,
        "allowed": "auto, or a number from 1 to 1024",
        "help": "The number of processor threads for training. auto: all cores but one, or four if a GPU trains.",
    }


def test_only_what_most_volunteers_need_or_what_is_changed_is_listed(home: dict[str, str]) -> None:
    prefs(home, "set", "upload", "16 Mbit/s")
    prefs(home, "set", "monthly-quota", "50 GB")

    def listed(*options: str) -> list[str]:
        return list(json.loads(prefs(home, "show", "--json", *options).stdout))

    assert listed("--changed") == ["upload", "monthly-quota"]
    assert listed("--simple") == [row.name for row in describe(Preferences()) if row.is_simple]
    assert listed("--simple", "--changed") == ["monthly-quota"]


def test_a_list_of_no_changes_says_so(home: dict[str, str]) -> None:
    assert prefs(home, "show", "--changed").stdout == "All of these preferences have their defaults.\n"


@pytest.mark.parametrize("width", [60, 80, 160])
def test_the_table_fits_the_terminal_and_cuts_nothing_off(width: int) -> None:
    rows = describe(with_value(Preferences(), "hours", "mon-fri 18:00-08:00, sat 10:00-12:00, sun"))
    console = Console(width=width, file=StringIO())
    console.print(table(rows))
    assert isinstance(console.file, StringIO)
    text = console.file.getvalue()
    assert max(map(len, text.splitlines())) <= width
    assert "…" not in text
    words = set(text.split())
    for row in rows:
        assert row.name in words
        assert {*row.help.split(), *row.value.split()} <= words


def test_the_documentation_is_what_the_program_prints(home: dict[str, str]) -> None:
    assert markdown(describe(Preferences())) == PAGE.read_text()
    assert prefs(home, "show", "--markdown").stdout == PAGE.read_text()
