"""Teams of a run as the daemon asks for them: by real tasks, of a real coordinator."""

import asyncio
from pathlib import Path

import pytest

from client.admission.coordination import Coordination
from client.api.board import TeamQuery
from client.api.commands import TeamAction
from client.api.errors import GateError
from client.joining.run_card import RunCard
from tests.client.admission.member_life import MemberLife
from tests.gate.served_gate import ServedGate


def test_a_member_founds_renames_and_closes_a_team_and_sees_its_rank(
    gate: ServedGate, tmp_path: Path, identity: Path
) -> None:
    life = MemberLife(gate, tmp_path, identity)
    card = RunCard(
        name="tiny",
        title="Tiny",
        digest=gate.run,
        fingerprint="f",
        total_epochs=10,
        coordinator=gate.address,
        gate=gate.gate,
    )

    async def script() -> None:
        memberships = life.memberships()
        await life.enter(memberships)
        coordination = Coordination(card, tmp_path, memberships, lambda: None, lambda: None, life.now)
        assert await coordination.change_team(TeamAction.FOUND, "Blue Brushes") == "Blue Brushes"
        assert await coordination.change_team(TeamAction.RENAME, "絵筆 & Co") == "絵筆 & Co"
        board = await coordination.teams(TeamQuery(around="絵筆 & co", limit=5))
        assert board.own is not None
        assert (board.own.name, board.own.rank, board.own.members, board.leads) == ("絵筆 & Co", 1, 1, True)
        assert board.rows == (board.own,)
        with pytest.raises(GateError, match="has no other member named nobody"):
            await coordination.change_team(TeamAction.HAND_OVER, "nobody")
        assert await coordination.change_team(TeamAction.CLOSE, None) == ""
        with pytest.raises(GateError, match="no team named Blue"):
            await coordination.change_team(TeamAction.JOIN, "Blue Brushes")
        with pytest.raises(GateError, match="in no team"):
            await coordination.change_team(TeamAction.LEAVE, None)
        await coordination.close()

    asyncio.run(script())
