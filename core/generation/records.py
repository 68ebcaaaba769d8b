"""What is written down of pictures that were drawn, beside them. Imports no torch."""

import math
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from core.files import Sha256
from core.generation.request import GenerationRequest

FILE = "pictures.json"
FRAMES = "index.json"
"""The index of a time-lapse, in its folder."""
TIMELAPSE = "timelapse"
"""The folder of a time-lapse, among what is a peer's own."""
FRAME_BYTES = 100_000
"""Of a frame, at most."""
MOST_FRAMES_BYTES = 1 << 20
"""Of the index of a time-lapse; more is none of ours."""
LARGEST = 16 << 20
"""Bytes of ``pictures.json``; more is none of ours."""
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,80}\.png$")]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class PictureRecord(_Record):
    """A picture in its folder."""

    file: Name
    number: Annotated[int, Field(ge=0)]
    """Of its request."""
    score: float | None = None
    """By the run's ranker, higher is better."""


class Album(_Record):
    """The pictures of one request, best first if they were ranked."""

    request: GenerationRequest
    run: str
    epoch: Annotated[int, Field(ge=0)]
    """Of the model that drew them."""
    parameter_digest: str
    pictures: tuple[PictureRecord, ...]
    sheet: Name
    """All of them on one picture."""
    unranked: str = ""
    """Why there are no scores; empty if there are."""


class Albums(_Record):
    """The file ``pictures.json`` of a folder."""

    format: Literal["idlebrush pictures"] = "idlebrush pictures"
    version: Literal[1] = 1
    albums: tuple[Album, ...] = ()
    """Oldest first."""


class Frame(_Record):
    """One frame of a time-lapse, in the file that `frame_file` names."""

    epoch: Annotated[int, Field(ge=0)]
    sha256: Sha256
    """Of the file."""


class FrameIndex(_Record):
    """The file ``index.json`` of a time-lapse; pictures of a frame are in the order of the prompts, row by row."""

    version: Literal[1] = 1
    prompts: tuple[str, ...]
    columns: Annotated[int, Field(ge=1)]
    frames: tuple[Frame, ...] = ()
    """Oldest first."""


def columns_for(pictures: int) -> int:
    """Of a frame that is about as wide as it is high."""
    return math.ceil(math.sqrt(pictures))


def frame_file(epoch: int) -> str:
    """The name of the file that holds the frame of an epoch."""
    return f"epoch-{epoch:07d}.webp"
