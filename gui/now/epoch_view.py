"""What the page Now says of the swarm's current epoch: pure."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from client.api.snapshot import ProgressView, RunView
from gui.wording import amounts

translate = QCoreApplication.translate


@dataclass(frozen=True)
class EpochView:
    """How far the swarm's current epoch is."""

    title: str
    fraction: float
    own: float
    """This computer's part of it, as a share of the target as well."""
    gathered: str
    mine: str
    remaining: str
    """Until the next epoch; empty: not known."""


def epoch_view(progress: ProgressView, run: RunView | None) -> EpochView:
    target = max(1, progress.target_batch_size)
    gathered = min(progress.swarm_samples, target)
    return EpochView(
        title=_epoch_title(progress.epoch + 1, run.total_epochs if run else 0),
        fraction=gathered / target,
        own=min(progress.samples, gathered) / target,
        gathered=translate("NowView", "{gathered} of {target} samples").format(
            gathered=amounts.count(gathered), target=amounts.count(target)
        ),
        mine=translate("NowView", "{count} by you").format(count=amounts.count(progress.samples)),
        remaining=_remaining(progress.seconds_to_next_epoch),
    )


def _epoch_title(epoch: int, of: int) -> str:
    if of <= 0:
        return translate("NowView", "Epoch {epoch}").format(epoch=amounts.count(epoch))
    text = translate("NowView", "Epoch {epoch} of {total}")
    return text.format(epoch=amounts.count(min(epoch, of)), total=amounts.count(of))


def _remaining(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return translate("NowView", "About {duration} to go").format(duration=amounts.duration(max(1.0, seconds)))
