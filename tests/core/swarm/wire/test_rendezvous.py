"""Every peer asks others in an order of its own, and all of them are asked equally."""

from collections import Counter

from core.swarm.wire.rendezvous import spread
from tests.core.swarm.builders import peer_bytes

HELPERS = [peer_bytes(number) for number in range(4)]
ASKING = [peer_bytes(100 + number) for number in range(400)]


def order(asking: bytes, helpers: list[bytes]) -> list[bytes]:
    return spread(helpers, asking, identifier=lambda peer: peer)


def test_each_helper_is_the_first_for_its_share_of_the_peers() -> None:
    first = Counter(order(asking, HELPERS)[0] for asking in ASKING)
    assert all(60 < first[helper] < 140 for helper in HELPERS), first


def test_the_peers_of_a_helper_that_leaves_turn_to_all_the_others() -> None:
    gone, *others = HELPERS
    moved = [asking for asking in ASKING if order(asking, HELPERS)[0] == gone]
    second = Counter(order(asking, others)[0] for asking in moved)
    assert all(10 < second[helper] < 60 for helper in others), second
    stayed = [asking for asking in ASKING if asking not in moved]
    assert all(order(asking, HELPERS)[0] == order(asking, others)[0] for asking in stayed)


def test_an_order_depends_on_no_other_order() -> None:
    assert order(ASKING[0], HELPERS) == order(ASKING[0], HELPERS[::-1])
