"""The name of the table in which Alembic keeps which migrations a database has had."""

VERSION_TABLE = "idlebrush_schema"
