"""`logs` and `doctor --report` as commands."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from client.checks import all_checks
from client.doctor import CheckVerdict, Finding
from client.environment.places import EnvironmentPlaces, EnvironmentRecord, write_record
from client.paths import HOME_VARIABLE, Paths
from client.problem_report import ReportFile, gather, save
from tests.command_line import idlebrush


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    paths = Paths.of_user({HOME_VARIABLE: str(tmp_path)})
    paths.prepare()
    paths.log("trainer").write_text("2026 INFO core: Epoch 3 is done.\n")
    paths.log("daemon").write_text(f"2026 INFO client: {Path.home()}/x hf_abcdefghijk\n")
    return paths


def shown(tmp_path: Path, *words: str) -> str:
    done = idlebrush("logs", *words, environment={HOME_VARIABLE: str(tmp_path)})
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


def test_one_log_or_all_under_their_names(paths: Paths, tmp_path: Path) -> None:
    assert shown(tmp_path, "--trainer") == "2026 INFO core: Epoch 3 is done.\n"
    both = shown(tmp_path)
    assert "==> trainer.log <==" in both
    assert "==> daemon.log <==" in both


def test_a_coordinators_logs(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "recorder.log").write_text("recorded\n")
    assert shown(tmp_path, "--coordinator", str(tmp_path)) == "recorded\n"


def test_no_log_is_reported_with_what_to_do(tmp_path: Path) -> None:
    done = idlebrush("logs", environment={HOME_VARIABLE: str(tmp_path)})
    assert done.returncode == 2
    assert "Logs appear once" in done.stderr


def test_new_lines_are_followed(paths: Paths, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "client.cli", "logs", "--trainer", "--follow"]
    root = Path(__file__).parents[3]
    environment = {HOME_VARIABLE: str(tmp_path), "PYTHONPATH": str(root), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as following:
        assert following.stdout is not None
        try:
            assert following.stdout.readline() == "2026 INFO core: Epoch 3 is done.\n"
            with paths.log("trainer").open("a") as log:
                log.write("Epoch 4 is done.\n")
            assert following.stdout.readline() == "Epoch 4 is done.\n"
        finally:
            following.kill()


def test_a_log_that_begins_later_is_followed_too(tmp_path: Path) -> None:
    paths = Paths.of_user({HOME_VARIABLE: str(tmp_path)})
    paths.prepare()
    command = [sys.executable, "-m", "client.cli", "logs", "--follow"]
    root = Path(__file__).parents[3]
    environment = {HOME_VARIABLE: str(tmp_path), "PYTHONPATH": str(root), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as following:
        assert following.stdout is not None
        try:
            for name in ("daemon", "trainer"):
                paths.log(name).write_text(f"{name} begins\n")
                assert following.stdout.readline() == f"==> {name}.log <==\n"
                assert following.stdout.readline() == f"{name} begins\n"
        finally:
            following.kill()


@pytest.fixture
def two_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have doctor examine only what takes no time."""
    known = all_checks.all_checks
    monkeypatch.setattr(
        all_checks,
        "all_checks",
        lambda *those: [check for check in known(*those) if check.name in ("Folders", "Version")],
    )


@pytest.mark.usefixtures("two_checks", "paths")
@pytest.mark.parametrize(
    ("answers", "is_saved", "is_shown"),
    [("y\n", True, False), ("n\n", False, False), ("\n", False, False), ("show\nyes\n", True, True)],
)
def test_a_report_is_saved_only_once_the_user_agrees(
    tmp_path: Path, answers: str, is_saved: bool, is_shown: bool
) -> None:
    archive = tmp_path / "report.zip"
    own = {HOME_VARIABLE: str(tmp_path)}
    done = idlebrush("doctor", "--report", archive, environment=own, types=answers)
    assert done.returncode == 0, done.stderr
    assert "logs/trainer.log" in done.stderr
    assert archive.exists() is is_saved
    assert ("Saved" in done.stderr) is is_saved
    assert ("Nothing was saved" in done.stderr) is not is_saved
    assert ("Epoch 3 is done." in done.stdout) is is_shown


def test_a_report_holds_no_token_and_no_name_of_the_user(paths: Paths, tmp_path: Path) -> None:
    finding = Finding("GPU", CheckVerdict.PROBLEM, "It is missing.", "Look for it.")
    archive = tmp_path / "report.zip"
    save(gather(paths, [finding]), archive)
    with zipfile.ZipFile(archive) as saved:
        texts = {name: saved.read(name).decode() for name in saved.namelist()}
    assert set(texts) == {"doctor.json", "versions.txt", "logs/daemon.log", "logs/trainer.log"}
    assert json.loads(texts["doctor.json"])[0]["remedy"] == "Look for it."
    assert texts["logs/daemon.log"] == "2026 INFO client: ~/x [secret]\n"
    assert "torch 2." in texts["versions.txt"]
    with pytest.raises(FileExistsError):
        save((), archive)


def test_a_report_has_the_preferences_without_the_users_folder(paths: Paths) -> None:
    paths.preferences.write_text(f'run-mode = "always"\n# {Path.home()}/x\n')
    (file,) = (file for file in gather(paths, ()) if file.name == "preferences.toml")
    assert file.text == 'run-mode = "always"\n# ~/x\n'


def test_half_a_report_is_not_left(tmp_path: Path) -> None:
    archive = tmp_path / "report.zip"
    whole, unwritable = ReportFile("a.txt", "", "a"), ReportFile("b.txt", "", "\ud800")
    with pytest.raises(UnicodeEncodeError):
        save((whole, unwritable), archive)
    assert not archive.exists()


@pytest.mark.parametrize("layout", ["lib/python3.11/site-packages", "Lib/site-packages"])
def test_a_report_has_the_set_up_of_the_environment_and_its_versions(paths: Paths, layout: str) -> None:
    places = EnvironmentPlaces(paths.environment)
    site = places.current / layout
    (site / "torch-9.9.dist-info").mkdir(parents=True)
    (site / "torch-9.9.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: torch\nVersion: 9.9\n"
    )
    write_record(places.current, EnvironmentRecord(variant="cpu", digest="d", serial=1, why="A test."))
    places.log.write_text("$ pip install\n")
    texts = {file.name: file.text for file in gather(paths, ())}
    assert texts["logs/setup.log"] == "$ pip install\n"
    assert "torch 9.9\n" in texts["versions.txt"]
