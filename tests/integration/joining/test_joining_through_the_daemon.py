"""Joining runs through the real daemon, as the app does it: looked at, tried out, fetched, given up, gone on with."""

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from client.api.candidate import CandidateStage, CandidateView
from client.api.commands import (
    EnterGate,
    ForgetCandidate,
    JoinCandidate,
    LookAtRun,
    MeasureCandidate,
    SetPreference,
    StopMeasuring,
)
from client.api.errors import RequestRefused
from client.api.snapshot import Activity
from client.joining.traffic import traffic
from coordinator.settings import Admits
from core.run.join_link import JoinLink
from core.run.manifest import RunManifest
from tests.client.run_server import RunServer, serve, serving, stalled
from tests.desktops.keyring_daemon import NO_BUS
from tests.gate.served_gate import ServedGate, served_gate
from tests.hub.hub_server import HubServer, running_hub
from tests.integration.stand_in_learner import learner_settings
from tests.secret_search import find_secret
from tests.swarms.tiny_run import write_tiny_run
from tests.volunteer import PATIENCE, VolunteerMachine, volunteer_at
from tests.waiting import wait_until

See = Callable[[CandidateView], bool]


@pytest.fixture(scope="module")
def hub() -> Iterator[HubServer]:
    with running_hub() as hub:
        hub.openid.echoes_device_nonce = True
        yield hub


@pytest.fixture(scope="module")
def anna(tmp_path_factory: pytest.TempPathFactory, hub: HubServer) -> Iterator[VolunteerMachine]:
    """A volunteer whose daemon keeps running from test to test, and trains by a stand-in."""
    home = tmp_path_factory.mktemp("anna")
    environment = {**NO_BUS, "HF_ENDPOINT": hub.address}
    with volunteer_at(home, environment=environment, settings=learner_settings()) as person:
        person.prefer(run_mode="always", threads="1")
        person.start()
        yield person


@pytest.fixture
def manifest(tmp_path: Path) -> RunManifest:
    """The manifest of a new run, which has a key of its own."""
    return RunManifest.load(write_tiny_run(tmp_path / "served"))


@pytest.fixture
def server(manifest: RunManifest, tmp_path: Path) -> Iterator[RunServer]:
    with serving(tmp_path / "served") as server:
        yield server


def link(server: RunServer, manifest: RunManifest) -> str:
    return str(JoinLink(server.address(), manifest.fingerprint))


def reach(person: VolunteerMachine, see: See, otherwise: str) -> CandidateView:
    person.wait_until(lambda seen: seen.candidate is not None and see(seen.candidate), otherwise)
    candidate = person.look().candidate
    assert candidate is not None
    return candidate


def at(person: VolunteerMachine, stage: CandidateStage) -> CandidateView:
    return reach(person, lambda candidate: candidate.stage is stage, f"it is never {stage}")


def looked_at(person: VolunteerMachine, location: str, key: str | None = None) -> CandidateView:
    person.ask(LookAtRun(location=location, key=key))
    return at(person, CandidateStage.READY)


def test_a_link_is_inspected_measured_and_joined_while_another_run_is_trained(
    anna: VolunteerMachine, server: RunServer, manifest: RunManifest, tmp_path: Path
) -> None:
    anna.join(write_tiny_run(tmp_path / "before"))
    anna.wait_for(Activity.TRAINING)
    seen = looked_at(anna, link(server, manifest))
    asked = [path for path, _ in server.asked]
    assert asked == ["/run.toml", "/codec.yaml", "/tokenizer.json", "/shard.parquet"], (
        "what tells that it fits"
    )
    assert seen.is_vouched_for
    assert (seen.title, seen.digest) == ("A tiny run", manifest.training_digest)
    assert (seen.fingerprint, seen.total_epochs) == (manifest.fingerprint, 200)
    assert seen.download_bytes == sum(ref.size for ref in manifest.files)
    assert seen.plan is not None
    assert seen.plan.fits
    assert seen.plan.text.startswith("Without a GPU")
    assert seen.traffic is not None
    assert seen.traffic.bytes_per_day > 0
    assert seen.samples_per_hour is None
    anna.ask(MeasureCandidate(seconds=1.0))
    anna.wait_until(
        lambda now: "measuring_speed" in [reason.code for reason in now.reasons], "training goes on"
    )
    anna.wait_until(lambda now: now.trainer is None, "its trainer holds its memory")
    measured = reach(anna, lambda candidate: candidate.samples_per_hour is not None, "nothing is measured")
    assert measured.samples_per_hour is not None
    assert measured.traffic == traffic(manifest.training, samples_per_hour=measured.samples_per_hour)
    at(anna, CandidateStage.READY)
    anna.wait_for(Activity.TRAINING)
    anna.ask(JoinCandidate(digest=seen.digest))
    at(anna, CandidateStage.JOINED)
    anna.wait_for(Activity.TRAINING)
    now = anna.look()
    assert now.run is not None
    assert now.run.digest == manifest.training_digest
    assert RunManifest.load(Path(now.run.folder) / "run.toml") == manifest
    assert now.contribution is not None
    assert now.contribution.bytes_received >= seen.download_bytes, "its files count towards the month's quota"


def test_a_trial_that_is_stopped_leaves_no_process(
    anna: VolunteerMachine, server: RunServer, manifest: RunManifest
) -> None:
    looked_at(anna, link(server, manifest))
    anna.ask(MeasureCandidate(seconds=600.0))
    wait_until(lambda: bool(anna.children("client.benchmark")), "nothing is measured", PATIENCE)
    anna.ask(StopMeasuring())
    stopped = anna.look().candidate
    assert stopped is not None
    assert (stopped.stage, stopped.progress) == (CandidateStage.READY, None)
    assert not anna.children("client.benchmark")


def test_files_are_shown_as_they_come_given_up_killed_and_gone_on_with(
    anna: VolunteerMachine, server: RunServer, manifest: RunManifest
) -> None:
    sizes = {ref.path: ref.size for ref in manifest.files}
    part = anna.paths.run(manifest.training_digest) / "tokenizer.json.part"
    # It is fetched twice each time: to see before consent that it fits, and to be kept.
    server.instead("tokenizer.json", serve, stalled(after=100), serve, stalled(after=100))
    seen = looked_at(anna, link(server, manifest))
    anna.ask(JoinCandidate(digest=seen.digest))
    fetching = reach(anna, lambda candidate: bool(candidate.progress), "no progress is seen")
    assert fetching.stage is CandidateStage.FETCHING
    assert 0 < fetching.download_bytes < sum(sizes.values())
    wait_until(lambda: part.exists() and part.stat().st_size == 100, "nothing arrives")
    anna.ask(ForgetCandidate())
    assert anna.look().candidate is None
    assert not anna.children("client.task")
    assert not (part.parent / "run.toml").exists()

    seen = looked_at(anna, link(server, manifest))
    assert seen.download_bytes < sum(sizes.values()), "what has come is kept"
    anna.ask(JoinCandidate(digest=seen.digest))
    wait_until(lambda: server.asked[-1] == ("/tokenizer.json", "bytes=100-"), "it is not resumed", PATIENCE)
    for child in anna.children("client.task"):
        child.send_signal(signal.SIGKILL)
    failed = at(anna, CandidateStage.FAILED)
    assert failed.problem is not None
    assert "ended unexpectedly" in failed.problem.what

    anna.ask(JoinCandidate(digest=seen.digest))
    at(anna, CandidateStage.JOINED)
    assert RunManifest.load(part.parent / "run.toml") == manifest
    of_this_run = f"Candidate run A tiny run ({manifest.training_digest[:12]}): "
    told = [line.partition(of_this_run)[2] for line in anna.log("daemon").splitlines() if of_this_run in line]
    inspected, fetched = (
        "looking -> ready: it was inspected",
        "its files are fetched, with the volunteer's consent",
    )
    assert told == [
        inspected,
        f"ready -> fetching: {fetched}",
        "its preview was closed.",
        inspected,
        f"ready -> fetching: {fetched}",
        f"fetching -> failed: {failed.problem.what} {failed.problem.remedy}",
        f"failed -> fetching: {fetched}",
        "fetching -> joined: its files are here, and the daemon trains it",
    ]
    assert f"tokenizer.json: 100 of {sizes['tokenizer.json']} bytes are here" in anna.log("tasks")


def test_an_address_without_a_key_shows_the_key_and_consent_is_to_that_one(
    anna: VolunteerMachine, server: RunServer, manifest: RunManifest, tmp_path: Path
) -> None:
    seen = looked_at(anna, server.address())
    assert not seen.is_vouched_for
    assert seen.fingerprint == manifest.fingerprint
    write_tiny_run(tmp_path / "served")  # signed by another organiser
    anna.ask(JoinCandidate(digest=seen.digest))
    failed = at(anna, CandidateStage.FAILED)
    assert failed.problem is not None
    assert (failed.problem.code, "another key" in failed.problem.what) == ("manifest", True)
    assert not anna.paths.run(seen.digest).joinpath("run.toml").exists()


@pytest.mark.parametrize(
    ("location", "code", "words"),
    [
        ("http://127.0.0.1:1/run.toml", "download", "cannot be reached"),
        ("/nowhere/run.toml", "join", "no run manifest"),
    ],
)
def test_what_cannot_be_looked_at_says_why(
    location: str, code: str, words: str, anna: VolunteerMachine
) -> None:
    anna.ask(LookAtRun(location=location))
    failed = at(anna, CandidateStage.FAILED)
    assert failed.problem is not None
    assert (failed.problem.code, words in failed.problem.what) == (code, True), failed.problem
    cause = f"{failed.problem.what} {failed.problem.remedy}"
    line = (
        f"WARNING client.service.candidates.candidate: Candidate run {location}: looking -> failed: {cause}\n"
    )
    assert line in anna.log("daemon")
    with pytest.raises(RequestRefused):
        anna.ask(JoinCandidate(digest="0" * 64))


def test_the_run_that_is_shipped_is_looked_at(anna: VolunteerMachine) -> None:
    seen = looked_at(anna, "embedded")
    assert seen.is_vouched_for
    assert seen.parameters > 1_000_000
    assert seen.sample_prompts
    assert seen.download_bytes > 0
    anna.ask(ForgetCandidate())


def test_a_gate_is_entered_with_the_invitation_of_the_link_before_its_run_is_joined(
    anna: VolunteerMachine, hub: HubServer, tmp_path: Path
) -> None:
    with served_gate(tmp_path / "coordinator", hub, admits=Admits.INVITATION, token_seconds=30) as gate:
        code = gate.invite()
        seen = looked_at(anna, gate.link(code))
        assert code not in anna.look().model_dump_json()
        assert seen.gate is not None
        assert (seen.gate.admits, seen.gate.is_invited, seen.gate.is_member) == ("invitation", True, False)
        with pytest.raises(RequestRefused, match="Sign in to the run first"):
            anna.ask(JoinCandidate(digest=seen.digest))
        enter(anna, gate, seen)
        reach(anna, lambda now: now.gate is not None and now.gate.is_member, "it is not seen")
        anna.ask(JoinCandidate(digest=seen.digest))
        at(anna, CandidateStage.JOINED)
        anna.wait_for(Activity.TRAINING)
        logs = [anna.paths.logs, anna.paths.data]
        assert not find_secret(code, logs, []), "it is written down nowhere"


def enter(person: VolunteerMachine, gate: ServedGate, seen: CandidateView) -> None:
    """Request to join as the app does, and sign in as the volunteer does in a browser elsewhere."""
    assert seen.gate is not None
    request = EnterGate(
        run=seen.digest, coordinator=seen.gate.coordinator, gate=seen.gate.key, flow="device", keep="file"
    )
    with ThreadPoolExecutor(1) as app:
        entering = app.submit(person.ask, request)
        person.wait_until(lambda now: now.sign_in is not None, "no code is shown")
        shown = person.look().sign_in
        assert shown is not None
        gate.hub.approve(shown.code, "anna")
        entering.result(PATIENCE)


def test_a_gate_that_sends_people_elsewhere_than_to_their_hub_is_not_shown(
    anna: VolunteerMachine, hub: HubServer, tmp_path: Path
) -> None:
    with served_gate(tmp_path / "coordinator", hub, issuer="https://phishing.example") as gate:
        anna.ask(LookAtRun(location=gate.link()))
        failed = at(anna, CandidateStage.FAILED)
        assert failed.problem is not None
        assert failed.problem.code == "gate"
        assert "phishing.example" in failed.problem.what


def test_a_daemon_that_starts_again_goes_on_with_its_run_and_has_forgotten_what_was_looked_at(
    anna: VolunteerMachine, tmp_path: Path
) -> None:
    anna.join(write_tiny_run(tmp_path / "joined"))
    joined = anna.look().run
    anna.ask(SetPreference(name="run-mode", value="never"))
    anna.ask(LookAtRun(location="embedded"))
    anna.quit()
    assert not anna.family()
    anna.start()
    now = anna.look()
    assert now.candidate is None
    assert now.run == joined
