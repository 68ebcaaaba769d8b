"""Words for a terminal about paired computers: pure functions of what the daemon shows."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from client.api.remote.computers import ComputerReach, ComputerView
from client.api.remote.control import RemoteControlView
from client.console.amounts import in_time
from core.excerpt import excerpt


def pairing_words(view: RemoteControlView, code: str) -> str:
    """Return what to do on the other computer.

    Args:
        view: Remote control of this computer.
        code: The code, as it is typed there.
    """
    places = view.addresses
    add = f"idlebrush remote add {places[0] if places else 'ADDRESS'}"
    others = f"\nOther addresses of this computer: {', '.join(places[1:])}" if places[1:] else ""
    return (
        f"Code: {code}\nOn your other computer, within two minutes, choose My computers > Add a computer in the app,"
        f" or run:\n  {add}{others}\nWaiting for it. Ctrl-C withdraws the code."
    )


def listed(view: RemoteControlView, computers: Sequence[ComputerView]) -> Iterator[str]:
    """Yield the lines of `remote list`."""
    for computer in computers:
        yield f"{excerpt(computer.name)} at {computer.address} can be controlled from here."
        yield f"  key {computer.fingerprint}"
    for controller in view.controllers:
        now = f", connected from {controller.connected}" if controller.connected else ""
        yield f"{excerpt(controller.name)} may control this computer{now}."
        yield f"  key {controller.fingerprint}"
    if not computers and not view.controllers:
        yield "No computer is paired. `idlebrush remote pair` on the other computer shows how."
    if view.controllers and not view.is_on:
        yield "Remote control of this computer is off. `idlebrush remote on` turns it on."
    if view.problem is not None:
        yield f"{view.problem.what} {view.problem.remedy}"


def state_of(view: ComputerView) -> RenderableType:
    """Return the state of another computer in a few lines."""
    lines = [Text.assemble((excerpt(view.name), "bold"), f" at {view.address}")]
    if view.reach is not ComputerReach.CONNECTED:
        since = f"{view.since.astimezone():%Y-%m-%d %H:%M}"
        why = (
            f"{excerpt(view.why.what)} {excerpt(view.why.remedy)}" if view.why else "It does not answer yet."
        )
        lines += [Text(f"  Not reached since {since}. {why}")]
    if view.snapshot is not None:
        lines += [Text(f"  {line}") for line in _of_snapshot(view)]
    return Group(*lines)


def _of_snapshot(view: ComputerView) -> Iterator[str]:
    """Yield what the latest snapshot says."""
    assert view.snapshot is not None
    snapshot = view.snapshot
    if view.reach is not ComputerReach.CONNECTED and view.seen is not None:
        yield f"As of {view.seen.astimezone():%Y-%m-%d %H:%M}:"
    yield excerpt(snapshot.headline)
    if snapshot.run is not None:
        yield f"Run: {excerpt(snapshot.run.title)}"
    if (progress := snapshot.progress) is not None:
        yield f"Epoch {progress.epoch + 1}, {progress.own_samples_per_second:.2g} samples/s"
    if (given := snapshot.contribution) is not None:
        yield f"Today: {given.samples_today} samples, {in_time(given.compute_seconds_today)} of training"
    yield f"Run mode: {snapshot.run_mode}"
