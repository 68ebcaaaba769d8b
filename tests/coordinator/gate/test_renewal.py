"""Renewing access tokens: by members alone, for their own peers, with proofs that are new."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from coordinator.contact import add_entry, remove_entry
from coordinator.database.tables import KnownPeer, SpentProof
from core.admission import proofs
from core.admission.access_token import read
from tests.coordinator.gate.conftest import Person
from tests.coordinator.statements import counted
from tests.gate.gate_life import GateOverHttp, GateVolunteer, running_coordinator, signed
from tests.hub.hub_server import HubServer, running_hub


@pytest.fixture(scope="module")
def coordinator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GateOverHttp]:
    """One for all tests here: they leave nothing behind that another would see."""
    home = tmp_path_factory.mktemp("home")
    with running_hub() as hub, running_coordinator(home, hub, member_days=30, token_seconds=120) as found:
        yield found


@pytest.fixture
def on_each(tmp_path: Path, hub: HubServer, address: str) -> Iterator[GateOverHttp]:
    """A coordinator on SQLite, and one on PostgreSQL."""
    with running_coordinator(tmp_path / "each", hub, database=address) as found:
        yield found


@pytest.fixture
def ada(coordinator: GateOverHttp, person: Person) -> GateVolunteer:
    """A member."""
    ada = person("ada")
    assert ada.join(coordinator).status_code == 201
    return ada


def refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_a_member_s_peer_gets_token_after_token(coordinator: GateOverHttp, ada: GateVolunteer) -> None:
    for _ in range(2):
        coordinator.clock.pass_by(seconds=80)
        answer = ada.renew(coordinator)
        assert (answer.status_code, answer.json()["expires_in"]) == (200, 120)
        now = coordinator.clock().timestamp()
        gate = coordinator.context.gate_key.public_key
        token = read(answer.json()["access_token"], gate=gate, run=coordinator.run, now=now)
        assert (token.name, token.peer) == ("ada", ada.key.peer_id)
    with coordinator.database.reading() as session:
        until = session.get_one(KnownPeer, 1).token_until
        assert until is not None
        assert int(until.timestamp()) == token.expires


def test_without_a_membership_nothing_is_renewed(coordinator: GateOverHttp, ada: GateVolunteer) -> None:
    asked = ada.renewal(coordinator)
    assert refusal(coordinator.http.post("/api/tokens", json=asked)) == (401, "signed_out")
    ada.membership = "x" * 43
    assert refusal(ada.renew(coordinator)) == (401, "signed_out")


def test_a_membership_ends_after_its_days_and_when_its_member_leaves(
    coordinator: GateOverHttp, ada: GateVolunteer
) -> None:
    assert coordinator.http.delete("/api/members", headers=ada.bearer).status_code == 204
    assert refusal(ada.renew(coordinator)) == (401, "signed_out")
    ada.join(coordinator)
    coordinator.clock.pass_by(days=30, seconds=1)
    assert refusal(ada.renew(coordinator)) == (401, "signed_out")


def test_a_stolen_membership_is_worth_nothing_with_another_key(
    coordinator: GateOverHttp, ada: GateVolunteer, person: Person
) -> None:
    thief = person("eve", 1)
    thief.membership = ada.membership
    assert refusal(thief.renew(coordinator)) == (401, "signed_out")
    thief.join(coordinator)
    thief.membership = ada.membership
    assert refusal(thief.renew(coordinator)) == (401, "signed_out")


def test_a_bootstrap_peer_elsewhere_is_admitted_by_the_contact_part_alone(
    coordinator: GateOverHttp, person: Person
) -> None:
    peer = person("anyone", 2)

    def asked() -> Any:
        return coordinator.http.post("/api/tokens/entrance", json=peer.renewal(coordinator))

    entry = f"/ip4/203.0.113.7/tcp/31330/p2p/{peer.key.peer_id}"
    assert refusal(asked()) == (403, "not_admitted")
    add_entry(coordinator.context.home, entry, coordinator.clock())
    again = peer.renewal(coordinator)
    answer = coordinator.http.post("/api/tokens/entrance", json=again)
    gate, now = coordinator.context.gate_key.public_key, coordinator.clock().timestamp()
    token = read(answer.json()["access_token"], gate=gate, run=coordinator.run, now=now)
    assert (token.name, token.peer) == ("coordinator", peer.key.peer_id)
    assert refusal(coordinator.http.post("/api/tokens/entrance", json=again)) == (403, "proof")
    remove_entry(coordinator.context.home, peer.key.peer_id, coordinator.clock())
    coordinator.clock.pass_by(seconds=1)
    assert refusal(asked()) == (403, "not_admitted")


def test_a_renewal_is_taken_once_however_many_send_it_at_once(on_each: GateOverHttp, person: Person) -> None:
    ada = person("ada")
    ada.join(on_each)
    asked = ada.renewal(on_each)
    with ThreadPoolExecutor(6) as threads:
        answers = list(
            threads.map(lambda _: on_each.http.post("/api/tokens", json=asked, headers=ada.bearer), range(6))
        )
    assert sorted(answer.status_code for answer in answers) == [200, 403, 403, 403, 403, 403]


@pytest.mark.parametrize(("seconds", "status"), [(-70, 403), (-50, 200), (50, 200), (70, 403)])
def test_a_renewal_is_of_now(
    coordinator: GateOverHttp, ada: GateVolunteer, seconds: float, status: int
) -> None:
    asked = ada.renewal(coordinator, at=seconds)
    answer = coordinator.http.post("/api/tokens", json=asked, headers=ada.bearer)
    assert answer.status_code == status


def test_what_is_signed_for_one_thing_serves_no_other(coordinator: GateOverHttp, ada: GateVolunteer) -> None:
    moment = int(coordinator.clock().timestamp())
    for message in (
        proofs.renewal("ab" * 32, ada.key.public_key, moment),
        proofs.renewal(coordinator.run, ada.key.public_key, moment + 1),
        proofs.joining(coordinator.run, str(moment)),
    ):
        assert refusal(ada.renew(coordinator, time=moment, proof=signed(ada.key, message))) == (403, "proof")


def test_spent_proofs_are_forgotten_when_they_are_too_old_to_be_tried(
    coordinator: GateOverHttp, ada: GateVolunteer
) -> None:
    for _ in range(3):
        coordinator.clock.pass_by(minutes=65)
        assert ada.renew(coordinator).status_code == 200
    with coordinator.database.reading() as session:
        assert session.query(SpentProof).count() == 1


def test_a_rush_of_renewals_looks_for_expired_proofs_once(
    coordinator: GateOverHttp, ada: GateVolunteer
) -> None:
    coordinator.clock.pass_by(minutes=65)
    with counted() as statements:
        for _ in range(4):
            coordinator.clock.pass_by(seconds=2)
            assert ada.renew(coordinator).status_code == 200
    assert len([one for one in statements if one.startswith("DELETE FROM spent_proofs")]) == 1


def test_two_new_members_of_one_account_may_come_at_once(on_each: GateOverHttp, person: Person) -> None:
    machines = [person("ben", number) for number in range(1, 4)]
    applications = [machine.application(on_each) for machine in machines]
    with ThreadPoolExecutor(3) as threads:
        answers = list(threads.map(lambda sent: on_each.http.post("/api/members", json=sent), applications))
    assert [answer.status_code for answer in answers] == [201, 201, 201]
