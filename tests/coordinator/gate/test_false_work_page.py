"""False work on the pages: moderators see the figures and lift it, the volunteer sees what it costs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from coordinator.database.tables import KnownPeer, Total, User
from coordinator.ledger.withholding import EnteredVerdict
from coordinator.ledger.work_audits import JudgedWork, enter
from tests.coordinator.gate.test_moderation_page import OWN, SETTINGS, signed_in
from tests.coordinator.web.conftest import browsing
from tests.coordinator.web.sites import LedgerPerson, ServedSite, add_epochs, add_people, site


@pytest.fixture
def audited(tmp_path: Path) -> Iterator[ServedSite]:
    """A site on which work of Mallory, and of the moderator, was found false."""
    with site(tmp_path / "home", settings=SETTINGS) as made:
        people = tuple(map(LedgerPerson, ("mia", "ada", "mallory")))
        add_people(made, people)
        add_epochs(made, people, range(1, 9))
        for name, difference in (("mallory", 1.04), ("mia", 0.5)):
            judge(made, name, EnteredVerdict.FALSE, difference)
        judge(made, "ada", EnteredVerdict.SOUND, 0.01)
        yield made


def judge(shown: ServedSite, name: str, verdict: EnteredVerdict, difference: float, epoch: int = 7) -> None:
    with shown.database.session() as session:
        peer = session.scalars(select(KnownPeer.peer_id).join(User).where(User.name == name)).one()
        enter(session, JudgedWork(peer, 0, epoch, 24, 26, verdict, difference), shown.clock())


def samples(shown: ServedSite, name: str) -> int:
    with shown.database.reading() as session:
        return session.scalars(select(Total.samples).join(User).where(User.name == name)).one()


def test_a_moderator_sees_the_figures_and_lifts_the_verdict(audited: ServedSite) -> None:
    mia = signed_in(audited, "mia")
    text = mia.get("/moderation").text
    for shown in (
        "False work",
        "mallory",
        "for epoch 7",
        "its 26 rows give",
        "104%",
        "from 75% on they are false",
    ):
        assert shown in text
    assert samples(audited, "mallory") == 0
    lifted = mia.post("/moderation/audits/1/lift", data={"why": "our disk"}, headers=OWN).text
    assert "Lifted: credited" in lifted
    assert "credits given back mallory: audit 1, epoch 7: our disk" in lifted
    assert samples(audited, "mallory") > 100


def test_nobody_lifts_what_is_against_oneself_or_without_being_a_moderator(audited: ServedSite) -> None:
    mia, ada = signed_in(audited, "mia"), signed_in(audited, "ada")
    assert mia.post("/moderation/audits/2/lift", headers=OWN).status_code == 403
    assert ada.post("/moderation/audits/1/lift", headers=OWN).status_code == 403
    assert mia.post("/moderation/audits/1/lift").status_code == 403, "no form of ours"
    for absent in (3, 99):  # of which the first found sound work
        assert mia.post(f"/moderation/audits/{absent}/lift", headers=OWN).status_code == 404
    assert samples(audited, "mallory") == samples(audited, "mia") == 0


def test_a_volunteers_page_tells_what_is_withheld_and_why(audited: ServedSite) -> None:
    page = browsing(audited).get("/volunteers/mallory")
    assert page.status_code == 200
    assert "samples in 8 epochs are not credited" in page.text
    assert "sent other values for epoch 7 than its 26 rows give" in page.text
    assert "until its work is found sound again" in page.text
    assert "Certificate" not in page.text
    assert browsing(audited).get("/volunteers/mallory/certificate").status_code == 404
    assert "not credited" not in browsing(audited).get("/volunteers/ada").text
    judge(audited, "mallory", EnteredVerdict.SOUND, 0.01, epoch=8)
    assert (
        "before the last check that found the work sound" in browsing(audited).get("/volunteers/mallory").text
    )


def test_moderators_are_told_that_nobody_is_found_sound_where_nothing_is_computed_again(
    audited: ServedSite, tmp_path: Path
) -> None:
    told = "This coordinator computes nothing again at present"
    assert told not in signed_in(audited, "mia").get("/moderation").text
    swarm = SETTINGS.swarm.model_copy(update={"recomputed_seconds_an_hour": 0})
    idle = SETTINGS.model_copy(update={"swarm": swarm})
    with site(tmp_path / "idle", settings=idle) as made:
        people = tuple(map(LedgerPerson, ("mia", "mallory")))
        add_people(made, people)
        add_epochs(made, people, range(1, 9))
        judge(made, "mallory", EnteredVerdict.FALSE, 1.0)
        assert told in signed_in(made, "mia").get("/moderation").text
