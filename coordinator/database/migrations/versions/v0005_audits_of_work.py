"""The coordinator's audits of work, and the credits that are withheld by them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "work_audits",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("peer_id", sa.String(length=64), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("time", sa.DateTime(timezone=True), nullable=False),
        sa.Column("samples", sa.BigInteger(), nullable=False),
        sa.Column("rows", sa.BigInteger(), nullable=False),
        sa.Column("verdict", sa.String(length=16), nullable=False),
        sa.Column("difference", sa.Double(), nullable=True),
        sa.Column("gain", sa.Double(), nullable=True),
        sa.Column("gain_of_others", sa.Double(), nullable=True),
        sa.Column("words", sa.Text(), nullable=False),
        sa.Column("standing", sa.String(length=16), nullable=False),
        sa.Column("decided", sa.DateTime(timezone=True), nullable=True),
        sa.Column("decided_by", sa.String(length=128), nullable=True),
        sa.Column("why", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_work_audits_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_work_audits")),
        sa.UniqueConstraint(
            "generation", "epoch", "peer_id", name=op.f("uq_work_audits_generation_epoch_peer_id")
        ),
    )
    op.create_index(op.f("ix_work_audits_user_id"), "work_audits", ["user_id"])
    op.create_table(
        "withheld",
        sa.Column("audit_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("samples", sa.BigInteger(), nullable=False),
        sa.Column("compute_seconds", sa.Double(), nullable=False),
        sa.Column("epochs", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["audit_id"], ["work_audits.id"], name=op.f("fk_withheld_audit_id_work_audits")
        ),
        sa.PrimaryKeyConstraint("audit_id", "day", name=op.f("pk_withheld")),
    )
