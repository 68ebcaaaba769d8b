"""A board is read page by page from a real coordinator."""

import pytest

from client.admission.coordinator import CoordinatorClient
from client.api.board import BoardQuery
from coordinator.database.tables import Total, User
from tests.gate.served_gate import ServedGate


@pytest.fixture
def contributed(gate: ServedGate) -> ServedGate:
    """A gate with contributions of ten volunteers in descending order of samples."""
    now = gate.clock()
    with gate.context.database.session() as session:
        for place in range(10):
            user = User(name=f"name-{place}", created=now)
            session.add(user)
            session.flush()
            samples = 1_000 - place
            session.add(Total(user_id=user.id, samples=samples, compute_seconds=1.0, epochs=1, first=now))
    return gate


def test_pages_follow_one_another(contributed: ServedGate) -> None:
    coordinator = CoordinatorClient(contributed.address)
    first = coordinator.board(BoardQuery(limit=4), None)
    second = coordinator.board(BoardQuery(limit=4, offset=4), None)
    assert (first.offset, second.offset, second.total) == (0, 4, 10)
    assert [row.name for row in (*first.rows, *second.rows)] == [f"name-{place}" for place in range(8)]
    around = coordinator.board(BoardQuery(limit=3, around="name-6"), None)
    assert (around.offset, around.rows[1].name) == (5, "name-6")
