"""Chooses and orders the runs of all lists for one computer and a few words: pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from core.fingerprint import same_fingerprint
from core.run.run_list import RunListing


class Fit(IntEnum):
    """Suitability of a run for this computer; the least fits best."""

    GPU = 0  # a GPU of this computer can train it
    PROCESSOR = 1  # its processor can
    NONE = 2  # it has too little memory


@dataclass(frozen=True)
class RoomHere:
    """Memory of this computer that a run may take, in bytes."""

    gpu: int
    """Memory of its largest GPU; 0: there is none that may train."""
    ram: int


@dataclass(frozen=True)
class FoundRun:
    """A run that was found, with its suitability and the lists that have it."""

    card: RunListing
    fit: Fit
    lists: tuple[str, ...]
    """Titles of the lists."""


def fit_of(card: RunListing, room: RoomHere) -> Fit:
    """Return the suitability of a run for a computer with that ``room``."""
    if card.gpu_bytes <= room.gpu:
        return Fit.GPU
    return Fit.PROCESSOR if card.ram_bytes <= room.ram else Fit.NONE


def search(
    lists: Iterable[tuple[str, Sequence[RunListing]]], room: RoomHere, words: Sequence[str] = ()
) -> list[FoundRun]:
    """Return the runs that have all ``words`` in title or description, those that fit best first.

    A run that several lists have is found once, with the card of the first. Finished runs come last. Those that fit
    alike are ordered by their volunteers.

    Args:
        lists: Title and cards of each list.
        room: Memory of this computer.
        words: Words in any case.
    """
    found: dict[str, FoundRun] = {}
    for title, cards in lists:
        for card in cards:
            if not _has(card, words):
                continue
            known = found.get(card.link)
            if known is None:
                found[card.link] = FoundRun(card, fit_of(card, room), (title,))
            else:
                found[card.link] = FoundRun(known.card, known.fit, (*known.lists, title))
    return sorted(found.values(), key=_order)


def called(runs: Sequence[FoundRun], name: str) -> list[FoundRun]:
    """Return the runs with that title, link or fingerprint, or else those whose titles contain it."""
    exact = [run for run in runs if name in (run.card.link, run.card.title)]
    if exact:
        return exact
    by_key = [run for run in runs if same_fingerprint(name, run.card.fingerprint)]
    return by_key or [run for run in runs if name.casefold() in run.card.title.casefold()]


def _has(card: RunListing, words: Sequence[str]) -> bool:
    text = f"{card.title} {card.description}".casefold()
    return all(word.casefold() in text for word in words)


def _order(run: FoundRun) -> tuple[bool, Fit, int, str]:
    is_over = run.card.epochs_left == 0
    return is_over, run.fit, -(run.card.volunteers or 0), run.card.title.casefold()
