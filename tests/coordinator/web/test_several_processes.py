"""Several processes of a website on one PostgreSQL: each knows what another was told, and they count together."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest

from coordinator.messages import WebReady
from coordinator.web.limits import Rates
from core.admission import proofs
from tests.coordinator.web.website_process import first_message, started
from tests.gate.gate_life import GateOverHttp, GateVolunteer, peer_key, running_coordinator, signed
from tests.hub.hub_server import running_hub
from tests.postgres import PostgresServer

_OWN_FORM = {"Sec-Fetch-Site": "same-origin"}


@dataclass(frozen=True)
class TwoProcesses:
    """One coordinator, as it is reached by each of two processes."""

    one: GateOverHttp
    other: GateOverHttp


@pytest.fixture(scope="module")
def two(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoProcesses]:
    """Tests share them, each with volunteers of its own."""
    address, home = postgres.new_database(), tmp_path_factory.mktemp("two") / "home"
    with ExitStack() as stack:
        hub = stack.enter_context(running_hub())
        gate = stack.enter_context(running_coordinator(home, hub, database=address, moderators=("mia",)))
        gate.context.settings.save(gate.context.home.settings)
        reached = []
        for process in [stack.enter_context(started(home, 0, address, processes=2)) for _ in range(2)]:
            ready = first_message(process, WebReady)
            assert isinstance(ready, WebReady)
            client = stack.enter_context(httpx2.Client(base_url=ready.address, timeout=20))
            reached.append(replace(gate, http=cast(Any, client)))
        yield TwoProcesses(*reached)


@pytest.fixture
def stranger(two: TwoProcesses) -> Iterator[tuple[httpx2.Client, httpx2.Client]]:
    """Clients of both processes at an address that has asked neither for anything yet."""
    with ExitStack() as stack:
        made = [
            httpx2.Client(
                base_url=gate.http.base_url, transport=httpx2.HTTPTransport(local_address="127.0.0.2")
            )
            for gate in (two.one, two.other)
        ]
        one, other = [stack.enter_context(client) for client in made]
        yield one, other


def _person(name: str, folder: Path, machine: int = 0) -> GateVolunteer:
    return GateVolunteer(name, peer_key(folder, machine))


def test_a_challenge_of_one_process_is_answered_at_another_and_once(
    two: TwoProcesses, tmp_path: Path
) -> None:
    bob = _person("bob", tmp_path)
    application = bob.application(two.one)
    joined = two.other.http.post("/api/members", json=application)
    assert joined.status_code == 201
    bob.membership = joined.json()["membership"]
    again = two.one.http.post("/api/members", json=application)
    assert (again.status_code, again.json()["code"]) == (403, "proof")
    renewal = bob.renewal(two.one)
    renewed = [
        gate.http.post("/api/tokens", json=renewal, headers=bob.bearer) for gate in (two.one, two.other)
    ]
    assert [answer.status_code for answer in renewed] == [200, 403]
    assert two.other.http.delete("/api/members", headers=bob.bearer).status_code == 204
    assert bob.renew(two.one).json()["code"] == "signed_out"


def test_a_browser_is_signed_in_at_all_processes_and_a_ban_holds_at_all(
    two: TwoProcesses, tmp_path: Path
) -> None:
    ada, mia = _person("ada", tmp_path), _person("mia", tmp_path, 1)
    assert ada.join(two.one).status_code == mia.join(two.other).status_code == 201
    code = two.one.http.post("/api/pages", headers=ada.bearer).json()["address"].partition("code=")[2]
    entered = two.other.http.post("/me/enter", data={"code": code}, headers=_OWN_FORM)
    assert (entered.status_code, entered.headers["location"]) == (303, "/me")
    cookie = {"Cookie": entered.headers["set-cookie"].partition(";")[0]}
    assert two.one.http.post("/me/enter", data={"code": code}, headers=_OWN_FORM).status_code == 401
    assert "ada" in two.one.http.get("/me", headers=cookie).text
    ban = {"name": "ada", "reason": "tests", "at_once": True}
    assert two.other.http.post("/api/moderation/bans", json=ban, headers=mia.bearer).status_code == 204
    assert ada.renew(two.one).json()["code"] == "banned"
    assert "ada" not in two.one.http.get("/me", headers=cookie).text


def test_requests_to_join_are_counted_together_whichever_process_is_asked(
    stranger: tuple[httpx2.Client, httpx2.Client],
) -> None:
    burst = Rates().joining.burst
    asked = [client.post("/api/challenges", json={"flow": "browser"}) for client in stranger * burst]
    accepted = [answer for answer in asked if answer.status_code == 201]
    assert burst <= len(accepted) <= burst + 10  # half a token comes back in a second
    refused = [answer for answer in asked if answer.status_code == 429]
    assert len(refused) == 2 * burst - len(accepted)
    assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)


def test_metrics_are_those_of_all_processes_whichever_is_asked(two: TwoProcesses) -> None:
    for gate in (two.one, two.other, two.other):
        assert gate.http.get("/method").status_code == 200
    for gate in (two.one, two.other):
        line = 'idlebrush_http_requests_total{method="GET",route="/method",status="200"} 3.0'
        assert line in gate.http.get("/metrics").text.splitlines()


def test_a_challenge_of_another_coordinator_is_refused(two: TwoProcesses, tmp_path: Path) -> None:
    eve = _person("eve", tmp_path)
    application = eve.application(two.one)
    forged = application["nonce"][:-6] + "AAAAAA"
    changed = {"nonce": forged, "proof": _signed(eve, two.one.run, forged)}
    answer = two.other.http.post("/api/members", json={**application, **changed})
    assert (answer.status_code, answer.json()["code"]) == (403, "proof")


def _signed(person: GateVolunteer, run: str, challenge: str) -> str:
    return signed(person.key, proofs.joining(run, challenge))
