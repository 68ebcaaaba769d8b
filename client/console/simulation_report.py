"""The summary of a simulated swarm as a table for people."""

from rich import box
from rich.table import Table

from core.simulation.report import SimulationSummary
from core.simulation.work import SampleLoss

_CAUSES = {
    SampleLoss.TOO_OLD: "too old, as epochs came without them",
    SampleLoss.STATE_TAKEN: "given up for the swarm's state",
    SampleLoss.BRANCH: "in epochs on branches",
    SampleLoss.DIED: "of trainers that died",
    SampleLoss.LEFT: "of trainers that left",
    SampleLoss.FAILED: "of trainers that could not catch up",
    SampleLoss.EXCESS: "more than counts of one computer",
}


def report(name: str, found: SimulationSummary) -> Table:
    """Return a table of what the simulation of the run ``name`` found."""
    table = Table(
        title=f"{name}: {found.machines:,} computers, {found.hours:g} simulated hours",
        box=box.SIMPLE,
        show_header=False,
    )
    table.add_column("what")
    table.add_column("value", justify="right")
    for section in (_progress(found), _losses(found), _traffic(found), _joins(found)):
        for what, value in section:
            table.add_row(what, value)
        table.add_section()
    return table


def _progress(found: SimulationSummary) -> list[tuple[str, str]]:
    return [
        ("epochs", f"{found.epochs:,}"),
        ("epochs an hour", f"{found.epochs_an_hour:.1f}"),
        ("computers an epoch", f"{found.peers_an_epoch:.1f}"),
        ("share of the time computing", f"{found.computing:.1%}"),
    ]


def _losses(found: SimulationSummary) -> list[tuple[str, str]]:
    return [
        ("samples lost", f"{found.samples_lost:.2%}"),
        *((f"  {words}", f"{found.lost_by_cause[cause]:.2%}") for cause, words in _CAUSES.items()),
        ("epochs lost on branches", f"{found.epochs_lost:,}"),
        ("longest branch, in epochs", f"{found.longest_branch:,}"),
        ("trainers that died", f"{found.deaths:,}"),
        ("trainers that could not catch up", f"{found.failures:,}"),
    ]


def _traffic(found: SimulationSummary) -> list[tuple[str, str]]:
    return [
        ("sent by a computer in an hour", f"{found.up_mb_an_hour:,.1f} MB"),
        ("received by a computer in an hour", f"{found.down_mb_an_hour:,.1f} MB"),
        ("most sent by one, on average", f"{found.most_up_mbit:.2f} Mbit/s"),
        ("share of all uploads by that with the most", f"{found.largest_upload_share:.1%}"),
        ("sent by the bootstrap peers, on average", f"{found.bootstrap_up_mbit:,.2f} Mbit/s"),
        ("received by the bootstrap peers, on average", f"{found.bootstrap_down_mbit:,.2f} Mbit/s"),
    ]


def _joins(found: SimulationSummary) -> list[tuple[str, str]]:
    return [
        ("seconds to join besides the download", _seconds(found.join_seconds)),
        ("the same for the slowest of 20", _seconds(found.longest_join_seconds)),
    ]


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"
