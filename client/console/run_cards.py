"""Shows runs in a terminal: cards of those that were found on lists, and a table of those that are joined."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from rich.table import Table
from rich.text import Text

from client.api.runs import JoinedRunView
from client.console.amounts import in_bytes, in_time
from client.directory.search import Fit, FoundRun
from core.memory.units import format_size
from core.run.run_list import GATES, RunListing

FITS = {
    Fit.GPU: "trains on the GPU",
    Fit.PROCESSOR: "trains on the processor",
    Fit.NONE: "needs more memory",
}


def table_of_joined(runs: Sequence[JoinedRunView], now: datetime) -> Table:
    """Return a table with a row for each joined run; ``now`` has a zone, in which times are shown."""
    table = Table(box=None)
    table.add_column("run")
    table.add_column("share", justify="right")
    table.add_column("state")
    table.add_column("trained", justify="right")
    table.add_column("last 7 days", justify="right")
    for run in runs:
        # A title comes from others: as text of its own, it has no markup.
        week = f"{in_time(run.week_seconds)} ({run.week_part:.0%})"
        table.add_row(
            Text(run.title), f"{run.share:,}", _state_of(run, now), in_time(run.trained_seconds), week
        )
    return table


def _state_of(run: JoinedRunView, now: datetime) -> str:
    if run.hindrance is None:
        if run.is_current:
            return "has its turn"
        return "waits for its turn" if run.share else "waits until no other run can train"
    why = f"skipped: {run.hindrance.words}"
    if run.retry_at is None:
        return why
    retry = run.retry_at.astimezone(now.tzinfo)
    day = "" if retry.date() == now.date() else f"{retry:%Y-%m-%d} "
    return f"{why}; tried again at {day}{retry:%H:%M}"


def table_of(runs: Sequence[FoundRun]) -> Table:
    """Return a table with a row for each run."""
    table = Table("run", "this computer", "who may join", "volunteers", "traffic a day", box=None)
    for run in runs:
        card = run.card
        volunteers = "" if card.volunteers is None else f"{card.volunteers:,}"
        fit = "over" if card.epochs_left == 0 else FITS[run.fit]
        # A title comes from others: as text of its own, it has no markup.
        table.add_row(Text(card.title), fit, GATES[card.gate], volunteers, in_bytes(card.bytes_per_day))
    return table


def rows_of(run: FoundRun) -> Iterator[tuple[str, str]]:
    """Yield label and text of all that a card says, in the order in which it is read."""
    card = run.card
    yield "Run", card.title
    if card.description:
        yield "In its words", " ".join(card.description.split())
    yield "This computer", f"{FITS[run.fit]}; {_needs(card)}"
    yield "Model", f"{card.parameters:,} parameters"
    yield "Who may join", GATES[card.gate]
    yield "Traffic", f"about {in_bytes(card.bytes_per_day)} each way in a day of training"
    yield "Download", f"{in_bytes(card.download_bytes)} once"
    if card.volunteers is not None:
        yield "Volunteers", f"{card.volunteers:,}"
    if card.epochs_left is not None:
        yield "Epochs left", f"{card.epochs_left:,}" if card.epochs_left else "none; the run is over"
    yield "On", ", ".join(run.lists)
    yield "Link", card.link


def _needs(card: RunListing) -> str:
    gpu, ram = format_size(card.gpu_bytes), format_size(card.ram_bytes)
    return f"it needs {gpu} of a GPU's memory, or {ram} of RAM without one"
