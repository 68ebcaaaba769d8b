"""A volunteer's own page: opened by a link that works once, changed from its own forms alone."""

import json
from collections.abc import Iterator
from datetime import timedelta

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from coordinator.database.tables import User
from coordinator.gate.pages import SESSION_LIFETIME, give_code
from core.admission.receipts import SignedReceipt
from tests.coordinator.web.conftest import browsing
from tests.coordinator.web.sites import NOW, LedgerPerson, ServedSite, add_epochs, add_people, site

OWN = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def signed_in(changing: ServedSite) -> TestClient:
    return _signed_in(changing)


@pytest.fixture(scope="module")
def signed_in_for_long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """One who is signed in for tests that change nothing."""
    with site(tmp_path_factory.mktemp("signed-in") / "home") as made:
        yield _signed_in(made)


def _signed_in(shown: ServedSite) -> TestClient:
    people = (LedgerPerson("ada"), LedgerPerson("grace"))
    add_people(shown, people)
    add_epochs(shown, people, range(1, 4))
    client = browsing(shown)
    entered = client.post("/me/enter", data={"code": _code(shown)}, headers=OWN, follow_redirects=False)
    assert (entered.status_code, entered.headers["location"]) == (303, "/me")
    return client


def _code(shown: ServedSite, name: str = "ada") -> str:
    with shown.database.session() as session:
        user = session.scalars(select(User).where(User.name == name)).one()
        return give_code(session, user, shown.clock())


def test_a_one_time_link_opens_the_own_page_and_no_other(signed_in: TestClient) -> None:
    page = signed_in.get("/me")
    assert "ada" in page.text
    assert "grace" not in page.text
    assert page.headers["cache-control"] == "no-store"


def test_the_cookie_is_kept_from_scripts_and_other_sites(changing: ServedSite) -> None:
    add_people(changing, (LedgerPerson("ada"),))
    client = browsing(changing)
    entered = client.post("/me/enter", data={"code": _code(changing)}, headers=OWN, follow_redirects=False)
    cookie = entered.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


def test_looking_at_a_link_uses_nothing_up_and_using_it_does(changing: ServedSite) -> None:
    add_people(changing, (LedgerPerson("ada"),))
    code = _code(changing)
    client = browsing(changing)
    assert all(client.get("/me/enter", params={"code": code}).status_code == 200 for _ in range(2))
    statuses = [client.post("/me/enter", data={"code": code}, headers=OWN).status_code for _ in range(2)]
    assert statuses == [200, 401]


@pytest.mark.parametrize("path", ["/me/enter", "/me/name", "/me/leave"])
@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {},
    ],
)
def test_forms_of_other_sites_are_not_taken(
    signed_in_for_long: TestClient, path: str, headers: dict[str, str]
) -> None:
    answer = signed_in_for_long.post(path, data={"code": "x", "hidden": "yes"}, headers=headers)
    assert answer.status_code == 403
    assert signed_in_for_long.get("/me/receipts.json").status_code == 200, "nothing was done"


def test_a_browser_that_tells_only_the_origin_may_use_its_own_forms(signed_in: TestClient) -> None:
    answer = signed_in.post("/me/name", data={"hidden": "yes"}, headers={"Origin": "http://testserver"})
    assert "Your name is hidden" in answer.text


def test_a_name_is_hidden_and_shown_again(signed_in: TestClient, changing: ServedSite) -> None:
    stranger = browsing(changing)
    for hidden, status in (("yes", 404), ("no", 200)):
        signed_in.post("/me/name", data={"hidden": hidden}, headers=OWN)
        changing.clock.seconds += 1  # the board is kept for a second
        assert stranger.get("/volunteers/ada").status_code == status
        assert signed_in.get("/volunteers/ada").status_code == 200
        assert ("ada" in stranger.get("/leaderboard").text) == (hidden == "no")
        assert "ada" in signed_in.get("/leaderboard").text


def test_receipts_are_those_of_the_signed_in_volunteer_and_hold(
    signed_in: TestClient, changing: ServedSite
) -> None:
    context = changing.context
    receipts = signed_in.get("/me/receipts.json").json()["receipts"]
    assert receipts
    for one in receipts:
        signed = SignedReceipt.model_validate_json(json.dumps(one))
        receipt = signed.verify(gate=context.gate_key.public_key, run=context.manifest.training_digest)
        assert receipt.name == "ada"


def test_a_session_ends_by_signing_out_by_time_and_by_a_ban(
    signed_in: TestClient, changing: ServedSite
) -> None:
    def is_in() -> bool:
        return signed_in.get("/me/receipts.json").status_code == 200

    assert is_in()
    _ban("ada", changing)
    assert not is_in()
    _ban("ada", changing, lifted=True)
    changing.clock.now = NOW + SESSION_LIFETIME + timedelta(seconds=1)
    assert not is_in()
    changing.clock.now = NOW
    assert is_in()
    signed_in.post("/me/leave", headers=OWN)
    assert not is_in()


def _ban(name: str, shown: ServedSite, *, lifted: bool = False) -> None:
    with shown.database.session() as session:
        session.scalars(select(User).where(User.name == name)).one().banned = None if lifted else NOW


def test_without_a_session_there_is_nothing_to_see(changing: ServedSite) -> None:
    client = browsing(changing)
    assert "opens from Idlebrush" in client.get("/me").text
    assert client.get("/me/receipts.json").status_code == 401
    assert client.post("/me/name", data={"hidden": "yes"}, headers=OWN).status_code == 401
    client.cookies.set("idlebrush", "x" * 5000)
    assert client.get("/me/receipts.json").status_code == 401
