"""The counts of requests to the gate that several processes share, and indices of epochs and doubts."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "client_rates",
        sa.Column("client", sa.String(length=64), nullable=False),
        sa.Column("full_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("client", name=op.f("pk_client_rates")),
    )
    op.create_index(op.f("ix_client_rates_full_at"), "client_rates", ["full_at"])
    op.create_index(op.f("ix_doubts_generation_epoch"), "doubts", ["generation", "epoch"])
    op.create_index(op.f("ix_epochs_time"), "epochs", ["time"])
