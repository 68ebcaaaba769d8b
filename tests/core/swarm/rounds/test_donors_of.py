"""A member that lacks parts asks those first that have them, and nobody who cannot be asked."""

import pytest
from hivemind.p2p import PeerID

from core.swarm.rounds.group import Group
from core.swarm.rounds.round_runner import donors_of
from tests.core.swarm.builders import digest_of, peer_bytes
from tests.core.swarm.rounds.test_committed import COMMITTED

PEERS = tuple(PeerID(peer_bytes(number)) for number in range(5))
PART = COMMITTED.parts[0]


@pytest.mark.parametrize(
    ("owners", "clients", "have", "writers", "expected"),
    [
        # two homes, and two auxiliary peers that reduced a half each
        ((2, 2, 3, 3), (0, 1), (False, False, False, False), (0, 1), (2, 3)),
        ((2, 2, 3, 3), (0, 1), (True, True, False, False), (0, 1), (3, 2)),
        # all accept connections: the reducers of what is missing, the writers, the rest
        ((0, 1, 2, 3), (), (True, True, True, False), (1, 2), (3, 1, 2, 0)),
        # another group committed: its writer may be asked
        ((0, 1, 2, 3), (), (False, False, False, False), (4,), (0, 1, 2, 3, 4)),
    ],
)
def test_who_is_asked(
    owners: tuple[int, ...],
    clients: tuple[int, ...],
    have: tuple[bool, ...],
    writers: tuple[int, ...],
    expected: tuple[int, ...],
) -> None:
    group = Group(digest_of("group")[:20], PEERS[:4], (0, 1), owners, clients=clients)
    found = donors_of(
        group, [PART if has else None for has in have], [PEERS[number] for number in writers], PEERS[0]
    )
    assert found == [PEERS[number] for number in expected]
