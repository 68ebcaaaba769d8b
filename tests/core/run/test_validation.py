"""Faults that pydantic finds are named by field; a fault of the whole has no field to name."""

import pytest
from pydantic import BaseModel, ValidationError, model_validator

from core.run.validation import in_words


class OrderedBounds(BaseModel, extra="forbid"):
    low: int
    high: int

    @model_validator(mode="after")
    def _in_order(self) -> "OrderedBounds":
        if self.low > self.high:
            raise ValueError("low is above high")
        return self


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "invalid JSON: EOF while parsing"),
        ('{"low": 2, "high": 1}', "low is above high"),
        ('{"low": 2}', "high is missing"),
        ('{"low": 1, "high": 2, "mean": 3}', "mean is not a known field"),
        ('{"low": 1, "high": "two"}', "high: input should be a valid integer"),
    ],
)
def test_a_fault_begins_with_its_field_if_it_has_one(text: str, words: str) -> None:
    with pytest.raises(ValidationError) as caught:
        OrderedBounds.model_validate_json(text)
    assert in_words(caught.value).startswith(words)
