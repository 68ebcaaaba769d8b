"""JSON documents with a digest of all their other content, in one spelling: a change of any bit is found."""

import hashlib
import json
from typing import Any


def seal(content: dict[str, Any]) -> str:
    """Return ``content`` as JSON with its digest as ``sha256``; raises ValueError for values JSON cannot hold."""
    return _spell(content | {"sha256": hashlib.sha256(_spell(content).encode()).hexdigest()})


def unseal(raw: bytes) -> dict[str, Any]:
    """Return the content of the document ``raw`` without its digest, which is not checked; empty for other JSON.

    Raises ValueError if it is not JSON, or is nested too deeply.
    """
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
