"""The Windows installer under Wine: what it leaves at each step of a version's life, from the first to none."""

import sys
from collections.abc import Iterator

import pytest

from tests.waiting import wait_until
from tests.windows.installers import BROKEN, NEXT, SHIPPED
from tests.windows.user_account import UserAccount, registry_value, seen_as

pytestmark = [
    pytest.mark.skipif(sys.platform != "win32", reason="make test-windows runs it under Wine"),
    pytest.mark.timeout(900),
]
UNSUPPORTED, IN_USE, DOES_NOT_START = 10, 11, 12
"""Exit statuses of the installer."""
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
    _is_replaced_while_it_runs(account)
    account.uninstall()
    wait_until(lambda: not account.processes(), "a program of the installation is left")
    files, keys = account.contents()
    assert files - before[0] == set()
    assert keys - before[1] == set()
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


def test_an_old_windows_is_refused(account: UserAccount) -> None:
    with seen_as("win81", SHIPPED):
        assert account.install(SHIPPED) == UNSUPPORTED
    assert not account.root.exists()
