"""The card of the swarm on this computer: what it does, its website, and its removal."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout, QWidget

from client.api.commands import Resume
from client.api.errors import ClientError
from client.api.runs import LocalSwarmStage, LocalSwarmView, RemoveLocalSwarm
from gui.design.tokens import Space
from gui.link.link import AppLink
from gui.web_address import open_page
from gui.widgets.buttons import QuietButton
from gui.widgets.cards import Card
from gui.widgets.labels import Tone, body
from gui.widgets.question import ask
from gui.wording.codes import problem_words

translate = QCoreApplication.translate


def sentence(view: LocalSwarmView) -> str:
    """Return what the swarm does now, as a sentence."""
    if view.problem is not None:
        problem = view.problem
        return " ".join(problem_words(problem.code, problem.what, problem.remedy))
    match view.stage:
        case LocalSwarmStage.OFF:
            return translate("LocalSwarm", "It does not run now. Its model and its website are kept.")
        case LocalSwarmStage.STARTING:
            return translate("LocalSwarm", "Its coordinator is being started.")
        case LocalSwarmStage.SHARED:
            return translate("LocalSwarm", "It is served by a terminal. This app goes on with it afterwards.")
        case LocalSwarmStage.SERVING | LocalSwarmStage.FAILED:
            return translate(
                "LocalSwarm",
                "This computer runs a coordinator with a website and a leaderboard, and a second trainer beside "
                "your own. No other computer takes part.",
            )


def ask_to_remove(window: QWidget, remove: Callable[[], None]) -> None:
    """Ask whether to remove the swarm."""
    ask(
        window,
        translate("LocalSwarm", "Stop and remove the swarm on this computer?"),
        translate(
            "LocalSwarm", "Its model, its website and its leaderboard are deleted. Your pictures are kept."
        ),
        (translate("LocalSwarm", "Remove"), translate("LocalSwarm", "Keep")),
        remove,
        is_destructive=True,
    )


class LocalSwarmCard(Card):
    """Shows a `LocalSwarmView`; hidden where nothing of a swarm is on this computer."""

    def __init__(self, link: AppLink, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._link, self._web = link, ""
        self.set_title(self.tr("The swarm on this computer"))
        self._words, self._fault = body(), body()
        self._words.set_tone(Tone.SOFT)
        self._fault.set_tone(Tone.VERMILION)
        self.website = QuietButton(self.tr("Open its website"), icon="external")
        self.website.clicked.connect(lambda: open_page(self._web))
        self.again = QuietButton(self.tr("Start again"), icon="refresh")
        self.again.clicked.connect(lambda: self._link.ask(Resume()))
        self.removal = QuietButton(self.tr("Stop and remove…"), icon="stop")
        self.removal.clicked.connect(lambda: ask_to_remove(self.window(), self._remove))
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        row.addWidget(self.again)
        row.addWidget(self.website)
        row.addWidget(self.removal)
        row.addStretch()
        for widget in (self._words, self._fault):
            self.body.addWidget(widget)
        self.body.addLayout(row)
        self.show_view(None)

    def show_view(self, view: LocalSwarmView | None) -> None:
        """Show the swarm; None, and one of which nothing is kept, hide the card."""
        is_shown = view is not None and (view.is_kept or view.problem is not None)
        self.setVisible(is_shown)
        if view is None or not is_shown:
            self._report("")
            return
        self._web = view.web or ""
        self._words.setText(sentence(view))
        self.again.setVisible(view.stage is LocalSwarmStage.FAILED)
        self.website.setVisible(bool(self._web))
        self.removal.setVisible(view.is_kept and view.stage is not LocalSwarmStage.SHARED)

    @property
    def fault(self) -> str:
        """Error of the last removal; empty if there was none."""
        return self._fault.text()

    def _remove(self) -> None:
        self.removal.setEnabled(False)
        self._report("")
        self._link.ask(RemoveLocalSwarm(), self._removed, self._failed)

    def _removed(self, _: object) -> None:
        self.removal.setEnabled(True)

    def _failed(self, error: ClientError) -> None:
        self.removal.setEnabled(True)
        self._report(f"{error.what} {error.remedy}")

    def _report(self, fault: str) -> None:
        self._fault.setText(fault)
        self._fault.setVisible(bool(fault))
