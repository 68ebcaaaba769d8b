"""A ledger filled without epochs, for tests of what is shown from them."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, time

from coordinator.database.connect import Database
from coordinator.database.tables import Day, Total, User


def fill(
    database: Database,
    contributed: Mapping[str, Mapping[date, int]],
    seconds_a_sample: Mapping[str, float] | None = None,
) -> dict[str, int]:
    """Give users samples on days, each day in two epochs, in `seconds_a_sample` or one each; returns their ids."""
    users = {}
    with database.session() as session:
        for name, days in contributed.items():
            first = datetime.combine(min(days), time(6), UTC)
            user = User(name=name, subject=f"id of {name}", created=first)
            session.add(user)
            session.flush()
            users[name], pace = user.id, (seconds_a_sample or {}).get(name, 1.0)
            session.add(Total(user_id=user.id, first=first, **_sums(list(days.values()), pace)))
            session.add_all(
                Day(user_id=user.id, day=day, **_sums([samples], pace)) for day, samples in days.items()
            )
    return users


def _sums(samples: list[int], pace: float) -> dict[str, float]:
    total = sum(samples)
    return {"samples": total, "compute_seconds": total * pace, "epochs": 2 * len(samples)}
