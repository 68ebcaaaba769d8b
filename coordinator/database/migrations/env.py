"""Runs migrations for Alembic, over the connection and within the transaction that it is given."""

from alembic import context

from coordinator.database.migrations.version_table import VERSION_TABLE
from coordinator.database.tables import User

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=User.metadata,
    version_table=VERSION_TABLE,
    compare_server_default=True,
)
with context.begin_transaction():
    context.run_migrations()
