"""Joining where no person can be asked, up to the moment at which the daemon takes the command's place."""

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, NoReturn

import pytest
from rich.console import Console

from client.api.errors import DownloadError, PersonNeeded, RequestRefused
from client.api.launch import end_silent_daemon
from client.joining.invitation import RunInvitation
from client.paths import HOME_VARIABLE, Paths
from client.preferences.preferences import RunMode, row_named
from client.preferences.preferences_file import load
from client.service.channel.lock import holding
from client.service.kept.choices import VolunteerChoices
from client.service.kept.joined_runs import JoinedRuns
from client.state_file import utc_now
from client.unattended.joining import UnattendedJoin, UnattendedOptions
from core.run.manifest import RunManifest
from core.signing import SigningKey
from tests.client.run_server import serving
from tests.swarms.tiny_run import write_tiny_run


@dataclass
class TakenOver(Exception):
    """The command was replaced."""

    command: list[str]
    environment: Mapping[str, str]


def replace(command: list[str], environment: Mapping[str, str]) -> NoReturn:
    raise TakenOver(command, environment)


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path / "home")})


@pytest.fixture
def manifest(tmp_path: Path) -> RunManifest:
    return RunManifest.load(write_tiny_run(tmp_path / "served"))


@pytest.fixture
def shown() -> StringIO:
    return StringIO()


def joining(
    paths: Paths, shown: StringIO, options: UnattendedOptions | None = None, **environment: str
) -> UnattendedJoin:
    given = options or UnattendedOptions(limits=("ram-limit=8GiB",))
    return UnattendedJoin(Console(file=shown, width=200), paths, given, {**os.environ, **environment})


@dataclass
class ServiceStarts:
    """A service that is started again and again, with what the daemon keeps between its starts."""

    paths: Paths
    shown: StringIO

    def start(self, invitation: RunInvitation, **options: Any) -> None:
        with pytest.raises(TakenOver):
            joining(self.paths, self.shown, UnattendedOptions(**options)).in_foreground(invitation, replace)

    @property
    def choices(self) -> VolunteerChoices:
        return VolunteerChoices(self.paths.state, pytest.fail, utc_now)

    @property
    def joined(self) -> JoinedRuns:
        return JoinedRuns(self.paths.joined, pytest.fail, utc_now)

    def leave(self, digest: str) -> None:
        """Leave a run as the daemon does."""
        choices, joined = self.choices, self.joined
        joined.remove(digest)
        choices.leave()
        joined.save()
        choices.save()


@pytest.fixture
def service(paths: Paths, shown: StringIO) -> ServiceStarts:
    return ServiceStarts(paths, shown)


def test_the_daemon_takes_over_with_the_run_and_without_the_pass(
    paths: Paths, manifest: RunManifest, shown: StringIO, tmp_path: Path
) -> None:
    command = joining(paths, shown, IDLEBRUSH_PASS="secret", IDLEBRUSH_PREF_UPLOAD="2MB/s")
    with serving(tmp_path / "served") as server:
        invitation = RunInvitation(server.address(), manifest.fingerprint)
        with pytest.raises(TakenOver) as replaced:
            command.in_foreground(invitation, replace)
    assert replaced.value.command == [sys.executable, "-P", "-m", "client.daemon"]
    assert "IDLEBRUSH_PASS" not in replaced.value.environment
    assert replaced.value.environment["IDLEBRUSH_LOG_TO_STDERR"] == "1"
    preferences, _ = load(paths.preferences)
    assert (preferences.run_mode, preferences.ram_limit, preferences.upload) == (
        RunMode.ALWAYS,
        8 << 30,
        2_000_000,
    )
    choices = VolunteerChoices(paths.state, pytest.fail, utc_now)
    assert choices.consented
    assert choices.run_folder == paths.run(manifest.training_digest)
    (run,) = JoinedRuns(paths.joined, pytest.fail, utc_now).all
    assert run.digest == manifest.training_digest
    said = shown.getvalue()
    assert said.index("--unattended you consent") < said.index("The daemon starts now.")
    assert "ram_limit" not in said
    assert "memory 8 GiB" in said


def test_a_run_that_was_joined_before_goes_on_while_its_server_is_away(
    paths: Paths, manifest: RunManifest, shown: StringIO, tmp_path: Path
) -> None:
    with serving(tmp_path / "served") as server:
        invitation = RunInvitation(server.address(), manifest.fingerprint)
        with pytest.raises(TakenOver):
            joining(paths, shown).in_foreground(invitation, replace)
    with pytest.raises(TakenOver):
        joining(paths, shown).in_foreground(invitation, replace)
    assert "The run was joined before, and goes on with what is here." in shown.getvalue()


def test_a_run_that_was_never_joined_does_not(
    paths: Paths, manifest: RunManifest, shown: StringIO, tmp_path: Path
) -> None:
    with serving(tmp_path / "served") as server:
        invitation = RunInvitation(server.address(), manifest.fingerprint)
    with pytest.raises(DownloadError):
        joining(paths, shown).in_foreground(invitation, replace)
    assert not paths.preferences.exists(), "what was refused has changed nothing"


def signed(folder: Path, key: SigningKey, epochs: int) -> RunManifest:
    """Write a run of the organiser who has that key."""
    path = write_tiny_run(folder, epochs=epochs)
    made = RunManifest.load(path)
    RunManifest.create(made.training, made.contact, key).save(path)
    return RunManifest.load(path)


def test_a_link_whose_server_is_away_trains_no_other_run_of_the_organiser(
    service: ServiceStarts, tmp_path: Path
) -> None:
    key = SigningKey.generate()
    first, second = (signed(tmp_path / name, key, epochs) for name, epochs in (("a", 100), ("b", 200)))
    with serving(tmp_path) as server:
        for_first, for_second, for_none = (
            RunInvitation(server.address(f"{name}/run.toml"), first.fingerprint) for name in "abc"
        )
        service.start(for_first)
        with pytest.raises(DownloadError, match="404"):
            joining(service.paths, service.shown).in_foreground(for_none, replace)
        (tmp_path / "a" / "run.toml").unlink()
        with pytest.raises(DownloadError, match="404"):  # which is the organiser's answer
            joining(service.paths, service.shown).in_foreground(for_first, replace)
        service.start(for_second)
    with pytest.raises(DownloadError):
        joining(service.paths, service.shown).in_foreground(for_none, replace)
    service.start(for_first)
    assert service.choices.run_folder == service.paths.run(first.training_digest)
    service.start(for_second)
    assert service.choices.run_folder == service.paths.run(second.training_digest)
    assert len(service.joined.all) == 2


def test_a_pause_lasts_over_a_restart(service: ServiceStarts, manifest: RunManifest, tmp_path: Path) -> None:
    invitation = RunInvitation(str(tmp_path / "served" / "run.toml"), None)
    service.start(invitation)
    choices = service.choices
    choices.pause(None)
    choices.crashed()
    choices.save()
    service.start(invitation)
    assert service.choices.paused
    assert len(service.choices.crashes(utc_now())) == 1


def test_an_invitation_code_that_nobody_uses_is_not_passed_over_in_silence(
    service: ServiceStarts, manifest: RunManifest, tmp_path: Path
) -> None:
    location = str(tmp_path / "served" / "run.toml")
    service.start(RunInvitation(location, None))
    assert "invitation code" not in service.shown.getvalue()
    service.start(RunInvitation(location, None, code="spring"))
    assert "The invitation code in the link is not used" in service.shown.getvalue()
    assert "spring" not in service.shown.getvalue()


def test_a_run_that_was_left_by_hand_is_not_joined_again_by_itself(
    service: ServiceStarts, manifest: RunManifest, tmp_path: Path
) -> None:
    invitation = RunInvitation(str(tmp_path / "served" / "run.toml"), None)
    service.start(invitation)
    service.leave(manifest.training_digest)
    with pytest.raises(PersonNeeded, match="left on this computer by hand"):
        joining(service.paths, service.shown).in_foreground(invitation, replace)
    assert not service.joined.all
    service.start(invitation, again=True)
    service.start(invitation)
    assert [run.digest for run in service.joined.all] == [manifest.training_digest]


def test_a_damaged_list_of_runs_is_no_departure(
    paths: Paths, shown: StringIO, manifest: RunManifest, tmp_path: Path
) -> None:
    service, invitation = ServiceStarts(paths, shown), RunInvitation(str(tmp_path / "served/run.toml"), None)
    service.start(invitation)
    paths.joined.write_text("{")
    service.start(invitation)
    assert [run.digest for run in service.joined.all] == [manifest.training_digest]


@pytest.mark.parametrize("limit", ["nonsense=1", "ram-limit=much"])
def test_a_wrong_limit_needs_a_person(paths: Paths, shown: StringIO, limit: str) -> None:
    command = joining(paths, shown, UnattendedOptions(limits=(limit,)))
    with pytest.raises(PersonNeeded):
        command.in_foreground(RunInvitation("/nowhere/run.toml", None), replace)
    assert not paths.preferences.exists()


def test_a_condition_of_an_earlier_start_still_holds(
    service: ServiceStarts, manifest: RunManifest, tmp_path: Path
) -> None:
    invitation = RunInvitation(str(tmp_path / "served" / "run.toml"), None)
    service.start(invitation, limits=("other-cpu-load=40%",))  # which is its default
    service.start(invitation, limits=("hours=22:00-07:00",))
    service.start(invitation)
    found, _ = load(service.paths.preferences)
    assert (found.run_mode, found.other_cpu_load) == (RunMode.PREFERENCES, 0.4)
    assert row_named(found, "hours").value == "daily 22:00-07:00"


@dataclass
class DetachedHome:
    """A user's folders, and an environment that leads a stand-in of the daemon to them."""

    paths: Paths
    environment: dict[str, str]

    def join(self, location: Path, shown: StringIO) -> None:
        command = UnattendedJoin(
            Console(file=shown),
            self.paths,
            UnattendedOptions(),
            self.environment,
            "tests.client.stand_ins.daemon",
        )
        command.detached(RunInvitation(str(location), None))


@pytest.fixture
def detached_home(paths: Paths) -> Iterator[DetachedHome]:
    variables = {HOME_VARIABLE: str(paths.data.parent), "PYTHONPATH": str(Path(__file__).parents[3])}
    yield DetachedHome(paths, {**os.environ, **variables, "IDLEBRUSH_PASS": "secret"})
    end_silent_daemon(paths)


def test_detached_it_asks_a_daemon_in_the_background_which_has_no_pass(
    detached_home: DetachedHome, manifest: RunManifest, shown: StringIO, tmp_path: Path
) -> None:
    paths = detached_home.paths
    with pytest.raises(RequestRefused, match="no run in that folder"):  # so the stand-in answers
        detached_home.join(tmp_path / "served" / "run.toml", shown)
    assert load(paths.preferences)[0].run_mode is RunMode.ALWAYS
    pid = holding(paths.lock)
    assert pid is not None
    inherited = Path(f"/proc/{pid}/environ").read_bytes()
    assert b"IDLEBRUSH_HOME=" in inherited
    assert b"IDLEBRUSH_PASS=" not in inherited


def test_a_manifest_that_nobody_vouches_for_needs_a_person(paths: Paths, shown: StringIO) -> None:
    with pytest.raises(PersonNeeded, match="does not name the key"):
        joining(paths, shown).in_foreground(RunInvitation("https://example.org/run.toml", None), replace)
    assert not paths.preferences.exists()


def test_a_run_that_made_way_for_another_was_not_left_by_hand(service: ServiceStarts, tmp_path: Path) -> None:
    key = SigningKey.generate()
    first, second = (signed(tmp_path / name, key, epochs) for name, epochs in (("a", 100), ("b", 200)))
    for_first, for_second = (RunInvitation(str(tmp_path / name / "run.toml"), None) for name in "ab")
    service.start(for_first)
    service.start(for_second, instead=True)
    assert [run.digest for run in service.joined.all] == [second.training_digest]
    service.start(for_first)
    service.start(for_first, instead=True)  # a run that is joined already takes the place of the others, too
    assert [run.digest for run in service.joined.all] == [first.training_digest]
