"""Puts an evaluation that the organiser made into the coordinator's folder, where the website finds it."""

import logging
import threading
from collections.abc import Collection
from pathlib import Path

from coordinator.errors import PublishError
from coordinator.home import Home
from core.errors import GenerationError
from core.evaluation.document import FILE, LARGEST, Evaluation, parse, read_evaluation
from core.evaluation.writing import write_evaluation
from core.excerpt import QUOTE, shortened
from core.run.manifest import RunManifest
from core.storage.disk import Disk
from core.storage.files import read_bounded
from core.storage.replacement import clear_up, place

_log = logging.getLogger(__name__)


def publish(home: Home, folder: Path, without: Collection[str] = ()) -> Evaluation:
    """Copy an evaluation, each file checked, in the place of an earlier one, and return it.

    Args:
        home: The coordinator's folder.
        folder: Folder of the evaluation.
        without: Prompts that are left out, with all pictures that only they have.

    Raises:
        PublishError: it is of another run than the coordinator's, lacks a prompt that is to be left out, or has no
            other prompts.
        CoreError: it is damaged, or the coordinator's folder cannot be read or written.
    """
    run = RunManifest.load(home.manifest)
    evaluation, pictures = read_evaluation(folder)
    if evaluation.model.training_digest != run.training_digest:
        raise PublishError(
            f"The evaluation in {folder} is of the run {evaluation.model.run}, and not of this one.",
            "Give the folder of an evaluation of this run: `idlebrush evaluate RUN`.",
        )
    shown = _without(evaluation, frozenset(without))
    write_evaluation(home.evaluation, shown, pictures)
    return shown


def _without(evaluation: Evaluation, prompts: frozenset[str]) -> Evaluation:
    """Return the evaluation without some prompts."""
    if unknown := prompts - {result.prompt for result in evaluation.results}:
        raise PublishError(
            f"The evaluation has no prompt {shortened(min(unknown), QUOTE)!r}.",
            "Give the prompts as the report shows them.",
        )
    left = tuple(result for result in evaluation.results if result.prompt not in prompts)
    if not left:
        raise PublishError("All prompts of the evaluation are left out.", "Leave fewer out.")
    return evaluation.model_copy(update={"results": left})


def withdraw(home: Home) -> bool:
    """Remove the published evaluation; return false if there was none.

    What a publication that was killed left goes as well, or an older evaluation would be shown instead.

    Raises:
        PublishError: it cannot be removed.
    """
    disk, folder = Disk(), home.evaluation
    try:
        clear_up(folder, disk)
        if not folder.exists():
            return False
        (folder / FILE).unlink(missing_ok=True)  # first, so that half an evaluation is never shown
        disk.remove(folder)
    except OSError as error:
        raise PublishError(
            f"The evaluation in {folder} cannot be removed: {error.strerror or error}.",
            "Close what has its files open, see that you may write there, and try again.",
        ) from error
    return True


class EvaluationFile:
    """Gives the published evaluation, parsed again only when its document has changed; for several threads."""

    def __init__(self, home: Home) -> None:
        """Give the evaluation in ``home``; nothing is read yet."""
        self._home, self._changing = home, threading.Lock()
        self._seen: tuple[Path, int, int, int] | None = None
        self._evaluation: Evaluation | None = None

    def read(self) -> tuple[Path, Evaluation] | None:
        """Return the evaluation and its folder; None if there is none, or it is damaged or of another version."""
        folder = place(self._home.evaluation, FILE)
        if folder is None:
            return None
        with self._changing:
            stamp = _stamp(folder)
            if stamp is None or stamp != self._seen:
                self._seen, self._evaluation = stamp, _evaluation_in(folder)
            return None if self._evaluation is None else (folder, self._evaluation)


def _stamp(folder: Path) -> tuple[Path, int, int, int] | None:
    """Return a stamp of the document's version; None if it is gone."""
    try:
        status = (folder / FILE).stat()
    except OSError:
        return None
    return folder, status.st_ino, status.st_mtime_ns, status.st_size


def _evaluation_in(folder: Path) -> Evaluation | None:
    try:
        return parse(read_bounded(folder / FILE, LARGEST), FILE)
    except (GenerationError, OSError, ValueError) as error:
        _log.warning("The evaluation cannot be shown: %s", error)
        return None
