"""The run's prompts by epoch: all pictures side by side, or one large, or all texts, at the chosen frame."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from client.api.errors import ClientError
from client.api.gallery import texts_of_frame
from client.api.snapshot import Snapshot
from gui.background import Background
from gui.design.tokens import Space
from gui.gallery.albums import number_of
from gui.gallery.decoding import PictureCache, Tiles
from gui.gallery.run_texts import RunTexts
from gui.gallery.saving import moving_picture_dialog
from gui.gallery.tiles import Tile, TileScroll
from gui.gallery.timelapse import FRAMES_REST, FrameSource, PlayBar, TimelapseFrames, next_place
from gui.gallery.viewer import PictureViewer
from gui.link.link import AppLink
from gui.widgets.accessibility import follow_layout
from gui.widgets.banner import Banner, BannerKind
from gui.widgets.buttons import IconButton
from gui.widgets.cards import EmptyState
from gui.wording.codes import problem_words


class RunPictures(QWidget):
    """Shows stored frames at once; fetches others while it is visible."""

    run_wanted = Signal()
    """Emitted when the volunteer wants to choose a run."""

    def __init__(
        self, link: AppLink, pictures: PictureCache, parent: QWidget | None = None, *, rest: int = FRAMES_REST
    ) -> None:
        """Wait ``rest`` milliseconds between two requests for the coordinator's frames."""
        super().__init__(parent)
        self._pictures, self._background = pictures, Background(self)
        self._lapse, self._tiles = TimelapseFrames(), Tiles()
        self.tiles: list[Tile] = []
        """Tiles of all prompts, in their order."""
        self._has_texts = False
        """True if the chosen frame has texts, which are shown in the place of its pictures."""
        self._alone: int | None = None
        """Index of the prompt that is shown large; None for all prompts."""
        self.banner = Banner(self)
        self._is_refused = False
        """True once the banner has reported a refusal, which is not repeated after the volunteer has closed it."""
        self._frames = FrameSource(link, self, rest=rest)
        self._frames.begun.connect(self._begin_again)
        self._frames.changed.connect(self._show_lapse)
        self._frames.fetched.connect(self._forget_refusal)
        self._frames.refused.connect(self._say_refused)
        self._frames.unreadable.connect(self._say_unreadable)
        self.bar = PlayBar(self)
        self.bar.moved.connect(self._show_frame)
        self.save = IconButton("save", self.tr("Save as a moving picture…"), self)
        self.save.clicked.connect(self._save)
        self._folder = IconButton("folder", self.tr("Open the folder"), self)
        self._folder.clicked.connect(self._open_folder)
        self._make_views()
        self._lay_out()
        self._show_lapse(TimelapseFrames())

    def show_snapshot(self, snapshot: Snapshot | None) -> None:
        """Follow the run of the snapshot, as `FrameSource.follow` does."""
        self._frames.follow(snapshot)

    def shown(self) -> None:
        """Fetch the newest frames."""
        self._frames.fetch()

    # --- frames ---------------------------------------------------------------------------------------------------

    def _begin_again(self) -> None:
        self._forget_refusal()
        self.banner.hide()
        self._show_lapse(TimelapseFrames())

    def _show_lapse(self, lapse: TimelapseFrames) -> None:
        if lapse.prompts != self._lapse.prompts:
            self._make_tiles(lapse.prompts)
        self._lapse = lapse
        self.bar.set_epochs(lapse.epochs)
        self._show_view()
        self._show_frame()

    def _show_frame(self) -> None:
        place, files = self.bar.place, self._lapse.files
        if not files:
            return
        read = partial(texts_of_frame, files[place], len(self._lapse.prompts))
        self._background.run(read, partial(self._show_content, files[place]))
        following = next_place(place, len(files))
        if self.bar.is_playing and following is not None and not self._has_texts:
            self._decode(files[following])  # in advance

    def _show_content(self, file: Path, texts: tuple[str, ...]) -> None:
        """Show the texts of a frame, or else its pictures, unless another frame was chosen meanwhile."""
        if not self._is_chosen(file) or len(texts) not in (0, len(self._lapse.prompts)):
            return
        self._has_texts = bool(texts)
        if texts:
            self.texts.show_texts(self._lapse.prompts, texts)
        else:
            self._decode(file)
        self._show_view()

    def _is_chosen(self, file: Path) -> bool:
        return bool(self._lapse.files) and file == self._lapse.files[self.bar.place]

    def _decode(self, file: Path) -> None:
        of, show = self._lapse, partial(self._show_tiles, file)
        self._pictures.fetch_sheet(file, of.columns, len(of.prompts), self._background, show)

    def _show_tiles(self, file: Path, tiles: Tiles) -> None:
        """Show the pictures of a frame, unless another frame was chosen meanwhile."""
        if not self._is_chosen(file):
            return
        self._tiles = tiles
        for tile, image in zip(self.tiles, tiles, strict=False):
            tile.set_image(image)
        if self._alone is not None and self._alone < len(tiles):
            self.viewer.set_image(tiles[self._alone])

    def _say_refused(self, error: ClientError) -> None:
        if self._is_refused:
            return
        self._is_refused = True
        what, remedy = problem_words(error.code, error.what, error.remedy)
        again = self.tr("Try again")
        self.banner.show_message(BannerKind.WARNING, what, remedy, again, self._try_again)

    def _say_unreadable(self, why: str) -> None:
        what = self.tr("What the run has made cannot be read")
        again = self.tr("Try again")
        self.banner.show_message(BannerKind.ERROR, what, why, again, self._try_again)

    def _forget_refusal(self) -> None:
        if self._is_refused:
            self._is_refused = False
            self.banner.hide()

    def _try_again(self) -> None:
        self._is_refused = False
        self.banner.hide()
        self._frames.fetch(at_once=True)

    def _open_folder(self) -> None:
        if self._frames.folder is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._frames.folder)))

    def _save(self) -> None:
        """Ask for a file, and save all frames as one moving picture; it takes seconds, in which nothing waits."""
        if self._frames.folder is None or not self._lapse.epochs:
            return
        name = self.tr("Time-lapse to epoch {epoch}").format(epoch=self._lapse.epochs[-1])
        dialog = moving_picture_dialog(self._frames.folder, name, self)
        dialog.accepted.connect(self._say_saving)
        dialog.saved.connect(self._say_saved)
        dialog.failed.connect(self._say_not_saved)
        dialog.open()

    def _say_saving(self) -> None:
        self.save.setEnabled(False)
        self.banner.show_message(BannerKind.INFO, self.tr("The moving picture is being made"), "")

    def _say_saved(self, path: str) -> None:
        self.save.setEnabled(True)
        self.banner.show_message(BannerKind.DONE, self.tr("The moving picture is saved"), path)

    def _say_not_saved(self, why: str) -> None:
        self.save.setEnabled(True)
        self.banner.show_message(BannerKind.ERROR, self.tr("The moving picture could not be saved"), why)

    # --- all, one, or none ----------------------------------------------------------------------------------------

    def _show_view(self) -> None:
        has_frames = bool(self._lapse.epochs)
        self.bar.setVisible(has_frames)
        self.save.setVisible(has_frames)
        self._folder.setVisible(has_frames)
        if not has_frames:
            self._say_empty()
            self._stack.setCurrentWidget(self.empty)
        elif self._has_texts:
            self._stack.setCurrentWidget(self.texts)
        else:
            self._stack.setCurrentWidget(self._all if self._alone is None else self.viewer)

    def _say_empty(self) -> None:
        if self._frames.run:
            name = self.tr("Nothing here yet")
            text = self.tr(
                "Every few epochs, the model makes something of the run's prompts. It appears here."
            )
            self.empty.show_state("picture", name, text)
        else:
            name = self.tr("No run yet")
            text = self.tr("Choose a run to watch its model improve here.")
            self.empty.show_state("picture", name, text, self.tr("Choose a run"))

    def _show_alone(self, prompt: int) -> None:
        self._alone = prompt
        total = len(self._lapse.prompts)
        image = self._tiles[prompt] if prompt < len(self._tiles) else None
        self.viewer.show_picture(self._lapse.prompts[prompt], number_of(prompt + 1, total), image)
        self.viewer.set_ends(is_first=prompt == 0, is_last=prompt == total - 1)
        self._show_view()
        self.viewer.setFocus(Qt.FocusReason.OtherFocusReason)

    def _move(self, step: int) -> None:
        if self._alone is not None:
            self._show_alone(self._alone + step)

    def _show_all(self) -> None:
        left, self._alone = self._alone, None
        self._show_view()
        if left is not None:
            self.tiles[left].button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _make_tiles(self, prompts: tuple[str, ...]) -> None:
        self._all.grid.clear()
        self._alone, self._tiles, self._has_texts = None, Tiles(), False
        self.tiles = [Tile(prompt, prompt) for prompt in prompts]
        for number, tile in enumerate(self.tiles):
            self._all.grid.addWidget(tile)
            tile.button.clicked.connect(partial(self._show_alone, number))
        follow_layout(self)

    # --- parts ----------------------------------------------------------------------------------------------------

    def _make_views(self) -> None:
        self._all = TileScroll(120, self)
        self.viewer = PictureViewer(self)
        self.texts = RunTexts(self.tr("What the model writes"), self)
        self.viewer.closed.connect(self._show_all)
        self.viewer.moved.connect(self._move)
        self.empty = EmptyState("picture", "", "", "", self)
        self.empty.acted.connect(self.run_wanted)
        self._stack = QStackedWidget(self)
        for view in (self._all, self.viewer, self.texts, self.empty):
            self._stack.addWidget(view)

    def _lay_out(self) -> None:
        controls = QHBoxLayout()
        controls.setSpacing(Space.S)
        controls.addWidget(self.bar, 1)
        controls.addWidget(self.save)
        controls.addWidget(self._folder)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.L)
        column.addWidget(self.banner)
        column.addLayout(controls)
        column.addWidget(self._stack, 1)
