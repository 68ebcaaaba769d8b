"""The moderators' page: evidence with its proof, decisions about it, bans and the log; for moderators alone."""

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from coordinator.database.tables import User
from coordinator.gate import evidence
from coordinator.gate.evidence import EvidenceStanding
from coordinator.gate.pages import give_code
from coordinator.recorder.evidence import in_row
from coordinator.settings import GateSettings, Settings
from core.admission.gate_certificate import GateCertificate
from core.run.manifest import RunManifest
from core.signing import SigningKey
from core.swarm.evidence.evidence import Evidence, verified
from tests.coordinator.web.conftest import browsing
from tests.coordinator.web.sites import LedgerPerson, ServedSite, add_checkpoint, add_epochs, add_people, site
from tests.core.swarm.builders import identity
from tests.core.swarm.evidence.double_voter import double_vote
from tests.gate.run_gate import RunGate

OWN = {"Sec-Fetch-Site": "same-origin"}
APPEALS = "https://forum.example/appeals"
SETTINGS = Settings(
    moderators=("mia",),
    appeals=APPEALS,
    gate=GateSettings(client_id="app", issuer="https://hub.example"),
)


@pytest.fixture
def moderated(tmp_path: Path) -> Iterator[ServedSite]:
    """A site with evidence against Mallory."""
    with site(tmp_path / "home", settings=SETTINGS) as made:
        people = tuple(map(LedgerPerson, ("mia", "ada", "mallory")))
        add_people(made, people)
        add_epochs(made, people, range(1, 9))
        with made.database.session() as session:
            evidence.enter(session, [in_row(evidence_in(made))], made.clock())
        yield made


def evidence_in(shown: ServedSite) -> Evidence:
    """Evidence in the run of a site."""
    manifest = shown.context.manifest
    gate = RunGate(manifest.training_digest, shown.context.gate_key)
    return double_vote("mallory", gate=gate, prefix=manifest.dht_prefix)


def signed_in(shown: ServedSite, name: str) -> TestClient:
    client = browsing(shown)
    with shown.database.session() as session:
        user = session.scalars(select(User).where(User.name == name)).one()
        code = give_code(session, user, shown.clock())
    client.post("/me/enter", data={"code": code}, headers=OWN)
    return client


def standing(shown: ServedSite) -> str:
    with shown.database.reading() as session:
        return evidence.evidence_by(session, 1).standing


def test_it_is_for_moderators_alone(moderated: ServedSite) -> None:
    paths = ("/moderation", "/moderation/evidence/1.json")
    assert [browsing(moderated).get(path).status_code for path in paths] == [401, 401]
    ada = signed_in(moderated, "ada")
    assert [ada.get(path).status_code for path in paths] == [403, 403]
    assert "/moderation" not in ada.get("/me").text
    posted = ada.post("/moderation/evidence/1", data={"decision": "lift"}, headers=OWN)
    assert posted.status_code == 403
    assert standing(moderated) == EvidenceStanding.OPEN


def test_it_shows_who_what_when_and_a_proof_that_anyone_can_verify(moderated: ServedSite) -> None:
    mia = signed_in(moderated, "mia")
    assert 'href="/moderation"' in mia.get("/me").text
    text = mia.get("/moderation").text
    for shown in (
        "mallory",
        "signed two votes under one number in epoch 7",
        "Set aside by the swarm",
        APPEALS,
    ):
        assert shown in text
    file = mia.get("/moderation/evidence/1.json").json()
    assert (file["user"], file["peer"]) == ("mallory", identity(0).peer_id.to_base58())
    gate, run = moderated.context.gate_key.public_key, moderated.context.manifest.training_digest
    assert verified(base64.b64decode(file["evidence"]), gate=gate, run=run) is not None
    assert GateCertificate.unpack(evidence_in(moderated).certificate).name == "mallory"
    assert mia.get("/moderation/evidence/2.json").status_code == 404


def test_a_rollback_is_suggested_in_the_same_generation_alone(moderated: ServedSite) -> None:
    add_checkpoint(moderated, 5)
    mia = signed_in(moderated, "mia")
    assert "idlebrush coordinator rollback --before 7" in mia.get("/moderation").text
    before, key = moderated.context.manifest, SigningKey.generate()
    manifest = RunManifest.create(before.training, before.contact, key).roll_back(key)
    manifest.save(moderated.context.home.manifest)
    text = mia.get("/moderation").text
    assert "rollback --before" not in text
    assert "The run has been rolled back since: it is in generation 1 now." in text


def test_evidence_is_upheld_then_lifted_and_a_ban_ends_there(moderated: ServedSite) -> None:
    mia = signed_in(moderated, "mia")
    upheld = mia.post("/moderation/evidence/1", data={"decision": "uphold", "why": "twice"}, headers=OWN)
    assert "Upheld: banned" in upheld.text
    assert "twice" in upheld.text
    with moderated.database.reading() as session:
        user = session.scalars(select(User).where(User.name == "mallory")).one().id
    lifted = mia.post(f"/moderation/bans/{user}/lift", headers=OWN)
    assert "Lifted on appeal" in lifted.text
    assert "No user is banned." in lifted.text
    assert standing(moderated) == EvidenceStanding.LIFTED


def test_no_moderator_lifts_evidence_against_oneself(moderated: ServedSite) -> None:
    with moderated.database.session() as session:
        mallory = session.scalars(select(User).where(User.name == "mallory")).one()
        mallory.moderator, number = True, mallory.id
    page = signed_in(moderated, "mallory")
    for path, data in (
        ("/moderation/evidence/1", {"decision": "lift"}),
        (f"/moderation/bans/{number}/lift", {}),
    ):
        refused = page.post(path, data=data, headers=OWN)
        assert refused.status_code == 403
        assert "mallory may not lift what is against mallory" in refused.text
    assert standing(moderated) == EvidenceStanding.OPEN
    lifted = signed_in(moderated, "mia").post(
        "/moderation/evidence/1", data={"decision": "lift"}, headers=OWN
    )
    assert "Lifted on appeal" in lifted.text


@pytest.mark.parametrize(
    ("data", "headers", "status"),
    [
        ({"decision": "burn"}, OWN, 400),
        ({}, OWN, 400),
        ({"decision": "lift"}, {"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_other_forms_decide_nothing(
    moderated: ServedSite, data: dict[str, str], headers: dict[str, str], status: int
) -> None:
    mia = signed_in(moderated, "mia")
    assert mia.post("/moderation/evidence/1", data=data, headers=headers).status_code == status
    assert standing(moderated) == EvidenceStanding.OPEN


def test_who_is_set_aside_reads_why_on_the_own_page(moderated: ServedSite) -> None:
    text = signed_in(moderated, "mallory").get("/me").text
    assert "You are set aside" in text
    assert "signed two votes under one number in epoch 7" in text
    assert APPEALS in text
    assert "You are set aside" not in signed_in(moderated, "ada").get("/me").text
