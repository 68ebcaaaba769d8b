"""The daemon learns the volunteer's standing, whichever program requested the board."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from client.admission.coordination import Coordination
from client.admission.memberships import Memberships, Places
from client.admission.tasks import BoardFound
from client.api.board import Board, BoardQuery, BoardRow
from client.api.errors import CoordinatorAway, SetAsideByEvidence
from client.joining.run_card import RunCard
from client.tasks import TaskRunner
from tests.client.snapshots import NOW

OWN = BoardRow(rank=3, name="anna", samples=640, compute_seconds=5.0)
CARD = RunCard(
    name="tiny",
    title="Tiny",
    digest="d" * 64,
    fingerprint="f",
    total_epochs=10,
    coordinator="https://run.example",
)


class BoardMessenger(TaskRunner):
    """Brings a board."""

    def __init__(self, board: Board) -> None:
        self._board = board

    async def run(self, *_: Any, **__: Any) -> Any:
        return BoardFound(board=self._board)


@pytest.mark.parametrize(
    ("query", "own", "rank"),
    [
        (BoardQuery(), OWN, 3),
        (BoardQuery(around="anna", limit=5), OWN, 3),
        (BoardQuery(by="time"), OWN, None),
        (BoardQuery(since="week"), OWN, None),
        (BoardQuery(), None, None),
    ],
)
def test_the_standing_is_the_place_by_all_samples(
    tmp_path: Path, query: BoardQuery, own: BoardRow | None, rank: int | None
) -> None:
    changes: list[int | None] = []

    async def script() -> None:
        messenger = BoardMessenger(Board(rows=(), total=9, own=own))
        places = Places(tmp_path, lambda run: tmp_path / run)
        memberships = Memberships(messenger, "https://hub.example", places, lambda: None, lambda: NOW)

        def changed() -> None:
            changes.append(coordination.standing.rank if coordination.standing else None)

        coordination = Coordination(CARD, tmp_path, memberships, changed, lambda: None, lambda: NOW)
        assert (await coordination.board(query)).total == 9
        if rank is not None:
            assert coordination.standing is not None
            assert (coordination.standing.of, coordination.standing.looked) == (9, NOW)

    asyncio.run(script())
    assert changes == ([rank] if rank else [])


def test_who_is_set_aside_has_a_problem_though_the_gate_is_asked_again(tmp_path: Path) -> None:
    places = Places(tmp_path, lambda run: tmp_path / run)
    memberships = Memberships(
        TaskRunner(tmp_path / "log"), "https://hub.example", places, lambda: None, lambda: NOW
    )
    card = CARD.model_copy(update={"gate": "ab" * 32})
    coordination = Coordination(card, tmp_path, memberships, lambda: None, lambda: None, lambda: NOW)
    assert coordination.admission is not None
    coordination.admission.trouble = CoordinatorAway("It is away.", "Wait.")
    assert not coordination.problem
    aside = coordination.admission.trouble = SetAsideByEvidence(
        "You are set aside.", "Appeal at run@example.org."
    )
    assert coordination.problem == aside
    assert coordination.waits_for == "You are set aside."
    assert coordination.admission.text == "You are set aside. Appeal at run@example.org."
