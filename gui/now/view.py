"""What the page Now says of a snapshot: pure, in parts that are drawn anew only when they differ."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication

from client.api.snapshot import Activity, ReasonView, Snapshot, TrainerView
from gui.now.epoch_view import EpochView, epoch_view
from gui.now.reasons import CONVENIENCE, Help, Remedy, against_problem, against_reason
from gui.web_address import website
from gui.wording import activity, amounts, problems, reasons

translate = QCoreApplication.translate

_WAITS = 0.05
"""Share of the time without data from which on it is told."""
_SLOW = 0.1
"""Samples per second, below which a tenth says little."""
_OWN_WILL = {"paused", "snoozed"}
_NO_PAUSE_NEEDED = {"never", "not_asked"}
"""Reasons that a pause would not add to."""
_MAY_FINISH = {Activity.TRAINING, Activity.THROTTLED, Activity.WAITING, Activity.STARTING}


class Stage(Enum):
    """What there is to draw at all."""

    UNKNOWN = auto()  # no daemon has said anything yet
    NO_RUN = auto()
    TRAINING = auto()
    COMPLETE = auto()


class Command(Enum):
    """What the volunteer may tell training to do now."""

    PAUSE = auto()
    RESUME = auto()
    RETRY = auto()
    SNOOZE = auto()
    FINISH = auto()
    TRAIN_ANYWAY = auto()  # whatever the preferences are considerate of
    HEED_PREFERENCES = auto()


@dataclass(frozen=True)
class HeroView:
    """The run, and what is done for it now."""

    headline: str
    run: str
    """Title of the run; empty: none was joined."""
    website: str
    """The run's own; empty: it has none."""
    commands: tuple[Command, ...]


@dataclass(frozen=True)
class Line:
    """Something that holds training back, or needs the volunteer."""

    text: str
    detail: str = ""
    remedies: tuple[Remedy, ...] = ()


@dataclass(frozen=True)
class Fact:
    """A number with what it is of."""

    value: str
    label: str
    unit: str = ""


@dataclass(frozen=True)
class NowView:
    stage: Stage
    hero: HeroView
    problem: Line | None = None
    reasons: tuple[Line, ...] = ()
    epoch: EpochView | None = None
    facts: tuple[Fact, ...] = ()
    notes: tuple[Line, ...] = ()
    """What else is worth knowing."""


def now_view(snapshot: Snapshot | None, now: datetime) -> NowView:
    """``now`` is local time with its zone; None: no daemon has told anything yet."""
    if snapshot is None:
        return NowView(Stage.UNKNOWN, HeroView("", "", "", ()))
    return NowView(
        stage=_stage(snapshot),
        hero=_hero(snapshot, now),
        problem=_problem(snapshot),
        reasons=_reasons(snapshot, now),
        epoch=epoch_view(snapshot.progress, snapshot.run) if snapshot.progress else None,
        facts=_facts(snapshot),
        notes=_notes(snapshot),
    )


def _stage(snapshot: Snapshot) -> Stage:
    if snapshot.run is None:
        return Stage.NO_RUN
    return Stage.COMPLETE if snapshot.activity is Activity.COMPLETE else Stage.TRAINING


def _hero(snapshot: Snapshot, now: datetime) -> HeroView:
    run = snapshot.run
    return HeroView(
        headline=activity.headline(snapshot, now),
        run=run.title if run else "",
        website=website(run),
        commands=_commands(snapshot),
    )


def _commands(snapshot: Snapshot) -> tuple[Command, ...]:
    if snapshot.run is None or snapshot.activity in (Activity.OFF, Activity.COMPLETE, Activity.LEAVING):
        return ()
    codes = {reason.code for reason in snapshot.reasons}
    if codes & _NO_PAUSE_NEEDED:
        return ()
    if codes & _OWN_WILL or snapshot.activity is Activity.FINISHING:
        return (Command.RESUME,)
    if snapshot.activity is Activity.ATTENTION:
        return () if snapshot.problem else (Command.RETRY,)
    may_finish = (Command.FINISH,) if snapshot.activity in _MAY_FINISH else ()
    return Command.PAUSE, Command.SNOOZE, *may_finish, *_modes(snapshot, codes)


def _modes(snapshot: Snapshot, codes: set[str]) -> tuple[Command, ...]:
    """Who has just joined a run wants to see it train, though they sit at the computer."""
    if snapshot.run_mode == "always":
        return (Command.HEED_PREFERENCES,)
    is_considerate = snapshot.activity is Activity.PAUSED and bool(codes) and codes <= CONVENIENCE
    return (Command.TRAIN_ANYWAY,) if is_considerate else ()


def _problem(snapshot: Snapshot) -> Line | None:
    problem = snapshot.problem
    if problem is None:
        return None
    what, remedy = problems.words(problem.code, problem.what, problem.remedy)
    remedies = against_problem(problem.code)
    if snapshot.activity is Activity.ATTENTION and remedy:
        return Line(remedy, remedies=remedies)  # what happened is the headline
    return Line(what, remedy, remedies)


def _reasons(snapshot: Snapshot, now: datetime) -> tuple[Line, ...]:
    """Those that the head of the page does not say already, with a button that resumes."""
    told = snapshot.reasons
    if all(reason.code in _OWN_WILL for reason in told):
        told = ()
    lines = tuple(_reason(each, now) for each in told)
    if snapshot.progress and snapshot.progress.data_wait >= _WAITS:
        lines += (_data_wait(snapshot.progress.data_wait),)
    return lines


def _reason(reason: ReasonView, now: datetime) -> Line:
    remedy = against_reason(reason.code)
    return Line(reasons.sentence(reason, now), remedies=(remedy,) if remedy else ())


def _data_wait(share: float) -> Line:
    text = translate("NowView", "Training waits for data {percent} of the time")
    detail = translate(
        "NowView", "The connection, or the limit you set for it, is slower than this computer."
    )
    remedy = Remedy(Help.SHOW_PREFERENCE, "download")
    return Line(text.format(percent=amounts.percent(share)), detail, (remedy,))


def _facts(snapshot: Snapshot) -> tuple[Fact, ...]:
    facts: list[Fact] = []
    progress = snapshot.progress
    if progress:
        facts += [
            _pace(progress.samples_per_second, translate("NowView", "The swarm's pace")),
            _pace(progress.own_samples_per_second, translate("NowView", "Your pace")),
            Fact(amounts.count(progress.samples), translate("NowView", "Your samples in this epoch")),
        ]
    if given := snapshot.contribution:
        facts.append(Fact(amounts.count(given.samples_today), translate("NowView", "Your samples today")))
    if progress:
        facts.append(Fact(amounts.count(progress.peers), translate("NowView", "Peers in the swarm")))
    if standing := snapshot.standing:
        place = translate("NowView", "Your rank among {total}").format(total=amounts.count(standing.of))
        facts.append(Fact(amounts.count(standing.rank), place))
    return tuple(facts)


def _pace(per_second: float, label: str) -> Fact:
    """Slow computers are counted by the hour."""
    if 0 < per_second < _SLOW:
        hourly = amounts.decimal(per_second * 3600, 0)
        return Fact(hourly, label, translate("NowView", "samples per hour"))
    return Fact(amounts.decimal(per_second), label, translate("NowView", "samples per second"))


def _notes(snapshot: Snapshot) -> tuple[Line, ...]:
    notes: list[Line] = []
    if asked_for := len(snapshot.generations):
        text = translate("NowView", "%Ln request(s) for pictures wait for gaps in training", "", asked_for)
        notes.append(Line(text, remedies=(Remedy(Help.SHOW_GALLERY),)))
    if snapshot.trainer and snapshot.trainer.plan:
        notes.append(Line(translate("NowView", "How this computer trains"), _plan(snapshot.trainer)))
    return tuple(notes)


def _plan(trainer: TrainerView) -> str:
    """In the daemon's words where its numbers are not known."""
    if not trainer.micro_batch:
        return trainer.plan
    count = trainer.micro_batch
    if trainer.gpu_bytes:
        text = translate(
            "NowView",
            "On the GPU, %Ln sample(s) at a time: {gpu_memory} of its memory, and {memory} of main memory.",
            "",
            count,
        )
    else:
        text = translate(
            "NowView", "On the processor, %Ln sample(s) at a time: {memory} of memory.", "", count
        )
    gpu_memory, memory = amounts.data_size(trainer.gpu_bytes), amounts.data_size(trainer.ram_bytes)
    return text.format(gpu_memory=gpu_memory, memory=memory)
