"""The gate admits anyone, members of an organisation, names on a list, or holders of an invitation."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from coordinator.database.tables import Invitation, User
from coordinator.errors import GateRefusal
from coordinator.gate.entry import allow, disallow, invite
from coordinator.settings import Admits
from tests.coordinator.gate.conftest import Person
from tests.gate.gate_life import GateOverHttp, running_coordinator
from tests.hub.hub_server import Canned, HubServer

MEMBERS = "/api/organizations/painters/members"


def verdict(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code", "")


@pytest.fixture
def painters(hub: HubServer) -> dict[str, Any]:
    """The settings of a gate that admits an organisation; it has more members than fit one page."""
    hub.members["painters"] = ["frida", "pablo", "Ada", "berthe", "vincent"]
    return {"admits": Admits.ORGANISATION, "organisation": "painters"}


def test_an_organisation_s_members_join_and_nobody_else(
    tmp_path: Path, hub: HubServer, person: Person, painters: dict[str, Any]
) -> None:
    with running_coordinator(tmp_path, hub, **painters) as coordinator:
        assert person("ada").join(coordinator).status_code == 201
        answer = person("eve", 1).join(coordinator)
        assert verdict(answer) == (403, "not_admitted")
        assert "painters" in answer.json()["what"]
        assert len(hub.requests(MEMBERS)) == 3  # pages of one look
        with coordinator.database.reading() as session:
            assert session.query(User).count() == 1


def test_hidden_members_are_seen_with_the_organiser_s_token_alone(
    tmp_path: Path, hub: HubServer, person: Person, painters: dict[str, Any]
) -> None:
    hub.private_members["painters"] = ["olga", "ada"]
    with running_coordinator(tmp_path / "without", hub, **painters) as coordinator:
        assert verdict(person("olga").join(coordinator)) == (403, "not_admitted")
    token = hub.add_token("olga")
    with running_coordinator(tmp_path / "with", hub, hub_token=token, **painters) as coordinator:
        assert person("olga").join(coordinator).status_code == 201


def test_the_organiser_s_token_goes_to_no_other_place(
    tmp_path: Path, hub: HubServer, person: Person, painters: dict[str, Any]
) -> None:
    elsewhere = '<http://127.0.0.1:1/members>; rel="next"'
    hub.canned[MEMBERS] = Canned(body=b'[{"user": "ada"}]', headers={"Link": elsewhere})
    with running_coordinator(tmp_path, hub, hub_token="hf_secret", **painters) as coordinator:
        assert person("ada").join(coordinator).status_code == 201


@pytest.mark.parametrize(
    "canned",
    [
        Canned(500),
        Canned(302, headers={"Location": "http://127.0.0.1:1/"}),
        Canned(body=b"<html>"),
        Canned(body=b'{"user": "ada"}'),
        Canned(body=b"[" + b" " * (2 << 20) + b"]"),
    ],
    ids=["fault", "redirect", "page", "no list", "too much"],
)
def test_while_the_hub_does_not_say_who_belongs_nobody_new_joins(
    tmp_path: Path, hub: HubServer, person: Person, painters: dict[str, Any], canned: Canned
) -> None:
    hub.canned[MEMBERS] = canned
    with running_coordinator(tmp_path, hub, **painters) as coordinator:
        assert verdict(person("ada").join(coordinator)) == (503, "hub")


def test_who_leaves_the_list_gets_no_more_tokens(tmp_path: Path, hub: HubServer, person: Person) -> None:
    with running_coordinator(tmp_path, hub, admits=Admits.LIST) as coordinator:
        ada, now = person("ada"), coordinator.clock()
        assert verdict(ada.join(coordinator)) == (403, "not_admitted")
        with coordinator.database.session() as session:
            allow(session, ["Ada", "ben"], "organiser", now)
        assert ada.join(coordinator).status_code == 201
        assert ada.renew(coordinator).status_code == 200
        with coordinator.database.session() as session:
            disallow(session, ["ada"], "organiser", now)
        assert verdict(ada.renew(coordinator)) == (403, "not_admitted")


def new_invitation(coordinator: GateOverHttp, uses: int = 1) -> str:
    with coordinator.database.session() as session:
        return invite(session, uses=uses, days=2, actor="organiser", now=coordinator.clock())


def test_an_invitation_lets_as_many_in_as_it_says(tmp_path: Path, hub: HubServer, person: Person) -> None:
    with running_coordinator(tmp_path, hub, admits=Admits.INVITATION) as coordinator:
        code = new_invitation(coordinator)
        ada, ben = person("ada"), person("ben", 1)
        assert verdict(ada.join(coordinator)) == (403, "not_admitted")
        assert verdict(ada.join(coordinator, invitation="x" * 43)) == (403, "not_admitted")
        assert ada.join(coordinator, invitation=code).status_code == 201
        assert verdict(ben.join(coordinator, invitation=code)) == (403, "not_admitted")
        assert ada.join(coordinator).status_code == 201  # again, without another one


def test_an_invitation_ends_and_is_kept_as_a_digest_alone(
    tmp_path: Path, hub: HubServer, person: Person
) -> None:
    with running_coordinator(tmp_path, hub, admits=Admits.INVITATION) as coordinator:
        code = new_invitation(coordinator, uses=3)
        with coordinator.database.session() as session:
            row = session.query(Invitation).one()
            assert code not in (row.code_hash, row.note)
            row.expires = coordinator.clock() - timedelta(seconds=1)
        assert verdict(person("ada").join(coordinator, invitation=code)) == (403, "not_admitted")


@pytest.mark.parametrize(("uses", "days"), [(0, 1), (1, 0), (10**9, 1), (1, 10**9)])
def test_an_invitation_for_nobody_or_for_ever_is_refused(
    coordinator: GateOverHttp, uses: int, days: float
) -> None:
    with coordinator.database.session() as session, pytest.raises(GateRefusal):
        invite(session, uses=uses, days=days, actor="organiser", now=coordinator.clock())
