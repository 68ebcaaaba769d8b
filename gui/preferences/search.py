"""Finds preferences by what people type: every word has to occur somewhere; what occurs is marked."""

import html
import re
from collections.abc import Iterable


def words(query: str) -> tuple[str, ...]:
    return tuple(query.casefold().split())


def matches(query: str, texts: Iterable[str]) -> bool:
    """Whether each word of the query occurs in one of the texts; an empty query matches all."""
    folded = [text.casefold() for text in texts]
    return all(any(word in text for text in folded) for word in words(query))


def marked(text: str, query: str, background: str, ink: str) -> str:
    """The text as HTML, with each occurrence of each word on a background of its own."""
    found = words(query)
    if not found:
        return html.escape(text)
    pattern = re.compile("|".join(map(re.escape, sorted(found, key=len, reverse=True))), re.IGNORECASE)
    parts, end = [], 0
    for match in pattern.finditer(text):
        parts.append(html.escape(text[end : match.start()]))
        parts.append(_mark(match[0], background, ink))
        end = match.end()
    return "".join(parts) + html.escape(text[end:])


def _mark(text: str, background: str, ink: str) -> str:
    return f'<span style="background-color: {background}; color: {ink}">{html.escape(text)}</span>'
