"""The teams of a run on the page Leaderboard: their ranks, and joining, founding and leaving one."""

from typing import Any, Literal

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Slot
from PySide6.QtWidgets import QHeaderView, QLineEdit, QVBoxLayout, QWidget

from client.api.answers import Done, Status
from client.api.board import TeamBoard, TeamBoardRow, TeamQuery
from client.api.commands import ChangeTeam, TeamAction
from client.api.errors import ClientError
from client.api.questions import ShowTeams
from gui.leaderboard.rows import Index, RowDelegate
from gui.leaderboard.table import Table
from gui.leaderboard.view import PAGE, RowView, team_place, team_row
from gui.link.link import AppLink
from gui.link.query import WidgetQuery
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.buttons import PrimaryButton, QuietButton
from gui.widgets.cards import Card
from gui.widgets.labels import Tone, body
from gui.widgets.layouts import FlowLayout, Pair
from gui.widgets.question import ask
from gui.wording import amounts
from gui.wording.codes import problem_words

_NAME, _COLUMNS = 1, 5
_LONGEST_NAME = 40
_PAIRED_FROM = 800
_TABLE_HEIGHT = 380
_TRAILING = Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter
_LEADING = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter


class TeamModel(QAbstractTableModel):
    """The first teams of the board; the user role returns the `RowView` that the delegate paints."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._board = TeamBoard(rows=(), total=0)

    def show_board(self, board: TeamBoard) -> None:
        self.beginResetModel()
        self._board = board
        self.endResetModel()

    def team(self, place: int) -> TeamBoardRow:
        """Return the team of a row."""
        return self._board.rows[place]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802
        return 0 if parent.isValid() else len(self._board.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802
        return 0 if parent.isValid() else _COLUMNS

    def headerData(  # noqa: N802
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        names = (
            self.tr("Rank"),
            self.tr("Team"),
            self.tr("Samples"),
            self.tr("Last 7 days"),
            self.tr("Members"),
        )
        if role == Qt.ItemDataRole.DisplayRole:
            return names[section]
        return _aligned(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row, column = self.team(index.row()), index.column()
        match role:
            case Qt.ItemDataRole.DisplayRole:
                counts = row.rank, 0, row.samples, row.week, row.members
                return row.name if column == _NAME else amounts.count(counts[column])
            case Qt.ItemDataRole.TextAlignmentRole:
                return _aligned(column)
            case Qt.ItemDataRole.UserRole:
                return self._view(row)
            case Qt.ItemDataRole.ToolTipRole if column == _NAME:
                return row.name
        return None

    def _view(self, row: TeamBoardRow) -> RowView:
        own = self._board.own
        return team_row(row, own is not None and own.number == row.number)


def _aligned(column: int) -> Qt.AlignmentFlag:
    return _LEADING if column == _NAME else _TRAILING


class TeamsPanel(QWidget):
    """Shows the teams and the volunteer's own one; outcomes of changes appear on the page's banner."""

    def __init__(self, link: AppLink, banner: Banner, parent: QWidget | None = None, *, rest: int) -> None:
        """Wait ``rest`` milliseconds before the same board is requested again."""
        super().__init__(parent)
        self._link, self._banner = link, banner
        self._since: Literal["all", "week"] = "all"
        self._board, self._is_changing = TeamBoard(rows=(), total=0), False
        self._teams = TeamModel(self)
        self.table = Table(self)
        self.place = body()
        self.place.set_tone(Tone.SOFT)
        self.name = QLineEdit(self)
        self.name.setMaxLength(_LONGEST_NAME)
        self.name.setPlaceholderText(self.tr("Name of a team"))
        self.name.setAccessibleName(self.tr("Name of a team"))
        self.join_button = PrimaryButton(self.tr("Join"))
        self.found_button = QuietButton(self.tr("Found a new team"))
        self.leave_button = QuietButton(self.tr("Leave the team"))
        self._query = WidgetQuery(link, self, rest=rest)
        self._connect()
        self._lay_out()
        self._show_own(self._board)

    def _connect(self) -> None:
        self._query.answered.connect(self._take)
        self._query.failed.connect(self._fail)
        self.name.textChanged.connect(self._allow)
        self.name.returnPressed.connect(self._join)
        self.join_button.clicked.connect(self._join)
        self.found_button.clicked.connect(self._found)
        self.leave_button.clicked.connect(self._leave)

    def _lay_out(self) -> None:
        self.table.setAccessibleName(self.tr("Leaderboard of teams"))
        self.table.setModel(self._teams)
        self.table.setItemDelegate(RowDelegate(self.table))
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Stretch)
        self.table.selectionModel().currentRowChanged.connect(self._choose)
        board, own = Card(parent=self), Card(parent=self)
        board.body.addWidget(self.table, 1)
        board.setMinimumHeight(_TABLE_HEIGHT)
        buttons = FlowLayout(spacing=8)
        for button in (self.join_button, self.found_button, self.leave_button):
            buttons.addWidget(button)
        own.body.addWidget(self.place)
        own.body.addWidget(self.name)
        own.body.addLayout(buttons)
        side = QWidget(self)
        beside = QVBoxLayout(side)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.addWidget(own)
        beside.addStretch()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(Pair(board, side, (5, 3), fits_from=_PAIRED_FROM), 1)

    def ask(self, since: Literal["all", "week"], *, at_once: bool = False) -> None:
        """Request the teams, ranked by the samples of that period."""
        self._since = since
        self._query.query(ShowTeams(query=TeamQuery(since=since, limit=PAGE)), at_once=at_once)

    def forget(self) -> None:
        """Forget the teams of another run."""
        self._query.forget()
        self._take(Done(id=0, teams=TeamBoard(rows=(), total=0)))

    def _take(self, answer: Done) -> None:
        if answer.teams is not None:
            self._teams.show_board(answer.teams)
            self._show_own(answer.teams)

    def _show_own(self, board: TeamBoard) -> None:
        self._board = board
        self.place.setText(team_place(board))
        is_in = board.own is not None
        for part in (self.name, self.join_button, self.found_button):
            part.setVisible(not is_in)
        self.leave_button.setVisible(is_in)
        self._allow()

    @Slot()
    def _allow(self) -> None:
        has_name = len(self.name.text().strip()) > 1
        for button in (self.join_button, self.found_button):
            button.setEnabled(has_name and not self._is_changing)
        self.leave_button.setEnabled(not self._is_changing)

    @Slot(QModelIndex)
    def _choose(self, current: QModelIndex) -> None:
        if current.isValid():
            self.name.setText(self._teams.team(current.row()).name)

    @Slot()
    def _join(self) -> None:
        if self.join_button.isEnabled():
            self._change(ChangeTeam(action=TeamAction.JOIN, name=self.name.text().strip()))

    @Slot()
    def _found(self) -> None:
        self._change(ChangeTeam(action=TeamAction.FOUND, name=self.name.text().strip()))

    @Slot()
    def _leave(self) -> None:
        if not self._board.is_last_member or self._board.own is None:
            self._leave_team()
            return
        ask(
            self,
            self.tr("Leave {team} and close it?").format(team=self._board.own.name),
            self.tr("You are the last member: the team is closed and its name cannot be used again."),
            (self.tr("Leave and close"), self.tr("Stay")),
            self._leave_team,
            is_destructive=True,
        )

    def _leave_team(self) -> None:
        self._change(ChangeTeam(action=TeamAction.LEAVE))

    def _change(self, request: ChangeTeam) -> None:
        self._is_changing = True
        self._allow()
        self._link.ask(request, self._changed, self._refused)

    def _changed(self, _: Done | Status) -> None:
        self._banner.hide()
        self._is_changing = False
        self.name.clear()
        self._allow()
        self.ask(self._since, at_once=True)

    def _refused(self, error: ClientError) -> None:
        self._is_changing = False
        self._allow()
        self._fail(error)

    def _fail(self, error: ClientError) -> None:
        what, remedy = problem_words(error.code, error.what, error.remedy)
        self._banner.show_message(BannerKind.ERROR, what, remedy)
