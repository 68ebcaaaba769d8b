"""A volunteer's own page: a link signs one browser in, once, and for some days."""

from urllib.parse import parse_qs, urlsplit

import pytest

from coordinator.database.tables import PageCode, PageSession
from coordinator.errors import SignedOut
from coordinator.gate.pages import close_session, open_session, visitor
from tests.coordinator.gate.conftest import Person
from tests.gate.gate_life import ADDRESS, GateOverHttp, GateVolunteer


@pytest.fixture
def ada(coordinator: GateOverHttp, person: Person) -> GateVolunteer:
    ada = person("ada")
    ada.join(coordinator)
    return ada


def code_of(coordinator: GateOverHttp, ada: GateVolunteer) -> str:
    answer = coordinator.http.post("/api/pages", headers=ada.bearer)
    assert answer.status_code == 201
    address = urlsplit(answer.json()["address"])
    assert f"{address.scheme}://{address.netloc}" == ADDRESS
    (code,) = parse_qs(str(address.query))["code"]
    return code


def test_a_link_signs_a_browser_in_once(coordinator: GateOverHttp, ada: GateVolunteer) -> None:
    code, now = code_of(coordinator, ada), coordinator.clock()
    with coordinator.database.session() as session:
        secret = open_session(session, code, now)
    with coordinator.database.session() as session:
        user = visitor(session, secret, now)
        assert user is not None
        assert user.name == "ada"
        with pytest.raises(SignedOut):
            open_session(session, code, now)
        assert {code, secret}.isdisjoint({row.secret_hash for row in session.query(PageSession)})
        close_session(session, secret)
        assert visitor(session, secret, now) is None


def test_links_and_sessions_end(coordinator: GateOverHttp, ada: GateVolunteer) -> None:
    late = code_of(coordinator, ada)
    coordinator.clock.pass_by(minutes=6)
    with coordinator.database.session() as session, pytest.raises(SignedOut):
        open_session(session, late, coordinator.clock())
    code = code_of(coordinator, ada)
    with coordinator.database.session() as session:
        assert session.query(PageCode).count() == 1
        secret = open_session(session, code, coordinator.clock())
    coordinator.clock.pass_by(days=8)
    with coordinator.database.reading() as session:
        assert visitor(session, secret, coordinator.clock()) is None
        assert visitor(session, "made up", coordinator.clock()) is None
