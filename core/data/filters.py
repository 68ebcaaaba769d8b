"""Which image-text pairs a run leaves out: the filters of the paper (section 4.1), as a pure policy."""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_serializer


class DropReason(StrEnum):
    """Why a pair is left out; the value is what a report calls it."""

    SHORT_CAPTION = "short caption"
    NSFW = "not labelled safe"
    UNKNOWN_SIZE = "unknown image size"
    EXTREME_ASPECT_RATIO = "extreme aspect ratio"


class FilterSettings(BaseModel):
    """What a pair must satisfy; the defaults are those of the paper's run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    min_caption_length: Annotated[int, Field(ge=0)] = 3
    """Characters that a caption has at least."""
    safe_labels: frozenset[str] = frozenset({"UNLIKELY"})
    """Values of ``NSFW`` that are let through."""
    max_aspect_ratio: Annotated[float, Field(ge=1, allow_inf_nan=False)] = 2.0
    """Longer side over shorter side of the original image, at most."""

    @field_serializer("safe_labels")
    def _in_order(self, labels: frozenset[str]) -> list[str]:
        """A set has no order, but what is signed and digested needs one."""
        return sorted(labels)


def drop_reason(
    caption: str, nsfw: str, width: int, height: int, settings: FilterSettings
) -> DropReason | None:
    """Why this pair is left out, or None if it is kept; ``width`` and ``height`` are the original image's."""
    if len(caption) < settings.min_caption_length:
        return DropReason.SHORT_CAPTION
    if nsfw not in settings.safe_labels:
        return DropReason.NSFW
    if width <= 0 or height <= 0:
        return DropReason.UNKNOWN_SIZE
    if max(width, height) > settings.max_aspect_ratio * min(width, height):
        return DropReason.EXTREME_ASPECT_RATIO
    return None
