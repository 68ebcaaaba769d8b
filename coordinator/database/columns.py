"""The kinds of columns that the tables have, alike on SQLite and PostgreSQL."""

from datetime import UTC, datetime
from typing import Annotated

from sqlalchemy import BigInteger, DateTime, Dialect, MetaData, String
from sqlalchemy.orm import DeclarativeBase, mapped_column
from sqlalchemy.types import TypeDecorator

_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
"""Names of constraints, so that a migration can refer to them on any database."""


class Moment(TypeDecorator[datetime]):
    """An aware time in UTC; SQLite, which knows no time zones, keeps it without."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


NumberColumn = Annotated[int, mapped_column(primary_key=True)]
"""A row's own number, given by the database."""
CountColumn = Annotated[int, mapped_column(BigInteger())]
Time = Annotated[datetime, mapped_column(Moment())]
NameColumn = Annotated[str, mapped_column(String(128))]
"""Name of a user, as the Hugging Face Hub has them, or somewhat longer for one whose name has changed hands."""
Hash = Annotated[str, mapped_column(String(64))]
"""SHA-256 hash in hex."""
PeerNameColumn = Annotated[str, mapped_column(String(64))]
"""A libp2p peer id in base58."""


class Base(DeclarativeBase):
    """Base of all tables of the coordinator."""

    metadata = MetaData(naming_convention=_NAMES)
