"""The verbs `runs search`, `show`, `lists`, `add-list` and `remove-list`: finding runs by lists of others."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from client.paths import Paths
from client.verbs.options import AsJson

if TYPE_CHECKING:
    from client.directory.known_lists import KnownLists
    from client.directory.search import FoundRun, RoomHere
    from client.fetching.web_client import WebClient


def search(
    words: Annotated[
        list[str] | None, typer.Argument(help="Words that title or description contain. Default: all runs.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find runs on the lists that you have added; those that fit this computer best come first."""
    found = _found(words or [])
    if as_json:
        print(json.dumps({"runs": [_json(run) for run in found]}))
        return
    from rich.console import Console

    from client.console.run_cards import table_of

    if found:
        Console(highlight=False).print(table_of(found))
        print("`idlebrush runs show TITLE` shows one of them, and `idlebrush join LINK` joins it.")
    else:
        print("No run was found. `idlebrush runs lists` shows the lists, `idlebrush runs add-list` adds one.")


def show(
    run: Annotated[str, typer.Argument(help="Title, part of the title, link or fingerprint of a run.")],
) -> None:
    """Show a run of a list, and compare what the list says with the run's own manifest."""
    from client.api.errors import JoinError
    from client.console.run_cards import rows_of
    from client.directory.search import called

    found = called(_found([]), run)
    if len(found) != 1:
        titles = ", ".join(item.card.title for item in found)
        raise JoinError(
            f"{len(found)} runs are called {run}: {titles}." if found else f"No run is called {run}.",
            "Give the whole title, or the fingerprint. `idlebrush runs search` shows all runs.",
        )
    for label, text in rows_of(found[0]):
        print(f"{label}: {text}")
    for difference in _differences(found[0]):
        print(f"Beware: {difference}")


def lists(as_json: AsJson = False) -> None:
    """Show the lists of runs that you have added."""
    with _lists() as opened:
        known = opened.known
    if as_json:
        print(json.dumps({"lists": [item.model_dump() for item in known]}))
        return
    for item in known:
        print(f"{item.title}\n  {item.location}\n  key {item.fingerprint}")
    if not known:
        print("There is no list. `idlebrush runs add-list ADDRESS --key FINGERPRINT` adds one.")


def add_list(
    location: Annotated[str, typer.Argument(metavar="ADDRESS|FILE", help="Web address or file of a list.")],
    key: Annotated[
        str | None,
        typer.Option(metavar="FINGERPRINT", help="Fingerprint of the key of the list's keeper."),
    ] = None,
) -> None:
    """Add a list of runs, whose issues have to be signed by the same key from now on."""
    from client.directory.reading import add_list as add

    with _web() as web, _lists() as known:
        found = add(known, location, web, key)
    print(f"Added: {found.title}, signed by {found.fingerprint}. Runs on it: {len(found.runs)}.")


def remove_list(
    name: Annotated[str, typer.Argument(help="Title, address or fingerprint of the list.")],
) -> None:
    """Remove a list of runs. Joined runs are not affected."""
    with _lists() as known:
        print(f"Removed: {known.remove(name).title}.")


def _found(words: list[str]) -> "list[FoundRun]":
    """Return the runs of all lists; say on standard error which of them cannot be read now."""
    import sys

    from client.directory.reading import read_all
    from client.directory.search import search as choose

    with _web() as web, _lists() as known:
        read = list(read_all(known, web))
    for item in read:
        if item.problem is not None:
            how = "Its last issue is used." if item.found else "It has never been read."
            print(f"{item.known.title}: {item.problem.what} {how}", file=sys.stderr)
    cards = [(item.known.title, item.found.runs) for item in read if item.found is not None]
    return choose(cards, _room(), words)


def _differences(run: "FoundRun") -> Iterator[str]:
    """Yield what the run's manifest says in another way than the list; also that it cannot be had."""
    from client.directory.making import differences_from_list
    from core.errors import CoreError

    try:
        with _web() as web:
            found = differences_from_list(run.card, web)
    except CoreError as error:
        yield f"The run cannot be looked at now. {error.what}"
        return
    yield from (difference.text for difference in found)


def _room() -> "RoomHere":
    from client.directory.carrying_out import room_of
    from client.joining.allowed import ResourceLimits
    from client.preferences.preferences_file import load

    return room_of(ResourceLimits.of(load(Paths.of_user().preferences)[0]))


@contextmanager
def _lists() -> "Iterator[KnownLists]":
    import sys

    from client.directory.known_lists import KnownLists

    with KnownLists.opened(Paths.of_user().lists) as (found, problem):
        if problem is not None:
            print(problem, file=sys.stderr)
        yield found


@contextmanager
def _web() -> "Iterator[WebClient]":
    from client.directory.reading import LIST_WORDING
    from client.fetching.web_client import WebClient
    from core.swarm.bandwidth import Line

    with WebClient.through(Line(), LIST_WORDING) as web:
        yield web


def _json(run: "FoundRun") -> dict[str, object]:
    card = run.card.model_dump(mode="json", exclude={"picture"})
    return {**card, "fit": run.fit.name.lower(), "lists": list(run.lists)}
