"""REST: what was checked of a member's work, what is withheld and why, and how moderators lift it."""

from pathlib import Path

from sqlalchemy import select

from coordinator.database.tables import Day, KnownPeer, Total, User
from coordinator.ledger.withholding import EnteredVerdict
from coordinator.ledger.work_audits import JudgedWork, enter
from core.admission.peer_key import PeerKey
from tests.gate.gate_life import GateOverHttp, GateVolunteer


def test_withheld_credits_are_told_and_lifted(coordinator: GateOverHttp, tmp_path: Path) -> None:
    eve, mia = (GateVolunteer(name, PeerKey.load_or_create(tmp_path / name)) for name in ("eve", "mia"))
    for one in (eve, mia):
        assert one.join(coordinator).status_code == 201
    now, counts = coordinator.clock(), {"samples": 100, "compute_seconds": 50.0, "epochs": 3}
    with coordinator.database.session() as session:
        user = session.scalars(select(User.id).where(User.name == "eve")).one()
        peer = session.scalars(select(KnownPeer.peer_id).where(KnownPeer.user_id == user)).one()
        session.add(Total(user_id=user, first=now, **counts))
        session.add(Day(user_id=user, day=now.date(), **counts))

    def receipts() -> dict[str, object]:
        given: dict[str, object] = coordinator.http.get("/api/receipts", headers=eve.bearer).json()
        return given

    assert len(receipts()["receipts"]) == 1  # type: ignore[arg-type]
    assert (receipts()["checked_samples"], receipts()["withheld_because"]) == (0, None)
    with coordinator.database.session() as session:
        enter(session, JudgedWork(peer, 0, 3, 24, 26, EnteredVerdict.FALSE, float("inf")), now)
    withheld = receipts()
    assert (withheld["receipts"], withheld["withheld_samples"]) == ([], 100)
    assert "that its 26 rows cannot give" in str(withheld["withheld_because"])
    board = coordinator.http.get("/api/leaderboard", headers=eve.bearer).json()
    assert board["withheld"] == {"samples": 100, "why": withheld["withheld_because"]}
    for headers in (mia.bearer, None):
        assert coordinator.http.get("/api/leaderboard", headers=headers).json()["withheld"] is None
    assert coordinator.http.get("/api/moderation/audits", headers=eve.bearer).status_code == 403
    (listed,) = coordinator.http.get("/api/moderation/audits", headers=mia.bearer).json()["audits"]
    assert (listed["name"], listed["rows"], listed["difference"]) == ("eve", 26, None)
    assert (listed["tolerance"], listed["standing"], listed["withheld_samples"]) == (0.75, "open", 100)
    address = f"/api/moderation/audits/{listed['number']}/lift"
    assert coordinator.http.post(address, json={"why": "ours"}, headers=eve.bearer).status_code == 403
    assert coordinator.http.post(address, json={"why": "ours"}, headers=mia.bearer).status_code == 204
    assert coordinator.http.post(address, json={}, headers=mia.bearer).status_code == 404
    assert (len(receipts()["receipts"]), receipts()["withheld_samples"]) == (1, 0)  # type: ignore[arg-type]
