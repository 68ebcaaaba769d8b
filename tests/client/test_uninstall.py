"""Uninstalling removes what was made for a user, keeps what cannot be made again, and tells what is left."""

from dataclasses import replace
from pathlib import Path

import pytest

from client.account.credentials import Keep
from client.account.safekeeping import KeepNote
from client.admission.membership import entry_of
from client.admission.memberships import note_of
from client.api.errors import AutostartError
from client.joining.run_card import FILE as CARD
from client.joining.run_card import RunCard
from client.paths import HOME_VARIABLE, Paths
from client.uninstall import RemovalStep, UserTraces, remove, without_associations
from core.errors import ChildError

RUN = "ab" * 32
KEPT = (
    "account.json",
    "contribution.sqlite",
    "contribution.sqlite-wal",
    "gallery/a/picture.png",
    "memberships/note.json",
    "receipts/run/0.json",
    f"runs/{RUN[:16]}/card.json",
    f"runs/{RUN[:16]}/frames/1.png",
    f"runs/{RUN[:16]}/peer/identity",
    f"runs/{RUN[:16]}/peer/timelapse/1.png",
)
REMOVED = (
    "environment/current/bin/python",
    "state.json",
    f"runs/{RUN[:16]}/run.toml",
    f"runs/{RUN[:16]}/peer/checkpoint/model.safetensors",
    "runs/half-done/file.part",
)


class _RecordedAutostart:
    """Autostart that can be turned off, or fails to be."""

    def __init__(self, error: AutostartError | None = None) -> None:
        self.is_on, self._error = True, error

    def enable(self) -> None:
        self.is_on = True

    def disable(self) -> None:
        if self._error is not None:
            raise self._error
        self.is_on = False

    def is_enabled(self) -> bool:
        return self.is_on


def _paths(home: Path) -> Paths:
    """Return folders as Linux has them: logs two folders deep, the others apart."""
    return Paths(
        home / ".config" / "idlebrush",
        home / ".local" / "share" / "idlebrush",
        home / ".local" / "state" / "idlebrush" / "log",
        home / "run" / "idlebrush",
    )


def _fill(paths: Paths) -> None:
    paths.prepare()
    for name in (*KEPT, *REMOVED):
        file = paths.data / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    paths.preferences.write_text("")
    paths.log("daemon").write_text("")


def _traces(home: Path, paths: Paths, autostart: _RecordedAutostart | None = None) -> UserTraces:
    return UserTraces.of_user(paths, autostart or _RecordedAutostart(), home, environment={})


def _files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def test_what_cannot_be_made_again_is_kept(tmp_path: Path) -> None:
    paths = _paths(tmp_path)
    _fill(paths)
    assert remove(list(_traces(tmp_path, paths).steps(purge=False)), print) == []
    assert _files(paths.data) == set(KEPT)
    assert _files(tmp_path) == {f".local/share/idlebrush/{name}" for name in KEPT}
    assert not (tmp_path / ".local" / "state" / "idlebrush").exists()


def test_purging_leaves_nothing(tmp_path: Path) -> None:
    paths = _paths(tmp_path)
    _fill(paths)
    assert remove(list(_traces(tmp_path, paths).steps(purge=True)), print) == []
    assert list(tmp_path.iterdir()) == [], "folders are left in the home"


@pytest.mark.parametrize("purge", [False, True])
def test_the_distribution_goes_before_its_record(tmp_path: Path, purge: bool) -> None:
    paths = _paths(tmp_path)
    _fill(paths)
    record = paths.distribution / "setup.json"
    record.parent.mkdir()
    record.write_text("{}")
    seen: list[bool] = []
    traces = replace(_traces(tmp_path, paths), remove_distribution=lambda: seen.append(record.exists()))
    assert remove(list(traces.steps(purge)), print) == []
    assert seen == [True]
    assert not paths.distribution.exists()


def test_a_distribution_that_windows_does_not_give_up_is_named(tmp_path: Path) -> None:
    def refuse() -> None:
        raise ChildError("Windows does not allow this user to use its Subsystem for Linux.", "Ask for it.")

    paths = _paths(tmp_path)
    _fill(paths)
    traces = replace(_traces(tmp_path, paths), remove_distribution=refuse)
    (failure,) = remove(list(traces.steps(purge=True)), print)
    assert failure.what == "the distribution of WSL in which training ran"
    assert failure.why.startswith("Windows does not allow this user")


def test_folders_of_other_programs_stay(tmp_path: Path) -> None:
    paths = _paths(tmp_path)
    _fill(paths)
    other = tmp_path / ".config" / "other" / "settings"
    other.mkdir(parents=True)
    assert remove(list(_traces(tmp_path, paths).steps(purge=True)), print) == []
    assert [path.name for path in tmp_path.iterdir()] == [".config"]
    assert other.exists()


@pytest.mark.parametrize("purge", [False, True])
def test_files_of_others_in_a_chosen_folder_stay(tmp_path: Path, purge: bool) -> None:
    """IDLEBRUSH_HOME may be a disk's root, with folders of the same names."""
    disk = tmp_path / "disk"
    paths = Paths.of_user({HOME_VARIABLE: str(disk)})
    others = {"data/photos/a.jpg", "logs/web.log", "config/other.toml", "runtime/other.lock"}
    for name in others:
        (disk / name).parent.mkdir(parents=True, exist_ok=True)
        (disk / name).write_text(name)
    _fill(paths)
    assert remove(list(_traces(tmp_path, paths).steps(purge)), print) == []
    kept = set() if purge else {f"data/{name}" for name in KEPT}
    assert _files(disk) == others | kept


@pytest.mark.posix
@pytest.mark.parametrize("purge", [False, True])
def test_data_on_another_disk_is_reached_through_its_link(tmp_path: Path, purge: bool) -> None:
    paths, disk = _paths(tmp_path), tmp_path / "disk"
    disk.mkdir()
    paths.data.parent.mkdir(parents=True)
    paths.data.symlink_to(disk)
    _fill(paths)
    assert remove(list(_traces(tmp_path, paths).steps(purge)), print) == []
    assert paths.data.is_symlink()
    assert _files(disk) == (set() if purge else set(KEPT))


@pytest.mark.posix
def test_a_link_within_the_data_stays_if_it_leads_to_an_identity(tmp_path: Path) -> None:
    paths, disk = _paths(tmp_path), tmp_path / "disk"
    paths.prepare()
    disk.mkdir()
    (paths.data / "runs").symlink_to(disk)
    _fill(paths)
    assert remove(list(_traces(tmp_path, paths).steps(purge=False)), print) == []
    assert (paths.run(RUN) / "peer" / "identity").exists()


@pytest.mark.posix
def test_whatever_is_made_beside_a_file_is_removed_with_it(tmp_path: Path) -> None:
    paths = _paths(tmp_path)
    _fill(paths)
    beside = (
        paths.config / "preferences.toml.set-aside-20260101T000000.000000Z",
        paths.config / ".preferences.toml.lock",
        paths.data / ".state.json.k2j3",
        paths.logs / "trainer.log.1",
        paths.config / "app.ini",
        paths.runtime / "app.lock",
    )
    for file in beside:
        file.write_text("")
    assert remove(list(_traces(tmp_path, paths).steps(purge=True)), print) == []
    assert list(tmp_path.iterdir()) == []


def test_settings_and_logs_within_the_folder_of_data_spare_it(tmp_path: Path) -> None:
    """As on Windows and macOS."""
    folder = tmp_path / "idlebrush"
    paths = Paths(folder, folder, folder / "Logs", folder / "runtime")
    _fill(paths)
    assert remove(list(_traces(tmp_path, paths).steps(purge=False)), print) == []
    assert _files(folder) == set(KEPT)


def test_a_user_who_never_started_it_has_nothing_to_remove(tmp_path: Path) -> None:
    reports: list[str] = []
    assert remove(list(_traces(tmp_path, _paths(tmp_path)).steps(purge=True)), reports.append) == []
    assert all(report.startswith("Removed: ") for report in reports)
    assert list(tmp_path.iterdir()) == []


def test_starting_at_login_ends_in_each_of_its_ways(tmp_path: Path) -> None:
    link = tmp_path / ".config" / "systemd" / "user" / "default.target.wants" / "idlebrush.service"
    link.parent.mkdir(parents=True)
    link.symlink_to("/usr/share/systemd/user/idlebrush.service")
    autostart = _RecordedAutostart()
    assert remove(list(_traces(tmp_path, _paths(tmp_path), autostart).steps(purge=False)), print) == []
    assert not autostart.is_on
    assert list(tmp_path.iterdir()) == []


def test_a_link_to_another_disk_is_removed_and_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "peer").mkdir(parents=True)
    (elsewhere / "peer" / "photo.png").write_text("of the user")
    paths = _paths(tmp_path)
    paths.prepare()
    (paths.data / "runs").symlink_to(elsewhere)
    assert remove(list(_traces(tmp_path, paths).steps(purge=True)), print) == []
    assert (elsewhere / "peer" / "photo.png").exists()
    assert not paths.data.exists()


def test_what_cannot_be_removed_is_told_and_the_rest_removed(tmp_path: Path) -> None:
    paths = _paths(tmp_path)
    _fill(paths)
    autostart = _RecordedAutostart(AutostartError("It is locked.", "Unlock it."))

    def fail() -> None:
        raise PermissionError(13, "Permission denied", "/a/file")

    steps = [*_traces(tmp_path, paths, autostart).steps(purge=True), RemovalStep("a file", fail)]
    failures = remove(steps, print)
    assert [(each.what, each.why) for each in failures] == [
        ("starting at login", "It is locked. Unlock it."),
        ("a file", "/a/file: Permission denied."),
    ]
    assert not paths.data.exists()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ""),
        ("[Default Applications]\n", "[Default Applications]\n"),
        ("x-scheme-handler/idlebrush=idlebrush.desktop\n", ""),
        (
            "x-scheme-handler/idlebrush=idlebrush.desktop;other.desktop;\n",
            "x-scheme-handler/idlebrush=other.desktop;\n",
        ),
        (
            "text/html=firefox.desktop;\n# idlebrush.desktop\n",
            "text/html=firefox.desktop;\n# idlebrush.desktop\n",
        ),
        ("a/b=my-idlebrush.desktop;\n", "a/b=my-idlebrush.desktop;\n"),
    ],
)
def test_its_association_alone_is_taken_out(before: str, after: str) -> None:
    assert without_associations(before) == after


def test_associations_are_changed_only_where_there_are_some(tmp_path: Path) -> None:
    settings = tmp_path / ".config"
    settings.mkdir()
    associations = settings / "mimeapps.list"
    associations.write_text("[Added Associations]\nx-scheme-handler/idlebrush=idlebrush.desktop;\n")
    remove(list(_traces(tmp_path, _paths(tmp_path)).steps(purge=False)), print)
    assert associations.read_text() == "[Added Associations]\n"


def test_memberships_in_the_keyring_are_found_by_the_runs(tmp_path: Path) -> None:
    paths = _paths(tmp_path)
    paths.prepare()
    folder = paths.run(RUN)
    folder.mkdir(parents=True)
    card = RunCard(name="emoji", title="Emoji", digest=RUN, fingerprint="00", total_epochs=1)
    (folder / CARD).write_text(card.model_dump_json())
    traces = _traces(tmp_path, paths)
    assert traces.keyring_entries() == []
    note = note_of(paths.memberships, RUN)
    note.parent.mkdir()
    note.write_text(KeepNote(keep=Keep.KEYRING, name="ada").model_dump_json())
    assert traces.keyring_entries() == [entry_of(RUN)]
    assert not traces.is_signed_in()
    paths.account.write_text(KeepNote(keep=Keep.FILE, name="ada").model_dump_json())
    assert traces.is_signed_in()
