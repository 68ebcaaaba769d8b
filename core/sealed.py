"""JSON documents that carry a digest of all else in them: in one spelling, so that one bit of one byte matters."""

import hashlib
import json
from typing import Any


def seal(content: dict[str, Any]) -> str:
    """The document, with its digest as ``sha256``; ValueError for what JSON has no word for."""
    return _spell(content | {"sha256": hashlib.sha256(_spell(content).encode()).hexdigest()})


def unseal(raw: bytes) -> dict[str, Any]:
    """What a document says, sealed or not, and nothing for other JSON; ValueError if it is no JSON."""
    try:
        content = json.loads(raw)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if not isinstance(content, dict):
        return {}
    content.pop("sha256", None)
    return content


def _spell(content: dict[str, Any]) -> str:
    return json.dumps(content, sort_keys=True, indent=1, allow_nan=False) + "\n"
