"""`idlebrush join` as a command: what it shows, asks, refuses, and hands to the daemon."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from client.api.commands import Join
from client.contribution.database import Database
from client.paths import HOME_VARIABLE, Paths
from core.join_link import JoinLink
from core.run import RunManifest
from tests.client.listening_daemon import ListeningDaemon, listening
from tests.client.run_server import RunServer, serving, stalled
from tests.client.snapshots import IDLE
from tests.command_line import COMMAND, idlebrush
from tests.tiny_run import write_tiny_run
from tests.waiting import wait_until


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, HOME_VARIABLE: str(tmp_path / "home"), "COLUMNS": "100", "OMP_NUM_THREADS": "1"}


@pytest.fixture
def paths(home: dict[str, str]) -> Paths:
    return Paths.of_user(home)


@pytest.fixture
def daemon(paths: Paths) -> Iterator[ListeningDaemon]:
    with listening(paths, IDLE) as daemon:
        yield daemon


@pytest.fixture
def manifest(tmp_path: Path) -> RunManifest:
    return RunManifest.load(write_tiny_run(tmp_path / "served"))


@pytest.fixture
def server(manifest: RunManifest, tmp_path: Path) -> Iterator[RunServer]:
    with serving(tmp_path / "served") as server:
        yield server


def join(home: dict[str, str], *arguments: str, says: str = "") -> subprocess.CompletedProcess[str]:
    return idlebrush("join", *arguments, environment=home, types=says)


def test_a_link_is_joined_and_the_daemon_trains_it(
    server: RunServer, manifest: RunManifest, daemon: ListeningDaemon, home: dict[str, str], paths: Paths
) -> None:
    link = JoinLink(server.address(), manifest.fingerprint)
    done = join(home, str(link), "--yes", "--no-measure")
    assert done.returncode == 0, done.stderr
    assert "Joined: A tiny run." in done.stdout
    folder = paths.run(manifest.training_digest)
    assert RunManifest.load(folder / "run.toml") == manifest
    (told,) = daemon.requests
    assert isinstance(told, Join)
    assert told.folder == str(folder)
    came = sum(ref.size for ref in manifest.files) + (folder / "run.toml").stat().st_size
    assert received(paths) == {manifest.training.name: came}


def received(paths: Paths) -> dict[str, int]:
    """Bytes that count towards the month's quota, by run."""
    with closing(Database.read(paths.stats)) as database:
        return {name: database.since(digest, 0).bytes_received for digest, name in database.runs().items()}


def test_consent_is_asked_for_once_the_run_was_tried_out(
    daemon: ListeningDaemon, server: RunServer, manifest: RunManifest, home: dict[str, str]
) -> None:
    done = join(home, server.address(), "--key", manifest.fingerprint, "--seconds", "0", says="y\n")
    assert done.returncode == 0, done.stderr
    assert "samples an hour" in done.stdout
    assert len(daemon.requests) == 1


@pytest.mark.usefixtures("daemon")
@pytest.mark.parametrize("says", ["n\n", "\n"])
def test_who_does_not_say_yes_joins_nothing(
    says: str, server: RunServer, manifest: RunManifest, home: dict[str, str], paths: Paths
) -> None:
    done = join(home, str(JoinLink(server.address(), manifest.fingerprint)), "--no-measure", says=says)
    assert done.returncode == 1
    assert "Nothing was joined." in done.stdout
    assert server.asked == [("/run.toml", None)]
    assert not (paths.data / "runs").exists()


def test_where_nobody_answers_nothing_is_joined(
    server: RunServer, manifest: RunManifest, home: dict[str, str]
) -> None:
    done = join(home, str(JoinLink(server.address(), manifest.fingerprint)), "--no-measure")
    assert done.returncode == 2
    assert "consent by --yes" in done.stderr


def test_an_address_without_a_key_is_not_joined_by_scripts(server: RunServer, home: dict[str, str]) -> None:
    done = join(home, server.address(), "--yes")
    assert done.returncode == 2
    assert "--key" in done.stderr
    assert server.asked == []


@pytest.mark.parametrize(("says", "asked"), [("n\n", 1), ("y\nn\n", 2)])
def test_an_address_without_a_key_has_the_volunteer_compare_it(
    says: str, asked: int, server: RunServer, manifest: RunManifest, home: dict[str, str]
) -> None:
    done = join(home, server.address(), "--no-measure", says=says)
    assert done.returncode == 1
    assert f"Is {manifest.fingerprint} the key that the organiser has published?" in done.stdout
    assert done.stdout.count("[y/N]") == asked


@pytest.mark.usefixtures("daemon")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGKILL])
def test_a_join_that_is_broken_off_goes_on_where_it_ended(
    end: signal.Signals, server: RunServer, manifest: RunManifest, home: dict[str, str], paths: Paths
) -> None:
    server.instead("tokenizer.json", stalled(after=100))
    command = [
        *COMMAND,
        "join",
        str(JoinLink(server.address(), manifest.fingerprint)),
        "--yes",
        "--no-measure",
    ]
    part = paths.run(manifest.training_digest) / "tokenizer.json.part"
    with subprocess.Popen(command, env=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as joining:
        wait_until(lambda: part.exists() and part.stat().st_size == 100, "nothing arrives", 60)
        joining.send_signal(end)
        assert joining.wait(60) != 0
    assert not (part.parent / "run.toml").exists()
    assert subprocess.run(command, env=home, capture_output=True, check=False).returncode == 0
    assert server.asked[-2:] == [("/tokenizer.json", "bytes=100-"), ("/shard.parquet", None)]


def test_a_wrong_key_is_told_in_two_lines(server: RunServer, home: dict[str, str]) -> None:
    done = join(home, server.address(), "--key", "abcd-efgh", "--yes")
    assert done.returncode == 2
    assert "signed by another key" in done.stderr
    assert len(done.stderr.splitlines()) == 2
