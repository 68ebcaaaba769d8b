"""Serves a run in a terminal until a signal comes, and shows there what its processes do."""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, filterfalse

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from coordinator.database.engines import parse
from coordinator.home import Home
from coordinator.opened import opened
from coordinator.packages.folder import PackageFolder
from coordinator.serving.coordinator import Coordinator
from coordinator.serving.programs import Modules, Programs, Secrets
from coordinator.serving.view import ServedProcess, ServingView, Stage
from coordinator.settings import (
    Settings,
    require_publishable,
    require_reportable,
    require_shareable,
)
from coordinator.web.listener import listening
from core.children import logs
from core.ending_signals import call_at_ending_signals

_log = logging.getLogger(__name__)
_Show = Callable[[ServingView], None]
_STYLES = {Stage.RUNNING: "green", Stage.RESTARTING: "yellow", Stage.GIVEN_UP: "bold red"}


def serve(
    home: Home,
    environment: Mapping[str, str],
    show: Callable[[ServingView], None],
    modules: Modules = Modules(),  # noqa: B008 - frozen
) -> None:
    """Serve until SIGINT, SIGTERM or SIGHUP; returns once the last process has ended.

    Args:
        environment: where ``DATABASE_URL``, ``HF_TOKEN`` and ``WANDB_API_KEY`` are looked for.

    Raises:
        CoreError: it cannot begin, or the swarm cannot be entered.
    """
    settings = Settings.load(home.settings)
    require_shareable(settings, parse(home.database_url(environment)).get_backend_name())
    require_reportable(settings)
    with home.locked():
        # Said at once if nothing can listen there: the website's process would try for ever.
        listening(settings.web.host, settings.web.port).close()
        # Here alone digests are compared: the website's process may start often, and reads the list again.
        if packages := PackageFolder.of(settings.packages, home.root):
            packages.verify()
        # The database is of this run and this version then, before several processes open it.
        with opened(home, environment, to_serve=True) as run:
            require_publishable(settings, run.manifest.training)
        programs = Programs(home, settings, Secrets.of(home, environment), modules)
        with logs.kept_in(home.log("coordinator"), "coordinator", "core"):
            asyncio.run(_serve(programs, _logged(show)))


async def _serve(programs: Programs, show: Callable[[ServingView], None]) -> None:
    coordinator = Coordinator(programs, show)
    call_at_ending_signals(coordinator.stop)
    coordinator.open_up()
    await coordinator.run()


def _logged(show: _Show) -> _Show:
    """Return a place to show views that logs the news of each, too, but for notices: `Coordinator` logs those."""
    last: ServingView | None = None

    def both(view: ServingView) -> None:
        nonlocal last
        for line in filterfalse(view.notices.__contains__, news(last, view)):
            _log.info("%s", line)
        last = view
        show(view)

    return both


def news(last: ServingView | None, view: ServingView) -> Iterator[str]:
    """Yield a line for each thing that the newer view tells and the last one did not."""
    if last is None:
        yield f"{view.title}, generation {view.generation}; its organiser's key is {view.fingerprint}"
        yield f"invite volunteers by: {view.link}"
    known = {*(last.stages if last else ()), *((part, Stage.WAITING) for part in ServedProcess)}
    yield from (f"{part}: {stage}" for part, stage in view.stages if (part, stage) not in known)
    if view.entry and (last is None or view.entry != last.entry):
        yield f"the swarm is entered at: {' '.join(view.entry)}"
    if view.web and (last is None or view.web != last.web):
        yield f"the website answers at: {view.web}"
    yield from (text for text in view.notices if last is None or text not in last.notices)


def panel(view: ServingView) -> RenderableType:
    """Return a panel that shows the whole view at a glance."""
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
def display(console: Console, *, plain: bool) -> Iterator[_Show]:
    """Provide a place to show views: a panel that stays on a terminal, or lines if there is none or if ``plain``."""
    if plain or not console.is_terminal:
        yield _ServingLines(console).show
        return
    with Live(console=console, refresh_per_second=4) as live:
        yield _ServingPanel(live).show


class _ServingPanel:
    def __init__(self, live: Live) -> None:
        self._live = live
        self._link = ""

    def show(self, view: ServingView) -> None:
        if view.link != self._link:  # above the panel and unbroken, so that it can be copied
            self._live.console.print(
                f"Invite volunteers with this link: {view.link}",
                highlight=False,
                soft_wrap=True,
                markup=False,
            )
        self._link = view.link
        self._live.update(panel(view))


class _ServingLines:
    def __init__(self, console: Console) -> None:
        self._console = console
        self._last: ServingView | None = None

    def show(self, view: ServingView) -> None:
        for line in news(self._last, view):
            self._console.print(line, highlight=False, soft_wrap=True, markup=False)
        self._last = view
