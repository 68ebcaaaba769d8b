"""Which peers are dialled, when, and through which relays, as tables."""

import pytest
from hivemind.p2p import PeerID

from core.swarm.reach.contacts import (
    MOST_CONTACTS,
    Attempts,
    OwnContact,
    is_due,
    known_relays,
    may_relay,
    not_relaying,
    places_of,
    usable_relays,
    wanted,
    with_those_at,
)
from core.swarm.wire.records import ContactRecord


def name(number: int) -> bytes:
    return b"\x12\x20" + number.to_bytes(32, "big")


def contact(
    number: int, *relays: int, direct: bool = False, relaying: bool = False, port: int = 0
) -> ContactRecord:
    return ContactRecord(
        peer_id=name(number),
        direct=direct,
        relaying=relaying,
        address="11.0.0.7" if port else "",
        port=port,
        relays=[name(item) for item in relays],
    )


DIRECT, PUNCHED, RELAYED, NOWHERE = (
    contact(1, direct=True),
    contact(2, port=31_000),
    contact(3, 9),
    contact(4),
)


def test_a_peer_connects_to_all_that_can_be_reached_in_any_way() -> None:
    found = wanted(name(7), [DIRECT, PUNCHED, RELAYED, NOWHERE, contact(7, 9)])
    assert sorted(found, key=lambda item: item.peer_id) == [DIRECT, PUNCHED, RELAYED]


def test_of_many_peers_that_name_one_address_two_are_dialled_there() -> None:
    """The others may still be met at relays."""
    there = [contact(number, port=31_000) for number in range(1, 9)] + [contact(9, 99, port=31_000)]
    found = wanted(name(0), [*there, contact(10, port=31_000).model_copy(update={"address": "11.0.0.8"})])
    dialled = [(item.peer_id, item.address) for item in found if item.address]
    assert dialled == [(name(1), "11.0.0.7"), (name(2), "11.0.0.7"), (name(10), "11.0.0.8")]
    assert [item.peer_id for item in found if not item.address] == [name(9)]


def test_all_computers_of_a_household_are_dialled_once_one_is_connected() -> None:
    household = [contact(number, 99, port=31_000 + number) for number in range(1, 4)]
    assert [bool(item.address) for item in wanted(name(0), household)] == [True, True, False]
    assert wanted(name(0), household, places_of(["/ip4/11.0.0.7/udp/31001/quic-v1"])) == household


def test_only_a_direct_connection_shows_that_peers_live_at_an_address() -> None:
    relay = "/ip4/11.0.0.1/udp/31330/quic-v1/p2p/QmRelay/p2p-circuit"
    direct = ("/ip4/11.0.0.7/tcp/31001", "/ip6/2a00:1:2:3::7/udp/31001/quic-v1", "/dns4/example.org/tcp/1")
    assert places_of([relay, *direct]) == {"11.0.0.7/32", "2a00:1:2:3::/64"}


def test_peers_that_are_reached_leave_it_to_the_others() -> None:
    assert not OwnContact().dials
    assert OwnContact(direct=False).dials
    assert OwnContact(published=False).dials


def test_of_many_peers_the_nearest_are_connected_to() -> None:
    found = wanted(name(0), [contact(number, 999) for number in range(1, 300)])
    assert {item.peer_id for item in found} == {name(number) for number in range(1, MOST_CONTACTS + 1)}


@pytest.mark.parametrize(
    ("attempts", "now", "due"),
    [
        (Attempts(), 1_001.0, True),
        (Attempts(1, 1_001.0), 1_019.0, False),
        (Attempts(1, 1_019.0), 1_020.0, True),
        (Attempts(6, 1_081.0), 1_140.0, False),
        (Attempts(6, 1_081.0), 1_200.0, True),
        (Attempts(1, 1_001.0), 900.0, True),
    ],
)
def test_peers_dial_at_the_beginnings_of_the_same_slots(attempts: Attempts, now: float, due: bool) -> None:
    assert is_due(attempts, now) is due


def test_attempts_at_the_beginnings_of_slots_are_counted_apart() -> None:
    attempts = Attempts().next_at(1_001.0, 1.0).next_at(1_035.0, 35.0)
    assert attempts == Attempts(2, 1_035.0, 35.0, timely=1)


@pytest.mark.parametrize(
    ("peer", "address", "counts"),
    [
        pytest.param(Attempts(), Attempts(1, 5.0), 0, id="one other peer was tried there"),
        pytest.param(Attempts(), Attempts(2, 5.0), 1, id="two were"),
        pytest.param(Attempts(), Attempts(12, 5.0), 6, id="new names begin with what was in vain before"),
        pytest.param(Attempts(3, 2.0), Attempts(4, 5.0), 3, id="its own"),
    ],
)
def test_a_new_name_for_an_address_does_not_begin_anew(
    peer: Attempts, address: Attempts, counts: int
) -> None:
    found = with_those_at(peer, address)
    assert found == Attempts(counts, peer.last if peer.count else 5.0)


@pytest.mark.parametrize(
    ("other", "own_address", "attempts", "relays"),
    [
        pytest.param(PUNCHED, "11.0.0.9", Attempts(1, timely=1), False, id="both routers are tried twice"),
        pytest.param(PUNCHED, "11.0.0.9", Attempts(2, timely=2), True, id="then the relay"),
        pytest.param(PUNCHED, "11.0.0.9", Attempts(2, timely=1), False, id="one was amid a slot"),
        pytest.param(PUNCHED, "11.0.0.9", Attempts(4), True, id="this computer is late each time"),
        pytest.param(PUNCHED, "", Attempts(1), True, id="one's own can't be opened"),
        pytest.param(RELAYED, "11.0.0.9", Attempts(1), True, id="the other's can't be opened"),
    ],
)
def test_a_relay_is_used_once_no_router_opens(
    other: ContactRecord, own_address: str, attempts: Attempts, relays: bool
) -> None:
    own = OwnContact(False, own_address, 31_000 if own_address else 0)
    assert may_relay(other, own, attempts) is relays


def test_routers_that_both_open_by_ip6_are_tried_before_a_relay() -> None:
    other = contact(3, 9).model_copy(update={"address6": "2a00::7", "port6": 31_000})
    assert not may_relay(other, OwnContact(False, address6="2a00::9", port6=31_000), Attempts(1))
    assert may_relay(other, OwnContact(False, "11.0.0.9", 31_000), Attempts(1)), "one has IPv4 alone"


def test_a_line_of_ip6_is_its_network() -> None:
    there = [
        contact(number, 99).model_copy(update={"address6": f"2a00::{number}", "port6": 31_000})
        for number in range(1, 5)
    ]
    assert [bool(item.address6) for item in wanted(name(0), there)] == [True, True, False, False]


def test_a_peer_cannot_send_others_to_a_relay_that_does_not_say_so() -> None:
    swarm = [contact(8, direct=True, relaying=True), contact(9, direct=True)]
    entrance = PeerID(name(5))
    assert usable_relays(contact(3, 8, 9), [entrance], swarm) == [PeerID(name(8))]
    assert usable_relays(contact(3, 5, 9), [entrance], swarm) == [entrance]


RELAYS, RESTS = contact(8, direct=True, relaying=True), contact(8, direct=True)


@pytest.mark.parametrize(
    ("entrances", "contacts", "first", "others"),
    [
        pytest.param([8], [], [8], [], id="an entrance before any contact is known"),
        pytest.param([8, 8, 5], [], [8, 5], [], id="an entrance with two addresses"),
        pytest.param([8], [RELAYS], [8], [], id="an entrance that states that it relays"),
        pytest.param([8], [RESTS], [], [], id="an entrance whose total of the day is used up"),
        pytest.param([5], [RELAYS], [5], [8], id="a relay that is known by its contact"),
        pytest.param([5], [RESTS], [5], [], id="one whose total is used up"),
        pytest.param([5, 8], [RESTS, contact(9, relaying=True)], [5], [9], id="another stands in for it"),
    ],
)
def test_a_peer_is_asked_to_relay_unless_it_states_that_it_does_not(
    entrances: list[int], contacts: list[ContactRecord], first: list[int], others: list[int]
) -> None:
    found = known_relays([PeerID(name(item)) for item in entrances], contacts)
    assert found == ([PeerID(name(item)) for item in first], [PeerID(name(item)) for item in others])


def test_only_a_statement_tells_that_a_peer_relays_for_nobody() -> None:
    assert not_relaying([]) == frozenset()
    assert not_relaying([RESTS, contact(9, relaying=True)]) == {PeerID(name(8))}


def test_no_peer_is_called_through_a_relay_whose_total_of_the_day_is_used_up() -> None:
    entrance = PeerID(name(8))
    assert usable_relays(contact(3, 8, 5), [entrance], [RELAYS]) == [entrance]
    assert usable_relays(contact(3, 8, 5), [entrance], [RESTS]) == []
