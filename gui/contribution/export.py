"""What was given as a file for spreadsheets or programs: a row for each day, in units without prefixes."""

import csv
import io
import json
from enum import Enum

from client.api.history import ContributionHistory, ContributionRow

SCHEMA = 1
"""Of the JSON file: raised when a field changes its meaning or goes."""
COLUMNS = tuple(ContributionRow.model_fields)


class Format(Enum):
    """By the ending of its files."""

    CSV = "csv"
    JSON = "json"


def exported(history: ContributionHistory, form: Format) -> str:
    """The contents of the file."""
    return _as_csv(history) if form is Format.CSV else _as_json(history)


def _as_csv(history: ContributionHistory) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([history.by.value, *COLUMNS[1:]])
    for row in history.rows:
        told = row.model_dump()
        writer.writerow([row.start.date().isoformat(), *(told[column] for column in COLUMNS[1:])])
    return text.getvalue()


def _as_json(history: ContributionHistory) -> str:
    told = history.model_dump(mode="json", exclude={"badges": {"__all__": {"progress"}}})
    return json.dumps({"schema": SCHEMA} | told, indent=2, ensure_ascii=False) + "\n"
