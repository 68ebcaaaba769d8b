"""Dialogs that ask where to save a picture or the moving picture of a run, and write it beside the event loop."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDir, QStandardPaths, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from client.api.pictures.moving import SUFFIXES, save_moving_picture
from gui.background import Background, FileFault, copy_file
from gui.gallery.albums import AlbumPicture, AlbumView, file_name

translate = QCoreApplication.translate


class SaveDialog(QFileDialog):
    """Asks for a file, writes it beside the event loop, and deletes itself afterwards."""

    saved = Signal(str)
    """Emitted with the path of the file."""
    failed = Signal(str)
    """Emitted with the reason why it could not be saved."""

    def __init__(
        self, title: str, suffixes: Sequence[str], name: str, write: Callable[[Path], object], parent: QWidget
    ) -> None:
        """Prepare to ask for a file.

        Args:
            title: Title of the dialog.
            suffixes: Suffixes among which the user chooses, such as ``.png``; a name without one gets the chosen.
            name: Proposed name of the file, without its suffix.
            write: Writes the file; raises `FileFault`.
            parent: Widget to which the dialog belongs.
        """
        super().__init__(parent, title)
        self._write, self._background = write, Background(self)
        self._suffixes = {
            translate("SaveDialog", "Pictures (*{suffix})").format(suffix=end): end for end in suffixes
        }
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setNameFilters(list(self._suffixes))
        self._follow_filter(self.selectedNameFilter())
        self.setDirectory(
            QStandardPaths.writableLocation(QStandardPaths.StandardLocation.PicturesLocation)
            or QDir.homePath()
        )
        self.selectFile(f"{name}{suffixes[0]}")
        self.filterSelected.connect(self._follow_filter)
        self.fileSelected.connect(self._save)
        self.rejected.connect(self.deleteLater)

    def _follow_filter(self, chosen: str) -> None:
        self.setDefaultSuffix(self._suffixes.get(chosen, "").removeprefix("."))

    def _save(self, chosen: str) -> None:
        path = QDir.toNativeSeparators(chosen)
        self._background.run(partial(self._write, Path(path)), partial(self._done, path), self._fail)

    def _done(self, path: str, _: object) -> None:
        self.saved.emit(path)
        self.deleteLater()

    def _fail(self, error: FileFault) -> None:
        self.failed.emit(error.strerror if isinstance(error, OSError) and error.strerror else str(error))
        self.deleteLater()


def picture_dialog(picture: AlbumPicture, album: AlbumView, parent: QWidget) -> SaveDialog:
    """Return a dialog that copies a picture of an album, with what its file says about it."""
    name = file_name(picture, album).removesuffix(".png")
    title = translate("SaveDialog", "Save picture")
    return SaveDialog(title, (".png",), name, partial(copy_file, picture.file), parent)


def moving_picture_dialog(frames: Path, name: str, parent: QWidget) -> SaveDialog:
    """Return a dialog that saves the ``frames`` of a folder as one moving picture with that ``name``."""
    title = translate("SaveDialog", "Save as a moving picture")
    return SaveDialog(title, SUFFIXES, name, partial(save_moving_picture, frames), parent)
