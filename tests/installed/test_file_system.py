"""What differs between two states of a file system, and which of it is expected where Idlebrush was uninstalled."""

from pathlib import Path

import pytest

from client.autostart.interface import LoginCommand
from client.autostart.linux import DesktopEntry
from client.paths import Paths
from client.uninstall import UserTraces, remove
from tests.installed.allowed import BY_PACKAGE_MANAGER, BY_RPM, BY_TRIAL, DATA, EMPTIED, KEPT_DATA
from tests.installed.file_system import (
    AllowedDifference,
    DifferenceKind,
    FileDifference,
    added_bytes,
    differences,
    is_like,
    state_of,
    unexpected,
)

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
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/hosts").write_text("127.0.0.1 localhost\n")
    (tmp_path / "bin").symlink_to("usr/bin")
    return tmp_path


def test_a_file_system_that_was_only_read_is_the_same(root: Path) -> None:
    before = state_of(root)
    assert set(before) == {"/etc", "/etc/hosts", "/bin"}
    (root / "etc/hosts").touch()  # times do not count
    assert differences(before, state_of(root)) == []


def test_each_way_to_differ_is_found(root: Path) -> None:
    (root / "etc/kept").write_text("same")
    (root / "etc/moded").touch(0o644)
    before = state_of(root)
    (root / "etc/hosts").write_text("127.0.0.1 localbost\n")  # of the same length
    (root / "etc/moded").chmod(0o755)
    (root / "bin").unlink()
    (root / "bin").symlink_to("usr/sbin")
    (root / "var").mkdir()
    (root / "var/new").write_bytes(b"1234")
    after = state_of(root)
    assert [str(item) for item in differences(before, after)] == [
        "changed /bin",
        "changed /etc/hosts",
        "changed /etc/moded",
        "added /var",
        "added /var/new",
    ]
    assert [str(item) for item in differences(after, before)][3:] == ["removed /var", "removed /var/new"]
    assert added_bytes(before, after) == 4
    assert added_bytes(before, after, "/etc/**") == 0


@pytest.mark.parametrize(
    ("path", "kind", "is_expected"),
    [
        ("/var/lib/dpkg/status", DifferenceKind.CHANGED, True),
        ("/var/lib/apt/extended_states", DifferenceKind.ADDED, True),
        ("/var/lib/idlebrush", DifferenceKind.ADDED, False),
        ("/usr/share/mime/packages/idlebrush.xml", DifferenceKind.CHANGED, True),
        ("/usr/share/mime/packages/idlebrush.xml", DifferenceKind.ADDED, False),
        ("/opt/idlebrush", DifferenceKind.ADDED, False),
    ],
)
def test_only_what_a_reason_covers_is_expected(path: str, kind: DifferenceKind, is_expected: bool) -> None:
    difference = FileDifference(path, kind)
    assert (unexpected([difference], BY_PACKAGE_MANAGER) == []) is is_expected


def test_a_pattern_covers_folders_below() -> None:
    rule = AllowedDifference("/var/log/**", "logs")
    assert rule.covers(FileDifference("/var/log", DifferenceKind.CHANGED))
    assert rule.covers(FileDifference("/var/log/apt/term.log", DifferenceKind.CHANGED))
    assert not rule.covers(FileDifference("/var/lib/log", DifferenceKind.CHANGED))
    assert not rule.covers(FileDifference("/var/log-of-another", DifferenceKind.ADDED))


@pytest.mark.parametrize(
    ("path", "pattern", "expected"),
    [
        ("/home/vera", "/home/*", True),
        ("/home/vera/file", "/home/*", False),
        ("/home/vera/file", "/home/*/file", True),
        ("/home/vera/deep/file", "/home/*/file", False),
        ("/home/vera/file.db-wal", "/home/*/file.db*", True),
        ("/srv/home/vera", "/home/*", False),
        ("/home", "/home/*/**", False),
        ("/home/vera/deep/file", "/home/*/**", True),
    ],
)
def test_a_star_stands_for_no_slash(path: str, pattern: str, expected: bool) -> None:
    assert is_like(path, pattern) is expected


@pytest.fixture
def system(tmp_path: Path) -> Path:
    (tmp_path / "system" / _HOME).mkdir(parents=True)
    return tmp_path / "system"


@pytest.fixture
def traces(system: Path, tmp_path: Path) -> UserTraces:
    """What a daemon makes for the user of the trials, whose session's folder is on another disk."""
    home, data = system / _HOME, system / DATA.lstrip("/")
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
def test_what_uninstalling_leaves_is_expected(traces: UserTraces, system: Path, purge: bool) -> None:
    before = state_of(system)
    _fill(traces)
    assert remove(list(traces.steps(purge)), print) == []
    allowed = _IN_HOMES if purge else (*KEPT_DATA, *_IN_HOMES)
    assert unexpected(differences(before, state_of(system)), allowed) == []


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
