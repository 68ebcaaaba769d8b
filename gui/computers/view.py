"""The content of the page My computers, as pure functions of what the daemon shows of each computer."""

from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QCoreApplication

from client.api.errors import ComputerAway
from client.api.protocol import ProblemView
from client.api.remote.computers import ComputerReach, ComputerView
from client.api.remote.control import ControllerView, PairingStage, PairingView, RemoteControlView
from client.api.snapshot import Activity, Snapshot
from gui.link.link import LinkState
from gui.tray.view import MenuCommand, menu_state
from gui.wording import amounts
from gui.wording.activity import headline, rate
from gui.wording.codes import problem_words

translate = QCoreApplication.translate


@dataclass(frozen=True)
class ComputerState:
    """One computer as its card shows it."""

    name: str
    headline: str
    details: tuple[str, ...] = ()
    """Run, epoch, speed and share of the day, each as a phrase."""
    fault: str = ""
    """Reason why it cannot be reached, with its remedy; empty: it can be."""
    can_command: bool = False
    is_paused: bool = False
    """True if the first command resumes training instead of pausing it."""
    can_snooze: bool = False
    can_choose_mode: bool = False
    run_mode: str = ""
    """Run mode, of `gui.tray.view.RUN_MODES`; empty if unknown."""


def own_state(snapshot: Snapshot | None, now: datetime) -> ComputerState:
    """Return the state of this computer; ``now`` is local time with its zone."""
    name = snapshot.remote.name if snapshot and snapshot.remote else ""
    title = translate("Computers", "This computer")
    #: {name} is the name of this computer.
    title = translate("Computers", "{name} (this computer)").format(name=name) if name else title
    if snapshot is None:
        return ComputerState(title, translate("Computers", "Idlebrush is not running in the background"))
    return _of_snapshot(title, snapshot, now)


def other_state(view: ComputerView, now: datetime) -> ComputerState:
    """Return the state of another computer; ``now`` is local time with its zone."""
    if view.reach is ComputerReach.CONNECTED and view.snapshot is not None:
        return _of_snapshot(view.name, view.snapshot, now)
    if view.reach is not ComputerReach.AWAY:
        return ComputerState(view.name, translate("Computers", "Connecting…"))
    text = translate("Computers", "Not reached since {moment}")
    return ComputerState(
        view.name,
        text.format(moment=amounts.moment(view.since.astimezone(now.tzinfo), now)),
        _last_seen(view, now),
        fault=_why_away(view.why) if view.why else "",
    )


def _why_away(why: ProblemView) -> str:
    """Return a reason in sentences; the headline already says that the computer cannot be reached."""
    words = problem_words(why.code, why.what, why.remedy)
    return words[1] if why.code == ComputerAway.code else fault_words(*words)


def fault_words(what: str, remedy: str) -> str:
    """Return what happened and its remedy as one text; ``what`` may lack its full stop, as titles do."""
    return f"{what.removesuffix('.')}. {remedy}".strip()


def _last_seen(view: ComputerView, now: datetime) -> tuple[str, ...]:
    if view.snapshot is None or view.seen is None:
        return ()
    #: {state} is what the computer did then, such as "Training".
    text = translate("Computers", "Last seen {moment}: {state}")
    seen = view.seen.astimezone(now.tzinfo)
    return (text.format(moment=amounts.moment(seen, now), state=headline(view.snapshot, now)),)


def _of_snapshot(name: str, snapshot: Snapshot, now: datetime) -> ComputerState:
    menu = menu_state(snapshot, LinkState.CONNECTED, None, now)
    return ComputerState(
        name,
        headline(snapshot, now),
        tuple(_details(snapshot, now)),
        can_command=menu.can_command,
        is_paused=menu.command is not MenuCommand.PAUSE,
        can_snooze=menu.can_snooze,
        can_choose_mode=menu.can_choose_mode,
        run_mode=menu.run_mode,
    )


def _details(snapshot: Snapshot, now: datetime) -> list[str]:
    """Return the run, the epoch, the speed and the share of the day, as far as they are known."""
    parts = [snapshot.run.title] if snapshot.run else []
    if snapshot.progress is not None and snapshot.activity is not Activity.OFF:
        epoch = amounts.count(snapshot.progress.epoch + 1)
        parts.append(translate("Computers", "Epoch {epoch}").format(epoch=epoch))
    parts.append(rate(snapshot))
    if snapshot.contribution is not None:
        text = translate("Computers", "Trained for {percent} of today")
        seconds = snapshot.contribution.compute_seconds_today
        parts.append(text.format(percent=amounts.percent(share_of_day(seconds, now))))
    return [part for part in parts if part]


def share_of_day(seconds: float, now: datetime) -> float:
    """Return which share of today so far ``seconds`` are, from 0 to 1."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return min(1.0, max(0.0, seconds / max(1.0, (now - midnight).total_seconds())))


def controller_words(view: ControllerView) -> str:
    """Return a sentence about a computer that may control this one."""
    if not view.connected:
        return view.name
    #: {name} is a computer, {address} its address in the network.
    text = translate("Computers", "{name}, connected from {address}")
    return text.format(name=view.name, address=view.connected)


def control_words(view: RemoteControlView | None) -> str:
    """Return a sentence about the control of this computer by others."""
    if view is None or not view.is_on:
        return translate(
            "Computers",
            "Off: no other computer can see or control this one. Turning it on opens a port for paired "
            "computers alone.",
        )
    if view.problem is not None:
        return fault_words(*problem_words(view.problem.code, view.problem.what, view.problem.remedy))
    if not view.controllers:
        return translate("Computers", "On, but no other computer is paired yet.")
    return translate(
        "Computers",
        "These computers can see what this one does, pause and resume it, and change its preferences:",
    )


def time_left(view: PairingView | None, now: datetime) -> str:
    """Return for how long the code is still valid, in words."""
    if view is None:
        return ""
    seconds = max(0.0, (view.expires - now).total_seconds())
    return translate("Computers", "Valid for {duration}").format(duration=amounts.duration(seconds))


def pairing_end(view: PairingView) -> str:
    """Return a sentence about a code that is not valid any more."""
    match view.stage:
        case PairingStage.PAIRED:
            text = translate("Computers", "{name} can control this computer from now on.")
            return text.format(name=view.paired)
        case PairingStage.VOID:
            return translate("Computers", "The code was wrong too often. No computer was paired.")
        case PairingStage.EXPIRED:
            return translate("Computers", "The code has expired. No computer was paired.")
        case PairingStage.OPEN | PairingStage.CLOSED:
            return translate("Computers", "The code was withdrawn.")
