"""Draws a joined run, and one that may be joined, for a cell of a notebook, from snapshots of the daemon."""

from collections.abc import Iterator
from datetime import datetime
from html import escape
from pathlib import Path

from client.api.candidate import CandidateView
from client.api.snapshot import Activity, SignInView, Snapshot
from client.console.amounts import in_bytes, in_time
from client.console.epoch_progress import bar as progress_of_bar
from client.console.epoch_progress import gathered
from client.notebook.cells import (
    BLUE,
    GREEN,
    GREY,
    RED,
    YELLOW,
    CellPage,
    bar,
    boxed,
    paragraph,
    sentences,
    table,
)
from client.preferences.preferences import RunMode

_COLOURS = {
    Activity.TRAINING: GREEN,
    Activity.COMPLETE: GREEN,
    Activity.PAUSED: YELLOW,
    Activity.ATTENTION: RED,
    Activity.OFF: GREY,
}
_SEEN = (
    "The swarm's peers see this machine's address on the Internet, a random peer ID, and how fast it trains. None of "
    "your files is read or sent."
)
_ALWAYS = "all the time, as no person sits at this machine, until you interrupt it"
_SEEN_BY_GATE = (
    " They and the run's website see your user name on the Hub; your token of the Hub stays with the Hub."
)


def preview_page(run: CandidateView, run_mode: str) -> CellPage:
    """Return what a run is and what it takes of this machine in a ``run_mode``, before it is joined."""
    rows = tuple(_preview_rows(run, run_mode))
    html = (*((paragraph(run.description),) if run.description else ()), table(rows))
    return boxed(run.title, html, (f"{name}: {value}" for name, value in rows))


def _preview_rows(run: CandidateView, run_mode: str) -> Iterator[tuple[str, str]]:
    yield "Model", f"{run.parameters:,} parameters, {run.total_epochs:,} epochs"
    if run.plan is not None:
        yield "This machine", run.plan.text
    yield "When", _ALWAYS if run_mode == RunMode.ALWAYS else "while your limits allow it"
    yield "Download", in_bytes(run.download_bytes) if run.download_bytes else "nothing; all files are here"
    if run.traffic is not None and run.traffic.updates_left:
        span = "for the rest of the run" if run.traffic.ends_within_a_day else "a day"
        yield (
            "Traffic",
            f"about {in_bytes(run.traffic.bytes_per_day)} each way {span}, at the pace that is known",
        )
    if run.gate is not None and not run.gate.is_member:
        yield "Sign-in", f"at {run.gate.issuer}, by a code that you enter in any browser"
    yield "Others see", _SEEN + (_SEEN_BY_GATE if run.gate is not None else "")
    yield "Key", run.fingerprint


def sign_in_page(view: SignInView) -> CellPage:
    """Return the address to open and the code to enter there; neither is a secret that admits a person later."""
    until = f"Valid until {view.expires.astimezone():%H:%M}. The notebook goes on by itself."
    address = escape(view.address)
    link = address
    if view.address.startswith(("https://", "http://")):  # and no script
        opens = 'target="_blank" rel="noopener noreferrer" style="color:inherit"'
        link = f'<a href="{address}" {opens}>{address}</a>'
    code = f'<code style="font-size:1.5rem;letter-spacing:.12em">{escape(view.code)}</code>'
    html = (f"<p>Open {link} and enter</p><p>{code}</p>", paragraph(until))
    return boxed("Sign in", html, (f"Open {view.address} and enter {view.code}.", until))


def fetching_page(run: CandidateView) -> CellPage:
    """Return how far the run's files are fetched."""
    left = f"{in_bytes(run.download_bytes)} left"
    return boxed(f"Fetching the files of {run.title}", (bar(run.progress or 0.0), paragraph(left)), (left,))


def training_page(seen: Snapshot, now: datetime, leaves_in: float | None) -> CellPage:
    """Return the state of training.

    Args:
        seen: Snapshot of the daemon.
        now: The present time, with its zone.
        leaves_in: Seconds until the notebook leaves the run; None: it stays until it is interrupted.
    """
    rows = tuple(_training_rows(seen, leaves_in))
    bars = (bar(_share(seen), _COLOURS.get(seen.activity, BLUE)),) if seen.progress is not None else ()
    problem = (f"{seen.problem.what} {seen.problem.remedy}",) if seen.problem is not None else ()
    said = (*problem, *(reason.text for reason in seen.reasons))
    stamp = f"Updated at {now:%H:%M:%S}. Interrupt this cell to leave the run in order."
    html = (*map(paragraph, said), *bars, table(rows), f'<small style="opacity:.7">{escape(stamp)}</small>')
    text = (*said, *(f"{name}: {value}" for name, value in rows), stamp)
    return boxed(seen.headline, html, text, _COLOURS.get(seen.activity, BLUE))


def _share(seen: Snapshot) -> float:
    assert seen.progress is not None
    done, whole = progress_of_bar(seen.progress)
    return done / whole if whole else 0.0


def _training_rows(seen: Snapshot, leaves_in: float | None) -> Iterator[tuple[str, str]]:
    if seen.run is not None:
        yield "Run", seen.run.title
    if (progress := seen.progress) is not None:
        of = f" of {seen.run.total_epochs:,}" if seen.run is not None else ""
        left = in_time(progress.seconds_to_next_epoch)
        yield "Epoch", f"{progress.epoch + 1:,}{of} · {gathered(progress)} · next in {left}"
        if progress.loss is not None:
            yield "Loss", f"{progress.loss:.4f}"
        own = progress.own_samples_per_second
        rates = f"{progress.samples_per_second:,.1f} samples/s, {own:,.1f} of them yours"
        yield "Swarm", f"{progress.peers:,} {'peer' if progress.peers == 1 else 'peers'} · {rates}"
    if (given := seen.contribution) is not None:
        traffic = f"{in_bytes(given.bytes_sent)} sent, {in_bytes(given.bytes_received)} received"
        yield "You gave", f"{given.samples:,} samples in {given.epochs:,} epochs · {traffic}"
    if seen.membership is not None:
        yield "Member", seen.membership.name
    if leaves_in is not None:
        yield "Leaves", f"in {in_time(leaves_in)}"


def left_page(why: str, last: Snapshot | None) -> CellPage:
    """Return what came of training once the run was left in order; ``last`` is the last snapshot before."""
    lines = [why, "The other peers know that this one has left, and none of its processes runs any more."]
    if last is not None and (given := last.contribution) is not None:
        lines.append(f"You gave {given.samples:,} samples in {given.epochs:,} epochs. Thank you!")
    return sentences("Left in order", lines, GREEN)


def absent_page(why: str, log: Path) -> CellPage:
    """Return that no daemon was there to leave the swarm; ``log`` is the daemon's."""
    return sentences(
        "Nothing trains here",
        (why, f"No daemon of this notebook runs. If it ended by itself, the log says why: {log}"),
        YELLOW,
    )
