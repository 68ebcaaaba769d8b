"""What the organiser is told of relays that have used up their total, as tables."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest

from coordinator.messages import RelaysNow
from coordinator.recorder.own_relays import OwnRelays, warning_of_relays
from coordinator.run_now import OWN_RELAYS, UsedUpRelay
from coordinator.serving.view import ServedProcess
from core.messages.reach import RelayUsedUp

SINCE, UNTIL = datetime(2026, 3, 1, 14, 32, tzinfo=UTC), datetime(2026, 3, 2, tzinfo=UTC)
USED_UP = UsedUpRelay(since=SINCE, until=UNTIL, gigabytes=10.04, total=10.0)
LATER = USED_UP.model_copy(update={"since": SINCE + timedelta(hours=2), "total": 2.5})
REMEDY = "To relay more, raise relay.gigabytes_a_day in coordinator.toml and restart `serve`."
HAS, RESTS = "has used up its relay total of the day", "it relays for nobody"
BOOTSTRAP = f"The bootstrap peer {HAS} (10 GB): {RESTS} from 14:32 to 00:00 UTC."
PUBLISHER = f"The publisher {HAS} (2.5 GB): {RESTS} from 16:32 to 00:00 UTC."
HOMES = "Until then, homes whose routers cannot be opened"


@pytest.mark.parametrize(
    ("used_up", "warning"),
    [
        ({}, None),
        ({"bootstrap": USED_UP}, f"{BOOTSTRAP} {HOMES} have only the publisher as a relay. {REMEDY}"),
        ({"publisher": LATER}, f"{PUBLISHER} {HOMES} have only the bootstrap peer as a relay. {REMEDY}"),
        (
            {"publisher": LATER, "bootstrap": USED_UP},
            f"{BOOTSTRAP} {PUBLISHER} {HOMES} do not reach each other. {REMEDY}",
        ),
    ],
)
def test_the_warning_says_since_when_until_when_and_what_to_do(
    used_up: Mapping[str, UsedUpRelay], warning: str | None
) -> None:
    assert warning_of_relays(used_up) == warning


def test_the_words_are_for_processes_of_the_coordinator() -> None:
    assert set(OWN_RELAYS) == {ServedProcess.BOOTSTRAP, ServedProcess.PUBLISHER}


def test_what_serve_says_holds_until_it_says_otherwise_or_the_day_is_over() -> None:
    relays = OwnRelays()
    assert relays.used_up(SINCE) == {}
    told = RelayUsedUp(gigabytes=10.04, total=10.0, since=SINCE, until=UNTIL)
    relays.hear(RelaysNow(used_up={"bootstrap": told}))
    assert relays.used_up(SINCE) == {"bootstrap": USED_UP}
    assert relays.used_up(UNTIL - timedelta(seconds=1)) == {"bootstrap": USED_UP}
    assert relays.used_up(UNTIL) == {}
    relays.hear(RelaysNow(used_up={}))
    assert relays.used_up(SINCE) == {}
