"""`idlebrush join` through a real gate, by the real daemon: sign in, train, stay admitted, be banned."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.api.commands import OpenPage, SetPreference, SignIn, SignOut
from client.api.questions import ShowBoard
from client.api.snapshot import Activity, Snapshot
from tests.desktops.keyring_daemon import NO_BUS
from tests.gate.served_gate import Instead, ServedGate, served_gate
from tests.hub.hub_server import CLIENT_ID, Canned, HubServer, running_hub
from tests.integration.front_end import FLAGS, begun, idlebrush, join, said
from tests.integration.joining.stand_in_member import member_settings
from tests.secret_search import find_secret
from tests.volunteer import VolunteerMachine, volunteer_at
from tests.waiting import wait_until

MOVED = "/ip4/127.0.0.1/tcp/4711/p2p/QmWATWQ7fVPP2EFGu71UkfnqhYXDYH566qy47CnJDgvs8u"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("a")


@pytest.fixture(scope="module")
def hub() -> Iterator[HubServer]:
    with running_hub() as hub:
        hub.openid.echoes_device_nonce = True
        yield hub


@pytest.fixture(scope="module")
def gate(folder: Path, hub: HubServer) -> Iterator[ServedGate]:
    """The gate of the run that anna trains."""
    with served_gate(folder / "coordinator", hub, token_seconds=30) as gate:
        yield gate


@pytest.fixture
def own_gate(tmp_path: Path, hub: HubServer) -> Iterator[ServedGate]:
    """A gate that nobody else asks."""
    with served_gate(tmp_path / "coordinator", hub, token_seconds=30) as gate:
        yield gate


@pytest.fixture(scope="module")
def taken_back(folder: Path) -> Path:
    return folder / "taken-back"


@pytest.fixture(scope="module")
def newcomer(folder: Path, hub: HubServer, taken_back: Path) -> Iterator[VolunteerMachine]:
    """Anna's computer, on which the first test joins; the others go on with it, and the ban comes last."""
    environment = {**NO_BUS, "HF_ENDPOINT": hub.address, "IDLEBRUSH_OAUTH_CLIENT_ID": CLIENT_ID}
    with volunteer_at(
        folder / "anna", environment=environment, settings=member_settings(taken_back)
    ) as person:
        person.prefer(run_mode="always")
        person.start()
        yield person


@pytest.fixture
def anna(newcomer: VolunteerMachine, gate: ServedGate) -> VolunteerMachine:
    """A member whose computer trains, whatever the test before has left of it."""
    gate.instead.clear()
    if newcomer.daemon is None or newcomer.daemon.poll() is not None:
        newcomer.start()
    if newcomer.look().run is None:
        join(newcomer, gate)
    newcomer.wait_for(Activity.TRAINING)
    return newcomer


def says(seen: Snapshot, words: str) -> bool:
    return any(words in notice.text for notice in seen.notices)


def test_a_volunteer_joins_by_a_link_after_a_join_that_was_killed_at_the_gate(
    newcomer: VolunteerMachine, gate: ServedGate
) -> None:
    with begun(newcomer, "join", gate.link(), *FLAGS, "--no-browser") as joining:
        wait_until(lambda: newcomer.look().sign_in is not None, "no code is shown", 60)
        joining.kill()
    output = join(newcomer, gate)
    assert "Anyone who signs in with the Hugging Face Hub." in output
    assert "You are admitted as anna" in output
    newcomer.wait_for(Activity.TRAINING)


def test_the_board_receipts_and_the_own_page_are_had_by_commands(
    anna: VolunteerMachine, gate: ServedGate
) -> None:
    done = said(anna, "leaderboard", "--json")
    assert '"rows":[]' in done.stdout, done.stderr
    assert "The leaderboard is empty" in said(anna, "leaderboard").stdout
    assert "hidden from others" in said(anna, "leaderboard", "--hide-me").stdout
    assert "You lead the team Blue" in said(anna, "team", "found", "Blue").stdout
    assert "Your team, Blue, has rank 1 of 1 team" in said(anna, "leaderboard", "--teams").stdout
    assert "You left the team Blue" in said(anna, "team", "leave", "--yes").stdout
    assert "0 signed receipts are in" in said(anna, "stats", "--receipts").stdout
    page = anna.ask(OpenPage())
    assert getattr(page, "about", "").startswith(f"{gate.address}/me/enter?code=")
    assert anna.ask(ShowBoard()).model_dump()["board"]["total"] == 0


def test_a_daemon_whose_coordinator_is_away_says_so_and_goes_on_once_it_is_back(
    anna: VolunteerMachine, gate: ServedGate
) -> None:
    anna.quit()
    gate.instead["/api/tokens"] = Instead(503, b"")
    anna.start()
    anna.wait_until(lambda seen: gate.address in seen.headline, "it does not say what it waits for")
    seen = anna.look()
    assert (seen.activity, seen.trainer) == (Activity.WAITING, None)
    assert re.search(
        r"WARNING .*Attempt 1 to get an access token failed; the next in \d+ s: ", anna.log("daemon")
    )
    gate.instead.clear()
    said(anna, "resume")
    anna.wait_for(Activity.TRAINING)


def test_a_volunteer_stays_admitted_and_follows_a_run_that_is_taken_back(
    anna: VolunteerMachine, gate: ServedGate, taken_back: Path
) -> None:
    anna.wait_until(lambda seen: says(seen, "Generation 0, admitted as anna"), "it got no access token")
    seen = anna.look()
    assert seen.run is not None
    assert seen.run.has_gate
    assert seen.membership is not None
    assert seen.membership.name == "anna"
    anna.wait_until(lambda seen: says(seen, "Admitted again as anna"), "its token is not renewed")
    gate.take_back()
    taken_back.touch()
    anna.wait_until(lambda seen: says(seen, "Generation 1, admitted as anna"), "it does not go on")
    kept = anna.paths.memberships / f"{gate.run[:16]}.secret.json"
    secret = kept.read_text().split('"secret":"')[1].split('"')[0]
    pids = [process.pid for process in anna.family()]
    assert find_secret(secret, [anna.home], pids) == [str(kept)]
    for token in (word for word in gate.hub.issued() if word.startswith("hf_")):
        assert not find_secret(token, [anna.home, gate.context.home.root], pids)
        assert not any(token.encode() in request for request in gate.received)


def test_a_sign_in_that_the_hub_does_not_renew_is_in_the_log(
    anna: VolunteerMachine, hub: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "token_seconds", 2.0)
    hub.approve_next("anna")
    anna.ask(SignIn(keep="session"))
    hub.canned["/oauth/token"] = Canned(503)
    refused = re.compile(r"WARNING .*The sign-in could not be renewed, and is tried again: ")
    anna.wait_until(lambda _: bool(refused.search(anna.log("daemon"))), "its log does not tell")
    del hub.canned["/oauth/token"]
    anna.ask(SignOut())


def test_who_is_banned_stops_training_and_learns_why(anna: VolunteerMachine, gate: ServedGate) -> None:
    gate.ban("anna", "They trained on noise.")
    seen = anna.wait_for(Activity.ATTENTION)
    assert "They trained on noise" in seen.headline
    assert seen.problem is not None
    assert seen.problem.code == "membership"
    anna.wait_until(lambda seen: seen.trainer is None, "its trainer goes on")
    done = said(anna, "leave", "--membership")
    assert "no longer trains A gated run" in done.stdout


def test_peers_that_have_moved_are_found_by_the_runs_newest_manifest(
    tmp_path: Path, hub: HubServer, own_gate: ServedGate
) -> None:
    environment = {**NO_BUS, "HF_ENDPOINT": hub.address}
    with volunteer_at(
        tmp_path / "bert", environment=environment, settings=member_settings(unreachable=MOVED)
    ) as bert:
        bert.prefer(run_mode="never")
        bert.start()
        join(bert, own_gate)
        own_gate.reissue(initial_peers=(MOVED,))
        bert.ask(SetPreference(name="run-mode", value="always"))
        bert.wait_for(Activity.TRAINING)


def test_a_trainer_whose_token_ran_out_before_it_was_used_goes_on_with_another(
    tmp_path: Path, hub: HubServer, own_gate: ServedGate
) -> None:
    (refused := tmp_path / "asleep").touch()
    environment = {**NO_BUS, "HF_ENDPOINT": hub.address}
    with volunteer_at(
        tmp_path / "carla", environment=environment, settings=member_settings(refused_by=refused)
    ) as carla:
        carla.prefer(run_mode="always")
        carla.start()
        join(carla, own_gate)
        carla.wait_until(lambda seen: says(seen, "admitted as carla"), "training was given up")
        assert not refused.exists()
        assert re.search(r"Trainer .*The access token has expired", carla.log("daemon"))
        assert own_gate.asked("/api/tokens") > 0


def test_a_browser_is_opened_where_there_is_one(
    tmp_path: Path, hub: HubServer, own_gate: ServedGate, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit = tmp_path / "browser.py"
    visit.write_text("import sys, requests; requests.get(sys.argv[1], timeout=10)")
    monkeypatch.setattr(hub.openid, "browser", "dora")
    environment = {**NO_BUS, "HF_ENDPOINT": hub.address}
    with volunteer_at(tmp_path / "dora", environment=environment, settings=member_settings()) as dora:
        dora.prefer(run_mode="always")
        dora.start()
        dora.environment["BROWSER"] = f"{sys.executable} {visit} %s"
        done = idlebrush(dora, "join", own_gate.link(), *FLAGS, "--browser")
        assert "You are admitted as dora" in done.stdout, done.stderr
        dora.wait_for(Activity.TRAINING)
        again = idlebrush(dora, "join", "--browser", "--keep", "file")
        assert "You are admitted as dora" in again.stdout, again.stderr
