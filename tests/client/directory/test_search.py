"""The order in which runs of lists are shown, by their fit to this computer and by words."""

import pytest

from client.directory.search import Fit, FoundRun, RoomHere, called, fit_of, search
from core.run.join_link import JoinLink
from core.run.run_list import ListedGate, RunListing

GIB = 1 << 30


def card(title: str, gpu: int = 8, ram: int = 4, **more: object) -> RunListing:
    link = str(
        JoinLink(
            f"https://{title.lower().replace(' ', '-')}.example/files/run.toml",
            f"key-of-{title.lower().replace(chr(32), chr(45))}",
        )
    )
    about = {"gate": ListedGate.OPEN, "parameters": 10, "bytes_per_day": 1, "link": link, "title": title}
    return RunListing(**{**about, "gpu_bytes": gpu * GIB, "ram_bytes": ram * GIB, **more})  # type: ignore[arg-type]


def titles(found: list[FoundRun]) -> list[str]:
    return [run.card.title for run in found]


@pytest.mark.parametrize(
    ("gpu", "ram", "fit"), [(8, 0, Fit.GPU), (7, 4, Fit.PROCESSOR), (0, 3, Fit.NONE), (8, 64, Fit.GPU)]
)
def test_a_run_fits_by_the_memory_that_it_needs(gpu: int, ram: int, fit: Fit) -> None:
    assert fit_of(card("Cats"), RoomHere(gpu * GIB, ram * GIB)) is fit


def test_what_fits_best_comes_first_and_what_is_over_last() -> None:
    cards = [
        card("Huge", gpu=80, ram=200, volunteers=9_000),
        card("Over", gpu=1, epochs_left=0, volunteers=9_000),
        card("Slow", gpu=80, ram=2),
        card("Small", gpu=4, volunteers=3),
        card("Liked", gpu=4, volunteers=30),
    ]
    found = search([("Ours", cards)], RoomHere(8 * GIB, 16 * GIB))
    assert titles(found) == ["Liked", "Small", "Slow", "Huge", "Over"]


def test_a_run_that_is_on_two_lists_is_found_once_with_the_first_card() -> None:
    found = search(
        [("A", [card("Cats")]), ("B", [card("Cats", description="Another card.")])], RoomHere(0, 0)
    )
    assert titles(found) == ["Cats"]
    assert found[0].lists == ("A", "B")
    assert found[0].card.description == ""


def test_all_words_have_to_be_there_in_any_case() -> None:
    cards = [card("Cats", description="Draws CATS and dogs."), card("Dogs")]
    assert titles(search([("A", cards)], RoomHere(0, 0), ["dogs", "Cats"])) == ["Cats"]
    assert titles(search([("A", cards)], RoomHere(0, 0), ["birds"])) == []


def test_a_run_is_called_by_title_link_fingerprint_or_a_part_of_its_title() -> None:
    found = search([("A", [card("Cats"), card("Cats and dogs"), card("Birds")])], RoomHere(0, 0))
    assert titles(called(found, "Cats")) == ["Cats"]
    assert titles(called(found, "key-of-birds")) == ["Birds"]
    assert titles(called(found, found[0].card.link)) == [found[0].card.title]
    assert titles(called(found, "dogs")) == ["Cats and dogs"]
    assert titles(called(found, "cat")) == ["Cats", "Cats and dogs"]
    assert called(found, "fish") == []
