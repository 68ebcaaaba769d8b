"""Predictions against recorded measurements: a changed formula is noticed where no other family can be built."""

import json
from typing import Any

import pytest

from benchmarks.measuring.report import RESULTS
from benchmarks.memory.cases import CASES, INSTANCES
from benchmarks.memory_truth import case_key

MIB = 2**20
UNUSED_LIBRARIES = 120
"""MiB of torch and of its libraries that a small model's training does not load; predictions have all of it."""
ROWS: list[dict[str, Any]] = json.loads((RESULTS / "memory_truth.json").read_text())["results"]
MEASURED = {case_key(row): row for row in ROWS}


def test_at_least_30_combinations_of_every_family_were_measured() -> None:
    assert len(ROWS) >= 30
    assert {row["model"] for row in ROWS} == set(INSTANCES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case_key(case.columns()))
def test_predictions_are_those_that_were_measured(case: Any) -> None:
    row, predicted = MEASURED[case_key(case.columns())], case.prediction()
    assert predicted.ram_bytes / MIB == pytest.approx(row["measured"], rel=0.1)
    assert predicted.resident_bytes / MIB == pytest.approx(
        row["measured_resident"], rel=0.15, abs=UNUSED_LIBRARIES
    )
