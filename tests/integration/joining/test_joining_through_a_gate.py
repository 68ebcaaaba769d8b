"""`idlebrush join` through a real gate, by the real daemon: sign in, train, stay admitted, be banned."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.api.commands import OpenPage, SetPreference
from client.api.questions import ShowBoard
from client.api.snapshot import Activity, Snapshot
from tests.hub_server import HubServer, running_hub
from tests.integration.front_end import FLAGS, begun, idlebrush, join
from tests.integration.joining.stand_in_member import told
from tests.keyring_daemon import NO_BUS
from tests.secret_search import find_secret
from tests.served_gate import Instead, ServedGate, served_gate
from tests.volunteer import Volunteer, volunteer
from tests.waiting import wait_until

MOVED = "/ip4/127.0.0.1/tcp/4711/p2p/QmWATWQ7fVPP2EFGu71UkfnqhYXDYH566qy47CnJDgvs8u"


@pytest.fixture
def hub() -> Iterator[HubServer]:
    with running_hub() as hub:
        hub.openid.echoes_device_nonce = True
        yield hub


@pytest.fixture
def gate(tmp_path: Path, hub: HubServer) -> Iterator[ServedGate]:
    with served_gate(tmp_path / "coordinator", hub, token_seconds=30) as gate:
        yield gate


@pytest.fixture
def taken_back(tmp_path: Path) -> Path:
    return tmp_path / "taken-back"


@pytest.fixture
def anna(tmp_path: Path, hub: HubServer, taken_back: Path) -> Iterator[Volunteer]:
    environment = {**NO_BUS, "HF_ENDPOINT": hub.address}
    with volunteer(tmp_path / "anna", environment=environment, told=told(taken_back)) as person:
        person.prefer(run_mode="always")
        person.start()
        yield person


def says(seen: Snapshot, words: str) -> bool:
    return any(words in notice.text for notice in seen.notices)


def test_a_volunteer_joins_by_a_link_stays_admitted_and_follows_a_run_that_is_taken_back(
    anna: Volunteer, gate: ServedGate, taken_back: Path
) -> None:
    said = join(anna, gate)
    assert "Anyone who signs in with the Hugging Face Hub." in said
    assert "You are admitted as anna" in said
    anna.wait_for(Activity.TRAINING)
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


def test_who_is_banned_stops_training_and_is_told_why(anna: Volunteer, gate: ServedGate) -> None:
    join(anna, gate)
    anna.wait_for(Activity.TRAINING)
    gate.ban("anna", "They trained on noise.")
    seen = anna.wait_for(Activity.ATTENTION)
    assert "They trained on noise" in seen.headline
    assert seen.problem is not None
    assert seen.problem.code == "membership"
    anna.wait_until(lambda seen: seen.trainer is None, "its trainer goes on")
    done = idlebrush(anna, "leave", "--membership")
    assert "no longer trains A gated run" in done.stdout


def test_a_daemon_whose_coordinator_is_away_says_so_and_goes_on_once_it_is_back(
    anna: Volunteer, gate: ServedGate
) -> None:
    join(anna, gate)
    anna.wait_for(Activity.TRAINING)
    anna.quit()
    gate.instead["/api/tokens"] = Instead(503, b"")
    anna.start()
    anna.wait_until(lambda seen: gate.address in seen.headline, "it does not say what it waits for")
    seen = anna.look()
    assert (seen.activity, seen.trainer) == (Activity.WAITING, None)
    gate.instead.clear()
    idlebrush(anna, "resume")
    anna.wait_for(Activity.TRAINING)


def test_peers_that_have_moved_are_found_by_the_runs_newest_manifest(
    tmp_path: Path, hub: HubServer, gate: ServedGate
) -> None:
    environment = {**NO_BUS, "HF_ENDPOINT": hub.address}
    with volunteer(tmp_path / "bert", environment=environment, told=told(unreachable=MOVED)) as bert:
        bert.prefer(run_mode="never")
        bert.start()
        join(bert, gate)
        gate.reissue(initial_peers=(MOVED,))
        bert.ask(SetPreference(name="run-mode", value="always"))
        bert.wait_for(Activity.TRAINING)


def test_a_trainer_whose_token_ran_out_before_it_was_used_goes_on_with_another(
    tmp_path: Path, hub: HubServer, gate: ServedGate
) -> None:
    (refused := tmp_path / "asleep").touch()
    environment = {**NO_BUS, "HF_ENDPOINT": hub.address}
    with volunteer(tmp_path / "carla", environment=environment, told=told(refused_by=refused)) as carla:
        carla.prefer(run_mode="always")
        carla.start()
        join(carla, gate)
        carla.wait_until(lambda seen: says(seen, "admitted as carla"), "training was given up")
        assert not refused.exists()
        assert re.search(r"Trainer .*The access token has expired", carla.log("daemon"))
        assert gate.asked("/api/tokens") > 0


def test_the_board_receipts_and_the_own_page_are_had_by_commands(anna: Volunteer, gate: ServedGate) -> None:
    join(anna, gate)
    anna.wait_for(Activity.TRAINING)
    done = idlebrush(anna, "leaderboard", "--json")
    assert '"rows":[]' in done.stdout, done.stderr
    assert "The leaderboard is empty" in idlebrush(anna, "leaderboard").stdout
    assert "hidden from others" in idlebrush(anna, "leaderboard", "--hide-me").stdout
    assert "0 signed receipts are in" in idlebrush(anna, "stats", "--receipts").stdout
    page = anna.ask(OpenPage())
    assert getattr(page, "about", "").startswith(f"{gate.address}/me/enter?code=")
    assert anna.ask(ShowBoard()).model_dump()["board"]["total"] == 0


def test_a_browser_is_opened_where_there_is_one(anna: Volunteer, gate: ServedGate, tmp_path: Path) -> None:
    visit = tmp_path / "browser.py"
    visit.write_text("import sys, requests; requests.get(sys.argv[1], timeout=10)")
    anna.environment["BROWSER"] = f"{sys.executable} {visit} %s"
    gate.hub.openid.browser = "anna"
    done = idlebrush(anna, "join", gate.link(), *FLAGS, "--browser")
    assert "You are admitted as anna" in done.stdout, done.stderr
    anna.wait_for(Activity.TRAINING)
    again = idlebrush(anna, "join", "--browser", "--keep", "file")
    assert "You are admitted as anna" in again.stdout, again.stderr


def test_a_join_that_is_killed_at_the_gate_begins_anew(anna: Volunteer, gate: ServedGate) -> None:
    with begun(anna, "join", gate.link(), *FLAGS, "--no-browser") as joining:
        wait_until(lambda: anna.look().sign_in is not None, "no code is shown", 60)
        joining.kill()
    assert "You are admitted as anna" in join(anna, gate)
    anna.wait_for(Activity.TRAINING)
