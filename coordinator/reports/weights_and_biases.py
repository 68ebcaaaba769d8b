"""Reports a run to Weights & Biases, or to files for it where WANDB_MODE=offline.

Steps of a run there only rise. So each generation is a run of its own, in the group of the run, and a restart goes
on with the same one by its id. Offline, wandb cannot go on with a run, and the upload of one replaces another of the
same id: each start is then a run of its own, named by its first epoch.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from coordinator.reports.epochs import EpochFigures
from coordinator.reports.frames import ReportedPicture

_SETTINGS: dict[str, Any] = {
    "init_timeout": 15.0,  # seconds; less than the reporter has to end
    "console": "off",
    "disable_git": True,
    "save_code": False,
    "x_disable_machine_info": True,
    "x_disable_meta": True,
    "x_disable_stats": True,
    "x_save_requirements": False,
}
"""Settings of wandb's by which it collects nothing of this machine; it refuses names that it does not know."""


def _wandb() -> Any:
    import wandb  # takes seconds, and starts nothing before `init`

    return wandb


class WandbSink:
    """Writes into one project."""

    name = "Weights & Biases"
    remedy = (
        "See that this machine is online and WANDB_API_KEY is set, or set WANDB_MODE=offline and upload the files "
        "by `wandb sync`."
    )

    def __init__(
        self,
        project: str,
        folder: Path,
        digest: str,
        title: str,
        *,
        is_offline: bool,
        library: Callable[[], Any] = _wandb,
    ) -> None:
        """Prepare to report; nothing is sent yet.

        Args:
            project: Name of the project.
            folder: Folder for wandb's own files.
            digest: Digest of the run's training part.
            title: Title of the run, the name of the group.
            is_offline: True if wandb only writes files.
            library: Imports wandb.
        """
        self.target = project
        self._is_offline, self._library = is_offline, library
        self._folder, self._digest, self._title = folder, digest, title
        self._run: Any = None
        self._step = 0
        """Step that is not sent yet, or the next one."""
        self._figures: dict[str, float] = {}
        """Figures of that step; none where it has none yet."""
        self._pictures: list[Any] = []
        """Pictures of that step: wandb keeps one value of a name in a step, so they are sent as one list."""

    def begin(self, generation: int, epoch: int) -> None:
        """Begin the run of that generation, or go on with it."""
        self.close()
        wandb = self._library()
        self._folder.mkdir(parents=True, exist_ok=True)
        self._step, self._figures, self._pictures = epoch, {}, []
        self._run = wandb.init(
            project=self.target,
            group=self._title,
            resume="allow",
            dir=str(self._folder),
            config={"training_digest": self._digest, "generation": generation, "first_epoch": epoch},
            settings=wandb.Settings(**_SETTINGS),
            **self._names(generation, epoch),
        )

    def _names(self, generation: int, epoch: int) -> dict[str, str]:
        """Return the id and the name of the run that begins."""
        run, title = f"{self._digest[:16]}-g{generation}", f"{self._title}, generation {generation}"
        if self._is_offline:
            run, title = f"{run}-e{epoch}", f"{title}, from epoch {epoch}"
        return {"id": run, "name": title}

    def write(self, figures: EpochFigures) -> None:
        """Send what is open, and open the step of an epoch with its figures."""
        self.flush()
        self._step, self._figures = figures.epoch, {**figures.scalars(), "epoch": figures.epoch}

    def show(self, picture: ReportedPicture) -> None:
        """Add a picture to the open step; its caption names its own epoch."""
        self._pictures.append(self._library().Image(picture.image, caption=f"epoch {picture.epoch}"))

    def flush(self) -> None:
        """Send the open step: wandb's own process writes it to its file, and uploads it when it can."""
        row: dict[str, Any] = {**self._figures}
        if self._pictures:
            row["pictures"] = self._pictures
        if row:
            self._run.log(row, step=self._step, commit=True)
            self._step, self._figures, self._pictures = self._step + 1, {}, []

    def close(self) -> None:
        """End the run here, once wandb's own process has written and sent all; nothing happens if none is open."""
        run, self._run = self._run, None
        if run is not None:
            run.finish()
            self._library().teardown()  # that process goes on writing for a moment, and would be killed with this one
