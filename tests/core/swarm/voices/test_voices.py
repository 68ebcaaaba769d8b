"""The peers of a user share one voice to the last unit, and peers without a user have one each."""

import pytest

from core.swarm.wire.records import ProgressRecord
from core.swarm.wire.voices import (
    VOICE,
    in_turns,
    users_among,
    voiced,
    voiced_by_role,
    voices_of,
)
from tests.core.swarm.builders import certificate_of, peer_bytes, progress


def peers(user: str, *numbers: int, **changed: object) -> list[ProgressRecord]:
    certificate = certificate_of(user) if user else b""
    return [progress(number, certificate=certificate, **changed) for number in numbers]


@pytest.mark.parametrize("count", [1, 2, 3, 11, 32, 1000, VOICE + 1])
def test_the_peers_of_a_user_have_one_voice_together(count: int) -> None:
    found = voiced(peers("ada", *range(count)))
    assert voices_of(found) == VOICE
    assert max(item.voices for item in found) - min(item.voices for item in found) <= 1


def test_each_peer_of_an_open_run_has_a_voice() -> None:
    assert voices_of(voiced(peers("", 1, 2, 3))) == 3 * VOICE
    assert users_among(peers("", 1, 2, 3)) == 3


def test_voices_are_those_of_users_whatever_the_order_of_the_records() -> None:
    records = [*peers("ada", *range(11)), *peers("bob", 50), *peers("", 60)]
    expected = {item.record.peer_id: item.voices for item in voiced(records)}
    assert {item.record.peer_id: item.voices for item in voiced(records[::-1])} == expected
    assert voices_of(voiced(records)) == 3 * VOICE
    assert users_among(records) == 3


def test_paused_peers_take_nothing_from_the_voice_of_those_at_work() -> None:
    records = [*peers("ada", 1), *peers("ada", 2, 3, paused=True)]
    found = {item.record.peer_id: item.voices for item in voiced_by_role(records)}
    assert found == {peer_bytes(1): VOICE, peer_bytes(2): VOICE // 2, peer_bytes(3): VOICE // 2}


def test_users_take_turns() -> None:
    records = [*peers("ada", 1, 2, 3), *peers("bob", 4, 5), *peers("", 6)]
    expected = [peer_bytes(number) for number in (1, 4, 6, 2, 5, 3)]
    assert [record.peer_id for record in in_turns(records)] == expected
