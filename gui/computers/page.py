"""The page My computers: what each of the volunteer's computers does, and the control of all of them."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from client.api.answers import Done, Status
from client.api.commands import SetPreference
from client.api.errors import ClientError
from client.api.remote.computers import (
    AddComputer,
    ComputerView,
    OrderComputer,
    RemoteOrder,
    RemoveComputer,
    ShowComputers,
)
from client.api.remote.control import ClosePairing, OpenPairing, RemoveController
from client.api.snapshot import Snapshot
from gui.computers.card import ComputerCard
from gui.computers.control_card import ControlCard
from gui.computers.dialogues import AddComputerDialog, PairingDialog
from gui.computers.view import other_state, own_state
from gui.design.tokens import Space
from gui.link.link import AppLink
from gui.link.query import WidgetQuery
from gui.widgets.accessibility import follow_layout
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.buttons import PrimaryButton
from gui.widgets.labels import heading
from gui.widgets.layouts import PageColumn, PageHead
from gui.widgets.question import ask
from gui.window.pages import AppPage, page_title
from gui.wording.codes import problem_words

_EVERY = 2_000
"""Milliseconds between two requests for the other computers' states while the page is visible."""


class ComputersPage(AppPage):
    """Asks the daemon for the other computers while it is visible; the daemon alone connects with them."""

    name = "computers"

    def __init__(self, link: AppLink, parent: QWidget | None = None, *, every: int = _EVERY) -> None:
        """Query the other computers again after ``every`` milliseconds."""
        super().__init__(link, parent)
        self.banner, self.own, self.control = Banner(self), ComputerCard(self, is_own=True), ControlCard(self)
        self.cards: dict[str, ComputerCard] = {}
        self.add = PrimaryButton(self.tr("Add a computer…"), icon="plus")
        self.adding, self.pairing = AddComputerDialog(self), PairingDialog(self)
        self._query = WidgetQuery(link, self, rest=0)
        self._again = QTimer(self, interval=every)
        self._connect()
        self._lay_out()
        self.show_snapshot(link.snapshot)

    def shown(self) -> None:
        self._refresh()
        self._again.start()

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        self.own.show_state(own_state(snapshot, _now()))
        view = snapshot.remote if snapshot else None
        self.control.show_view(view)
        self.pairing.show_view(view)
        self.add.setEnabled(snapshot is not None)

    def _connect(self) -> None:
        self.own.ordered.connect(self._order_own)
        self.add.clicked.connect(self.adding.ask)
        self.adding.wanted.connect(self._add)
        self.control.switched.connect(self._switch)
        self.control.pairing_wanted.connect(self._open_pairing)
        self.control.removal_wanted.connect(self._ask_to_remove_controller)
        self.pairing.rejected.connect(self._close_pairing)
        self._query.answered.connect(self._take)
        self._again.timeout.connect(self._refresh)

    def _lay_out(self) -> None:
        self._column = PageColumn(self)
        self._others = QVBoxLayout()
        self._others.setSpacing(Space.L)
        column = self._column.body
        column.addWidget(PageHead(heading(page_title(self.name)), self.add))
        column.addWidget(self.banner)
        column.addWidget(self.own)
        column.addLayout(self._others)
        column.addWidget(self.control)
        column.addStretch(1)
        arranged = QVBoxLayout(self)
        arranged.setContentsMargins(0, 0, 0, 0)
        arranged.addWidget(self._column)
        follow_layout(self)

    @Slot()
    def _refresh(self) -> None:
        self._query.query(ShowComputers())

    # --- other computers ----------------------------------------------------------------------------------------

    def _take(self, answer: Done) -> None:
        found = answer.computers or ()
        for name in self.cards.keys() - {view.name for view in found}:
            card = self.cards.pop(name)
            card.hide()
            card.deleteLater()
        for view in found:
            self._card(view).show_state(other_state(view, _now()))

    def _card(self, view: ComputerView) -> ComputerCard:
        card = self.cards.get(view.name)
        if card is None:
            card = self.cards[view.name] = ComputerCard(self)
            card.ordered.connect(partial(self._order_other, view.name))
            card.removal_wanted.connect(partial(self._ask_to_remove, view.name))
            self._others.addWidget(card)
        return card

    def _order_own(self, order: RemoteOrder) -> None:
        self.link.ask(order, failed=self.own.show_error)

    def _order_other(self, name: str, order: RemoteOrder) -> None:
        self.link.ask(OrderComputer(name=name, order=order), self._ordered, self.cards[name].show_error)

    def _ordered(self, _: Done | Status) -> None:
        self._refresh()

    def _add(self, request: AddComputer) -> None:
        self.link.ask(request, self._added, self.adding.show_error)

    def _added(self, answer: Done | Status) -> None:
        self.adding.accept()
        if isinstance(answer, Done):
            #: {name} is the name of a computer.
            words = self.tr("{name} can be controlled from this computer.").format(name=answer.about)
            self.banner.show_message(BannerKind.DONE, words)
        self._refresh()

    def _ask_to_remove(self, name: str) -> None:
        #: {name} is the name of a computer.
        words = self.tr("Remove {name}?").format(name=name)
        details = self.tr("This computer can no longer control it. It goes on as it does now.")
        self._ask_removal(words, details, partial(self._remove, name))

    def _ask_removal(self, words: str, details: str, remove: Callable[[], None]) -> None:
        ask(self, words, details, (self.tr("Remove"), self.tr("Keep")), remove)

    def _remove(self, name: str) -> None:
        self.link.ask(RemoveComputer(name=name), self._ordered, self._report)

    # --- this computer ------------------------------------------------------------------------------------------

    def _switch(self, is_on: bool) -> None:
        value = "on" if is_on else "off"
        self.link.ask(SetPreference(name="remote-control", value=value), failed=self._report)

    def _open_pairing(self) -> None:
        self.link.ask(OpenPairing(), self._show_code, self._report)

    def _show_code(self, answer: Done | Status) -> None:
        if isinstance(answer, Done):
            snapshot = self.link.snapshot
            self.pairing.show_code(answer.about, snapshot.remote if snapshot else None)

    def _close_pairing(self) -> None:
        self.link.ask(ClosePairing(), failed=self._report)

    def _ask_to_remove_controller(self, name: str) -> None:
        words = self.tr("Remove {name}?").format(name=name)
        details = self.tr("It can no longer control this computer. If it is connected, that ends at once.")
        self._ask_removal(words, details, partial(self._remove_controller, name))

    def _remove_controller(self, name: str) -> None:
        self.link.ask(RemoveController(name=name), failed=self._report)

    def _report(self, error: ClientError) -> None:
        what, remedy = problem_words(error.code, error.what, error.remedy)
        self.banner.show_message(BannerKind.ERROR, what, remedy)


def _now() -> datetime:
    return datetime.now().astimezone()
