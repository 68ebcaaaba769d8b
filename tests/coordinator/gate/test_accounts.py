"""Accounts: a name that changes hands takes nothing along that its former holder had."""

import pytest
from sqlalchemy import select

from coordinator.database.tables import KnownPeer, Membership, User
from coordinator.gate import moderation
from coordinator.gate.memberships import MOST_MEMBERSHIPS
from tests.coordinator.gate.conftest import Person
from tests.gate.gate_life import GateOverHttp


def users(coordinator: GateOverHttp) -> dict[str, str | None]:
    """Subjects by name."""
    with coordinator.database.reading() as session:
        return {user.name: user.subject for user in session.scalars(select(User))}


def test_a_renamed_account_stays_the_same_user(coordinator: GateOverHttp, person: Person) -> None:
    person("ada").join(coordinator)
    coordinator.hub.openid.subjects = {"ada-l": "id-ada"}
    assert person("ada-l").join(coordinator).json()["name"] == "ada-l"
    assert users(coordinator) == {"ada-l": "id-ada"}


def test_a_name_that_changed_hands_begins_again(coordinator: GateOverHttp, person: Person) -> None:
    former = person("ada")
    former.join(coordinator)
    coordinator.hub.openid.subjects = {"ada": "id-somebody"}
    assert person("ada", 1).join(coordinator).status_code == 201
    assert users(coordinator) == {"ada~1": "id-ada", "ada": "id-somebody"}
    assert former.renew(coordinator).status_code == 401
    coordinator.hub.openid.subjects = {"countess": "id-ada"}
    assert person("countess").join(coordinator).status_code == 201
    assert users(coordinator) == {"countess": "id-ada", "ada": "id-somebody"}


@pytest.mark.parametrize("name", ["mia", "max"], ids=["by settings", "by appointment"])
def test_a_moderator_s_name_does_not_change_hands(
    coordinator: GateOverHttp, person: Person, name: str
) -> None:
    person(name).join(coordinator)
    if name == "max":
        with coordinator.database.session() as session:
            moderation.set_moderator(session, "max", True, actor="organiser", now=coordinator.clock())
    coordinator.hub.openid.subjects = {name: "id-somebody"}
    answer = person(name, 1).join(coordinator)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_admitted")


def test_a_moderator_s_former_name_is_nobody_else_s(coordinator: GateOverHttp, person: Person) -> None:
    hub = coordinator.hub.openid
    person("mia").join(coordinator)
    hub.subjects = {"mia-l": "id-mia"}
    assert person("mia-l").join(coordinator).status_code == 201
    person("eve", 1).join(coordinator)
    for subject in ("id-somebody", "id-eve"):  # who is new, and who was another before
        hub.subjects = {"mia": subject}
        answer = person("mia", 1).join(coordinator)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_admitted")
    hub.subjects = {"mia": "id-mia"}
    assert person("mia").join(coordinator).json()["name"] == "mia"


def test_a_name_that_was_entered_before_its_person_came_is_theirs(
    coordinator: GateOverHttp, person: Person
) -> None:
    with coordinator.database.session() as session:
        session.add(User(name="ada", created=coordinator.clock()))
    person("ada").join(coordinator)
    assert users(coordinator) == {"ada": "id-ada"}


def test_a_name_that_was_made_up_for_a_peer_is_nobody_s(coordinator: GateOverHttp, person: Person) -> None:
    with coordinator.database.session() as session:
        user = User(name="peer-abc123", created=coordinator.clock())
        session.add(user)
        session.flush()
        session.add(KnownPeer(peer_id="Qm-abc123", user_id=user.id, created=coordinator.clock()))
    person("peer-abc123").join(coordinator)
    assert users(coordinator) == {"peer-abc123~1": None, "peer-abc123": "id-peer-abc123"}


def test_a_ban_follows_the_account_whatever_it_is_called(coordinator: GateOverHttp, person: Person) -> None:
    person("eve").join(coordinator)
    with coordinator.database.session() as session:
        moderation.ban(
            session, "eve", reason="spam", at_once=False, actor="organiser", now=coordinator.clock()
        )
    coordinator.hub.openid.subjects = {"adam": "id-eve"}
    answer = person("adam").join(coordinator)
    assert (answer.status_code, answer.json()["code"]) == (403, "banned")
    assert "spam" in answer.json()["what"]


def test_sign_ins_do_not_pile_up(coordinator: GateOverHttp, person: Person) -> None:
    ada = person("ada")
    ada.join(coordinator)
    now = coordinator.clock()
    with coordinator.database.session() as session:
        for number in range(100):
            session.add(
                Membership(user_id=1, secret_hash=f"{number}", created=now, expires=now.replace(year=9999))
            )
    ada.join(coordinator)
    with coordinator.database.reading() as session:
        assert session.query(Membership).count() == MOST_MEMBERSHIPS
    assert ada.renew(coordinator).status_code == 200
