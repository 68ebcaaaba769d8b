"""Writes the organiser's news into the contact part of the run's manifest, which the organiser's key signs."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from coordinator.contact import rewrite
from coordinator.errors import NewsError
from coordinator.home import Home
from core.run.contact import MOST_NEWS, Contact, NewsItem
from core.run.manifest import RunManifest
from core.run.validation import in_words


def add_news(home: Home, text: str, now: datetime) -> RunManifest:
    """Add a message, in place of the oldest one if there are too many, and return the manifest.

    Args:
        home: The coordinator's folder.
        text: The message; blank lines separate paragraphs.
        now: Time of the message, with a time zone.

    Raises:
        NewsError: The text is empty, too long, or has control characters.
        CoreError: The manifest or a key cannot be read or written.
    """
    try:
        item = NewsItem(at=now, text=text.strip())
    except ValidationError as error:
        raise NewsError(
            f"This is no message: {in_words(error)}.", "Write up to 1,000 plain characters."
        ) from error
    return rewrite(home, lambda contact: {"news": (item, *contact.news)[:MOST_NEWS]}, now)


def remove_news(home: Home, number: int, now: datetime) -> RunManifest:
    """Remove the message with that number, 1 for the newest, and return the manifest.

    Raises:
        NewsError: There is no such message.
        CoreError: The manifest or a key cannot be read or written.
    """

    def without(contact: Contact) -> Mapping[str, Any]:
        if not 0 < number <= len(contact.news):
            raise NewsError(
                f"There is no message {number}.",
                "`idlebrush coordinator news list` shows all with their numbers.",
            )
        return {"news": tuple(item for place, item in enumerate(contact.news, 1) if place != number)}

    return rewrite(home, without, now)
