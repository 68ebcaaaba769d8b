"""Moderation: what a ban ends and when, who may order one, and what the audit log keeps."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from coordinator.database.tables import AuditEntry, Frame, KnownPeer, User
from coordinator.errors import GateRefusal
from coordinator.gate import audit, moderation
from coordinator.recorder.revocations import revoked
from core.admission.access_token import read as read_token
from core.admission.revocations import Revocations, read, sign
from core.admission.signed_lists import MAX_BYTES
from core.errors import AdmissionError
from tests.coordinator.gate.conftest import Person
from tests.gate.gate_life import GateOverHttp, GateVolunteer, running_coordinator
from tests.hub.hub_server import HubServer


@pytest.fixture
def coordinator(tmp_path: Path, hub: HubServer, address: str) -> Iterator[GateOverHttp]:
    """A coordinator on SQLite and on PostgreSQL, moderated by Mia."""
    with running_coordinator(tmp_path / "home", hub, database=address, moderators=("mia",)) as found:
        yield found


@pytest.fixture
def standing(tmp_path: Path, hub: HubServer) -> Iterator[GateOverHttp]:
    with running_coordinator(tmp_path / "home", hub, moderators=("mia",)) as found:
        yield found


def arrive(coordinator: GateOverHttp, volunteer: GateVolunteer) -> GateVolunteer:
    assert volunteer.join(coordinator).status_code == 201
    return volunteer


def ban(coordinator: GateOverHttp, moderator: GateVolunteer, name: str, **more: Any) -> Any:
    asked = {"name": name, "reason": "floods", **more}
    return coordinator.http.post("/api/moderation/bans", json=asked, headers=moderator.bearer)


def list_of(coordinator: GateOverHttp) -> Revocations:
    with coordinator.database.reading() as session:
        return revoked(session, coordinator.run, coordinator.clock())


def test_a_ban_ends_a_membership_and_is_reported_with_its_reason(
    coordinator: GateOverHttp, person: Person
) -> None:
    mia, eve = arrive(coordinator, person("mia")), arrive(coordinator, person("eve", 1))
    assert ban(coordinator, mia, "eve").status_code == 204
    for answer in (eve.renew(coordinator), eve.join(coordinator)):
        assert (answer.status_code, answer.json()["code"]) == (403, "banned")
        assert "floods" in answer.json()["what"]
    assert list_of(coordinator).names == ()
    assert mia.renew(coordinator).status_code == 200


def test_who_is_banned_is_out_within_the_life_of_one_token(standing: GateOverHttp, person: Person) -> None:
    mia, eve = arrive(standing, person("mia")), arrive(standing, person("eve", 1))
    standing.clock.pass_by(minutes=5)
    assert eve.renew(standing).status_code == 200
    ban(standing, mia, "eve")
    gate, life = standing.context.gate_key.public_key, standing.context.settings.gate.token_seconds
    last = read_token(eve.access_token, gate=gate, run=standing.run, now=standing.clock().timestamp())
    assert eve.renew(standing).status_code == 403
    standing.clock.pass_by(seconds=life)
    assert eve.renew(standing).status_code == 403
    with pytest.raises(AdmissionError, match="expired"):
        read_token(eve.access_token, gate=gate, run=standing.run, now=standing.clock().timestamp())
    assert last.expires - last.issued == life


def test_a_ban_at_once_revokes_what_is_good_as_long_as_it_is(
    coordinator: GateOverHttp, person: Person
) -> None:
    mia, eve = arrive(coordinator, person("mia")), arrive(coordinator, person("eve", 1))
    before = list_of(coordinator)
    ban(coordinator, mia, "eve", at_once=True)
    now = list_of(coordinator)
    assert (now.names, now.peers) == (("eve",), (eve.key.peer_id,))
    assert now.serial > before.serial
    token = read_token(
        eve.access_token,
        gate=coordinator.context.gate_key.public_key,
        run=coordinator.run,
        now=coordinator.clock().timestamp(),
    )
    assert now.forbids(token)
    coordinator.clock.pass_by(minutes=11)
    assert list_of(coordinator).names == ()


def test_a_ban_may_become_one_at_once_and_may_be_lifted(coordinator: GateOverHttp, person: Person) -> None:
    mia, eve = arrive(coordinator, person("mia")), arrive(coordinator, person("eve", 1))
    ban(coordinator, mia, "eve")
    ban(coordinator, mia, "eve", at_once=True)
    assert list_of(coordinator).names == ("eve",)
    lifted = coordinator.http.delete("/api/moderation/bans/eve", headers=mia.bearer)
    assert lifted.status_code == 204
    assert list_of(coordinator).names == ()
    assert eve.renew(coordinator).status_code == 401
    assert eve.join(coordinator).status_code == 201
    again = coordinator.http.delete("/api/moderation/bans/eve", headers=mia.bearer)
    assert again.status_code == 404


def test_what_is_rolled_back_is_not_logged(
    coordinator: GateOverHttp, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")

    def fail() -> None:
        with coordinator.database.session() as session:
            audit.note(session, coordinator.clock(), "mia", "ban", "eve")
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    with coordinator.database.session() as session:
        audit.note(session, coordinator.clock(), "mia", "ban", "bob")
    assert "mia: ban bob" in caplog.text
    assert "eve" not in caplog.text


def test_all_that_is_ordered_is_in_the_log(
    coordinator: GateOverHttp, person: Person, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    mia = arrive(coordinator, person("mia"))
    arrive(coordinator, person("eve", 1))
    ban(coordinator, mia, "eve", at_once=True)
    coordinator.http.delete("/api/moderation/bans/eve", headers=mia.bearer)
    with coordinator.database.session() as session:
        moderation.set_moderator(session, "eve", True, actor="organiser", now=coordinator.clock())
    assert "mia: ban lifted eve" in caplog.text
    log = coordinator.http.get("/api/moderation/audit", headers=mia.bearer).json()["entries"]
    entries = [(entry["actor"], entry["action"], entry["subject"], entry["detail"]) for entry in log]
    assert entries == [
        ("organiser", "made a moderator", "eve", ""),
        ("mia", "ban lifted", "eve", ""),
        ("mia", "banned at once", "eve", "floods"),
    ]
    first = coordinator.http.get("/api/moderation/audit?limit=2", headers=mia.bearer).json()
    rest = coordinator.http.get(f"/api/moderation/audit?before={first['next']}", headers=mia.bearer).json()
    assert [entry["id"] for entry in (*first["entries"], *rest["entries"])] == [e["id"] for e in log]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/moderation/bans", {"name": "mia"}),
        ("DELETE", "/api/moderation/bans/mia", None),
        ("GET", "/api/moderation/members", None),
        ("GET", "/api/moderation/audit", None),
    ],
)
def test_moderation_is_for_moderators(
    standing: GateOverHttp, person: Person, method: str, path: str, body: Any
) -> None:
    ada = arrive(standing, person("ada"))
    assert standing.http.request(method, path, json=body).status_code == 401
    assert standing.http.request(method, path, json=body, headers=ada.bearer).status_code == 403


def test_a_moderator_bans_no_moderator_and_nobody_who_is_not_there(
    standing: GateOverHttp, person: Person
) -> None:
    mia, max_ = arrive(standing, person("mia")), arrive(standing, person("max", 1))
    with standing.database.session() as session:
        moderation.set_moderator(session, "max", True, actor="organiser", now=standing.clock())
    assert ban(standing, max_, "mia").status_code == 403
    assert ban(standing, mia, "max").status_code == 403
    assert ban(standing, mia, "nobody").status_code == 404
    with standing.database.session() as session, pytest.raises(GateRefusal):
        moderation.unban(session, "mia", actor="organiser", now=standing.clock())


def test_moderators_see_who_takes_part_page_by_page(standing: GateOverHttp, person: Person) -> None:
    mia, eve = arrive(standing, person("mia")), arrive(standing, person("eve", 1))
    arrive(standing, person("eve", 2))
    ban(standing, mia, eve.name)
    page = standing.http.get("/api/moderation/members?limit=1", headers=mia.bearer).json()
    (row,) = page["members"]
    assert (row["name"], row["peers"], row["ban_reason"]) == ("eve", 2, "floods")
    rest = standing.http.get(f"/api/moderation/members?after={page['next']}", headers=mia.bearer).json()
    assert ([row["name"] for row in rest["members"]], rest["next"]) == (["mia"], None)


def test_refused_sign_ins_are_summed_so_that_a_flood_fills_nothing(
    standing: GateOverHttp, person: Person, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "coordinator")
    standing.clock.stop()
    for _ in range(50):
        person("eve").join(standing, proof="AAAA")
    standing.clock.pass_by(seconds=6)
    person("eve").join(standing, proof="AAAA")
    with standing.database.reading() as session:
        (entry,) = audit.entries(session)
    assert (entry.action, entry.detail, entry.count) == (audit.REFUSED, "proof", 51)
    assert _refusals_in(caplog) == [
        "gate: sign-in refused proof (1 since the last such line)",
        "gate: sign-in refused proof (50 since the last such line)",
    ]
    standing.clock.pass_by(hours=2)
    person("eve").join(standing, nonce="x" * 55)
    with standing.database.reading() as session:
        assert session.query(AuditEntry).count() == 2


def _refusals_in(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [text for text in caplog.messages if audit.REFUSED in text]


def test_a_refusal_names_who_it_was_if_that_is_proven(
    standing: GateOverHttp, person: Person, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "coordinator")
    arrive(standing, person("mia"))
    person("eve").join(standing)  # at the machine of another member
    with standing.database.reading() as session:
        (entry,) = audit.entries(session)
    assert entry.subject == "eve"
    assert _refusals_in(caplog) == [f"gate: sign-in refused eve {entry.detail} (1 since the last such line)"]


def test_a_list_of_thousands_still_fits_where_it_travels(standing: GateOverHttp) -> None:
    now = standing.clock()
    with standing.database.session() as session:
        for number in range(400):
            user = User(
                name=f"a-volunteer-with-a-long-name-{number}",
                created=now,
                banned=now - timedelta(seconds=number),
                ban_at_once=True,
            )
            session.add(user)
            session.flush()
            session.add(
                KnownPeer(
                    peer_id=f"Qm{number:0>44}".replace("0", "z"),
                    user_id=user.id,
                    created=now,
                    token_until=now,
                )
            )
        session.add(User(name="former~7", created=now, banned=now, ban_at_once=True))
    with standing.database.reading() as session:
        found = revoked(session, standing.run, now)
    assert len(found.names) > 200
    assert found.names[0] == "a-volunteer-with-a-long-name-0"
    signed = sign(found, standing.context.gate_key)
    assert len(signed) <= MAX_BYTES
    assert read(signed, gate=standing.context.gate_key.public_key, run=standing.run) == found


def test_moderators_take_a_picture_down_and_others_do_not(standing: GateOverHttp, person: Person) -> None:
    mia, eve = arrive(standing, person("mia")), arrive(standing, person("eve", 1))
    home = standing.context.home
    home.frames.mkdir()
    picture = home.frames / "g0-epoch-0000007.webp"
    picture.write_bytes(b"picture")
    about = {"sha256": "a" * 64, "size": 7, "file": picture.name, "peer_id": "p"}
    with standing.database.session() as session:
        session.add(Frame(generation=0, epoch=7, **about))
    address = "/api/moderation/pictures/7"
    assert standing.http.delete(address, headers=eve.bearer).status_code == 403
    assert picture.exists()
    assert standing.http.delete(address, headers=mia.bearer).status_code == 204
    assert not picture.exists()
    assert standing.http.delete(address, headers=mia.bearer).status_code == 404
    with standing.database.reading() as session:
        newest = audit.entries(session)[0]
    assert (newest.actor, newest.action, newest.subject) == ("mia", "picture taken down", "epoch 7")
