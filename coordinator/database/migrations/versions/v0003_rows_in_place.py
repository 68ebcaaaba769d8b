"""Rows of totals and days that PostgreSQL can change in place: no index on sums, and free space in each page.

An epoch changes the total and the day of each contributor. Where an index has a changed column, or the page is full,
PostgreSQL writes the row elsewhere, with an entry in every index, and what it leaves is found by all readers until a
vacuum. Totals are all changed at once, so half of each page is free, and they are written once again here to be rid
of what was left. Most rows of days never change again.
"""

from alembic import op

revision = "0003"
down_revision = "0002"

_FILLED_PERCENT = {"totals": 50, "days": 75}


def upgrade() -> None:
    op.drop_index(op.f("ix_totals_compute_seconds"), "totals")
    op.drop_index(op.f("ix_totals_samples"), "totals")
    if op.get_bind().dialect.name == "postgresql":
        for table, percent in _FILLED_PERCENT.items():
            op.execute(f"ALTER TABLE {table} SET (fillfactor = {percent})")
        op.execute("CLUSTER totals USING pk_totals")
