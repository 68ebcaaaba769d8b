"""The client's activity and its pause reasons, in the user's language."""

from collections.abc import Sequence
from datetime import datetime
from importlib.metadata import version

from PySide6.QtCore import QCoreApplication

from client.api.snapshot import Activity, GpuView, ReasonView, Snapshot, WaitReason
from gui.wording import amounts
from gui.wording.codes import problem_words

translate = QCoreApplication.translate


def reason_sentence(reason: ReasonView, now: datetime) -> str:
    """Return a reason as a sentence, such as "You are using the computer"; it names programs and the end if known."""
    words = reason_clause(reason, now)
    starts_with_name = bool(reason.about) and words.startswith(reason.about)
    return words if starts_with_name else words[:1].upper() + words[1:]


def reason_clause(reason: ReasonView, now: datetime) -> str:
    """Return a reason as it follows "Paused: "; an unknown code has the daemon's own words. ``now`` has its zone."""
    if reason.about and (text := _clauses_about_programs().get(reason.code)):
        return text.format(programs=reason.about, version=version("idlebrush"))
    if reason.until and (text := _clauses_with_end().get(reason.code)):
        return text.format(moment=amounts.moment(reason.until, now))
    return clause_of(reason.code) or reason.text.removesuffix(".")


def clause_of(code: str) -> str:
    """Return the clause of a reason of which nothing more is known; empty for an unknown code."""
    return _clauses().get(code, "")


def _clauses_about_programs() -> dict[str, str]:
    """Return the clauses that name the programs."""
    return {
        #: {programs} is the name of a program, or several with commas between them.
        "full_screen": translate("Reasons", "{programs} fills the screen"),
        "exclusive_application": translate("Reasons", "the exclusive application {programs} is running"),
        "video": translate("Reasons", "{programs} keeps the screen on"),
        #: {programs} is such as "Idlebrush 0.3", {version} is such as "0.1.0".
        "update_needed": translate(
            "Reasons", "this run needs {programs} or newer; this is {version}. Update Idlebrush to continue"
        ),
    }


def _clauses_with_end() -> dict[str, str]:
    """Return the clauses that state when the reason ends."""
    return {
        "out_of_hours": translate("Reasons", "it is outside your training hours until {moment}"),
        "high_price": translate("Reasons", "electricity costs more than your limit until {moment}"),
        "high_carbon": translate("Reasons", "electricity causes more CO2 than your limit until {moment}"),
    }


def _clauses() -> dict[str, str]:
    return {
        #: All of these follow "Paused: " or "Slowed to 50%: ", and also stand alone, capitalised.
        "not_asked": translate("Reasons", "you have not agreed to train yet"),
        "never": translate("Reasons", "you chose “Never”"),
        "paused": translate("Reasons", "you paused training"),
        "snoozed": translate("Reasons", "you snoozed training"),
        "measuring_speed": translate("Reasons", "a speed test of another run is in progress"),
        "update_needed": translate("Reasons", "this run needs a newer version of Idlebrush"),
        "in_use": translate("Reasons", "you are using the computer"),
        "full_screen": translate("Reasons", "an application fills the screen"),
        "exclusive_application": translate("Reasons", "one of your exclusive applications is running"),
        "video": translate("Reasons", "an application keeps the screen on"),
        "gpu_memory_needed": translate("Reasons", "another program needs the GPU memory"),
        "ram_needed": translate("Reasons", "memory is low"),
        "other_cpu_load": translate("Reasons", "other programs keep the processor busy"),
        "other_gpu_load": translate("Reasons", "other programs keep the GPU busy"),
        "too_hot_cpu": translate("Reasons", "the processor has to cool down"),
        "too_hot_gpu": translate("Reasons", "the GPU has to cool down"),
        "on_battery": translate("Reasons", "the computer runs on battery"),
        "battery_low": translate("Reasons", "the battery is low"),
        "out_of_hours": translate("Reasons", "it is outside your training hours"),
        "high_price": translate("Reasons", "electricity costs more than your limit"),
        "high_carbon": translate("Reasons", "electricity causes more CO2 than your limit"),
        "metered": translate("Reasons", "the network connection is metered"),
        "quota_used": translate("Reasons", "this month's traffic quota is used up"),
        "disk_full": translate("Reasons", "the disk is nearly full"),
        "disk_limit": translate("Reasons", "runs have reached your disk space limit"),
        "target_cpu_temperature": translate("Reasons", "the processor is held at its target temperature"),
        "target_gpu_temperature": translate("Reasons", "the GPU is held at its target temperature"),
        "gpu_power": translate("Reasons", "the GPU's power is limited"),
        "share": translate("Reasons", "you limited training to a share of the time"),
    }


def activity_name(activity: Activity) -> str:
    """Return the name of an activity in a word or two, such as "Paused"."""
    return _names()[activity]


def headline(snapshot: Snapshot, now: datetime | None = None) -> str:
    """Return a sentence such as "Paused: you are using the computer"; ``now`` is local time with its zone."""
    if snapshot.activity is Activity.OFF and snapshot.run is None:
        return translate("Activity", "You have not joined a run yet")
    now = now or datetime.now().astimezone()
    if (lack := _lack(snapshot)) is not None:
        return lack
    if snapshot.activity is Activity.PAUSED:
        return _paused(snapshot, now)
    if snapshot.activity is Activity.THROTTLED:
        return _throttled(snapshot, now)
    if snapshot.activity is Activity.ATTENTION and snapshot.problem is not None:
        return problem_words(snapshot.problem.code, snapshot.problem.what, snapshot.problem.remedy)[0]
    if snapshot.activity is Activity.WAITING:
        return _waiting(snapshot.headline)
    return _sentences().get(snapshot.activity) or activity_name(snapshot.activity)


def rate(snapshot: Snapshot) -> str:
    """Return the training speed, such as "2.1 samples/s"; empty if nothing is trained."""
    progress = snapshot.progress
    if progress is None or snapshot.activity not in (
        Activity.TRAINING,
        Activity.THROTTLED,
        Activity.FINISHING,
    ):
        return ""
    return samples_rate(progress.own_samples_per_second)


def samples_rate(per_second: float) -> str:
    """Return a speed, such as "2.1 samples/s"; low speeds are per minute or per hour."""
    if per_second >= 1 or per_second <= 0:
        return translate("Activity", "{number} samples/s").format(number=amounts.decimal(per_second))
    if per_second * 60 >= 1:
        return translate("Activity", "{number} samples/min").format(number=amounts.decimal(per_second * 60))
    return translate("Activity", "{number} samples/h").format(number=amounts.decimal(per_second * 3600))


def _paused(snapshot: Snapshot, now: datetime) -> str:
    reason = next((each for each in snapshot.reasons if each.pauses), None)
    if reason is None:
        return activity_name(Activity.PAUSED)
    if reason.code == "snoozed" and snapshot.snoozed_until is not None:
        until = amounts.moment(snapshot.snoozed_until, now)
        return translate("Activity", "Paused until {moment}").format(moment=until)
    return translate("Activity", "Paused: {reason}").format(reason=reason_clause(reason, now))


def _throttled(snapshot: Snapshot, now: datetime) -> str:
    if snapshot.budget is None or not snapshot.reasons:
        return activity_name(Activity.THROTTLED)
    share = amounts.percent(snapshot.budget.share)
    text = translate("Activity", "Slowed to {percent}: {reason}")
    return text.format(percent=share, reason=reason_clause(snapshot.reasons[0], now))


def _lack(snapshot: Snapshot) -> str | None:
    """Return a sentence about a run that cannot be trained because packages are missing; None if none are."""
    environment = snapshot.environment
    if environment is None or environment.is_usable or snapshot.problem is not None:
        return None
    if snapshot.activity is Activity.ATTENTION:
        return translate("Activity", "This computer cannot train yet")
    if snapshot.activity is not Activity.WAITING:
        return None
    if environment.is_paused:
        return translate("Activity", "Waiting: the download of the packages for training is paused")
    return translate("Activity", "Waiting: the packages for training are being installed")


def _waiting(text: str) -> str:
    """Translate the daemon's English sentences that never vary; other sentences are kept."""
    return {
        WaitReason.RESTART.headline: translate("Activity", "Waiting: the trainer is being restarted"),
        WaitReason.ADMISSION.headline: translate(
            "Activity", "Waiting: asking the run's coordinator for admission"
        ),
        WaitReason.EARLIER_CHECKPOINT.headline: translate(
            "Activity", "Waiting: downloading the earlier checkpoint from which the run continues"
        ),
        WaitReason.ROLLED_BACK_STATE.headline: translate(
            "Activity", "Waiting: no other computer has sent the state from which the run continues"
        ),
        WaitReason.NO_DONOR.headline: translate(
            "Activity", "Waiting: other computers are ahead, and none of them can send its state to this one"
        ),
        WaitReason.NO_REDUCER.headline: translate(
            "Activity", "Waiting: no computer of this run accepts connections"
        ),
        WaitReason.UNREACHABLE.headline: translate(
            "Activity", "Waiting: the other computers of this run cannot be reached"
        ),
        WaitReason.NO_QUORUM.headline: translate(
            "Activity", "Waiting: most computers at this epoch do not answer, so it cannot be agreed on"
        ),
    }.get(text, text.removesuffix("."))


def _sentences() -> dict[Activity, str]:
    """Return the sentences that say more than the name of the activity."""
    return {
        Activity.STARTING: translate("Activity", "Starting to train"),
        Activity.FINISHING: translate("Activity", "Finishing this epoch, then pausing"),
        Activity.ATTENTION: translate("Activity", "Something needs your attention"),
        Activity.LEAVING: translate("Activity", "Leaving the swarm"),
        Activity.COMPLETE: translate("Activity", "This run is complete"),
    }


def _names() -> dict[Activity, str]:
    return {
        Activity.OFF: translate("Activity", "Off"),
        Activity.STARTING: translate("Activity", "Starting"),
        Activity.TRAINING: translate("Activity", "Training"),
        Activity.THROTTLED: translate("Activity", "Slowed down"),
        Activity.PAUSED: translate("Activity", "Paused"),
        Activity.FINISHING: translate("Activity", "Finishing"),
        Activity.WAITING: translate("Activity", "Waiting"),
        Activity.ATTENTION: translate("Activity", "Needs attention"),
        Activity.LEAVING: translate("Activity", "Leaving"),
        Activity.COMPLETE: translate("Activity", "Complete"),
    }


def gpu_words(gpus: Sequence[GpuView]) -> tuple[str, str]:
    """Return which GPU trains, and why each other one does not, in the user's language."""
    reasons, used, others = _gpu_reasons(), "", []
    for gpu in gpus:
        if not gpu.why_unused:
            used = translate("NowView", "GPU {index} ({name}) trains").format(index=gpu.index, name=gpu.name)
        else:
            text = translate("NowView", "GPU {index} ({name}) is not used: {why}.")
            why = reasons.get(gpu.why_unused, gpu.why_unused)
            others.append(text.format(index=gpu.index, name=gpu.name, why=why))
    return used, " ".join(others)


def _gpu_reasons() -> dict[str, str]:
    return {
        "not_allowed": translate("NowView", "your preferences leave it out"),
        "busy": translate("NowView", "other programs use it"),
        "less_memory": translate("NowView", "it has less free memory"),
        "slower": translate("NowView", "it is slower"),
        "display": translate("NowView", "it draws the screen"),
        "one_trains": translate("NowView", "one GPU trains at a time"),
    }
