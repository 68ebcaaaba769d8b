"""Prints what the model of a text run wrote after the run's prompts in a terminal."""

from dataclasses import dataclass
from pathlib import Path

from client.api.gallery import TimelapseIndex, texts_of_frame
from core.errors import GenerationError
from core.excerpt import PASSAGE, excerpt

_REMEDY = "Look again after the run's next epochs."


@dataclass(frozen=True)
class WrittenSamples:
    """The texts of one frame of a time-lapse; of them nothing is left that steers a terminal."""

    epoch: int
    prompts: tuple[str, ...]
    texts: tuple[str, ...]
    """The continuation of each prompt."""

    def as_json(self) -> dict[str, object]:
        """Return the samples as an object of JSON."""
        pairs = zip(self.prompts, self.texts, strict=True)
        return {
            "epoch": self.epoch,
            "samples": [{"prompt": prompt, "continuation": text} for prompt, text in pairs],
        }


def written_samples(folder: Path, epoch: int | None = None) -> WrittenSamples:
    """Return the texts of the newest frame in a ``folder``, or of the last one up to an ``epoch``.

    Raises:
        GenerationError: There is no such frame, it cannot be read, or the run makes pictures.
    """
    try:
        index = TimelapseIndex.read(folder)
        frames = [frame for frame in index.frames if epoch is None or frame.epoch <= epoch]
        if not frames:
            raise GenerationError("There is nothing of that epoch, and of none before it.", _REMEDY)
        texts = texts_of_frame(index.file(folder, frames[-1]), len(index.prompts))
    except (OSError, ValueError) as error:
        raise GenerationError(f"The samples in {folder} cannot be read: {error}.", _REMEDY) from error
    if not texts:
        what = f"The samples in {folder} are pictures."
        raise GenerationError(what, "See them in the app's gallery, or save them with `idlebrush timelapse`.")
    return WrittenSamples(frames[-1].epoch, tuple(excerpt(item, PASSAGE) for item in index.prompts), texts)


def report(samples: WrittenSamples) -> str:
    """Return the samples in words, with an empty line between them."""
    pairs = zip(samples.prompts, samples.texts, strict=True)
    return "\n\n".join((f"Epoch {samples.epoch:,}", *(prompt + text for prompt, text in pairs)))
