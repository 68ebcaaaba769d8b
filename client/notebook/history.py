"""Shows the history of a run in a notebook: loss, samples, peers and pictures, by its coordinator or a file."""

from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from client.admission.coordinator import CoordinatorClient, PublishedFrames
from client.joining.invitation import is_address
from client.notebook.cells import (
    BLUE,
    GREEN,
    YELLOW,
    CellDisplay,
    CellPage,
    NotebookCell,
    NotebookError,
    boxed,
    in_words,
    paragraph,
)
from client.notebook.charts import curve
from core.run.join_link import MANIFEST_PATH, JoinLink, is_join_link
from core.storage.files import read_bounded

METRICS = "metrics.jsonl"
"""File of `idlebrush demo --epochs` with a line for each epoch, in the folder of the demo."""
_MOST_POINTS = 2_000
_MOST_BYTES = 64 << 20


class HistoryEpoch(BaseModel):
    """One committed epoch of a run."""

    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)

    epoch: Annotated[int, Field(ge=0, lt=10_000_000)]
    loss: Annotated[float, Field(ge=-1e6, le=1e6)]
    samples: Annotated[int, Field(ge=0)]
    """Samples of the epoch from all peers together."""
    peers: Annotated[int, Field(ge=0)]
    """Peers that took part in the epoch."""
    seconds: Annotated[float, Field(ge=0)]
    """Seconds from the epoch before to this one."""


@dataclass(frozen=True)
class RunHistory:
    """Epochs of a run by rising number, as its coordinator or a file of metrics has them."""

    source: str
    """Address or file that they come from."""
    epochs: tuple[HistoryEpoch, ...]


def load_history(source: str) -> RunHistory:
    """Return the history of a run.

    Args:
        source: Join link or web address of a run, or a file ``metrics.jsonl`` or the folder that it is in.

    Raises:
        NotebookError: The history cannot be had from there.
    """
    with in_words():
        source = source.strip()
        if is_join_link(source) or is_address(source):
            address = site_of(source)
            return RunHistory(address, _of_coordinator(CoordinatorClient(address)))
        return _from_file(Path(source).expanduser())


def show_history(source: str, screen: CellDisplay | None = None) -> RunHistory:
    """Draw the curves of a run's loss, samples and peers, and return the numbers.

    Args:
        source: As for `load_history`.
        screen: Place to draw at; None: the output of the cell that runs.

    Raises:
        NotebookError: The history cannot be had from there.
    """
    history = load_history(source)
    (screen or NotebookCell()).draw(history_page(history))
    return history


def show_progress_pictures(source: str, frames: int = 6, screen: CellDisplay | None = None) -> None:
    """Show pictures of the run's prompts at some epochs, the newest last.

    Args:
        source: Join link or web address of a run.
        frames: Number of epochs to show, at least 1.
        screen: Place to draw at; None: the output of the cell that runs.

    Raises:
        NotebookError: The coordinator does not answer.
    """
    with in_words():
        coordinator = CoordinatorClient(site_of(source))
        found = coordinator.frames(200)
        pictures = tuple(_pictures(coordinator, found, frames))
    about = f"Prompts, row by row: {', '.join(found.prompts)}." if pictures else "There are no pictures yet."
    page = boxed("What the model draws", (paragraph(about), *pictures), (about,))
    (screen or NotebookCell()).draw(page)


def site_of(source: str) -> str:
    """Return the address of a run's website, from its join link, its manifest's address or its own address.

    Raises:
        NotebookError: It is no web address, and no link that leads to one.
        ManifestError: It looks like a join link and is none.
    """
    location = JoinLink.parse(source).location if is_join_link(source) else source.strip()
    if not is_address(location):
        raise NotebookError(f"{location} is no web address.", "Give the join link or the website of a run.")
    return location.rstrip("/").removesuffix(MANIFEST_PATH)


def history_page(history: RunHistory) -> CellPage:
    """Return the curves of a history, and what they are in a sentence."""
    epochs = history.epochs
    if len(epochs) < 2:
        text = "The curves begin with the second epoch."
        return boxed(f"History of {history.source}", (paragraph(text),), (text,))
    last = epochs[-1]
    text = (
        f"Epoch {last.epoch:,}: loss {last.loss:.4f}, {last.samples:,} samples by {last.peers:,} peers in "
        f"{last.seconds:,.1f} s."
    )
    curves = (
        curve([(each.epoch, each.loss) for each in epochs], "Loss", BLUE, lambda value: f"{value:g}"),
        curve([(each.epoch, each.samples) for each in epochs], "Samples an epoch", GREEN, _whole),
        curve([(each.epoch, each.peers) for each in epochs], "Peers", YELLOW, _whole),
    )
    return boxed(f"History of {history.source}", (paragraph(text), *curves), (text,))


def _whole(value: float) -> str:
    return f"{value:,.0f}" if value == round(value) else ""


def _of_coordinator(coordinator: CoordinatorClient) -> tuple[HistoryEpoch, ...]:
    """Return the epochs of a coordinator, whose values are within bounds: its client has checked them."""
    return _by_number(
        HistoryEpoch(epoch=epoch, loss=loss, samples=samples, peers=peers, seconds=seconds)
        for epoch, loss, samples, peers, seconds in coordinator.history(_MOST_POINTS)
    )


def _by_number(epochs: Iterable[HistoryEpoch]) -> tuple[HistoryEpoch, ...]:
    """Return each epoch once: the last of those with its number, as a run that was set back makes some again."""
    return tuple(one for _, one in sorted({one.epoch: one for one in epochs}.items()))


def _from_file(path: Path) -> RunHistory:
    file = path / METRICS if path.is_dir() else path
    try:
        lines = read_bounded(file, _MOST_BYTES).decode().splitlines()
        epochs = _by_number(HistoryEpoch.model_validate_json(line) for line in lines)
    except OSError as error:
        raise NotebookError(
            f"{file} cannot be read: {error.strerror or error}.",
            "Give a join link, a web address, or such a file.",
        ) from error
    except ValueError as error:  # also pydantic's
        named = "a line is no epoch" if isinstance(error, ValidationError) else "it is no text, or too large"
        raise NotebookError(
            f"{file} is no file of metrics: {named}.", f"Give {METRICS} of a demo."
        ) from error
    return RunHistory(str(file), epochs)


def _pictures(coordinator: CoordinatorClient, found: PublishedFrames, most: int) -> Iterator[str]:
    """Yield the frames of epochs that are evenly spaced, as HTML."""
    step = max(1, -(-len(found.frames) // max(most, 1)))
    for frame in reversed(found.frames[::-1][::step]):
        data = b64encode(coordinator.frame(frame)).decode()
        label = escape(f"Epoch {frame.epoch:,}")
        yield (
            f'<figure style="display:inline-block;margin:.4rem .8rem .4rem 0"><img alt="{label}" '
            f'src="data:image/webp;base64,{data}" style="width:180px;image-rendering:auto;border-radius:6px">'
            f"<figcaption>{label}</figcaption></figure>"
        )
