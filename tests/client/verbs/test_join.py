"""`idlebrush join` as a command: what it shows, asks, refuses, and hands to the daemon."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from client.api.commands import Join
from client.console.join_dialogue import Dialogue, JoinOptions
from client.contribution.database import ContributionDatabase
from client.joining.invitation import read_invitation
from client.joining.run_card import RunCard
from client.paths import HOME_VARIABLE, Paths
from client.service.kept.joined_runs import JoinedRuns
from client.state_file import utc_now
from core.run.join_link import JoinLink
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.signing import SigningKey
from tests.client.listening_daemon import ListeningDaemon, listening
from tests.client.run_server import RunServer, serve, serving, stalled
from tests.client.snapshots import IDLE
from tests.command_line import COMMAND, idlebrush
from tests.gate.served_gate import served_gate
from tests.hub.hub_server import running_hub
from tests.swarms.tiny_run import MODEL, write_tiny_run
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
    (request,) = daemon.requests
    assert isinstance(request, Join)
    assert request.folder == str(folder)
    before_consent = sum(
        ref.size for ref in manifest.files if ref != picture_rules(manifest.training).codec.weights
    )
    came = before_consent + sum(ref.size for ref in manifest.files) + (folder / "run.toml").stat().st_size
    assert received(paths) == {manifest.training.name: came}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "You join it in addition to: Another run. The runs take turns"),
        (("--instead",), "This computer then no longer trains: Another run."),
    ],
    ids=["in addition", "instead"],
)
def test_a_volunteer_with_a_run_learns_what_becomes_of_it(
    options: tuple[str, ...],
    words: str,
    server: RunServer,
    manifest: RunManifest,
    daemon: ListeningDaemon,
    home: dict[str, str],
    paths: Paths,
) -> None:
    paths.prepare()
    other = RunCard(name="o", title="Another run", digest="d" * 64, fingerprint="f", total_epochs=1)
    joined = JoinedRuns(paths.joined, pytest.fail, utc_now)
    joined.add(paths.run(other.digest), other)
    joined.save()
    link = JoinLink(server.address(), manifest.fingerprint)
    done = join(home, str(link), "--yes", "--no-measure", *options)
    assert done.returncode == 0, done.stderr
    assert words in " ".join(done.stdout.split())
    (request,) = daemon.requests
    assert isinstance(request, Join)
    assert request.instead is bool(options)


def test_a_run_that_cannot_be_trained_is_reported_before_consent(
    home: dict[str, str], tmp_path: Path
) -> None:
    run = write_tiny_run(tmp_path / "misfit", model=MODEL.model_copy(update={"grid": 8}))
    done = join(home, str(run), "--no-measure", says="y\n")
    assert done.returncode == 2
    assert "[y/N]" not in done.stdout
    assert "4 x 4 codes, but the model draws 8 x 8" in done.stderr


def test_a_run_that_needs_a_newer_version_is_refused_in_two_lines(
    manifest: RunManifest, home: dict[str, str], tmp_path: Path
) -> None:
    contact = manifest.contact.model_copy(update={"least_version": "9999"})
    run = tmp_path / "served" / "newer.idlebrush"
    RunManifest.create(manifest.training, contact, SigningKey.generate()).save(run)
    done = join(home, str(run), "--yes", "--no-measure")
    assert done.returncode == 2
    assert "This run needs Idlebrush 9999 or newer; this is 0." in done.stderr
    assert len(done.stderr.splitlines()) == 2


def received(paths: Paths) -> dict[str, int]:
    """Bytes that count towards the month's quota, by run."""
    with closing(ContributionDatabase.read(paths.stats)) as database:
        return {name: database.since(digest, 0).bytes_received for digest, name in database.runs().items()}


def test_consent_is_asked_for_once_the_run_was_tried_out(
    server: RunServer, manifest: RunManifest, paths: Paths
) -> None:
    shown = StringIO()
    asked_after: list[str] = []

    def consent(_question: str) -> bool:
        asked_after.append(shown.getvalue())
        return False

    dialogue = Dialogue(Console(file=shown, width=100), consent, paths)
    # At the lowest priority it would wait for whatever else runs on this machine.
    options = JoinOptions(benchmark_seconds=0.0, yields=False)
    assert dialogue.hold(read_invitation(server.address(), manifest.fingerprint), options) is None
    (before,) = asked_after
    assert re.search(r"\b[1-9][\d,]* samples an hour", before), "no time is enough for one micro-step"


def test_a_swarm_that_cannot_be_entered_is_warned_of_before_consent(tmp_path: Path, paths: Paths) -> None:
    gone = "/ip4/127.0.0.1/tcp/1/p2p/12D3KooWQYhTNQdmr3ArTeUHRYzFg94BKyTkoWBDWez9kSCVe2Xo"
    run, shown, before = write_tiny_run(tmp_path / "lost", (gone,)), StringIO(), list[str]()

    def consent(_question: str) -> bool:
        before.append(shown.getvalue())
        return False

    dialogue = Dialogue(Console(file=shown, width=200), consent, paths)
    assert dialogue.hold(read_invitation(str(run), None), JoinOptions(benchmark_seconds=None)) is None
    assert "Warning: No address by which the run is entered answers: 127.0.0.1:1." in before[0]


def test_a_run_with_a_gate_asks_before_anybody_signs_in(tmp_path: Path, paths: Paths) -> None:
    asked = list[str]()

    def decline(question: str) -> bool:
        asked.append(question)
        return False

    with running_hub() as hub, served_gate(tmp_path / "served", hub) as gate:
        dialogue = Dialogue(Console(file=StringIO(), width=200), decline, paths)
        assert dialogue.hold(read_invitation(gate.link(), None), JoinOptions(benchmark_seconds=None)) is None
        issuer = hub.address.removeprefix("http://")
        assert asked == [f"Sign in at {issuer} to prove your identity to {gate.address}?"]
        assert gate.asked("/api/gate")
        assert not gate.asked("/api/challenges")
    assert not (paths.data / "runs").exists()


@pytest.mark.usefixtures("daemon")
@pytest.mark.parametrize("says", ["n\n", "\n"])
def test_who_does_not_say_yes_joins_nothing(
    says: str, server: RunServer, manifest: RunManifest, home: dict[str, str], paths: Paths
) -> None:
    done = join(home, str(JoinLink(server.address(), manifest.fingerprint)), "--no-measure", says=says)
    assert done.returncode == 1
    assert "Nothing was joined." in done.stdout
    asked = {path for path, _ in server.asked}
    assert asked == {"/run.toml", "/codec.yaml", "/tokenizer.json", "/shard.parquet"}, (
        "what tells that it fits"
    )
    assert not (paths.data / "runs").exists()


def test_where_nobody_answers_nothing_is_joined(
    server: RunServer, manifest: RunManifest, home: dict[str, str]
) -> None:
    done = join(home, str(JoinLink(server.address(), manifest.fingerprint)), "--no-measure")
    assert done.returncode == 2
    assert "give --yes" in done.stderr


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
    server.instead("tokenizer.json", serve, stalled(after=100))
    words = (str(JoinLink(server.address(), manifest.fingerprint)), "--yes", "--no-measure")
    command = [*COMMAND, "join", *words]
    part = paths.run(manifest.training_digest) / "tokenizer.json.part"
    with subprocess.Popen(command, env=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as joining:
        wait_until(lambda: part.exists() and part.stat().st_size == 100, "nothing arrives", 60)
        joining.send_signal(end)
        assert joining.wait(60) != 0
    assert not (part.parent / "run.toml").exists()
    assert join(home, *words).returncode == 0
    assert server.asked[-2:] == [("/tokenizer.json", "bytes=100-"), ("/shard.parquet", None)]


def test_a_wrong_key_is_reported_in_two_lines(server: RunServer, home: dict[str, str]) -> None:
    done = join(home, server.address(), "--key", "abcd-efgh", "--yes")
    assert done.returncode == 2
    assert "signed by another key" in done.stderr
    assert len(done.stderr.splitlines()) == 2
