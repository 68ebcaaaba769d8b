"""Records of drawn pictures, which are saved beside them. Imports no torch."""

import math
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from core.messages.pictures import GenerationRequest
from core.storage.files import Sha256

FILE = "pictures.json"
FRAMES = "index.json"
"""The index of a time-lapse, in its folder."""
TIMELAPSE = "timelapse"
"""The folder of a time-lapse, in a peer's own folder."""
FRAME_BYTES = 100_000
"""Largest size of a frame, in bytes."""
MOST_FRAMES_BYTES = 1 << 20
"""Largest size of the index of a time-lapse, in bytes; a longer file is not ours."""
LARGEST = 16 << 20
"""Largest size of ``pictures.json``, in bytes; a longer file is not ours."""
_Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,80}\.png$")]


class _PictureModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class PictureRecord(_PictureModel):
    """A picture in its folder."""

    file: _Name
    number: Annotated[int, Field(ge=0)]
    """Number of the picture in its request, from 0."""
    score: float | None = None
    """Score by the run's ranker; higher is better."""


class Album(_PictureModel):
    """The pictures of one request, best first if they were ranked."""

    request: GenerationRequest
    run: str
    epoch: Annotated[int, Field(ge=0)]
    """Epoch of the model that drew them; 0 for a file of weights, which does not tell it."""
    parameter_digest: str
    title: str = ""
    """Title of the run for people; empty in albums of earlier versions, and for a file of weights."""
    is_shipped: bool = False
    """True if the model that comes with the program drew them."""
    pictures: tuple[PictureRecord, ...]
    sheet: _Name
    """File that shows the pictures together; of many, the first."""
    unranked: str = ""
    """Reason why there are no scores; empty if there are."""

    @property
    def model(self) -> str:
        """Model that drew them, in English, such as "epoch 12 of Emoji"."""
        run = self.title or self.run
        trained = f"epoch {self.epoch:,} of {run}" if self.epoch else run
        return f"the model that comes with Idlebrush, {trained}" if self.is_shipped else trained


class Albums(_PictureModel):
    """The file ``pictures.json`` of a folder."""

    format: Literal["idlebrush pictures"] = "idlebrush pictures"
    version: Literal[1] = 1
    albums: tuple[Album, ...] = ()
    """The albums, oldest first."""


class TimelapseFrame(_PictureModel):
    """One frame of a time-lapse, in the file that `frame_file` names."""

    epoch: Annotated[int, Field(ge=0)]
    sha256: Sha256
    """SHA-256 of the file."""


class FrameIndex(_PictureModel):
    """The file ``index.json`` of a time-lapse; pictures of a frame are in the order of the prompts, row by row."""

    version: Literal[1] = 1
    prompts: tuple[str, ...]
    columns: Annotated[int, Field(ge=1)]
    """Number of pictures beside each other in a frame."""
    frames: tuple[TimelapseFrame, ...] = ()
    """The frames, oldest first."""


def columns_for(pictures: int) -> int:
    """Return the columns of a frame of ``pictures`` images that is about as wide as it is high."""
    return math.ceil(math.sqrt(pictures))


def frame_file(epoch: int) -> str:
    """Return the name of the file that holds the frame of an ``epoch``."""
    return f"epoch-{epoch:07d}.webp"


def picture_texts(prompt: str, seed: int, number: int, run: str, epoch: int) -> dict[str, str]:
    """Return what the file of a picture says about it, as names and values of its PNG text chunks.

    Args:
        prompt: Prompt that it was drawn for.
        seed: Seed of its request.
        number: Number of the picture in its request, from 0.
        run: Name of the run whose model drew it.
        epoch: Epoch of that model.
    """
    return {
        "Software": "Idlebrush",
        "Description": prompt,
        "Seed": str(seed),
        "Number": str(number),
        "Run": run,
        "Epoch": str(epoch),
    }


def settings_text(request: GenerationRequest) -> str:
    """Return the settings of a request that are not the run's usual ones, as options of `idlebrush generate`."""
    options = {
        "--temperature": request.temperature,
        "--top-k": request.top_k,
        "--top-p": request.top_p,
        "--guidance": request.guidance,
    }
    return " ".join(f"{name} {value:g}" for name, value in options.items() if value is not None)
