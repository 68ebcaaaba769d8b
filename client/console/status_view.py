"""Draws a snapshot of the daemon for a terminal of 80 columns or more: a pure function of it and the time."""

from collections.abc import Iterable, Iterator
from datetime import datetime

from rich.console import Group, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from client.api.remote.control import RemoteControlView
from client.api.snapshot import (
    Activity,
    BudgetView,
    ContributionView,
    GenerationView,
    ProgressView,
    ReachView,
    ReadingView,
    Snapshot,
    TrainerView,
)
from client.api.updates import UpdateHold, UpdateStage
from client.console.amounts import in_bytes, in_time
from client.console.epoch_progress import bar, gathered, surplus
from client.console.setup_dialogue import progress_sentence

_BAR_WIDTH = 30
_NOTICES = 4
_NEWS = 2
_WAITS = 0.05
"""Share of the time without data from which on it is shown."""
_SNOOZED = "snoozed"
_INSTALLERS = {
    None: "`idlebrush update` installs it",
    UpdateHold.PACKAGE_MANAGER: "your system's package manager installs it",
    UpdateHold.BY_PACKAGE: "download its package from the page /join of a run's website",
    UpdateHold.BY_HAND: "download it from the website where you found Idlebrush",
}
"""Installers of a newer version in words, by the reason why it waits; None stands for all other reasons."""
_COLOURS = {
    Activity.TRAINING: "green",
    Activity.COMPLETE: "green",
    Activity.THROTTLED: "cyan",
    Activity.FINISHING: "cyan",
    Activity.STARTING: "blue",
    Activity.WAITING: "blue",
    Activity.LEAVING: "blue",
    Activity.PAUSED: "yellow",
    Activity.ATTENTION: "red",
    Activity.OFF: "bright_black",
}


def view(snapshot: Snapshot, now: datetime) -> RenderableType:
    """Return the whole status; ``now`` is timezone-aware, and times are shown in its zone."""
    parts: list[RenderableType] = [_headline(snapshot), *_troubles(snapshot), *_reasons(snapshot, now)]
    parts += [
        *_update(snapshot),
        *_sign_in(snapshot, now),
        *_remote(snapshot.remote),
        *_news(snapshot, now),
        *_environment(snapshot),
        *_training(snapshot),
        *_facts(snapshot),
    ]
    parts += [*_pictures(snapshot.generations), *_readings(snapshot.readings), *_notices(snapshot, now)]
    return Group(*parts)


def no_daemon() -> RenderableType:
    """Return what is shown if no daemon runs."""
    return Group(
        Text.assemble(("● ", "bright_black"), ("Idlebrush is not running.", "bold")),
        Text("  `idlebrush join RUN` joins a run, `idlebrush daemon` continues the joined one.", "dim"),
    )


def _headline(snapshot: Snapshot) -> Text:
    mark = ("● ", _COLOURS[snapshot.activity])
    line = Text.assemble(mark, (snapshot.headline, "bold"))
    if snapshot.run is not None:
        line.append(f"\n  {snapshot.run.title}", "dim")
        if len(snapshot.runs) > 1:
            line.append(f" · one of {len(snapshot.runs)} joined runs (see `idlebrush runs joined`)", "dim")
    return line


def _news(snapshot: Snapshot, now: datetime) -> Iterator[RenderableType]:
    """Yield the newest messages of the run's organiser."""
    for item in snapshot.run.news[:_NEWS] if snapshot.run is not None else ():
        day = item.at.astimezone(now.tzinfo)
        yield Text.assemble((f"  News of {day:%Y-%m-%d}: ", "dim"), " ".join(item.text.split()))


def _troubles(snapshot: Snapshot) -> Iterator[RenderableType]:
    if problem := snapshot.problem:
        yield Text.assemble("\n", ("! ", "bold red"), (problem.what, "red"), f"\n  {problem.remedy}")


def _update(snapshot: Snapshot) -> Iterator[RenderableType]:
    """Yield a line about a newer version, unless it runs or is being rolled back."""
    view = snapshot.update
    if view is None or view.stage in (UpdateStage.CURRENT, UpdateStage.ON_TRIAL, UpdateStage.TAKING_BACK):
        return
    if view.stage is UpdateStage.REJECTED:
        text = f"did not work on this computer; {snapshot.version} continues."
    elif view.stage in (UpdateStage.UNPACKING, UpdateStage.HANDING_OVER):
        text = "is being installed."
    else:
        text = f"is available; {_INSTALLERS.get(view.hold, _INSTALLERS[None])}."
    yield Text(f"\nIdlebrush {view.version} {text}", "cyan")


def _reasons(snapshot: Snapshot, now: datetime) -> Iterator[RenderableType]:
    texts = [reason.text for reason in snapshot.reasons]
    if snapshot.snoozed_until is not None and not any(reason.code == _SNOOZED for reason in snapshot.reasons):
        texts.append(f"You paused it until {_moment(snapshot.snoozed_until, now)}.")
    if texts:
        yield Text("\n" + "\n".join(f"  – {text}" for text in texts), "yellow")


def _sign_in(snapshot: Snapshot, now: datetime) -> Iterator[RenderableType]:
    if waiting := snapshot.sign_in:
        left = in_time(max(0.0, (waiting.expires - now).total_seconds()))
        line = Text.assemble("\nTo sign in, open ", (waiting.address, "underline"))
        if waiting.code:
            line = line.append(" and enter ").append(waiting.code, "bold")
        yield line.append(f" ({left} left).")


def _remote(view: RemoteControlView | None) -> Iterator[RenderableType]:
    """Yield which computers are connected to control this one, and why none can be."""
    names = ", ".join(item.name for item in view.controllers if item.connected) if view else ""
    if names:
        yield Text(f"\nConnected by remote control: {names}", "cyan")
    if view is not None and view.problem is not None:
        yield Text(f"\nNo other computer can control this one. {view.problem.what}", "yellow")


def _environment(snapshot: Snapshot) -> Iterator[RenderableType]:
    """Yield lines about the trainer's environment: its set-up, its lack, or that the processor trains."""
    view = snapshot.environment
    if view is None:
        return
    if view.is_working or view.is_planning or view.waiting or view.retry_at:
        yield Text(f"\n{progress_sentence(view)}", "blue")
    elif not view.is_usable and view.problem is None:
        yield Text("\n`idlebrush setup` downloads and installs what training needs.", "yellow")
    if view.is_fallback and view.is_usable:
        yield Text(f"\n{view.why}", "yellow")


def _training(snapshot: Snapshot) -> Iterator[RenderableType]:
    if snapshot.progress is not None:
        of = snapshot.run.total_epochs if snapshot.run else None
        yield from ("", *_progress(snapshot.progress, of))


def _progress(progress: ProgressView, total_epochs: int | None) -> Iterator[RenderableType]:
    of = f" of {total_epochs:,}" if total_epochs else ""
    done, whole = bar(progress)
    row = Table.grid(padding=(0, 2))
    row.add_row(
        Text(f"Epoch {progress.epoch + 1:,}{of}", "bold"),
        ProgressBar(whole, done, _BAR_WIDTH, complete_style="cyan"),
        gathered(progress),
        f"next in {in_time(progress.seconds_to_next_epoch)}",
    )
    yield row
    if more := surplus(progress):
        yield Text(f"{more}.")
    loss = f"loss {progress.loss:.4f} · " if progress.loss is not None else ""
    peers = f"{progress.peers:,} {'peer' if progress.peers == 1 else 'peers'}"
    rates = (
        f"{progress.samples_per_second:,.1f} samples/s, {progress.own_samples_per_second:,.1f} of them yours"
    )
    yield Text(f"{loss}{peers} · {rates}")
    if progress.data_wait >= _WAITS:
        share = f"{progress.data_wait:.0%}"
        yield Text(
            f"Waiting for data {share} of the time: the connection, or its limit, is slower than training.",
            "yellow",
        )


def _facts(snapshot: Snapshot) -> Iterator[RenderableType]:
    facts: list[tuple[str, str]] = []
    if snapshot.contribution is not None:
        facts += _contribution(snapshot.contribution)
    if snapshot.account is not None:
        facts.append(("Account", f"{snapshot.account.name} ({snapshot.account.kept})"))
    if member := snapshot.membership:
        facts.append(("Member", f"{member.name} ({member.kept}) · {member.text}"))
    if standing := snapshot.standing:
        facts.append(("Rank", f"{standing.rank:,} of {standing.of:,} · {standing.samples:,} samples"))
    if held := snapshot.uncredited:
        facts.append(("Not credited", f"{held.samples:,} samples. {held.why or ''}".strip()))
    if snapshot.budget is not None and snapshot.budget.share > 0:
        facts.append(("May take", _budget(snapshot.budget)))
    if snapshot.trainer is not None:
        facts += _trainer(snapshot.trainer)
    if snapshot.gpus:
        facts.append(("GPUs", " ".join(gpu.text for gpu in snapshot.gpus)))
    if snapshot.reach is not None:
        facts.append(("Reached", _reach(snapshot.reach)))
    if facts:
        yield from ("", _table(facts))


def _contribution(given: ContributionView) -> Iterator[tuple[str, str]]:
    yield (
        "You gave",
        f"{given.samples_today:,} samples today · {given.samples:,} in all · {given.epochs:,} epochs · "
        f"{in_time(given.compute_seconds)}",
    )
    yield (
        "Traffic",
        f"{in_bytes(given.bytes_sent)} sent · {in_bytes(given.bytes_received)} received · "
        f"{in_bytes(given.month_bytes)} this month",
    )


def _budget(budget: BudgetView) -> str:
    threads = f"{budget.threads} {'thread' if budget.threads == 1 else 'threads'}"
    rates = [
        f"{word} {in_bytes(rate)}/s"
        for word, rate in (("sends", budget.upload), ("receives", budget.download))
        if rate is not None
    ]
    return " · ".join((threads, f"{budget.share:.0%} of the time", *rates))


def _reach(reach: ReachView) -> str:
    seen = f"Its address on the Internet is {reach.address}." if reach.address else ""
    return " ".join(part for part in (reach.text, seen, reach.remedy) if part)


def _trainer(trainer: TrainerView) -> Iterator[tuple[str, str]]:
    parts = [f"process {trainer.pid}"]
    if trainer.held_bytes is not None:
        parts.append(in_bytes(trainer.held_bytes))
    if trainer.restarts:
        parts.append(f"restarted {trainer.restarts} times" if trainer.restarts > 1 else "restarted once")
    yield "Trainer", " · ".join(parts)
    if trainer.peer_id is not None:
        yield "Peer ID", trainer.peer_id
    if trainer.plan:
        yield "Plan", trainer.plan


def _pictures(asked_for: Iterable[GenerationView]) -> Iterator[RenderableType]:
    rows = [
        (f"“{item.prompt}”", f"{item.progress:.0%} of {item.count:,} · {item.text}") for item in asked_for
    ]
    if rows:
        yield from ("", Text("Pictures that you requested", "bold"), _table(rows))


def _readings(readings: Iterable[ReadingView]) -> Iterator[RenderableType]:
    """Yield the lines of the known readings; `idlebrush doctor` explains the others."""
    rows = [(reading.name, reading.value) for reading in readings if reading.value]
    if unknown := ", ".join(reading.name for reading in readings if not reading.value):
        rows.append(("not known", f"{unknown} (see `idlebrush doctor`)"))
    if rows:
        yield from ("", Text("This computer", "bold"), _table(rows, style="dim"))


def _notices(snapshot: Snapshot, now: datetime) -> Iterator[RenderableType]:
    rows = [(_moment(notice.time, now), notice.text) for notice in snapshot.notices[-_NOTICES:]]
    if rows:
        yield from ("", _table(rows, style="dim"))


def _table(rows: Iterable[tuple[str, str]], style: str = "") -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style=style or "bold", no_wrap=True)
    table.add_column(style=style, ratio=1, overflow="fold")
    for label, text in rows:
        table.add_row(Text(label), Text(text))
    return table


def _moment(time: datetime, now: datetime) -> str:
    """Return a time of day, with its date unless that is today's."""
    local = time.astimezone(now.tzinfo)
    return f"{local:%H:%M}" if local.date() == now.date() else f"{local:%d %b %H:%M}"
