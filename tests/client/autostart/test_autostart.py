import plistlib
import shlex
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from client.api.errors import AutostartError
from client.autostart.interface import Autostart, LoginCommand
from client.autostart.linux import DesktopEntry
from client.autostart.macos import LaunchAgent
from client.autostart.system import NoAutostart, autostart
from client.autostart.windows import RunValue
from client.installed import Installation, InstallChannel
from client.paths import HOME_VARIABLE
from tests.client.full_disk import SmallDisk
from tests.waiting import wait_until

COMMAND = LoginCommand(("/opt/idlebrush/bin/idlebrush", "daemon"))
AWKWARD = [
    "plain",
    "with space",
    "it's",
    'a "quoted" one',
    "100%",
    "%f",
    "$HOME `x` \\ back",
    "a;b&c|d",
    "ümlaut",
]


class Values:
    """A stand-in for the registry's key."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}

    def read(self, name: str) -> str | None:
        return self.values.get(name)

    def write(self, name: str, command: str) -> None:
        self.values[name] = command

    def delete(self, name: str) -> None:
        self.values.pop(name, None)


Of = Callable[[LoginCommand], Autostart]
"""Starts that command at login."""


@pytest.fixture(params=["linux", "macos", "windows"])
def of(request: pytest.FixtureRequest, tmp_path: Path) -> Of:
    folder, values = tmp_path / "made when needed" / "autostart", Values()
    kinds: dict[str, Of] = {
        "linux": partial(DesktopEntry, folder),
        "macos": partial(LaunchAgent, folder),
        "windows": partial(RunValue, values),
    }
    return kinds[str(request.param)]


@pytest.fixture
def every(of: Of) -> Autostart:
    return of(COMMAND)


def test_it_is_off_until_turned_on_and_doing_it_twice_changes_nothing(every: Autostart) -> None:
    assert not every.is_enabled()
    every.disable()
    for _ in range(2):
        every.enable()
        assert every.is_enabled()
    for _ in range(2):
        every.disable()
        assert not every.is_enabled()


def test_what_an_older_version_had_started_is_replaced_and_turned_off(of: Of) -> None:
    older, newer = of(COMMAND), of(LoginCommand(("/elsewhere/bin/idlebrush", "--background")))
    older.enable()
    assert not newer.is_enabled()
    newer.enable()
    assert newer.is_enabled()
    assert not older.is_enabled()
    older.enable()
    newer.disable()
    assert not older.is_enabled()


@pytest.mark.posix
@pytest.mark.parametrize("kind", [DesktopEntry, LaunchAgent])
def test_what_the_system_refuses_is_reported(
    small_disk: SmallDisk, kind: type[DesktopEntry] | type[LaunchAgent]
) -> None:
    entry = kind(small_disk.folder, COMMAND)
    with small_disk.full(), pytest.raises(AutostartError, match="which cannot be used"):
        entry.enable()
    assert not entry.is_enabled()
    in_the_way = small_disk.folder / "file"
    in_the_way.touch()
    with pytest.raises(AutostartError, match="Check that you may write"):
        kind(in_the_way, COMMAND).enable()


@pytest.mark.parametrize("kind", [DesktopEntry, LaunchAgent])
@pytest.mark.parametrize("contents", ["", "scribble", "[Desktop Entry]", "<plist><dict>"])
def test_a_foreign_file_is_off_and_is_replaced(
    tmp_path: Path, kind: type[DesktopEntry] | type[LaunchAgent], contents: str
) -> None:
    entry = kind(tmp_path, COMMAND)
    entry.path.write_text(contents)
    assert not entry.is_enabled()
    entry.enable()
    assert entry.is_enabled()


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_an_entry_that_the_desktop_turned_off_is_off(tmp_path: Path, line: str) -> None:
    entry = DesktopEntry(tmp_path, COMMAND)
    entry.enable()
    key = line.split("=")[0]
    kept = [old for old in entry.path.read_text().splitlines() if not old.startswith(key)]
    entry.path.write_text("\n".join([*kept, line, ""]))
    assert not entry.is_enabled()
    entry.enable()
    assert entry.is_enabled()


@pytest.mark.posix
@pytest.mark.parametrize("name", AWKWARD)
def test_the_desktop_starts_exactly_what_was_meant(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    program, written = folder / "idlebrush", folder / "written"
    whole = f'printf "%s\\n" "${HOME_VARIABLE}" "$@"'
    program.write_text(
        f"#!/bin/sh\n{whole} > {shlex.quote(f'{written}.part')}\nmv {shlex.quote(f'{written}.part')} "
        f"{shlex.quote(str(written))}\n"
    )
    program.chmod(0o755)
    command = LoginCommand((str(program), "daemon", name), {HOME_VARIABLE: str(folder)})
    entry = DesktopEntry(tmp_path / "autostart", command)
    entry.enable()
    subprocess.run(["desktop-file-validate", entry.path], check=True)
    subprocess.run(["gio", "launch", entry.path], check=True)
    wait_until(written.exists, entry.path.read_text())
    assert written.read_text().splitlines() == [str(folder), "daemon", name]
    assert entry.is_enabled()


def test_the_agent_tells_launchd_exactly_what_was_meant(tmp_path: Path) -> None:
    command = LoginCommand(("/a b/<i>&", "daemon", *AWKWARD), {HOME_VARIABLE: "/home/ü b"})
    agent = LaunchAgent(tmp_path, command)
    agent.enable()
    read = plistlib.loads(agent.path.read_bytes())
    assert read["ProgramArguments"] == list(command.arguments)
    assert read["EnvironmentVariables"] == {HOME_VARIABLE: "/home/ü b"}
    assert read["RunAtLoad"] is True
    assert agent.is_enabled()


def test_the_run_key_gets_a_command_line_that_windows_splits_again() -> None:
    key = Values()
    RunValue(key, LoginCommand((r"C:\Program Files\Idlebrush\pythonw.exe", "-m", "client.daemon"))).enable()
    assert key.values == {"Idlebrush": r'"C:\Program Files\Idlebrush\pythonw.exe" -m client.daemon'}


@pytest.mark.parametrize(
    ("platform", "environment", "place"),
    [
        ("linux", {}, ".config/autostart/idlebrush.desktop"),
        ("linux", {"XDG_CONFIG_HOME": "relative"}, ".config/autostart/idlebrush.desktop"),
        ("linux", {"XDG_CONFIG_HOME": "{home}/elsewhere"}, "elsewhere/autostart/idlebrush.desktop"),
        ("freebsd14", {}, ".config/autostart/idlebrush.desktop"),
        ("darwin", {}, "Library/LaunchAgents/org.idlebrush.daemon.plist"),
    ],
)
def test_each_system_has_its_place(
    tmp_path: Path, platform: str, environment: dict[str, str], place: str
) -> None:
    variables = {name: value.format(home=tmp_path) for name, value in environment.items()}
    chosen = autostart(COMMAND, variables, tmp_path, platform)
    chosen.enable()
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [tmp_path / place]


@pytest.mark.posix
def test_an_unknown_system_says_so() -> None:
    chosen = autostart(COMMAND, {}, Path("/nowhere"), "plan9")
    assert isinstance(chosen, NoAutostart)
    assert not chosen.is_enabled()
    chosen.disable()
    with pytest.raises(AutostartError, match="does not support starting"):
        chosen.enable()


@pytest.mark.posix
def test_the_clients_command_is_that_of_this_installation() -> None:
    command = LoginCommand.of_client(environment={HOME_VARIABLE: "/somewhere"}, platform="linux")
    assert command.environment == {HOME_VARIABLE: "/somewhere"}
    program, verb = command.arguments
    assert verb == "--background"
    assert Path(program).is_file()
    assert Path(program).parent == Path(sys.executable).parent


def test_on_windows_the_clients_command_opens_no_console() -> None:
    on_windows = LoginCommand.of_client(environment={}, platform="win32")
    assert on_windows.arguments[-3:] == ("-m", "client.cli", "--background")
    assert on_windows.environment == {}


@pytest.mark.posix
def test_an_installations_program_is_started_by_a_path_that_updates_do_not_change(tmp_path: Path) -> None:
    """The tree of one version is replaced by another beside it, to which a link leads then."""
    tree = tmp_path / "0.1.0"
    installation = Installation(InstallChannel.TARBALL, "0.1.0", "", tree)
    tree.mkdir()

    def program() -> str:
        return LoginCommand.of_client({}, "linux", lambda: installation).arguments[0]

    assert program() == str(tree / "bin" / "idlebrush")
    (tmp_path / "current").symlink_to("0.1.0")
    assert program() == str(tmp_path / "current" / "bin" / "idlebrush")
