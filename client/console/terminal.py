"""Draws a demo's state: a live panel where there is a terminal, otherwise a line for what is new."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from client.console.amounts import in_bytes, in_time
from client.console.epoch_progress import bar, gathered, surplus
from client.demo.progress import DemoState, EpochRecord, PeerView, ReportedTraffic

if TYPE_CHECKING:
    from client.demo.folder import DemoFolder

BARS = "▁▂▃▄▅▆▇█"
SPARKLINE_WIDTH = 40
SECONDS_BETWEEN_LINES = 15.0

_Show = Callable[[DemoState], None]


def say(console: Console, text: str) -> None:
    """Write a line as it is."""
    console.print(text, highlight=False, soft_wrap=True, markup=False)


def sparkline(values: Sequence[float], width: int = SPARKLINE_WIDTH) -> str:
    """Return the last `width` values as bars between their least and their greatest."""
    shown = values[-width:]
    low, high = min(shown, default=0.0), max(shown, default=0.0)
    scale = (len(BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(BARS[round((value - low) * scale)] for value in shown)


def epoch_line(record: EpochRecord, state: DemoState) -> str:
    """Return the line of a log for a committed epoch; all numbers in it are of that epoch alone."""
    of = f"/{state.target}" if state.target else ""
    return (
        f"epoch {record.epoch}{of}  loss {record.loss:.4f}  {record.samples} samples by {record.peers} peers"
        f"  {in_time(record.seconds)}  {record.samples / max(record.seconds, 1e-9):.1f} samples/s"
        f"{_traffic(state.traffic)}"
    )


def _traffic(traffic: ReportedTraffic | None) -> str:
    if traffic is None:
        return ""
    sent, received = in_bytes(traffic.sent), in_bytes(traffic.received)
    return f"  trainer {traffic.trainer} sent {sent} and received {received}"


def progress_line(state: DemoState) -> str:
    """Return the state of the swarm within its epoch, as a line of text."""
    if not (swarm := state.swarm):
        stages = ", ".join(f"trainer {number} {peer.stage}" for number, peer in enumerate(state.peers))
        return f"waiting: {stages}"
    loss = f"loss {swarm.loss:.4f}  " if swarm.loss is not None else ""
    return (
        f"  epoch {swarm.epoch + 1}: {', '.join(filter(None, (gathered(swarm), surplus(swarm))))}  {loss}"
        f"{swarm.peers} peers  {swarm.samples_per_second:.1f} samples/s"
        f"  next epoch in {in_time(swarm.seconds_to_next_epoch)}"
    )


class Lines:
    """Prints what is new, for logs and pipes."""

    def __init__(self, write: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._write = write
        self._clock = clock
        self._last: DemoState | None = None
        self._written = clock()

    def show(self, state: DemoState) -> None:
        last, self._last = self._last or state, state
        new = min(state.noted - last.noted, len(state.notices))
        lines = list(state.notices[len(state.notices) - new :])
        if state.web and state.web != last.web:
            lines.append(f"website: {state.web} shows the run while it trains")
        if state.session_epoch != last.session_epoch:
            lines.append(epoch_line(state.epochs[-1], state))
        if state.samples and state.samples != last.samples:
            lines.append(f"samples of epoch {state.samples.epoch}: {state.samples.path}")
        if not lines and self._clock() - self._written >= SECONDS_BETWEEN_LINES:
            lines.append(progress_line(state))
        for line in lines:
            self._write(line)
            self._written = self._clock()


def panel(state: DemoState, folder: "DemoFolder") -> RenderableType:
    """Return the whole state at a glance."""
    parts: list[RenderableType] = [_heading(state), _current_epoch(state), _peers(state)]
    if losses := [record.loss for record in state.epochs]:
        parts.append(Text(f"loss {losses[-1]:.4f}  {sparkline(losses)}"))
    if state.web:
        parts.append(Text(f"website: {state.web}"))
    parts.append(Text(_files(state, folder), style="dim"))
    parts.extend(Text(f"! {notice}", style="yellow") for notice in state.notices)
    return Group(*parts)


@contextmanager
def display(console: Console, folder: "DemoFolder") -> Iterator[_Show]:
    """Give a function that shows states: a live panel on a terminal, otherwise lines."""
    if not console.is_terminal:
        yield Lines(lambda line: say(console, line)).show
        return
    with Live(console=console, refresh_per_second=4) as live:
        yield lambda state: live.update(panel(state, folder))


def _heading(state: DemoState) -> Text:
    swarm = state.swarm
    of = f" of {state.target}" if state.target else ""
    rate = f"{swarm.samples_per_second:.1f} samples/s" if swarm else "starting"
    peers = swarm.peers if swarm else 0
    traffic = f"↑ {in_bytes(state.bytes_sent)} ↓ {in_bytes(state.bytes_received)} so far"
    return Text(f"Epoch {state.epoch}{of} · {peers} peers · {rate} · {traffic}", style="bold")


def _current_epoch(state: DemoState) -> RenderableType:
    if not (swarm := state.swarm):
        return Text("The trainers are loading; this takes some seconds.")
    row = Table.grid(padding=(0, 1))
    done, whole = bar(swarm)
    row.add_row(
        ProgressBar(total=whole, completed=done, width=SPARKLINE_WIDTH),
        gathered(swarm),
        f"next epoch in {in_time(swarm.seconds_to_next_epoch)}",
    )
    return row


def _peers(state: DemoState) -> Table:
    table = Table("trainer", "state", "epoch", "samples", "loss", "sent", "received", box=None)
    for number, peer in enumerate(state.peers):
        table.add_row(str(number), *_peer(peer))
    return table


def _peer(peer: PeerView) -> list[str]:
    progress = peer.progress
    loss = f"{progress.loss:.4f}" if progress and progress.loss is not None else "–"
    samples = str(progress.samples) if progress else "–"
    return [
        peer.stage.value,
        str(peer.epoch),
        samples,
        loss,
        in_bytes(peer.bytes_sent),
        in_bytes(peer.bytes_received),
    ]


def _files(state: DemoState, folder: "DemoFolder") -> str:
    drawn = f"{state.samples.path} (epoch {state.samples.epoch})" if state.samples else "none yet"
    saved = f"epoch {state.checkpoint_epoch}" if state.checkpoint_epoch is not None else "none yet"
    return (
        f"samples: {drawn} · checkpoint: {saved} · logs: {folder.root / 'logs'} · Ctrl-C stops, and "
        "keeps all of it"
    )
