"""Notifications: the news between two snapshots, each announced at most once a day."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from PySide6.QtCore import QCoreApplication, QObject, Signal

from client.api.snapshot import Activity, Snapshot
from gui.link.link import AppLink, LinkState
from gui.settings import AppSettings
from gui.setup.view import needs_setup
from gui.wording.amounts import count
from gui.wording.codes import problem_words

translate = QCoreApplication.translate
_SIGNED_OUT = {"rejected", "membership"}
"""Codes of problems by which the volunteer was signed out."""
_LACKING = "lacking"
"""Code for packages that training lacks, where no attempt to install them has failed."""
_AGAIN = timedelta(days=1)


@dataclass(frozen=True)
class News:
    """One notification."""

    key: str
    """Key of the notification, which is shown once a day."""
    title: str
    text: str
    page: str
    """Page that a click opens."""


def news(
    before: Snapshot | None, after: Snapshot, best_rank: int | None, *, sees_setup: bool = False
) -> tuple[News, ...]:
    """Return the news between two snapshots.

    Args:
        before: None if the app has just connected; then only problems are news.
        after: the latest snapshot.
        best_rank: best rank so far in the joined run; None if no rank was known.
        sees_setup: true if the volunteer is looking at the screen about the packages for training.
    """
    found = [None if sees_setup and _is_about_setup(after) else _problem(before, after)]
    if before is not None and _is_same_run(before, after):
        found += [_rank(after, best_rank), _completion(before, after)]
    return tuple(item for item in found if item is not None)


def _problem(before: Snapshot | None, after: Snapshot) -> News | None:
    code = _pressing(after)
    if not code or (before is not None and _pressing(before) == code):
        return None
    if code == _LACKING and before is not None and _is_by_volunteer(before, after):
        return None
    is_signed_out = code in _SIGNED_OUT
    what, remedy = _pressing_words(code, after)
    title = (
        translate("Notifications", "You were signed out")
        if is_signed_out
        else translate("Notifications", "Idlebrush needs your attention")
    )
    return News(f"problem/{code}", title, _plain(f"{what}\n{remedy}".strip()), "now")


def _is_by_volunteer(before: Snapshot, after: Snapshot) -> bool:
    """Return true if packages are lacking by an action in the app: joining, where it asks, or cancelling."""
    was_wanted = before.environment is not None and before.environment.is_wanted
    return was_wanted or not _is_same_run(before, after)


def _is_about_setup(snapshot: Snapshot) -> bool:
    """Return true if training waits for its packages alone."""
    environment = snapshot.environment
    if environment is None or environment.is_usable:
        return False
    return snapshot.problem in (None, environment.problem)


def _pressing_words(code: str, snapshot: Snapshot) -> tuple[str, str]:
    """Return what happened and its remedy, which may be empty."""
    problem = snapshot.problem
    if problem is not None:
        return problem_words(problem.code, problem.what, problem.remedy)
    if code == _LACKING:
        return translate("Notifications", "The packages for training are not installed."), ""
    return translate("Notifications", "Something needs your attention"), ""


def _pressing(snapshot: Snapshot) -> str:
    """Return the code of the problem that stops training or ended a sign-in; empty if there is none."""
    code = snapshot.problem.code if snapshot.problem else ""
    if snapshot.activity is Activity.ATTENTION:
        return code or (_LACKING if needs_setup(snapshot.environment) else "attention")
    return code if code in _SIGNED_OUT else ""


def _rank(after: Snapshot, best_rank: int | None) -> News | None:
    standing, run = after.standing, after.run
    if standing is None or run is None or best_rank is None or standing.rank >= best_rank:
        return None
    text = translate("Notifications", "You are ranked {rank} of {of} in “{run}”.")
    text = text.format(rank=count(standing.rank), of=count(standing.of), run=_plain(run.title))
    return News(
        f"rank/{run.digest[:16]}", translate("Notifications", "Your best rank so far"), text, "leaderboard"
    )


def _completion(before: Snapshot, after: Snapshot) -> News | None:
    run = after.run
    if run is None or after.activity is not Activity.COMPLETE or before.activity is Activity.COMPLETE:
        return None
    text = translate(
        "Notifications", "“{run}” has completed all of its epochs. Open the gallery to see its pictures."
    )
    return News(
        f"complete/{run.digest[:16]}",
        translate("Notifications", "The run is complete"),
        text.format(run=_plain(run.title)),
        "gallery",
    )


def _is_same_run(before: Snapshot, after: Snapshot) -> bool:
    return (before.run.digest if before.run else None) == (after.run.digest if after.run else None)


def _plain(text: str) -> str:
    """Return the text without markup characters, because some desktops interpret notifications as markup."""
    return text.replace("<", "‹").replace(">", "›")


class Announcer(QObject):
    """Compares each snapshot with the one before it."""

    announced = Signal(object)
    """Emitted with the `News` to show."""

    def __init__(
        self,
        link: AppLink,
        settings: AppSettings,
        now: Callable[[], datetime],
        sees_setup: Callable[[], bool],
        parent: QObject | None = None,
    ) -> None:
        """Compare the snapshots of ``link``.

        Args:
            link: Connection to the daemon.
            settings: Settings that say whether to notify, and what was announced before.
            now: Returns the local time with its zone.
            sees_setup: Returns true if the volunteer is looking at the screen about the packages for training.
            parent: Owner of this object.
        """
        super().__init__(parent)
        self._settings, self._now, self._sees_setup = settings, now, sees_setup
        self._before: Snapshot | None = None
        link.snapshot_changed.connect(self._compare)
        link.changed.connect(self._handle_link_change)

    def _compare(self, after: Snapshot) -> None:
        run = after.run.digest if after.run else ""
        best_rank, sees_setup = self._settings.best_rank(run), self._sees_setup()
        for item in news(self._before, after, best_rank, sees_setup=sees_setup):
            self._announce(item)
        self._before = after
        if run and after.standing is not None:
            self._keep_rank(run, after.standing.rank)

    def _keep_rank(self, run: str, rank: int) -> None:
        best = self._settings.best_rank(run)
        if best is None or rank < best:
            self._settings.set_best_rank(run, rank)

    def _announce(self, item: News) -> None:
        last, now = self._settings.notified_at(item.key), self._now()
        if last is not None and last <= now < last + _AGAIN:
            return
        if self._settings.notifications:
            self._settings.set_notified_at(item.key, now)
            self.announced.emit(item)

    def _handle_link_change(self, state: LinkState) -> None:
        if state is not LinkState.CONNECTED:
            self._before = None
