"""What the client does now, in a sentence of the user's language."""

from datetime import datetime

from PySide6.QtCore import QCoreApplication

from client.api.snapshot import Activity, Snapshot
from gui.wording import amounts
from gui.wording.problems import words
from gui.wording.reasons import clause

translate = QCoreApplication.translate


def activity_name(activity: Activity) -> str:
    """In a word or two, such as "Paused"."""
    return _names()[activity]


def headline(snapshot: Snapshot, now: datetime | None = None) -> str:
    """One sentence, such as "Paused: you are using the computer"; ``now`` is local time with its zone."""
    if snapshot.activity is Activity.OFF and snapshot.run is None:
        return translate("Activity", "You have not joined a run yet")
    now = now or datetime.now().astimezone()
    if snapshot.activity is Activity.PAUSED:
        return _paused(snapshot, now)
    if snapshot.activity is Activity.THROTTLED:
        return _throttled(snapshot, now)
    if snapshot.activity is Activity.ATTENTION and snapshot.problem is not None:
        return words(snapshot.problem.code, snapshot.problem.what, snapshot.problem.remedy)[0]
    if snapshot.activity is Activity.WAITING:
        return _waiting(snapshot.headline)
    return _sentences().get(snapshot.activity) or activity_name(snapshot.activity)


def rate(snapshot: Snapshot) -> str:
    """How fast this computer trains, such as "2.1 samples/s"; empty where it does not."""
    progress = snapshot.progress
    if progress is None or snapshot.activity not in (
        Activity.TRAINING,
        Activity.THROTTLED,
        Activity.FINISHING,
    ):
        return ""
    return samples_rate(progress.own_samples_per_second)


def samples_rate(per_second: float) -> str:
    """Such as "2.1 samples/s"; slow computers are counted by the minute or the hour."""
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
    return translate("Activity", "Paused: {reason}").format(reason=clause(reason, now))


def _throttled(snapshot: Snapshot, now: datetime) -> str:
    if snapshot.budget is None or not snapshot.reasons:
        return activity_name(Activity.THROTTLED)
    share = amounts.percent(snapshot.budget.share)
    text = translate("Activity", "Slowed to {percent}: {reason}")
    return text.format(percent=share, reason=clause(snapshot.reasons[0], now))


def _waiting(says: str) -> str:
    """What the daemon waits for it says in English sentences; those that never vary are translated as they are."""
    return {
        "Waiting: the trainer is started again.": translate(
            "Activity", "Waiting: the trainer is being restarted"
        ),
        "Waiting: the run's coordinator is asked for admission.": translate(
            "Activity", "Waiting: asking the run's coordinator for admission"
        ),
        "Waiting: the run goes on from an earlier checkpoint, which is fetched.": translate(
            "Activity", "Waiting: the run goes on from an earlier checkpoint, which is being downloaded"
        ),
    }.get(says, says.removesuffix("."))


def _sentences() -> dict[Activity, str]:
    """Those that say more than the name."""
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
