"""The card of what one may take home: the history as a file, signed receipts, and one's own page of the run."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QDir, QStandardPaths, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from client.api.answers import Done, Status
from client.api.commands import CancelReceipts, KeepReceipts, OpenPage
from client.api.errors import ClientError
from client.api.history import Period
from client.api.questions import ShowContribution
from client.api.snapshot import RunView
from gui.background import Background, Fault
from gui.contribution.export import Format, exported
from gui.design.tokens import Space
from gui.link.link import Link
from gui.web_address import open_page
from gui.whole_file import write
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.buttons import QuietButton
from gui.widgets.card import Card
from gui.widgets.flow import FlowLayout
from gui.widgets.labels import Tone, body
from gui.wording.problems import words

_MOST_DAYS = 2_000


class KeepingCard(Card):
    """What comes of it is told on the banner of the page."""

    def __init__(
        self,
        link: Link,
        banner: Banner,
        parent: QWidget | None = None,
        *,
        browse: Callable[[str], bool] = open_page,
    ) -> None:
        super().__init__(parent=parent)
        self.set_title(self.tr("For your records"))
        self._link, self._banner, self._browse = link, banner, browse
        self._background = Background(self)
        self._fetch = 0
        """Number of the latest fetch of receipts: one that was cancelled has nothing more to say."""
        self.all_runs = False
        """Whether the file is to be of all runs."""
        self.export_button = QuietButton(self.tr("Export"), self, icon="save")
        self.export_button.setMenu(self._formats())
        self.receipts_button = QuietButton(self.tr("Get signed receipts"), self, icon="file")
        self.receipts_button.clicked.connect(self._keep_receipts)
        self.page_button = QuietButton(self.tr("Open my page on the website"), self, icon="external")
        self.page_button.clicked.connect(self._open_page)
        self._about = body()
        self._about.set_tone(Tone.SOFT)
        buttons = FlowLayout(spacing=Space.S)
        for button in (self.export_button, self.receipts_button, self.page_button):
            buttons.addWidget(button)
        self.body.addWidget(self._about)
        self.body.addLayout(buttons)
        self.show_run(None)

    def show_run(self, run: RunView | None) -> None:
        """Receipts and pages are kept where members are known by name."""
        has_books = run is not None and run.has_gate
        self.receipts_button.setVisible(has_books)
        self.page_button.setVisible(has_books)
        self._about.setText(
            self.tr(
                "A file with a row for each day. The run's coordinator also signs receipts for what you gave."
            )
            if has_books
            else self.tr("A file with a row for each day, for a spreadsheet or a program.")
        )

    def _formats(self) -> QMenu:
        menu = QMenu(self)
        names = {Format.CSV: self.tr("For a spreadsheet (CSV)"), Format.JSON: self.tr("For programs (JSON)")}
        for form, name in names.items():
            menu.addAction(name).triggered.connect(partial(self.export, form))
        return menu

    def export(self, form: Format) -> None:
        """Ask where to; then for the history by day; then write it."""
        dialog = QFileDialog(self, self.tr("Export my contribution"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(form.value)
        files = self.tr("{format} files (*.{ending})")
        dialog.setDirectory(
            QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
            or QDir.homePath()
        )
        dialog.setNameFilter(files.format(format=form.name, ending=form.value))
        dialog.selectFile(f"idlebrush-contribution.{form.value}")
        dialog.fileSelected.connect(self.export_to)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    @Slot(str)
    def export_to(self, path: str | Path) -> None:
        """As a file of the format that its ending says."""
        days = ShowContribution(by=Period.DAY, periods=_MOST_DAYS, all_runs=self.all_runs)
        self._link.ask(days, partial(self._write, Path(path)), self._fail)

    def _write(self, path: Path, answer: Done | Status) -> None:
        if isinstance(answer, Done) and answer.contribution is not None:
            form = Format.JSON if path.suffix == ".json" else Format.CSV
            work = partial(write, path, exported(answer.contribution, form).encode())
            self._background.run(work, partial(self._written, path), self._unwritten)

    def _written(self, path: Path, _: None) -> None:
        text = self.tr("Your contribution was saved as {file}").format(file=path.name)
        self._tell(text, str(path.parent), path.parent)

    def _unwritten(self, fault: Fault) -> None:
        text = self.tr("The file could not be written")
        remedy = self.tr("Choose another folder, or free some space. The system says: {why}")
        self._banner.show_message(BannerKind.ERROR, text, remedy.format(why=str(fault)))

    @Slot()
    def _keep_receipts(self) -> None:
        self._fetch += 1
        self.receipts_button.setEnabled(False)
        self._banner.show_message(
            BannerKind.INFO, self.tr("Downloading and checking the receipts"),
            action=self.tr("Cancel"), do=self._cancel_receipts, dismissable=False,
        )  # fmt: skip
        kept, missed = partial(self._receipts_kept, self._fetch), partial(self._receipts_missed, self._fetch)
        self._link.ask(KeepReceipts(), kept, missed)

    def _cancel_receipts(self) -> None:
        self._fetch += 1
        self._link.ask(CancelReceipts(), failed=self._pass_over)
        self.receipts_button.setEnabled(True)
        self._banner.hide()

    def _pass_over(self, error: ClientError) -> None:
        """They have come meanwhile, or the daemon is gone and fetches nothing."""

    def _receipts_missed(self, fetch: int, error: ClientError) -> None:
        if fetch == self._fetch:
            self._fail(error)

    def _receipts_kept(self, fetch: int, answer: Done | Status) -> None:
        if fetch != self._fetch:
            return
        self.receipts_button.setEnabled(True)
        if isinstance(answer, Done):
            folder = Path(answer.about)
            self._tell(self.tr("Your signed receipts are on this computer"), str(folder), folder)

    @Slot()
    def _open_page(self) -> None:
        self.page_button.setEnabled(False)
        self._link.ask(OpenPage(), self._page_opened, self._fail)

    def _page_opened(self, answer: Done | Status) -> None:
        self.page_button.setEnabled(True)
        if isinstance(answer, Done):
            self._browse(answer.about)

    def _tell(self, text: str, detail: str, folder: Path) -> None:
        show = partial(self._show_folder, folder)
        self._banner.show_message(BannerKind.DONE, text, detail, self.tr("Open the folder"), show)

    def _show_folder(self, folder: Path) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def _fail(self, error: ClientError) -> None:
        for button in (self.receipts_button, self.page_button):
            button.setEnabled(True)
        what, remedy = words(error.code, error.what, error.remedy)
        self._banner.show_message(BannerKind.ERROR, what, remedy)
