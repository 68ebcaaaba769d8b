"""The card for the volunteer's records: an export of the history, signed receipts, and the page on the website."""

import csv
import io
import json
from collections.abc import Callable
from enum import Enum
from functools import partial
from pathlib import Path
from urllib.parse import quote

from PySide6.QtCore import QDir, QStandardPaths, QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from client.api.answers import Done, Status
from client.api.commands import CancelReceipts, KeepReceipts, OpenPage
from client.api.errors import ClientError
from client.api.history import ContributionHistory, ContributionRow, Period
from client.api.questions import ShowContribution
from client.api.snapshot import RunView
from gui.background import Background, FileFault, write_file
from gui.design.tokens import Space
from gui.link.link import AppLink
from gui.web_address import open_page, website
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.buttons import QuietButton
from gui.widgets.cards import Card
from gui.widgets.labels import Tone, body
from gui.widgets.layouts import FlowLayout
from gui.wording.codes import problem_words

SCHEMA = 1
"""Version of the JSON file; it rises when a field is removed or changes its meaning."""
COLUMNS = tuple(ContributionRow.model_fields)
_MOST_DAYS = 2_000


class Format(Enum):
    """File formats of the export, by file extension."""

    CSV = "csv"
    JSON = "json"


def exported(history: ContributionHistory, form: Format) -> str:
    """Return the content of a file to which a history is exported."""
    return _as_csv(history) if form is Format.CSV else _as_json(history)


def _as_csv(history: ContributionHistory) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([history.by.value, *COLUMNS[1:]])
    for row in history.rows:
        fields = row.model_dump()
        writer.writerow([row.start.date().isoformat(), *(fields[column] for column in COLUMNS[1:])])
    return text.getvalue()


def _as_json(history: ContributionHistory) -> str:
    document = history.model_dump(mode="json", exclude={"badges": {"__all__": {"progress"}}})
    return json.dumps({"schema": SCHEMA} | document, indent=2, ensure_ascii=False) + "\n"


def _public_page(run: RunView | None, name: str) -> str:
    site = website(run)
    if run is None or not (site and run.has_gate and name):
        return ""
    return f"{site.rstrip('/')}/volunteers/{quote(name, safe='')}"


class RecordsCard(Card):
    """Exports the history, fetches receipts and opens the website; outcomes appear on the page's banner."""

    def __init__(
        self,
        link: AppLink,
        banner: Banner,
        parent: QWidget | None = None,
        *,
        browse: Callable[[str], bool] = open_page,
    ) -> None:
        super().__init__(parent=parent)
        self.set_title(self.tr("For your records"))
        self._link, self._banner, self._browse = link, banner, browse
        self._background = Background(self)
        self._public = ""
        """Address of the volunteer's public page; empty if there is none."""
        self._fetch = 0
        """Number of the latest fetch of receipts; results of a cancelled fetch are ignored."""
        self.all_runs = False
        """True if the export covers all runs."""
        self.export_button = QuietButton(self.tr("Export"), self, icon="save")
        self.export_button.setMenu(self._formats())
        self.receipts_button = QuietButton(self.tr("Get signed receipts"), self, icon="file")
        self.receipts_button.clicked.connect(self._keep_receipts)
        self.page_button = QuietButton(self.tr("Open my page on the website"), self, icon="external")
        self.page_button.clicked.connect(self._open_page)
        self.share_button = QuietButton(self.tr("Share"), self, icon="external")
        self.share_button.setMenu(self._ways_to_share())
        self._about = body()
        self._about.set_tone(Tone.SOFT)
        buttons = FlowLayout(spacing=Space.S)
        for button in (self.export_button, self.share_button, self.receipts_button, self.page_button):
            buttons.addWidget(button)
        self.body.addWidget(self._about)
        self.body.addLayout(buttons)
        self.show_run(None)

    def show_run(self, run: RunView | None, name: str = "") -> None:
        """Show the buttons that the run supports; only a run with a gate has receipts and pages.

        Args:
            run: the joined run.
            name: the volunteer's name in the run; empty if it is not known.
        """
        self._public = _public_page(run, name)
        self.share_button.setVisible(bool(self._public))
        has_receipts = run is not None and run.has_gate
        self.receipts_button.setVisible(has_receipts)
        self.page_button.setVisible(has_receipts)
        self._about.setText(
            self.tr(
                "The export has one row per day. The run's coordinator also signs receipts for your "
                "contribution."
            )
            if has_receipts
            else self.tr("The export has one row per day, for a spreadsheet or a program.")
        )

    def _ways_to_share(self) -> QMenu:
        menu = QMenu(self)
        for text, path in (
            (self.tr("Open my public page"), ""),
            (self.tr("Open a picture to share"), "/share.png"),
        ):
            menu.addAction(text).triggered.connect(partial(self._share, path))
        return menu

    def _share(self, path: str) -> None:
        self._browse(f"{self._public}{path}")

    def _formats(self) -> QMenu:
        menu = QMenu(self)
        names = {Format.CSV: self.tr("For a spreadsheet (CSV)"), Format.JSON: self.tr("For programs (JSON)")}
        for form, name in names.items():
            menu.addAction(name).triggered.connect(partial(self.export, form))
        return menu

    def export(self, form: Format) -> None:
        """Ask for a file, then for the history by day, then write it."""
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
        """Export to that path, in the format of its extension."""
        days = ShowContribution(by=Period.DAY, periods=_MOST_DAYS, all_runs=self.all_runs)
        self._link.ask(days, partial(self._write, Path(path)), self._fail)

    def _write(self, path: Path, answer: Done | Status) -> None:
        if isinstance(answer, Done) and answer.contribution is not None:
            form = Format.JSON if path.suffix == ".json" else Format.CSV
            work = partial(write_file, path, exported(answer.contribution, form).encode())
            self._background.run(work, partial(self._written, path), self._unwritten)

    def _written(self, path: Path, _: None) -> None:
        text = self.tr("Your contribution was saved as {file}").format(file=path.name)
        self._report(text, str(path.parent), path.parent)

    def _unwritten(self, fault: FileFault) -> None:
        text = self.tr("The file could not be written")
        remedy = self.tr("Choose another folder, or free some disk space. The system reports: {why}")
        self._banner.show_message(BannerKind.ERROR, text, remedy.format(why=str(fault)))

    @Slot()
    def _keep_receipts(self) -> None:
        self._fetch += 1
        self.receipts_button.setEnabled(False)
        self._banner.show_message(
            BannerKind.INFO, self.tr("Downloading and checking the receipts"),
            action=self.tr("Cancel"), do=self._cancel_receipts, dismissable=False,
        )  # fmt: skip
        kept, failed = partial(self._receipts_kept, self._fetch), partial(self._receipts_failed, self._fetch)
        self._link.ask(KeepReceipts(), kept, failed)

    def _cancel_receipts(self) -> None:
        self._fetch += 1
        self._link.ask(CancelReceipts(), failed=self._ignore)
        self.receipts_button.setEnabled(True)
        self._banner.hide()

    def _ignore(self, error: ClientError) -> None:
        """Ignore that a fetch could not be cancelled: it is complete, or the daemon is gone."""

    def _receipts_failed(self, fetch: int, error: ClientError) -> None:
        if fetch == self._fetch:
            self._fail(error)

    def _receipts_kept(self, fetch: int, answer: Done | Status) -> None:
        if fetch != self._fetch:
            return
        self.receipts_button.setEnabled(True)
        if isinstance(answer, Done):
            folder = Path(answer.about)
            self._report(self.tr("Your signed receipts are saved on this computer"), str(folder), folder)

    @Slot()
    def _open_page(self) -> None:
        self.page_button.setEnabled(False)
        self._link.ask(OpenPage(), self._page_opened, self._fail)

    def _page_opened(self, answer: Done | Status) -> None:
        self.page_button.setEnabled(True)
        if isinstance(answer, Done):
            self._browse(answer.about)

    def _report(self, text: str, detail: str, folder: Path) -> None:
        show = partial(self._show_folder, folder)
        self._banner.show_message(BannerKind.DONE, text, detail, self.tr("Open the folder"), show)

    def _show_folder(self, folder: Path) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def _fail(self, error: ClientError) -> None:
        for button in (self.receipts_button, self.page_button):
            button.setEnabled(True)
        what, remedy = problem_words(error.code, error.what, error.remedy)
        self._banner.show_message(BannerKind.ERROR, what, remedy)
