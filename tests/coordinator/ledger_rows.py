"""Reads the ledger's database as tests compare it: whole tables, samples by peer, and the state of the swarm."""

from typing import Any

from sqlalchemy import select

from coordinator.database.connect import Database
from coordinator.database.tables import Credit, KnownPeer, SwarmNow
from coordinator.run_now import RunNow


def rows(database: Database, table: type[Any]) -> list[Any]:
    with database.reading() as session:
        return list(session.scalars(select(table)))


def credits_of(database: Database) -> dict[tuple[int, str], int]:
    """Samples by epoch and peer id."""
    with database.reading() as session:
        found = session.execute(
            select(Credit, KnownPeer.peer_id).join(KnownPeer, Credit.peer_id == KnownPeer.id)
        )
        return {(credit.epoch, peer): credit.samples for credit, peer in found}


def now_of(database: Database) -> RunNow:
    return RunNow.model_validate(rows(database, SwarmNow)[0].content)
