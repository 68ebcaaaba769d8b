"""Teams on the website: their board and pages, the forms of one's own page, and the moderators' list."""

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from coordinator.database.tables import User
from coordinator.database.team_tables import Team
from coordinator.gate.pages import give_code
from coordinator.teams import teams
from tests.coordinator.web.conftest import browsing
from tests.coordinator.web.markup import ParsedPage
from tests.coordinator.web.sites import NOW, LedgerPerson, ServedSite, add_epochs, add_people

OWN = {"Sec-Fetch-Site": "same-origin"}
STRANGE = '<b>"{{7*7}}&amp;'
MEMBERS = (LedgerPerson("ada"), LedgerPerson("grace"), LedgerPerson("shy-person", hidden=True))


@pytest.fixture
def shown(changing: ServedSite) -> ServedSite:
    """A site with two teams, whose members have contributed."""
    add_people(changing, MEMBERS)
    with changing.database.session() as session:
        users = {user.name: user for user in session.scalars(select(User))}
        teams.found(session, users["ada"], STRANGE, NOW)
        teams.found(session, users["grace"], "Brushes", NOW)
        teams.join(session, users["shy-person"], "Brushes", NOW)
    add_epochs(changing, MEMBERS, range(1, 4), apart=0.1)
    return changing


def signed_in(shown: ServedSite, name: str) -> TestClient:
    client = browsing(shown)
    with shown.database.session() as session:
        user = session.scalars(select(User).where(User.name == name)).one()
        code = give_code(session, user, shown.clock())
    assert client.post("/me/enter", data={"code": code}, headers=OWN).status_code == 200
    return client


def act(client: TestClient, action: str, name: str = "") -> int:
    form = {"action": action, "name": name}
    return client.post("/me/team", data=form, headers=OWN, follow_redirects=False).status_code


def test_a_page_about_teams_is_whole_and_escapes_their_names(shown: ServedSite) -> None:
    client = browsing(shown)
    for path in ("/teams", "/teams?since=week", "/teams/1", "/teams/2", "/teams?name=brushes"):
        answer = client.get(path)
        assert answer.status_code == 200, path
        assert ParsedPage(answer.text).faults == [], path
        assert "<b>" not in answer.text, path
        assert "49&amp;" not in answer.text, path


def test_who_hides_the_name_is_counted_and_not_named(shown: ServedSite) -> None:
    page = browsing(shown).get("/teams/2").text
    assert "grace" in page
    assert "shy-person" not in page
    assert "<dt>Members</dt><dd>2</dd>" in page
    assert "shy-person" in signed_in(shown, "shy-person").get("/teams/2").text


def test_there_is_no_page_of_a_team_that_is_not(shown: ServedSite) -> None:
    client = browsing(shown)
    for number in ("3", "0", "x", str(2**31)):
        assert client.get(f"/teams/{number}").status_code in (404, 422), number


def test_volunteers_pages_and_the_board_lead_to_teams(shown: ServedSite) -> None:
    client = browsing(shown)
    assert 'href="/teams/2"' in client.get("/volunteers/grace").text
    assert 'href="/teams"' in client.get("/leaderboard").text


def test_a_volunteer_joins_leaves_and_leads_by_the_own_page(shown: ServedSite) -> None:
    ada, grace = signed_in(shown, "ada"), signed_in(shown, "grace")
    assert act(ada, "close") == 303
    assert act(ada, "join", "Brushes") == 303
    assert "Lead the team" not in ada.get("/me").text
    assert act(ada, "close") == 403
    assert act(grace, "rename", "Pencils") == 303
    assert act(grace, "hand_over", "ada") == 303
    assert act(grace, "leave") == 303
    page = ada.get("/me").text
    assert ParsedPage(page).faults == []
    assert "Pencils" in page
    assert "Lead the team" in page
    assert act(ada, "close") == 303
    assert act(ada, "found", "Pens") == 303
    assert act(ada, "sell") == 400
    assert act(ada, "hand_over", "gr\x00ace") == 400
    assert [row.name for row in open_teams(shown)] == ["Pens"]


@pytest.mark.parametrize(("action", "name"), [("leave", ""), ("join", "Brushes"), ("found", "Pens")])
def test_the_last_member_is_asked_before_the_team_is_closed(
    shown: ServedSite, action: str, name: str
) -> None:
    ada, form = signed_in(shown, "ada"), {"action": action, "name": name}
    assert "its name cannot be used again" in ada.get("/me").text
    asked = ada.post("/me/team", data=form, headers=OWN)
    assert asked.status_code == 200
    assert ParsedPage(asked.text).faults == []
    assert "You are the last member" in asked.text
    assert "<b>" not in asked.text
    assert {row.id for row in open_teams(shown)} == {1, 2}
    assert ada.post("/me/team", data={**form, "closes": "yes"}, headers=OWN).status_code == 200
    assert 1 not in {row.id for row in open_teams(shown)}


def test_a_leader_of_others_is_told_to_hand_the_team_over(shown: ServedSite) -> None:
    grace = signed_in(shown, "grace")
    assert "its name cannot be used again" not in grace.get("/me").text
    assert act(grace, "leave") == 409


def test_forms_of_other_sites_and_of_strangers_are_not_taken(shown: ServedSite) -> None:
    form = {"action": "leave"}
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    assert signed_in(shown, "ada").post("/me/team", data=form, headers=elsewhere).status_code == 403
    assert browsing(shown).post("/me/team", data=form, headers=OWN).status_code == 401
    assert len(open_teams(shown)) == 2


def test_moderators_remove_a_team_on_their_page(shown: ServedSite) -> None:
    with shown.database.session() as session:
        session.scalars(select(User).where(User.name == "grace")).one().moderator = True
    client = signed_in(shown, "grace")
    page = client.get("/moderation").text
    assert ParsedPage(page).faults == []
    assert STRANGE not in page
    assert client.post("/moderation/teams/1/remove", headers=OWN, follow_redirects=False).status_code == 303
    assert [row.name for row in open_teams(shown)] == ["Brushes"]
    assert "team removed" in client.get("/moderation").text
    assert signed_in(shown, "ada").post("/moderation/teams/2/remove", headers=OWN).status_code == 403


def open_teams(shown: ServedSite) -> list[Team]:
    with shown.database.reading() as session:
        return list(session.scalars(select(Team).where(Team.closed.is_(None))))
