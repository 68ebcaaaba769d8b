"""Pydantic's validation errors in words for people: each fault names its field."""

from pydantic import ValidationError
from pydantic_core import ErrorDetails

FAULTS_SHOWN = 5
VALUE_CHARACTERS = 60


def in_words(error: ValidationError) -> str:
    """Return the first few faults of ``error``, separated by semicolons, and the number of the others."""
    details = error.errors(include_url=False)
    faults = "; ".join(_fault(detail) for detail in details[:FAULTS_SHOWN])
    return f"{faults}; and {len(details) - FAULTS_SHOWN} more" if len(details) > FAULTS_SHOWN else faults


def _fault(detail: ErrorDetails) -> str:
    field = ".".join(map(str, detail["loc"]))
    at = f"{field}: " if field else ""  # a fault of the whole has no field
    match detail["type"]:
        case "missing":
            return f"{field} is missing"
        case "extra_forbidden":
            return f"{field} is not a known field"
        case "optimizer_kind":
            return f"{at}{detail['msg']}"
        case "value_error":
            return f"{at}{detail['ctx']['error']}"
        case "json_invalid":  # its input is the whole text
            return f"{at}{detail['msg'][:1].lower()}{detail['msg'][1:]}"
    given = repr(detail["input"])
    shown = given if len(given) <= VALUE_CHARACTERS else f"{given[:VALUE_CHARACTERS]}..."
    return f"{at}{detail['msg'][:1].lower()}{detail['msg'][1:]}, but it is {shown}"
