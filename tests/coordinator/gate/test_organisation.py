"""An organisation's members: asked for once a minute, and believed for a day while the Hub is away."""

from pathlib import Path
from typing import Any

import pytest

from coordinator.errors import HubAway
from coordinator.gate.organisation import Organisation
from coordinator.settings import Admits
from tests.coordinator.gate.conftest import Person, SecondsClock
from tests.gate.gate_life import running_coordinator
from tests.hub.hub_server import Canned, HubServer

MEMBERS = "/api/organizations/painters/members"


@pytest.fixture
def painters(hub: HubServer, clock: SecondsClock) -> Organisation:
    hub.members["painters"] = ["ada"]
    return Organisation("painters", hub.address, clock=clock)


def test_members_are_asked_for_once_a_minute(
    hub: HubServer, painters: Organisation, clock: SecondsClock
) -> None:
    assert painters.has("ada")
    hub.members["painters"] = ["ben"]
    assert not painters.has("ben")
    assert len(hub.requests(MEMBERS)) == 1
    clock.now += 61
    assert painters.has("BEN")
    assert not painters.has("ada")
    assert len(hub.requests(MEMBERS)) == 2


def test_the_last_list_holds_for_a_day_while_the_hub_is_away(
    hub: HubServer, painters: Organisation, clock: SecondsClock, caplog: pytest.LogCaptureFixture
) -> None:
    assert painters.has("ada")
    hub.canned[MEMBERS] = Canned(503)
    clock.now += 86_000
    assert painters.has("ada")
    clock.now += 500
    with pytest.raises(HubAway):
        painters.has("ada")
    assert f"{hub.address} did not answer as it should: status 503." in caplog.text


def test_who_left_the_organisation_gets_no_more_tokens_once_the_hub_says_so(
    tmp_path: Path, hub: HubServer, person: Person
) -> None:
    hub.members["painters"] = ["ada"]
    rule: dict[str, Any] = {"admits": Admits.ORGANISATION, "organisation": "painters"}
    ada = person("ada")
    with running_coordinator(tmp_path / "home", hub, **rule) as coordinator:
        assert ada.join(coordinator).status_code == 201
    hub.canned[MEMBERS] = Canned(503, times=1)
    with running_coordinator(tmp_path / "home", hub, **rule) as coordinator:  # which knows no list yet
        assert ada.renew(coordinator).status_code == 200
    hub.members["painters"] = ["ben"]
    with running_coordinator(tmp_path / "home", hub, **rule) as coordinator:
        answer = ada.renew(coordinator)
        assert (answer.status_code, answer.json()["code"]) == (403, "not_admitted")
