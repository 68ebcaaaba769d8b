"""Shows a serving coordinator: one panel where there is a terminal, otherwise a line for what is new."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from coordinator.serving.view import Part, ServingView, Stage

Show = Callable[[ServingView], None]
_STYLES = {Stage.RUNNING: "green", Stage.RESTARTING: "yellow", Stage.GIVEN_UP: "bold red"}


def news(last: ServingView | None, view: ServingView) -> Iterator[str]:
    """A line for each thing that the newer view tells and the last one did not."""
    if last is None:
        yield f"{view.title}, generation {view.generation}; its organiser's key is {view.fingerprint}"
        yield f"invite volunteers by: {view.link}"
    known = {*(last.stages if last else ()), *((part, Stage.WAITING) for part in Part)}
    yield from (f"{part}: {stage}" for part, stage in view.stages if (part, stage) not in known)
    if view.entry and (last is None or view.entry != last.entry):
        yield f"the swarm is entered at: {' '.join(view.entry)}"
    if view.web and (last is None or view.web != last.web):
        yield f"the website answers at: {view.web}"
    yield from (text for text in view.notices if last is None or text not in last.notices)


def panel(view: ServingView) -> RenderableType:
    """The whole view at a glance."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    rows = {
        "website": view.web or "starting",
        "swarm": "\n".join(view.entry) or "starting",
        "organiser's key": view.fingerprint,
        "generation": str(view.generation),
    }
    for name, value in rows.items():
        table.add_row(name, Text(value, overflow="fold"))
    stages = chain.from_iterable(
        ((f"{part} ", "dim"), (f"{stage}   ", _STYLES.get(stage, ""))) for part, stage in view.stages
    )
    notices = [Text(f"! {notice}", style="yellow") for notice in view.notices]
    return Group(
        Text(view.title, style="bold"),
        table,
        Text.assemble(*stages),
        *notices,
        Text("Ctrl-C ends it.", "dim"),
    )


@contextmanager
def display(console: Console, *, plain: bool) -> Iterator[Show]:
    """Where to show views: a panel that stays on a terminal, else lines."""
    if plain or not console.is_terminal:
        yield _Lines(console).show
        return
    with Live(console=console, refresh_per_second=4) as live:
        yield _Panel(live).show


class _Panel:
    def __init__(self, live: Live) -> None:
        self._live = live
        self._link = ""

    def show(self, view: ServingView) -> None:
        if view.link != self._link:  # above the panel and unbroken, so that it can be copied
            self._live.console.print(
                f"Invite volunteers by: {view.link}", highlight=False, soft_wrap=True, markup=False
            )
        self._link = view.link
        self._live.update(panel(view))


class _Lines:
    def __init__(self, console: Console) -> None:
        self._console = console
        self._last: ServingView | None = None

    def show(self, view: ServingView) -> None:
        for line in news(self._last, view):
            self._console.print(line, highlight=False, soft_wrap=True, markup=False)
        self._last = view
