"""Evidence at the gate: who is set aside learns why and where to appeal; the organiser upholds it or lifts it."""

import base64
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from coordinator.database.tables import Epoch, EvidenceFound, Pardoned, User
from coordinator.errors import GateRefusal
from coordinator.gate import audit, evidence, moderation
from coordinator.gate.evidence import EvidenceStanding, FoundEvidence
from core.admission.pardons import Pardon, Pardons, read, sign
from tests.coordinator.gate.conftest import Person
from tests.coordinator.ledger_rows import rows
from tests.gate.gate_life import GateOverHttp, running_coordinator
from tests.hub.hub_server import HubServer

APPEALS = "appeals@run.example"
FOUND = FoundEvidence(
    number="ab" * 32,
    name="eve",
    peer_id="QmfSGLBhviqSdmuhiaeCxScyFhn5piCxhHUR3kg2WZi4fX",
    misdeed="double_vote",
    generation=0,
    epoch=7,
    words="signed two votes under one number in epoch 7",
    packed=b"evidence",
)


@pytest.fixture
def coordinator(tmp_path: Path, hub: HubServer, address: str) -> Iterator[GateOverHttp]:
    """A coordinator on SQLite and on PostgreSQL, moderated by Mia."""
    home = tmp_path / "home"
    with running_coordinator(home, hub, database=address, moderators=("mia",), appeals=APPEALS) as found:
        yield found


def enter(coordinator: GateOverHttp, *found: FoundEvidence) -> int:
    with coordinator.database.session() as session:
        return evidence.enter(session, found, coordinator.clock())


def commit(coordinator: GateOverHttp, epoch: int) -> None:
    """Enter an epoch, as the recorder does."""
    root, now = "cd" * 32, coordinator.clock()
    with coordinator.database.session() as session:
        session.add(Epoch(generation=0, epoch=epoch, time=now, samples=1, peers=1, seconds=1.0, root=root))


def only(coordinator: GateOverHttp) -> EvidenceFound:
    with coordinator.database.reading() as session:
        (row,) = evidence.listed(session)
    return row


def pardons_of(coordinator: GateOverHttp) -> Pardons:
    key = coordinator.context.gate_key
    with coordinator.database.reading() as session:
        found = evidence.pardons(session, coordinator.run, coordinator.clock())
    return read(sign(found, key), gate=key.public_key, run=coordinator.run)


def test_who_is_set_aside_is_told_why_and_where_to_appeal(coordinator: GateOverHttp, person: Person) -> None:
    eve = person("eve", 1)
    assert eve.join(coordinator).status_code == 201
    assert enter(coordinator, FOUND) == 1
    for answer in (eve.renew(coordinator), eve.join(coordinator)):
        document = answer.json()
        assert (answer.status_code, document["code"]) == (403, "set_aside")
        assert "…WZi4fX signed two votes under one number in epoch 7" in document["what"]
        assert APPEALS in document["remedy"]
    assert person("ada").join(coordinator).status_code == 201


def test_an_appeal_that_is_granted_admits_again_and_becomes_a_pardon(
    coordinator: GateOverHttp, person: Person
) -> None:
    eve = person("eve", 1)
    assert eve.join(coordinator).status_code == 201
    enter(coordinator, FOUND)
    commit(coordinator, 9)
    with coordinator.database.session() as session:
        moderation.grant(
            session, only(coordinator).id, "a copied folder", actor="mia", now=coordinator.clock()
        )
    assert eve.renew(coordinator).status_code == 200
    assert pardons_of(coordinator).pardons == (Pardon("eve", 0, 19),), (
        "up to the newest epoch, and a few more"
    )
    row = only(coordinator)
    assert (row.standing, row.decided_by, row.why) == (EvidenceStanding.LIFTED, "mia", "a copied folder")
    assert enter(coordinator, replace(FOUND, epoch=8)) == 1
    assert eve.renew(coordinator).status_code == 200, "what is pardoned sets nobody aside"
    assert enter(coordinator, replace(FOUND, epoch=20)) == 1
    assert eve.renew(coordinator).json()["code"] == "set_aside", "what comes after does"


@pytest.mark.parametrize(
    "far", [replace(FOUND, epoch=20), replace(FOUND, generation=1, epoch=0)], ids=["epoch", "generation"]
)
def test_evidence_against_oneself_of_epochs_to_come_buys_no_pardon(
    coordinator: GateOverHttp, far: FoundEvidence
) -> None:
    commit(coordinator, 9)
    enter(coordinator, FOUND, far)
    with coordinator.database.session() as session:
        moderation.grant(session, 1, "", actor="mia", now=coordinator.clock())
    assert pardons_of(coordinator).pardons == (Pardon("eve", 0, 19),)
    with coordinator.database.session() as session:
        assert [evidence.evidence_by(session, number).standing for number in (1, 2)] == ["lifted", "open"]
    with (
        coordinator.database.session() as session,
        pytest.raises(GateRefusal, match="the run has not come to"),
    ):
        moderation.grant(session, 2, "", actor="mia", now=coordinator.clock())


def test_evidence_that_is_upheld_is_a_ban_until_an_appeal_is_granted(
    coordinator: GateOverHttp, person: Person
) -> None:
    eve = person("eve", 1)
    assert eve.join(coordinator).status_code == 201
    enter(coordinator, FOUND)
    number = only(coordinator).id
    with coordinator.database.session() as session:
        assert moderation.uphold(session, number, "", actor="mia", now=coordinator.clock()) == "eve"
    answer = eve.renew(coordinator)
    assert answer.json()["code"] == "banned"
    assert "signed two votes" in answer.json()["what"]
    (banned,) = (user for user in rows(coordinator.database, User) if user.banned)
    assert banned.ban_at_once
    with coordinator.database.session() as session:
        moderation.grant(session, number, "", actor="mia", now=coordinator.clock())
    assert eve.join(coordinator).status_code == 201
    for decide in (moderation.grant, moderation.uphold):
        with coordinator.database.session() as session, pytest.raises(GateRefusal, match=r"set|lifted"):
            decide(session, number, "", actor="mia", now=coordinator.clock())


def test_of_more_pardons_than_a_list_holds_the_newest_are_in_it(coordinator: GateOverHttp) -> None:
    names = [f"{'x' * 30}-{number}" for number in range(300)]
    with coordinator.database.session() as session:
        for number, name in enumerate(names):
            time = coordinator.clock() + timedelta(seconds=number)
            session.add(Pardoned(name=name, generation=0, epoch=30_000, time=time))
    kept = [pardon.name for pardon in pardons_of(coordinator).pardons]
    assert 100 < len(kept) < 300
    assert kept == names[::-1][: len(kept)]


def test_no_moderator_lifts_evidence_against_oneself_over_the_api(
    coordinator: GateOverHttp, person: Person
) -> None:
    mia = person("mia")
    assert mia.join(coordinator).status_code == 201
    enter(coordinator, replace(FOUND, name="mia-before", peer_id=mia.key.peer_id))
    api, headers = coordinator.http, mia.bearer
    for answer in (
        api.post("/api/moderation/evidence/1", json={"decision": "lift", "why": ""}, headers=headers),
        api.delete("/api/moderation/bans/mia", headers=headers),
    ):
        assert answer.status_code == 403
        assert "mia may not lift what is against mia" in answer.json()["what"]
    with coordinator.database.session() as session:
        moderation.unban(session, "mia", actor=moderation.COMMAND_LINE, now=coordinator.clock())
    assert mia.renew(coordinator).status_code == 200


def test_moderators_alone_get_the_proof_over_the_api(coordinator: GateOverHttp, person: Person) -> None:
    mia, ada = person("mia"), person("ada", 2)
    for member in (mia, ada):
        assert member.join(coordinator).status_code == 201
    enter(coordinator, FOUND)
    api, place = coordinator.http, "/api/moderation/evidence/1"
    found = api.get(place, headers=mia.bearer).json()
    assert (found["run"], found["user"], found["epoch"]) == (coordinator.run, "eve", 7)
    assert base64.b64decode(found["evidence"]) == FOUND.packed
    assert api.get("/api/moderation/evidence/2", headers=mia.bearer).status_code == 404
    assert [api.get(place, headers=headers).status_code for headers in (ada.bearer, {})] == [403, 401]


def test_another_name_of_the_account_changes_nothing(coordinator: GateOverHttp, person: Person) -> None:
    eve = person("eve", 1)
    assert eve.join(coordinator).status_code == 201
    enter(coordinator, replace(FOUND, peer_id=eve.key.peer_id))
    with coordinator.database.session() as session:
        session.scalars(select(User).where(User.name == "eve")).one().name = "eva"
    assert eve.renew(coordinator).json()["code"] == "set_aside"
    with coordinator.database.session() as session:
        moderation.uphold(session, 1, "", actor="mia", now=coordinator.clock())
        assert session.scalars(select(User).where(User.name == "eva")).one().banned


def test_who_lifts_a_ban_lifts_the_evidence_against_an_earlier_name(
    coordinator: GateOverHttp, person: Person
) -> None:
    eve = person("eve", 1)
    assert eve.join(coordinator).status_code == 201
    enter(coordinator, replace(FOUND, peer_id=eve.key.peer_id))
    with coordinator.database.session() as session:
        session.scalars(select(User).where(User.name == "eve")).one().name = "eva"
    with coordinator.database.session() as session:
        moderation.unban(session, "eva", actor="mia", now=coordinator.clock())
    assert eve.renew(coordinator).status_code == 200
    assert [pardon.name for pardon in pardons_of(coordinator).pardons] == ["eve"]


def test_a_name_that_changed_hands_takes_no_evidence_along(coordinator: GateOverHttp, person: Person) -> None:
    former, ada = person("eve", 1), person("ada", 2)
    assert former.join(coordinator).status_code == 201
    enter(coordinator, replace(FOUND, peer_id=former.key.peer_id))
    with coordinator.database.session() as session:
        session.scalars(select(User).where(User.name == "eve")).one().name = "eve~1"
    assert ada.join(coordinator).status_code == 201
    with coordinator.database.session() as session:
        session.scalars(select(User).where(User.name == "ada")).one().name = "eve"
    assert ada.renew(coordinator).status_code == 200
    assert former.renew(coordinator).json()["code"] == "set_aside"


def test_who_lifts_a_ban_lifts_the_evidence_too(coordinator: GateOverHttp, person: Person) -> None:
    eve = person("eve", 1)
    assert eve.join(coordinator).status_code == 201
    enter(coordinator, FOUND)
    with coordinator.database.session() as session:
        moderation.unban(session, "eve", actor="mia", now=coordinator.clock())
    assert eve.renew(coordinator).status_code == 200
    with coordinator.database.session() as session, pytest.raises(GateRefusal, match="not banned"):
        moderation.unban(session, "eve", actor="mia", now=coordinator.clock())


def test_evidence_is_entered_once_logged_and_bounded_by_user(coordinator: GateOverHttp) -> None:
    assert enter(coordinator, FOUND, replace(FOUND, number="cd" * 32)) == 1
    assert enter(coordinator, FOUND) == 0
    many = [replace(FOUND, epoch=epoch) for epoch in range(100)]
    assert enter(coordinator, *many) == evidence.MOST_OF_USER - 1
    with coordinator.database.reading() as session:
        entries = [item for item in audit.entries(session) if item.action == "set aside by evidence"]
    assert len(entries) == evidence.MOST_OF_USER
    assert {item.subject for item in entries} == {"eve"}


def test_what_was_lifted_takes_no_place_of_what_counts(coordinator: GateOverHttp) -> None:
    commit(coordinator, 100)
    enter(coordinator, *(replace(FOUND, epoch=epoch) for epoch in range(50)))
    with coordinator.database.session() as session:
        evidence.lift(session, "eve", "", actor="mia", now=coordinator.clock())
    assert enter(coordinator, *(replace(FOUND, epoch=epoch) for epoch in range(50, 100))) == 0
    later = [replace(FOUND, epoch=epoch) for epoch in range(200, 250)]
    assert enter(coordinator, *later) == evidence.MOST_OF_USER
