"""The tables of the first version."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "allowed",
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_allowed")),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("time", sa.DateTime(timezone=True), nullable=False),
        sa.Column("actor", sa.String(length=128), nullable=False),
        sa.Column("action", sa.String(length=64), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_time"), "audit", ["time"])
    op.create_table(
        "checkpoints",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("parameters", sa.String(length=64), nullable=False),
        sa.Column("folder", sa.Text(), nullable=False),
        sa.Column("loss", sa.Double(), nullable=True),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("standing", sa.String(length=16), nullable=False),
        sa.Column("published", sa.String(length=64), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_checkpoints")),
    )
    op.create_index(op.f("ix_checkpoints_generation_epoch"), "checkpoints", ["generation", "epoch"])
    op.create_table(
        "epochs",
        sa.Column("generation", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("epoch", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("time", sa.DateTime(timezone=True), nullable=False),
        sa.Column("loss", sa.Double(), nullable=True),
        sa.Column("samples", sa.BigInteger(), nullable=False),
        sa.Column("peers", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("root", sa.String(length=64), nullable=False),
        sa.Column("traffic", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("generation", "epoch", name=op.f("pk_epochs")),
    )
    op.create_table(
        "frames",
        sa.Column("generation", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("epoch", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("file", sa.Text(), nullable=False),
        sa.Column("peer_id", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("generation", "epoch", name=op.f("pk_frames")),
    )
    op.create_table(
        "invitations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.Column("uses_left", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("code_hash", name=op.f("uq_invitations_code_hash")),
    )
    op.create_table(
        "orders",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("argument", sa.Text(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("done", sa.DateTime(timezone=True), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_orders")),
    )
    op.create_table(
        "runs",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_runs")),
    )
    op.create_table(
        "spent_proofs",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_spent_proofs")),
    )
    op.create_index(op.f("ix_spent_proofs_expires"), "spent_proofs", ["expires"])
    op.create_table(
        "swarm_now",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("time", sa.DateTime(timezone=True), nullable=False),
        sa.Column("content", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_swarm_now")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=True),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.Column("moderator", sa.Boolean(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("banned", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ban_reason", sa.Text(), nullable=True),
        sa.Column("ban_at_once", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("name", name=op.f("uq_users_name")),
        sa.UniqueConstraint("subject", name=op.f("uq_users_subject")),
    )
    op.create_table(
        "days",
        sa.Column("user_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("samples", sa.BigInteger(), nullable=False),
        sa.Column("compute_seconds", sa.Double(), nullable=False),
        sa.Column("epochs", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_days_user_id")),
        sa.PrimaryKeyConstraint("user_id", "day", name=op.f("pk_days")),
    )
    op.create_index(op.f("ix_days_day"), "days", ["day"])
    op.create_table(
        "memberships",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_memberships_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memberships")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_memberships_secret_hash")),
    )
    op.create_index(op.f("ix_memberships_user_id"), "memberships", ["user_id"])
    op.create_table(
        "page_codes",
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_page_codes_user_id")),
        sa.PrimaryKeyConstraint("code_hash", name=op.f("pk_page_codes")),
    )
    op.create_index(op.f("ix_page_codes_expires"), "page_codes", ["expires"])
    op.create_table(
        "page_sessions",
        sa.Column("secret_hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("expires", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_page_sessions_user_id")),
        sa.PrimaryKeyConstraint("secret_hash", name=op.f("pk_page_sessions")),
    )
    op.create_index(op.f("ix_page_sessions_expires"), "page_sessions", ["expires"])
    op.create_table(
        "peers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("peer_id", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=True),
        sa.Column("device", sa.String(length=16), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("token_until", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_peers_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_peers")),
        sa.UniqueConstraint("peer_id", name=op.f("uq_peers_peer_id")),
    )
    op.create_index(op.f("ix_peers_user_id"), "peers", ["user_id"])
    op.create_table(
        "standings",
        sa.Column("user_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_standings_user_id")),
        sa.PrimaryKeyConstraint("user_id", "day", name=op.f("pk_standings")),
    )
    op.create_index(op.f("ix_standings_day"), "standings", ["day"])
    op.create_table(
        "totals",
        sa.Column("user_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("samples", sa.BigInteger(), nullable=False),
        sa.Column("compute_seconds", sa.Double(), nullable=False),
        sa.Column("epochs", sa.Integer(), nullable=False),
        sa.Column("first", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_totals_user_id")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_totals")),
    )
    op.create_index(op.f("ix_totals_compute_seconds"), "totals", ["compute_seconds"])
    op.create_index(op.f("ix_totals_samples"), "totals", ["samples"])
    op.create_table(
        "credits",
        sa.Column("generation", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("epoch", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("peer_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("samples", sa.BigInteger(), nullable=False),
        sa.Column("compute_seconds", sa.Double(), nullable=False),
        sa.Column("time", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["peer_id"], ["peers.id"], name=op.f("fk_credits_peer_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_credits_user_id")),
        sa.PrimaryKeyConstraint("generation", "epoch", "peer_id", name=op.f("pk_credits")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "doubts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("peer_id", sa.Integer(), nullable=False),
        sa.Column("claimed", sa.Double(), nullable=False),
        sa.Column("credited", sa.BigInteger(), nullable=False),
        sa.Column("why", sa.String(length=64), nullable=False),
        sa.Column("time", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["peer_id"], ["peers.id"], name=op.f("fk_doubts_peer_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_doubts")),
    )
    op.create_index(op.f("ix_doubts_peer_id"), "doubts", ["peer_id"])
