"""What is worth a notification: a pure function of the daemon's last two snapshots."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from client.api.snapshot import Activity, Snapshot
from gui.wording.amounts import count
from gui.wording.problems import words

translate = QCoreApplication.translate
_SIGNED_OUT = {"rejected", "membership"}
"""Codes of problems that end a sign-in without the volunteer's doing."""


@dataclass(frozen=True)
class News:
    """One notification."""

    key: str
    """Told once a day."""
    title: str
    text: str
    page: str
    """That a click opens."""


def news(before: Snapshot | None, after: Snapshot, best_rank: int | None) -> tuple[News, ...]:
    """What happened between them.

    Args:
        before: None: the app has just connected, and only what waits for the volunteer is told.
        after: the latest.
        best_rank: that was ever seen in the joined run; None: the rank is looked at for the first time.
    """
    found = [_problem(before, after)]
    if before is not None and _is_same_run(before, after):
        found += [_rank(after, best_rank), _completion(before, after)]
    return tuple(item for item in found if item is not None)


def _problem(before: Snapshot | None, after: Snapshot) -> News | None:
    code = _pressing(after)
    if not code or (before is not None and _pressing(before) == code):
        return None
    is_signed_out = code in _SIGNED_OUT
    if after.problem is None:
        what, remedy = translate("Notifications", "Something needs your attention"), ""
    else:
        what, remedy = words(after.problem.code, after.problem.what, after.problem.remedy)
    title = (
        translate("Notifications", "You were signed out")
        if is_signed_out
        else translate("Notifications", "Idlebrush needs your attention")
    )
    return News(f"problem/{code}", title, _plain(f"{what}\n{remedy}".strip()), "now")


def _pressing(snapshot: Snapshot) -> str:
    """Code of what keeps the computer from training, or has ended a sign-in; empty: there is nothing."""
    code = snapshot.problem.code if snapshot.problem else ""
    if snapshot.activity is Activity.ATTENTION:
        return code or "attention"
    return code if code in _SIGNED_OUT else ""


def _rank(after: Snapshot, best_rank: int | None) -> News | None:
    standing, run = after.standing, after.run
    if standing is None or run is None or best_rank is None or standing.rank >= best_rank:
        return None
    text = translate("Notifications", "You are at rank {rank} of {of} in “{run}”.")
    text = text.format(rank=count(standing.rank), of=count(standing.of), run=_plain(run.title))
    return News(
        f"rank/{run.digest[:16]}", translate("Notifications", "Your best rank so far"), text, "leaderboard"
    )


def _completion(before: Snapshot, after: Snapshot) -> News | None:
    run = after.run
    if run is None or after.activity is not Activity.COMPLETE or before.activity is Activity.COMPLETE:
        return None
    text = translate("Notifications", "“{run}” has done all of its epochs. Have a look at its pictures.")
    return News(
        f"complete/{run.digest[:16]}",
        translate("Notifications", "The run is complete"),
        text.format(run=_plain(run.title)),
        "gallery",
    )


def _is_same_run(before: Snapshot, after: Snapshot) -> bool:
    return (before.run.digest if before.run else None) == (after.run.digest if after.run else None)


def _plain(text: str) -> str:
    """Organisers write some of it, and some desktops read notifications as markup."""
    return text.replace("<", "‹").replace(">", "›")
