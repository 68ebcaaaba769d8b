"""The daemon learns the volunteer's standing, whichever program requested the board."""

import asyncio
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pydantic import SecretStr

from client.admission.coordination import Coordination
from client.admission.membership import RunMembership
from client.admission.memberships import Memberships, Places
from client.admission.tasks import AskBoard, BoardFound
from client.api.board import Board, BoardQuery, BoardRow, UncreditedWork
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


def test_a_run_without_a_gate_is_asked_for_this_computers_own_row(tmp_path: Path) -> None:
    asked: list[AskBoard] = []

    class NotingMessenger(BoardMessenger):
        async def run(self, *words: Any, **__: Any) -> Any:
            asked.append(words[0])
            return await super().run()

    async def script() -> None:
        messenger = NotingMessenger(Board(rows=(), total=9))
        places = Places(tmp_path, lambda run: tmp_path / run)
        memberships = Memberships(messenger, "https://hub.example", places, lambda: None, lambda: NOW)
        coordination = Coordination(CARD, tmp_path, memberships, lambda: None, lambda: None, lambda: NOW)
        await coordination.board(BoardQuery())
        await coordination.close()

    asyncio.run(script())
    assert (asked[0].membership, asked[0].identity) == (None, tmp_path / CARD.digest)


def test_a_volunteer_who_is_on_no_board_yet_is_looked_up_again_soon(tmp_path: Path) -> None:
    now, own = NOW, list[BoardRow | None]([None])
    looked: list[float] = []

    class ClockedMessenger(BoardMessenger):
        async def run(self, *_: Any, **__: Any) -> Any:
            looked.append((now - NOW).total_seconds() / 60)
            return BoardFound(board=Board(rows=(), total=9, own=own[0]))

    async def script() -> None:
        nonlocal now
        places = Places(tmp_path, lambda run: tmp_path / run)
        messenger = ClockedMessenger(Board(rows=(), total=9))
        memberships = Memberships(messenger, "https://hub.example", places, lambda: None, lambda: now)
        coordination = Coordination(CARD, tmp_path, memberships, lambda: None, lambda: None, lambda: now)
        coordination.want(True)
        for minute in range(180):
            now = NOW + timedelta(minutes=minute)
            own[0] = OWN if minute > 8 else None
            coordination.look_at_board()
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        await coordination.close()

    asyncio.run(script())
    assert looked[0] == 0
    assert len([look for look in looked if look <= 10]) >= 3
    assert len(looked) <= 8, "about an hour lies between two looks at a place that is known"


def test_work_that_is_not_credited_is_known_until_it_is(tmp_path: Path) -> None:
    held, seen = (
        UncreditedWork(samples=100, why="A computer sent other values."),
        list[UncreditedWork | None](),
    )
    boards = [Board(rows=(), total=9, withheld=found) for found in (None, held, held, None)]

    async def membership() -> RunMembership:
        return RunMembership(
            name="anna", coordinator="https://run.example", run="d" * 64, secret=SecretStr("a" * 43)
        )

    async def script() -> None:
        places = Places(tmp_path, lambda run: tmp_path / run)
        messenger = BoardMessenger(boards[0])
        memberships = Memberships(messenger, "https://hub.example", places, lambda: None, lambda: NOW)

        def changed() -> None:
            seen.append(coordination.uncredited)

        coordination = Coordination(CARD, tmp_path, memberships, changed, lambda: None, lambda: NOW)
        coordination.admission = cast(Any, SimpleNamespace(membership=membership, problem=None, trouble=None))
        for board in boards:
            messenger._board = board
            await coordination.board(BoardQuery(limit=1))

    asyncio.run(script())
    assert seen == [held, None]


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
