"""What a server's refusal says of asking again: whether it is for now, and when to."""

from collections.abc import Mapping

from huggingface_hub.utils._http import parse_ratelimit_headers

FOR_NOW = frozenset({408, 425, 429, *range(500, 600)}) - {501, 505}
"""Statuses after which the same request may be answered; servers in between have their own beyond the standard's."""


def asked_for(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks to be left alone, by the Hub's ``RateLimit`` or by ``Retry-After``.

    The latter may be a date instead, which is not read.
    """
    limit = parse_ratelimit_headers(headers)
    if limit and limit.remaining == 0:
        return float(limit.reset_in_seconds)
    value = headers.get("Retry-After", "")
    return float(value) if value.isdecimal() else None
