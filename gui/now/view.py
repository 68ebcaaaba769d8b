"""The content of the page Now, as a pure function of the snapshot."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication

from client.api.snapshot import (
    Activity,
    GpuPowerMeans,
    PowerView,
    ProgressView,
    ReasonView,
    RunView,
    Snapshot,
    TrainerView,
)
from gui.now.reasons import CONVENIENCE, ReasonRemedy, RemedyKind, against_problem, against_reason
from gui.setup.view import needs_setup
from gui.web_address import website
from gui.wording import activity, amounts
from gui.wording.activity import reason_sentence
from gui.wording.codes import problem_words
from gui.wording.reach import reach_advice, reach_preference, reach_sentence

translate = QCoreApplication.translate
_WAITS = 0.05
"""Share of the time spent waiting for data from which it is reported."""
_SLOW = 0.1
"""Samples per second below which the speed is shown per hour."""
_OWN_WILL = {"paused", "snoozed"}
_NO_PAUSE_NEEDED = {"never", "not_asked"}
"""Reasons under which pausing has no further effect."""
_MAY_FINISH = {Activity.TRAINING, Activity.THROTTLED, Activity.WAITING, Activity.STARTING}


@dataclass(frozen=True)
class EpochView:
    """Progress of the swarm's current epoch."""

    title: str
    fraction: float
    own: float
    """Part of the epoch that this computer computed, as a share of the whole."""
    gathered: str
    mine: str
    remaining: str
    """Time until the next epoch, in words; empty if unknown."""


def epoch_view(progress: ProgressView, run: RunView | None) -> EpochView:
    fraction, own, gathered = _by_samples(progress) if progress.round_seconds is None else _by_clock(progress)
    return EpochView(
        title=_epoch_title(progress.epoch + 1, run.total_epochs if run else 0),
        fraction=fraction,
        own=own,
        gathered=gathered,
        mine=translate("NowView", "{count} by you").format(count=amounts.count(progress.samples)),
        remaining=_remaining(progress.seconds_to_next_epoch),
    )


def _by_samples(progress: ProgressView) -> tuple[float, float, str]:
    """Return the done part of an epoch, this computer's part, and the samples in words."""
    target = max(1, progress.target_batch_size)
    gathered = min(progress.swarm_samples, target)
    text = translate("NowView", "{gathered} of {target} samples")
    words = text.format(gathered=amounts.count(gathered), target=amounts.count(target))
    return gathered / target, min(progress.samples, gathered) / target, words


def _by_clock(progress: ProgressView) -> tuple[float, float, str]:
    """Return the same of an epoch that the clock ends: its part is of the time, which is shared by samples."""
    whole = max(1.0, progress.round_seconds or 0.0)
    left = whole if progress.seconds_to_next_epoch is None else progress.seconds_to_next_epoch
    done = min(1.0, max(0.0, 1 - left / whole))
    share = min(1.0, progress.samples / max(1, progress.swarm_samples))
    #: {gathered} is a number. The clock ends this epoch, whatever was gathered.
    text = translate("NowView", "Samples so far: {gathered}")
    return done, done * share, text.format(gathered=amounts.count(progress.swarm_samples))


def _epoch_title(epoch: int, of: int) -> str:
    if of <= 0:
        return translate("NowView", "Epoch {epoch}").format(epoch=amounts.count(epoch))
    text = translate("NowView", "Epoch {epoch} of {total}")
    return text.format(epoch=amounts.count(min(epoch, of)), total=amounts.count(of))


def _remaining(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return translate("NowView", "About {duration} left").format(duration=amounts.duration(max(1.0, seconds)))


class NowStage(Enum):
    """The state of the whole page."""

    UNKNOWN = auto()  # no snapshot has arrived yet
    NO_RUN = auto()
    TRAINING = auto()
    COMPLETE = auto()


class NowCommand(Enum):
    """Commands that the volunteer can give on the page."""

    PAUSE = auto()
    RESUME = auto()
    RETRY = auto()
    SNOOZE = auto()
    FINISH = auto()
    TRAIN_ANYWAY = auto()  # ignores the preferences for convenience
    HEED_PREFERENCES = auto()


@dataclass(frozen=True)
class HeroView:
    """The run and its activity."""

    headline: str
    run: str
    """Title of the run; empty if no run is joined."""
    website: str
    """Website of the run; empty if it has none."""
    commands: tuple[NowCommand, ...]


@dataclass(frozen=True)
class NowLine:
    """One line: a reason, a problem or a note, with its remedies."""

    text: str
    detail: str = ""
    remedies: tuple[ReasonRemedy, ...] = ()


@dataclass(frozen=True)
class NowFact:
    """A figure with its label."""

    value: str
    label: str
    unit: str = ""


@dataclass(frozen=True)
class NowView:
    stage: NowStage
    hero: HeroView
    problem: NowLine | None = None
    reasons: tuple[NowLine, ...] = ()
    epoch: EpochView | None = None
    facts: tuple[NowFact, ...] = ()
    notes: tuple[NowLine, ...] = ()
    """Lines of further information."""


def now_view(snapshot: Snapshot | None, now: datetime) -> NowView:
    """Return the content of the page; ``now`` is local time with its zone. Without a snapshot, nothing is known."""
    if snapshot is None:
        return NowView(NowStage.UNKNOWN, HeroView("", "", "", ()))
    return NowView(
        stage=_stage(snapshot),
        hero=_hero(snapshot, now),
        problem=_problem(snapshot),
        reasons=_reasons(snapshot, now),
        epoch=epoch_view(snapshot.progress, snapshot.run) if snapshot.progress else None,
        facts=_facts(snapshot),
        notes=_notes(snapshot),
    )


def _stage(snapshot: Snapshot) -> NowStage:
    if snapshot.run is None:
        return NowStage.NO_RUN
    return NowStage.COMPLETE if snapshot.activity is Activity.COMPLETE else NowStage.TRAINING


def _hero(snapshot: Snapshot, now: datetime) -> HeroView:
    run = snapshot.run
    return HeroView(
        headline=activity.headline(snapshot, now),
        run=run.title if run else "",
        website=website(run),
        commands=_commands(snapshot),
    )


def _commands(snapshot: Snapshot) -> tuple[NowCommand, ...]:
    if snapshot.run is None or snapshot.activity in (Activity.OFF, Activity.COMPLETE, Activity.LEAVING):
        return ()
    if needs_setup(snapshot.environment):
        return ()
    codes = {reason.code for reason in snapshot.reasons}
    if codes & _NO_PAUSE_NEEDED:
        return ()
    if codes & _OWN_WILL or snapshot.activity is Activity.FINISHING:
        return (NowCommand.RESUME,)
    if snapshot.activity is Activity.ATTENTION:
        return () if snapshot.problem else (NowCommand.RETRY,)
    may_finish = (NowCommand.FINISH,) if snapshot.activity in _MAY_FINISH else ()
    return NowCommand.PAUSE, NowCommand.SNOOZE, *may_finish, *_modes(snapshot, codes)


def _modes(snapshot: Snapshot, codes: set[str]) -> tuple[NowCommand, ...]:
    """Return the commands for the run mode: a volunteer at the computer may want to see the run train."""
    if snapshot.run_mode == "always":
        return (NowCommand.HEED_PREFERENCES,)
    is_considerate = snapshot.activity is Activity.PAUSED and bool(codes) and codes <= CONVENIENCE
    return (NowCommand.TRAIN_ANYWAY,) if is_considerate else ()


def _problem(snapshot: Snapshot) -> NowLine | None:
    problem, environment = snapshot.problem, snapshot.environment
    if problem is None or (environment is not None and problem == environment.problem):
        return None  # or the card of the installation shows it
    what, remedy = problem_words(problem.code, problem.what, problem.remedy)
    remedies = against_problem(problem.code)
    if snapshot.activity is Activity.ATTENTION and remedy:
        return NowLine(remedy, remedies=remedies)  # the headline states what happened
    return NowLine(what, remedy, remedies)


def _reasons(snapshot: Snapshot, now: datetime) -> tuple[NowLine, ...]:
    """Return lines for the reasons that the headline does not already state."""
    reasons = snapshot.reasons
    if all(reason.code in _OWN_WILL for reason in reasons):
        reasons = ()
    lines = tuple(_reason(each, now) for each in reasons)
    if snapshot.progress and snapshot.progress.data_wait >= _WAITS:
        lines += (_data_wait(snapshot.progress.data_wait),)
    return lines


def _reason(reason: ReasonView, now: datetime) -> NowLine:
    remedy = against_reason(reason.code)
    return NowLine(reason_sentence(reason, now), remedies=(remedy,) if remedy else ())


def _data_wait(share: float) -> NowLine:
    text = translate("NowView", "Training waits for data {percent} of the time")
    detail = translate("NowView", "The connection or its speed limit is too slow for this computer.")
    remedy = ReasonRemedy(RemedyKind.SHOW_PREFERENCE, "download")
    return NowLine(text.format(percent=amounts.percent(share)), detail, (remedy,))


def _facts(snapshot: Snapshot) -> tuple[NowFact, ...]:
    facts: list[NowFact] = []
    progress = snapshot.progress
    if progress:
        facts += [
            _pace(progress.samples_per_second, translate("NowView", "Swarm speed")),
            _pace(progress.own_samples_per_second, translate("NowView", "Your speed")),
            NowFact(amounts.count(progress.samples), translate("NowView", "Your samples in this epoch")),
        ]
    if given := snapshot.contribution:
        facts.append(NowFact(amounts.count(given.samples_today), translate("NowView", "Your samples today")))
    if progress:
        facts.append(NowFact(amounts.count(progress.peers), translate("NowView", "Peers in the swarm")))
    if standing := snapshot.standing:
        place = translate("NowView", "Your rank among {total}").format(total=amounts.count(standing.of))
        facts.append(NowFact(amounts.count(standing.rank), place))
    return tuple(facts)


def _pace(per_second: float, label: str) -> NowFact:
    """Return a speed in samples per second, or per hour on slow computers."""
    if 0 < per_second < _SLOW:
        hourly = amounts.decimal(per_second * 3600, 0)
        return NowFact(hourly, label, translate("NowView", "samples per hour"))
    return NowFact(amounts.decimal(per_second), label, translate("NowView", "samples per second"))


def _notes(snapshot: Snapshot) -> tuple[NowLine, ...]:
    notes: list[NowLine] = []
    if asked_for := len(snapshot.generations):
        text = translate("NowView", "%Ln request(s) for pictures in the queue", "", asked_for)
        notes.append(NowLine(text, remedies=(ReasonRemedy(RemedyKind.SHOW_GALLERY),)))
    if snapshot.trainer and snapshot.trainer.plan:
        notes.append(NowLine(translate("NowView", "How this computer trains"), _plan(snapshot.trainer)))
    if (
        (environment := snapshot.environment) is not None
        and environment.is_usable
        and environment.is_fallback
    ):
        text = translate("NowView", "This computer trains on its processor, not on its GPU")
        notes.append(NowLine(text, environment.why))
    if snapshot.gpus:
        choice = ReasonRemedy(RemedyKind.SHOW_PREFERENCE, "gpus")
        notes.append(NowLine(*activity.gpu_words(snapshot.gpus), (choice,)))
    if (limited := _power(snapshot.power)) is not None:
        notes.append(limited)
    if (reach := snapshot.reach) is not None:
        helps = reach_preference(reach)
        remedies = (ReasonRemedy(RemedyKind.SHOW_PREFERENCE, helps),) if helps else ()
        notes.append(NowLine(reach_sentence(reach), reach_advice(reach), remedies))
    return tuple(notes)


def _power(power: PowerView) -> NowLine | None:
    """Return a line about the limit of the GPU's power, and by what means it holds; None: there is no limit."""
    if power.gpu_means is None:
        return None
    about = {
        GpuPowerMeans.DRIVER: translate("NowView", "Its driver keeps it."),
        GpuPowerMeans.CLOCKS: translate(
            "NowView",
            "Lower clocks and short breaks between steps keep it on average, because its driver does not let "
            "Idlebrush set the limit.",
        ),
        GpuPowerMeans.SHARE: translate(
            "NowView",
            "Short breaks between steps keep it on average, because its driver does not let Idlebrush set the "
            "limit.",
        ),
        GpuPowerMeans.NOTHING: translate(
            "NowView",
            "This GPU reports no limit of which a percentage could be taken. Set the limit in watts.",
        ),
    }[power.gpu_means]
    text = translate("NowView", "The power of the GPU is not limited")
    if power.gpu_watts is not None:
        watts = amounts.count(round(power.gpu_watts))
        text = translate("NowView", "The power of the GPU is limited to {watts} W").format(watts=watts)
    return NowLine(text, about, (ReasonRemedy(RemedyKind.SHOW_PREFERENCE, "gpu-power"),))


def _plan(trainer: TrainerView) -> str:
    """Return the memory plan in words; the daemon's own words if its numbers are unknown."""
    if not trainer.micro_batch:
        return trainer.plan
    count = trainer.micro_batch
    if trainer.gpu_bytes:
        text = translate(
            "NowView",
            "On the GPU with %Ln sample(s) at a time, {gpu_memory} of GPU memory and {memory} of RAM.",
            "",
            count,
        )
    else:
        text = translate(
            "NowView", "On the processor with %Ln sample(s) at a time and {memory} of RAM.", "", count
        )
    gpu_memory, memory = amounts.data_size(trainer.gpu_bytes), amounts.data_size(trainer.ram_bytes)
    return text.format(gpu_memory=gpu_memory, memory=memory)
