"""What the trials let uninstalling leave is what it keeps, and nothing else of Idlebrush's."""

from pathlib import Path

import pytest

from client.autostart.interface import LoginCommand
from client.autostart.linux import DesktopEntry
from client.paths import Paths
from client.uninstall import UserTraces, remove
from tests.installed.allowed import BY_PACKAGE_MANAGER, BY_RPM, BY_TRIAL, DATA, EMPTIED, KEPT_DATA
from tests.installed.file_system import DifferenceKind, FileDifference, differences, state_of, unexpected

_RUN = f"runs/{'ab' * 8}"
_MADE = (
    "contribution.sqlite",
    "gallery/index.json",
    "gallery/heart/picture.png",
    "receipts/run/0.json",
    f"{_RUN}/card.json",
    f"{_RUN}/peer/identity",
    f"{_RUN}/run.toml",
    f"{_RUN}/peer/checkpoint/model.safetensors",
    "environment/current/bin/python",
    "state.json",
)
_HOME = DATA.removesuffix("/.local/share/idlebrush").lstrip("/")
_IN_HOMES = (*BY_TRIAL, *BY_RPM, *EMPTIED)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root" / _HOME).mkdir(parents=True)
    return tmp_path / "root"


@pytest.fixture
def traces(root: Path, tmp_path: Path) -> UserTraces:
    """What a daemon makes for the user of the trials, whose session's folder is on another disk."""
    home, data = root / _HOME, root / DATA.lstrip("/")
    paths = Paths(home / ".config/idlebrush", data, home / ".local/state/idlebrush/log", tmp_path / "run")
    return UserTraces.of_user(
        paths, DesktopEntry(home / ".config/autostart", LoginCommand(("/opt/a",))), home, environment={}
    )


def _fill(traces: UserTraces) -> None:
    traces.paths.prepare()
    for name in _MADE:
        file = traces.paths.data / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    traces.paths.preferences.write_text("")
    traces.autostart.enable()


@pytest.mark.parametrize("purge", [False, True])
def test_what_uninstalling_leaves_is_expected(traces: UserTraces, root: Path, purge: bool) -> None:
    before = state_of(root)
    _fill(traces)
    assert remove(list(traces.steps(purge)), print) == []
    allowed = _IN_HOMES if purge else (*KEPT_DATA, *_IN_HOMES)
    assert unexpected(differences(before, state_of(root)), allowed) == []


@pytest.mark.parametrize(
    "place",
    [
        f"{DATA}/environment",
        f"{DATA}/environment/current/bin/python",
        f"{DATA}/state.json",
        f"{DATA}/{_RUN}/run.toml",
        f"{DATA}/{_RUN}/peer/checkpoint/model.safetensors",
        f"{DATA}-app",
        f"{DATA}-app/current",
        f"/{_HOME}/.local/bin/idlebrush",
        f"/{_HOME}/.local/state/idlebrush/log/daemon.log",
        f"/{_HOME}/.config/idlebrush/preferences.toml",
        f"/{_HOME}/.config/autostart/idlebrush.desktop",
    ],
)
def test_nothing_else_may_be_left(place: str) -> None:
    left = FileDifference(place, DifferenceKind.ADDED)
    assert unexpected([left], (*BY_PACKAGE_MANAGER, *KEPT_DATA, *_IN_HOMES)) == [left]


@pytest.mark.parametrize("name", ["account.json", "contribution.sqlite-wal", f"{_RUN}/peer/identity"])
def test_purging_may_leave_no_data(name: str) -> None:
    left = FileDifference(f"{DATA}/{name}", DifferenceKind.ADDED)
    assert unexpected([left], KEPT_DATA) == []
    assert unexpected([left], (*BY_PACKAGE_MANAGER, *_IN_HOMES)) == [left]
