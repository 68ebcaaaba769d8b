"""The worker's side of a conversation in JSON lines: a verb with arguments comes in, one answer goes out.

Runs in any environment with Python's standard library alone.
"""

import json
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any


def serve(verbs: Mapping[str, Callable[..., Any]]) -> None:
    """Answer requests until standard input ends; an exception is an answer too, and the worker goes on."""
    answers, sys.stdout = sys.stdout, sys.stderr  # what libraries print must not end up between the answers
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(_answer(verbs, request)), file=answers, flush=True)


def _answer(verbs: Mapping[str, Callable[..., Any]], request: dict[str, Any]) -> dict[str, Any]:
    try:
        return {"result": verbs[request.pop("verb")](**request)}
    except Exception:  # noqa: BLE001 - the driver must learn of whatever went wrong here
        return {"error": traceback.format_exc()}
