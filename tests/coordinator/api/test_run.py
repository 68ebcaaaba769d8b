"""REST: the run as everybody may see it, and what a member sees and chooses besides."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select

from client.joining.pace import RunPace, UpdatePace
from coordinator.database.tables import Day, Epoch, SwarmNow, Total, User
from coordinator.ledger.owners import owners
from core.admission.peer_key import PeerKey
from core.admission.receipts import SignedReceipt
from tests.gate.gate_life import GateOverHttp, GateVolunteer, peer_key, running_coordinator
from tests.hub.hub_server import running_hub

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def ada(coordinator: GateOverHttp, tmp_path_factory: pytest.TempPathFactory) -> GateVolunteer:
    """A member, who contributed less than Ben, and hides it."""
    ada = GateVolunteer("ada", PeerKey.load_or_create(tmp_path_factory.mktemp("keys") / "ada"))
    assert ada.join(coordinator).status_code == 201
    with coordinator.database.session() as session:
        ben = User(name="ben", created=coordinator.clock())
        session.add(ben)
        session.flush()
        who = session.scalars(select(User.id).where(User.name == "ada")).one()
        for user, samples in ((who, 100), (ben.id, 300)):
            contributed(session, coordinator, user, samples)
    return ada


def contributed(session: Any, coordinator: GateOverHttp, user: int, samples: int) -> None:
    now = coordinator.clock()
    counts = {"samples": samples, "compute_seconds": samples / 2, "epochs": 3}
    session.add(Total(user_id=user, first=now, **counts))
    session.add(Day(user_id=user, day=now.date(), **counts))


def test_the_pace_is_given_once_there_are_epochs(coordinator: GateOverHttp) -> None:
    digest = coordinator.context.manifest.training_digest
    before = coordinator.http.get("/api/pace").json()
    assert before == {"run": digest, "epoch": 0, "measured": None}
    now = coordinator.clock()
    seen = {"time": now.isoformat(), "generation": 0, "epoch": 3, "total_epochs": 100, "target": 64}
    with coordinator.database.session() as session:
        session.add(SwarmNow(time=now, content=seen))
        for epoch in range(1, 4):
            time = now + timedelta(seconds=100 * epoch)
            about = {"samples": 64, "seconds": 1.0, "loss": 5.0, "root": "ab" * 32}
            session.add(Epoch(generation=0, epoch=epoch, time=time, peers=epoch, **about))
    after = coordinator.http.get("/api/pace?again").json()  # past the cache
    assert after == {
        "run": digest,
        "epoch": 3,
        "measured": {"epochs": 2, "seconds": 200.0, "contributors": 2.0},
    }
    assert RunPace.model_validate(after).measured == UpdatePace(epochs=2, seconds=200.0, contributors=2.0)
    with coordinator.database.session() as session:
        session.execute(delete(SwarmNow))
        session.execute(delete(Epoch))


def test_what_the_swarm_does_now_is_reported_once_it_was_seen(coordinator: GateOverHttp) -> None:
    assert coordinator.http.get("/api/status").status_code == 404
    now = coordinator.clock()
    seen = {"time": now.isoformat(), "generation": 1, "epoch": 7, "total_epochs": 100, "target": 64}
    with coordinator.database.session() as session:
        session.add(SwarmNow(time=now, content={**seen, "peers": {"cpu": {"training": 2}}, "newer": 1}))
    answer = coordinator.http.get("/api/status").json()
    assert (answer["generation"], answer["epoch"], answer["peers"]["cpu"]["training"]) == (1, 7, 2)


def test_a_long_history_comes_thinned_out(coordinator: GateOverHttp) -> None:
    now = coordinator.clock()
    with coordinator.database.session() as session:
        for epoch in range(1, 1001):
            time = now + timedelta(seconds=epoch)
            about = {"samples": 64, "peers": 2, "seconds": 1.0, "root": "ab" * 32, "traffic": None}
            session.add(Epoch(generation=0, epoch=epoch, time=time, loss=5 - epoch / 1000, **about))
    points = coordinator.http.get("/api/history?points=50").json()["epochs"]
    assert 40 <= len(points) <= 50
    assert points[-1]["epoch"] == 1000
    assert points[-1]["loss"] < points[0]["loss"]


def test_a_run_without_prompts_has_no_time_lapse(coordinator: GateOverHttp) -> None:
    answer = coordinator.http.get("/api/frames").json()
    assert (answer["prompts"], answer["columns"], answer["frames"]) == ([], 1, [])


def test_the_board_shows_who_hides_to_nobody_but_themselves(
    coordinator: GateOverHttp, ada: GateVolunteer
) -> None:
    answer = coordinator.http.patch("/api/members", json={"hidden": True}, headers=ada.bearer)
    assert answer.json() == {"name": "ada", "hidden": True}
    public = coordinator.http.get("/api/leaderboard").json()
    assert [(row["rank"], row["name"]) for row in public["rows"]] == [(1, "ben"), (2, "hidden volunteer")]
    assert public["own"] is None
    own = coordinator.http.get("/api/leaderboard?by=time&since=week", headers=ada.bearer).json()
    assert (own["own"]["name"], own["own"]["rank"], own["own"]["hidden"]) == ("ada", 2, True)
    assert own["total"] == 2
    assert coordinator.http.get("/api/leaderboard?around=ada").json()["rows"] == []
    stale = {"Authorization": "Bearer no-longer-good"}
    assert coordinator.http.get("/api/leaderboard", headers=stale).status_code == 401


@pytest.mark.parametrize("is_open", [True, False])
def test_a_peer_has_its_own_row_only_where_there_is_no_gate(tmp_path: Path, is_open: bool) -> None:
    with running_hub() as hub, running_coordinator(tmp_path, hub, open=is_open) as coordinator:
        peer = peer_key(tmp_path, 1).peer_id
        now = coordinator.clock()
        with coordinator.database.session() as session:
            owner = owners(session, [peer], now)[peer]
            session.add(Total(user_id=owner.user, samples=64, compute_seconds=1.0, epochs=1, first=now))
        board = coordinator.http.get(f"/api/leaderboard?peer={peer}").json()
        assert board["total"] == 1
        assert (board["own"] is not None) is is_open
        if is_open:
            assert board["own"]["name"] == f"peer-{peer[-6:]}"
        stranger = peer_key(tmp_path, 2).peer_id
        assert coordinator.http.get(f"/api/leaderboard?peer={stranger}").json()["own"] is None
        assert coordinator.http.get("/api/leaderboard?peer=0OIl").status_code == 422


def test_receipts_are_checked_without_the_coordinator(coordinator: GateOverHttp, ada: GateVolunteer) -> None:
    assert coordinator.http.get("/api/receipts").status_code == 401
    (given,) = coordinator.http.get("/api/receipts", headers=ada.bearer).json()["receipts"]
    gate = coordinator.context.gate_key.public_key
    receipt = SignedReceipt.parse(json.dumps(given)).verify(gate=gate, run=coordinator.run)
    assert (receipt.name, receipt.samples) == ("ada", 100)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[" * 30_000,
        b'{"flow": NaN}',
        b'{"flow": "\\ud800"}',
        b'{"flow": "\xff"}',
        b'{"flow": "browser", "more": 1}',
        b'{"flow": 1e400}',
    ],
)
def test_what_is_no_request_is_refused_in_words(coordinator: GateOverHttp, body: bytes) -> None:
    answer = coordinator.http.post("/api/challenges", content=body, headers=JSON)
    assert answer.status_code in (400, 422)
    assert set(answer.json()) == {"code", "what", "remedy"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id_token", "a.b.\u0000"),
        ("id_token", "x" * 20_000),
        ("nonce", "\ud800" * 30),
        ("nonce", ["x" * 43]),
        ("invitation", "<script>alert(1)</script>"),
        ("public_key", "not base64!"),
        ("proof", "A" * 3000),
        ("proof", None),
    ],
)
def test_fields_are_bounded_and_never_repeated(coordinator: GateOverHttp, field: str, value: Any) -> None:
    asked = {"id_token": "a.b.c", "nonce": "x" * 43, "public_key": "AAAA", "proof": "AAAA", field: value}
    answer = coordinator.http.post("/api/members", content=json.dumps(asked), headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == (422, "request")
    assert answer.json()["what"].startswith(f"{field}: ")
    assert "alert" not in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/api/leaderboard?limit=0",
        "/api/leaderboard?limit=201",
        "/api/leaderboard?offset=-1",
        "/api/leaderboard?offset=99999999999999999999",
        "/api/leaderboard?around=%00",
        "/api/leaderboard?around=%ff",
        "/api/leaderboard?by=money",
        "/api/history?points=1",
        "/api/history?points=1e9",
        "/api/history?points=999999999999999999999999",
    ],
)
def test_queries_are_bounded(coordinator: GateOverHttp, path: str) -> None:
    answer = coordinator.http.get(path)
    assert (answer.status_code, answer.json()["code"]) == (422, "request")
