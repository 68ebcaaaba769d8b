"""Teams of volunteers, and who is or was a member of which."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "teams",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("name_key", sa.String(length=160), nullable=False),
        sa.Column("founder_id", sa.Integer(), nullable=False),
        sa.Column("founded_by", sa.Integer(), nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("renamed", sa.DateTime(timezone=True), nullable=True),
        sa.Column("closed", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["founder_id"], ["users.id"], name=op.f("fk_teams_founder_id_users")),
        sa.ForeignKeyConstraint(["founded_by"], ["users.id"], name=op.f("fk_teams_founded_by_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_teams")),
        sa.UniqueConstraint("name_key", name=op.f("uq_teams_name_key")),
    )
    op.create_index(op.f("ix_teams_founder_id"), "teams", ["founder_id"])
    op.create_index(op.f("ix_teams_founded_by"), "teams", ["founded_by"])
    op.create_table(
        "team_memberships",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("team_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("begun", sa.DateTime(timezone=True), nullable=False),
        sa.Column("first_day", sa.Date(), nullable=False),
        sa.Column("before", sa.BigInteger(), nullable=False),
        sa.Column("before_on_first_day", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_day", sa.Date(), nullable=True),
        sa.Column("until_end", sa.BigInteger(), nullable=False),
        sa.Column("samples", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_team_memberships_team_id_teams")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_team_memberships_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_team_memberships")),
    )
    op.create_index(op.f("ix_team_memberships_team_id"), "team_memberships", ["team_id"])
    op.create_index(op.f("ix_team_memberships_user_id"), "team_memberships", ["user_id"])
    is_open = sa.text("ended IS NULL")
    op.create_index(
        "uq_team_memberships_open",
        "team_memberships",
        ["user_id"],
        unique=True,
        sqlite_where=is_open,
        postgresql_where=is_open,
    )
