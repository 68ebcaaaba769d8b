"""The Windows installer under Wine: what it leaves at each step of a version's life, from the first to none."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.waiting import COSTLY, wait_until
from tests.windows.installers import BROKEN, NEXT, SHIPPED, SILENT
from tests.windows.user_account import RUN, UserAccount, registry_value, seen_as

pytestmark = [
    pytest.mark.skipif(sys.platform != "win32", reason="make test-windows runs it under Wine"),
    pytest.mark.timeout(900),
]
UNSUPPORTED, IN_USE, DOES_NOT_START, NOT_ALL_REMOVED = 10, 11, 12, 15
"""Exit statuses of installer and uninstaller."""
PROGRAMS = {"daemon", "app"}
_CLASSES = r"Software\Classes"
_UNINSTALL = r"Software\Microsoft\Windows\CurrentVersion\Uninstall\Idlebrush"


@pytest.fixture
def account() -> Iterator[UserAccount]:
    account = UserAccount()
    yield account
    if account.tree.exists():
        account.idlebrush("quit", "--app")
        account.uninstall("/PURGE")
    for process in account.processes():
        process.kill()


def test_the_life_of_an_installation(account: UserAccount) -> None:
    before = account.contents()
    _installs(account)
    _starts_by_a_click(account)
    _keeps_what_runs_where_the_next_is_broken(account)
    _starts_what_ran_again_where_the_next_cannot_take_its_place(account)
    _is_put_back_by_the_installer_where_the_next_does_not_answer(account)
    _is_replaced_while_it_runs(account)
    _is_put_back(account)
    _starts_at_login_if_asked(account)
    account.uninstall()
    wait_until(lambda: not account.processes(), "a program of the installation is left")
    files, keys = account.contents()
    assert files - before[0] == set()
    assert keys - before[1] == set()
    assert f"{RUN}: Idlebrush" not in keys
    assert account.data.exists(), "the user's data are kept"


def _installs(account: UserAccount) -> None:
    assert account.install(SHIPPED) == 0
    assert registry_value(_UNINSTALL, "DisplayVersion") == account.version
    assert int(registry_value(_UNINSTALL, "EstimatedSize")) > 1024
    assert account.idlebrush("--version").stdout.split() == ["idlebrush", account.version]
    assert "is not running" in account.idlebrush("status").stdout
    opens = f'"{account.tree}\\bin\\idlebrush-app.exe" open -- "%1"'
    assert registry_value(rf"{_CLASSES}\idlebrush\shell\open\command") == opens
    assert registry_value(rf"{_CLASSES}\idlebrush", "URL Protocol") == ""
    kind = registry_value(rf"{_CLASSES}\.idlebrush")
    assert registry_value(rf"{_CLASSES}\{kind}\shell\open\command") == opens
    assert not account.processes(), "it starts nothing by itself"


def _starts_by_a_click(account: UserAccount) -> None:
    """Open a link by the command that the shell finds for it: the app opens, and starts the daemon.

    Wine's own shell knows no user's handlers, only those of the whole computer.
    """
    command = registry_value(rf"{_CLASSES}\idlebrush\shell\open\command")
    link = "idlebrush:join?run=https://example.org/files/run.toml&key=x"
    assert account.click(command.replace("%1", link)) == 0
    wait_until(lambda: account.programs().keys() == PROGRAMS, "app and daemon do not run", seconds=120)


def _keeps_what_runs_where_the_next_is_broken(account: UserAccount) -> None:
    version, running = account.version, account.programs()
    assert account.install(BROKEN) == DOES_NOT_START
    assert (account.version, account.programs()) == (version, running)
    assert "status 12" in (account.data / "Logs/setup.log").read_text(encoding="utf-16")
    assert sorted(path.name for path in account.root.iterdir()) == ["tree", "uninstall.exe"]


def _starts_what_ran_again_where_the_next_cannot_take_its_place(account: UserAccount) -> None:
    """Hold a file where the installed version is to be renamed to: Wine lets an open program's folder be renamed."""
    version, ended = account.version, account.programs()
    held = account.root / "previous" / "held"
    held.parent.mkdir()
    with held.open("w"):
        assert account.install(NEXT) == IN_USE
    assert account.version == version
    _runs_again(account, ended)
    assert "status 11" in (account.data / "Logs/setup.log").read_text(encoding="utf-16")


def _runs_again(account: UserAccount, ended: dict[str, int]) -> None:
    wait_until(lambda: account.programs().keys() == PROGRAMS, "what ran does not run again", seconds=120)
    assert set(ended.values()).isdisjoint(account.programs().values())
    wait_until(lambda: account.idlebrush("status").returncode == 0, "the daemon does not answer", seconds=120)


def _is_replaced_while_it_runs(account: UserAccount) -> None:
    replaced = account.programs()
    assert account.install(NEXT) == 0
    assert (account.version, registry_value(_UNINSTALL, "DisplayVersion")) == ("99.0.0", "99.0.0")
    _runs_again(account, replaced)


def _is_put_back_by_the_installer_where_the_next_does_not_answer(account: UserAccount) -> None:
    version, replaced = account.version, account.programs()
    assert account.install(SILENT) == DOES_NOT_START
    assert (account.version, registry_value(_UNINSTALL, "DisplayVersion")) == (version, version)
    _runs_again(account, replaced)
    assert sorted(path.name for path in account.root.iterdir()) == ["tree", "uninstall.exe"]


def _is_put_back(account: UserAccount) -> None:
    """Ask for the version before, as the daemon does where training does not work in the new one."""
    replaced = account.programs()
    before = account.replaced_version
    assert before not in ("", account.version)
    account.put_back(before)
    wait_until(lambda: not account.replaced_version, "the version before is not put back", seconds=120)
    _runs_again(account, replaced)
    assert (account.version, registry_value(_UNINSTALL, "DisplayVersion")) == (before, before)
    assert sorted(path.name for path in account.root.iterdir()) == ["tree", "uninstall.exe"]
    replaced = account.programs()
    assert account.install(NEXT) == 0
    _runs_again(account, replaced)


def _starts_at_login_if_asked(account: UserAccount) -> None:
    """Turn starting at login on, which uninstalling has to end as well."""
    assert f"{RUN}: Idlebrush" not in account.contents()[1], "it starts at login unasked"
    changed = account.idlebrush("prefs", "set", "start-at-login", "on")
    assert changed.returncode == 0, changed.stderr
    lacking = "it is not among what starts at login"
    wait_until(lambda: f"{RUN}: Idlebrush" in account.contents()[1], lacking, every=COSTLY)
    assert str(account.tree).lower() in registry_value(RUN, "Idlebrush").lower()


def test_what_uninstalling_could_not_remove_is_told(account: UserAccount, tmp_path: Path) -> None:
    assert account.install(SHIPPED) == 0
    held = account.data / "environment" / "held"
    held.parent.mkdir(parents=True, exist_ok=True)
    try:
        with held.open("w"):  # Windows removes no file that is open
            assert account.uninstall_from_copy(tmp_path) == NOT_ALL_REMOVED
        assert not account.root.exists(), "the program is removed all the same"
        told = (account.data / "Logs/setup.log").read_text(encoding="utf-16")
        assert "status 15" in told
        assert "Not removed: the trainer's environment." in told
    finally:
        shutil.rmtree(account.data)


def test_an_old_windows_is_refused(account: UserAccount) -> None:
    with seen_as("win81", SHIPPED):
        assert account.install(SHIPPED) == UNSUPPORTED
    assert not account.root.exists()
