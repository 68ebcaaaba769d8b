"""REST: teams as everybody sees them, what members do with them, and what moderators may."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from coordinator.database.tables import Day, Total
from tests.coordinator.gate.conftest import Person
from tests.gate.gate_life import GateOverHttp, GateVolunteer, running_coordinator
from tests.hub.hub_server import HubServer


@pytest.fixture
def gated(tmp_path: Path, hub: HubServer, address: str) -> Iterator[GateOverHttp]:
    """A coordinator on SQLite and on PostgreSQL, moderated by Mia."""
    with running_coordinator(tmp_path / "home", hub, database=address, moderators=("mia",)) as found:
        found.clock.stop()
        yield found


@pytest.fixture
def people(gated: GateOverHttp, person: Person) -> dict[str, GateVolunteer]:
    found = {name: person(name, number) for number, name in enumerate(("ada", "bob", "mia"))}
    assert {one.join(gated).status_code for one in found.values()} == {201}
    return found


def ask(gated: GateOverHttp, who: GateVolunteer | None, method: str, path: str, body: Any = None) -> Any:
    headers = who.bearer if who else {}
    return gated.http.request(method, f"/api/teams{path}", json=body, headers=headers)


def earn(gated: GateOverHttp, user: int, samples: int) -> None:
    sums = {"samples": samples, "compute_seconds": 1.0, "epochs": 1}
    with gated.database.session() as session:
        session.add(Total(user_id=user, first=gated.clock(), **sums))
        session.add(Day(user_id=user, day=gated.clock().date(), **sums))


def test_a_team_is_founded_joined_left_and_closed(
    gated: GateOverHttp, people: dict[str, GateVolunteer]
) -> None:
    ada, bob = people["ada"], people["bob"]
    founded = ask(gated, ada, "POST", "", {"name": " Blue  Brushes "})
    assert (founded.status_code, founded.json()) == (201, {"number": 1, "name": "Blue Brushes"})
    assert ask(gated, bob, "POST", "/membership", {"name": "blue brushes"}).status_code == 200
    earn(gated, 2, 40)
    row = {"rank": 1, "number": 1, "name": "Blue Brushes", "samples": 40, "week": 40, "members": 2}
    assert ask(gated, None, "GET", "").json() == {
        "rows": [row],
        "total": 1,
        "own": None,
        "leads": False,
        "offset": 0,
    }
    assert [ask(gated, who, "GET", "").json()["leads"] for who in (ada, bob)] == [True, False]
    assert ask(gated, bob, "GET", "?around=nothing").json()["own"] == row
    changed = ask(gated, ada, "PATCH", "/own", {"name": "Navy", "leader": "bob"})
    assert (changed.status_code, changed.json()["name"]) == (200, "Navy")
    assert ask(gated, ada, "DELETE", "/membership").json()["name"] == "Navy"
    assert ask(gated, ada, "DELETE", "/membership").status_code == 404
    assert ask(gated, bob, "DELETE", "/own").status_code == 204
    assert ask(gated, bob, "GET", "").json()["total"] == 0


@pytest.mark.usefixtures("people")
def test_strangers_change_nothing(gated: GateOverHttp) -> None:
    for method, path, body in (
        ("POST", "", {"name": "Blue"}),
        ("POST", "/membership", {"name": "Blue"}),
        ("DELETE", "/membership", None),
        ("PATCH", "/own", {"name": "Blue"}),
        ("DELETE", "/own", None),
    ):
        assert ask(gated, None, method, path, body).json()["code"] == "signed_out"


def test_a_name_that_is_taken_or_not_allowed_is_refused_in_words(
    gated: GateOverHttp, people: dict[str, GateVolunteer]
) -> None:
    ask(gated, people["ada"], "POST", "", {"name": "Painters"})
    for name, words in (("Раinters", "looks like it"), ("x", "2 to 40"), ("a\u202eb", "invisible")):
        refused = ask(gated, people["bob"], "POST", "", {"name": name})
        assert refused.status_code == 409
        assert words in refused.json()["what"]
    assert ask(gated, people["bob"], "POST", "", {"name": "a\nb"}).status_code == 422


def test_moderators_remove_teams_and_no_other_does(
    gated: GateOverHttp, people: dict[str, GateVolunteer]
) -> None:
    ask(gated, people["ada"], "POST", "", {"name": "Rude"})
    path = "/api/moderation/teams/1"
    assert gated.http.delete(path, headers=people["ada"].bearer).status_code == 403
    assert gated.http.delete(path, headers=people["mia"].bearer).status_code == 204
    assert gated.http.delete(path, headers=people["mia"].bearer).status_code == 404
    log = gated.http.get("/api/moderation/audit", headers=people["mia"].bearer).json()["entries"]
    assert (log[0]["actor"], log[0]["action"], log[0]["subject"]) == ("mia", "team removed", "Rude")
    assert ask(gated, None, "GET", "").json()["total"] == 0
