"""A table: the way in which a peer is reached follows from what others saw."""

from dataclasses import replace

import pytest

from core.messages.reach import Reach
from core.swarm.reach.reachability import (
    Reachability,
    ReachAnswer,
    ReachByIp6,
    ReachObservations,
    judge,
    may_be_mapped,
    may_serve,
    needs_restart,
    opens_at,
    outer_ports,
    reach_now,
)

PORT, OUTER = 31_000, 40_123
PUBLIC, LAN, OWN_LAN, OWN6 = "11.0.0.7", "192.168.1.9", "192.168.1.7", "2a00::7"


def answer(address: str, *reached: int, entrance: str = "Qm1") -> ReachAnswer:
    return ReachAnswer(entrance, address, reached)


@pytest.mark.parametrize(
    ("own", "answers", "mapped", "reach", "addresses", "observed"),
    [
        pytest.param(OWN_LAN, (), (), Reach.UNCHECKED, (), None, id="no entrance offers the check"),
        pytest.param(PUBLIC, [answer(PUBLIC, PORT)], (), Reach.DIRECT, (PORT,), PUBLIC, id="a rented server"),
        pytest.param(
            OWN_LAN, [answer(PUBLIC, PORT)], (), Reach.DIRECT, (PORT,), PUBLIC, id="a forwarded port"
        ),
        pytest.param(OWN_LAN, [answer(PUBLIC, OUTER)], {OUTER}, Reach.MAPPED, (OUTER,), PUBLIC, id="UPnP"),
        pytest.param(
            OWN_LAN, [answer(PUBLIC, PORT)], {PORT}, Reach.MAPPED, (PORT,), PUBLIC, id="the same port"
        ),
        pytest.param(OWN_LAN, [answer(PUBLIC)], (), Reach.OUTGOING, (), PUBLIC, id="a router"),
        pytest.param(OWN_LAN, [answer(PUBLIC)], {OUTER}, Reach.OUTGOING, (), PUBLIC, id="two routers"),
        pytest.param(
            None, [answer("127.0.0.1", PORT)], (), Reach.DIRECT, (PORT,), "127.0.0.1", id="loopback"
        ),
        pytest.param(
            OWN_LAN, [answer(OWN_LAN, PORT)], (), Reach.DIRECT, (PORT,), OWN_LAN, id="a local network"
        ),
        pytest.param(
            OWN_LAN,
            [answer(OWN_LAN, PORT), answer(PUBLIC, entrance="Qm2")],
            (),
            Reach.OUTGOING,
            (),
            PUBLIC,
            id="a neighbour says nothing about the Internet",
        ),
        pytest.param(
            OWN_LAN,
            [answer(PUBLIC), answer(PUBLIC, PORT, entrance="Qm2")],
            (),
            Reach.DIRECT,
            (PORT,),
            PUBLIC,
            id="one entrance is itself behind something",
        ),
    ],
)
def test_the_verdict(
    own: str | None,
    answers: tuple[ReachAnswer, ...],
    mapped: set[int],
    reach: Reach,
    addresses: tuple[int, ...],
    observed: str | None,
) -> None:
    found = judge(ReachObservations(PORT, own, tuple(answers), frozenset(mapped)))
    assert (found.reach, found.observed, found.port) == (reach, observed, PORT)
    assert found.addresses == tuple(f"/ip4/{observed}/tcp/{port}" for port in addresses)
    assert found.answered == tuple(item.entrance for item in answers)
    assert found.client_mode is (reach in (Reach.OUTGOING, Reach.UNCHECKED))


def test_the_first_peer_of_a_swarm_is_found_by_others() -> None:
    found = judge(ReachObservations(PORT, OWN_LAN, has_entrances=False))
    assert found.reach is Reach.DIRECT
    assert not found.announced


def test_an_address_of_the_newer_protocol_is_written_as_one() -> None:
    found = judge(ReachObservations(PORT, None, (answer(OWN6, PORT),), own_address6=OWN6, ip6_only=True))
    assert (found.reach, found.addresses) == (Reach.DIRECT, (f"/ip6/{OWN6}/tcp/{PORT}",))
    assert not found.is_translated


@pytest.mark.parametrize(
    ("own6", "answers", "reach", "observed", "by_ip6"),
    [
        pytest.param(
            OWN6,
            (answer(PUBLIC), answer(OWN6, PORT)),
            Reach.OUTGOING,
            PUBLIC,
            ReachByIp6(OWN6, True, (OWN6, PORT)),
            id="open by IPv6, which not all members of a group have",
        ),
        pytest.param(
            OWN6,
            (answer(PUBLIC), answer(OWN6)),
            Reach.OUTGOING,
            PUBLIC,
            ReachByIp6(OWN6, False, (OWN6, PORT)),
            id="a firewall, which opens from inside",
        ),
        pytest.param(
            OWN6,
            (answer(PUBLIC, PORT), answer(OWN6)),
            Reach.DIRECT,
            PUBLIC,
            ReachByIp6(OWN6, False, (OWN6, PORT)),
            id="IPv4 is enough",
        ),
        pytest.param(
            OWN6,
            (answer(OWN6, PORT),),
            Reach.OUTGOING,
            OWN6,
            ReachByIp6(OWN6, True, (OWN6, PORT)),
            id="no IPv4 here",
        ),
        pytest.param(
            "fd00::7",
            (answer(PUBLIC), answer(OWN6, PORT)),
            Reach.OUTGOING,
            PUBLIC,
            ReachByIp6(OWN6, True),
            id="a router translates addresses of IPv6, too",
        ),
        pytest.param(
            OWN6,
            (answer(PUBLIC), answer("fd00::7", PORT)),
            Reach.OUTGOING,
            PUBLIC,
            None,
            id="a private network",
        ),
    ],
)
def test_being_reached_by_ip6_alone_is_not_enough(
    own6: str,
    answers: tuple[ReachAnswer, ...],
    reach: Reach,
    observed: str,
    by_ip6: ReachByIp6 | None,
) -> None:
    found = judge(ReachObservations(PORT, OWN_LAN, answers, own_address6=own6))
    assert (found.reach, found.observed, found.by_ip6) == (reach, observed, by_ip6)
    assert all(address.startswith("/ip4/") for address in found.addresses)


@pytest.mark.parametrize(
    ("own", "reached", "mapped", "announced", "waits"),
    [
        (OWN_LAN, (PORT,), (), (f"/ip4/{PUBLIC}/tcp/{PORT}",), False),
        (PUBLIC, (PORT,), (), (), False),  # libp2p knows the addresses of the interfaces
        (OWN_LAN, (OUTER,), (OUTER,), (), False),  # and the ports that it had mapped
        (OWN_LAN, (), (), (), True),
        (PUBLIC, (), (), (), False),  # a firewall, which no router opens
    ],
)
def test_what_has_to_be_announced_and_what_waits_for_a_router(
    own: str, reached: tuple[int, ...], mapped: tuple[int, ...], announced: tuple[str, ...], waits: bool
) -> None:
    found = judge(ReachObservations(PORT, own, (answer(PUBLIC, *reached),), frozenset(mapped)))
    assert found.announced == announced
    assert may_be_mapped(found) is waits


def test_mapped_ports_are_those_that_no_interface_has() -> None:
    visible = [
        f"/ip4/127.0.0.1/tcp/{PORT}/p2p/Qm",
        f"/ip4/{OWN_LAN}/tcp/{PORT}",
        f"/ip4/{OWN_LAN}/udp/{PORT}/quic-v1",
        f"/ip4/{PUBLIC}/tcp/{OUTER}/p2p/Qm",
    ]
    assert outer_ports(visible, port=PORT) == {OUTER}
    assert outer_ports(visible, port=PORT, announced=[f"/ip4/{PUBLIC}/tcp/{OUTER}"]) == frozenset()


HOME = Reachability(Reach.OUTGOING, observed=PUBLIC, is_translated=True)
OPEN = Reachability(Reach.DIRECT, (f"/ip4/{PUBLIC}/tcp/{PORT}",), PUBLIC, is_translated=True)
ABROAD = "11.0.0.9"


@pytest.mark.parametrize(
    ("before", "after", "seconds", "restarts"),
    [
        pytest.param(HOME, HOME, 7200.0, False, id="nothing has changed"),
        pytest.param(HOME, replace(HOME, observed=ABROAD), 60.0, False, id="moved behind another router"),
        pytest.param(HOME, OPEN, 60.0, False, id="a forwarded port waits for the hour"),
        pytest.param(HOME, OPEN, 3600.0, True, id="and then it counts"),
        pytest.param(OPEN, replace(HOME, observed=ABROAD), 60.0, True, id="moved behind a router"),
        pytest.param(
            OPEN, replace(OPEN, observed=ABROAD, addresses=("/x",)), 60.0, True, id="another address"
        ),
        pytest.param(Reachability(Reach.UNCHECKED), OPEN, 60.0, True, id="checked at last"),
        pytest.param(
            OPEN, Reachability(Reach.MAPPED, observed=PUBLIC), 60.0, False, id="another way in waits"
        ),
    ],
)
def test_when_a_peer_starts_again(
    before: Reachability, after: Reachability, seconds: float, restarts: bool
) -> None:
    assert needs_restart(before, after, seconds) is restarts


@pytest.mark.parametrize(
    ("after", "there", "restarts"),
    [
        pytest.param(replace(HOME, observed=ABROAD), 599.0, False, id="its old router is not where it is"),
        pytest.param(replace(HOME, observed=ABROAD), 600.0, True, id="it seems to stay"),
        pytest.param(replace(OPEN, observed=ABROAD), 0.0, True, id="another mode"),
    ],
)
def test_a_peer_that_moved_starts_again_at_once_for_another_mode_alone(
    after: Reachability, there: float, restarts: bool
) -> None:
    before = replace(HOME, opens_at=(PUBLIC, PORT))
    assert needs_restart(before, after, 7200.0, there) is restarts


def by_udp(entrance: str, port: int | None, address: str = PUBLIC) -> ReachAnswer:
    return ReachAnswer(entrance, address, udp_port=port)


@pytest.mark.parametrize(
    ("answers", "place"),
    [
        pytest.param([], None, id="no entrance answers by UDP"),
        pytest.param([by_udp("Qm1", PORT)], (PUBLIC, PORT), id="the router keeps the port"),
        pytest.param([by_udp("Qm1", OUTER)], None, id="another port, seen by one alone"),
        pytest.param([by_udp("Qm1", OUTER), by_udp("Qm2", OUTER)], (PUBLIC, OUTER), id="seen by two"),
        pytest.param([by_udp("Qm1", OUTER), by_udp("Qm2", PORT)], None, id="a port for each destination"),
        pytest.param([by_udp("Qm1", OUTER), by_udp("Qm2", None)], None, id="the second says nothing"),
        pytest.param([by_udp("Qm1", OUTER), by_udp("Qm2", OUTER, OWN_LAN)], None, id="the second is near"),
        pytest.param(
            [replace(by_udp(name, OUTER), asked_at="11.0.0.1") for name in ("Qm1", "Qm2")],
            None,
            id="two entrances of one host",
        ),
        pytest.param([by_udp("Qm1", 53), by_udp("Qm2", 53)], None, id="a port that nobody dials"),
        pytest.param([by_udp("Qm1", None)], None, id="asked by TCP"),
        pytest.param([by_udp("Qm1", PORT, OWN_LAN)], None, id="a neighbour"),
    ],
)
def test_a_router_can_be_opened_if_all_see_the_same_port(
    answers: list[ReachAnswer], place: tuple[str, int] | None
) -> None:
    assert opens_at(PORT, answers) == place
    found = judge(ReachObservations(PORT, OWN_LAN, (answer(PUBLIC),), by_udp=tuple(answers)))
    assert found.opens_at == place
    reached = judge(ReachObservations(PORT, OWN_LAN, (answer(PUBLIC, PORT),), by_udp=tuple(answers)))
    assert reached.opens_at is None


OUTGOING, OPENED = Reachability(Reach.OUTGOING), Reachability(Reach.OUTGOING, opens_at=(PUBLIC, PORT))


@pytest.mark.parametrize(
    ("found", "relays", "punched", "reach"),
    [
        (Reachability(Reach.DIRECT), 0, 0, Reach.DIRECT),
        (OUTGOING, 0, 0, Reach.OUTGOING),
        (OUTGOING, 1, 0, Reach.RELAYED),
        (OPENED, 0, 0, Reach.OUTGOING),
        (OPENED, 2, 0, Reach.PUNCHED),
        (OPENED, 0, 1, Reach.PUNCHED),
        (Reachability(Reach.UNCHECKED), 1, 0, Reach.RELAYED),
    ],
)
def test_how_a_peer_is_reached_at_present(
    found: Reachability, relays: int, punched: int, reach: Reach
) -> None:
    assert reach_now(found, relays=relays, punched=punched) is reach


@pytest.mark.parametrize(
    ("reach", "reducers", "serves"),
    [
        (Reach.DIRECT, [], True),
        (Reach.MAPPED, [Reach.DIRECT], True),
        (Reach.PUNCHED, [Reach.DIRECT], True),
        pytest.param(Reach.RELAYED, [], True, id="better than none"),
        pytest.param(Reach.RELAYED, [Reach.RELAYED], True, id="all alike"),
        pytest.param(Reach.RELAYED, [Reach.RELAYED, Reach.PUNCHED], False, id="a better one"),
        pytest.param(Reach.RELAYED, [Reach.UNCHECKED], False, id="an auxiliary peer"),
        (Reach.OUTGOING, [], False),
        (Reach.UNCHECKED, [], False),
    ],
)
def test_who_reduces_and_gives_its_state(reach: Reach, reducers: list[Reach], serves: bool) -> None:
    assert may_serve(reach, reducers) is serves
