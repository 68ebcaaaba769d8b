"""Picks the best source of the user's activity that works here, and reports why better ones do not."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from client.api.errors import ClientError
from client.machine.activity.source import IdleSource


@dataclass(frozen=True)
class SourceCandidate:
    """A source that may work here."""

    name: str
    open: Callable[[], Awaitable[IdleSource]]
    """Raises if it does not."""


@dataclass(frozen=True)
class SourceChoice:
    """Result of trying the sources in order."""

    source: IdleSource | None
    refusals: tuple[str, ...]
    """Sentences for the user: each source that failed, and its reason."""


async def choose(tried: Iterable[SourceCandidate]) -> SourceChoice:
    """Return the first source that opens, with the reasons why those before it did not."""
    refusals: list[str] = []
    for candidate in tried:
        try:
            return SourceChoice(await candidate.open(), tuple(refusals))
        except Exception as error:  # noqa: BLE001 - whatever a display or a service answers, there are others
            refusals.append(f"{candidate.name}: {_in_words(error)}")
    return SourceChoice(None, tuple(refusals))


def _in_words(error: Exception) -> str:
    if isinstance(error, ClientError):
        return error.what
    return (
        f"{str(error).rstrip('.')}."
        if isinstance(error, OSError)
        else f"It sent an invalid answer ({error!r})."
    )
