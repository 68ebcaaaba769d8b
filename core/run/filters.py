"""The filters of image-text pairs, those of the paper (section 3.2), as a pure policy."""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_serializer


class DropReason(StrEnum):
    """Reason why a pair is left out; the value is its name in reports."""

    SHORT_CAPTION = "short caption"
    NSFW = "not labelled safe"
    UNKNOWN_SIZE = "unknown image size"
    EXTREME_ASPECT_RATIO = "extreme aspect ratio"


class FilterSettings(BaseModel):
    """Conditions for an image-text pair; the defaults are those of the paper's run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    min_caption_length: Annotated[int, Field(ge=0)] = 3
    """Smallest number of characters of a caption."""
    safe_labels: frozenset[str] = frozenset({"UNLIKELY"})
    """Values of ``NSFW`` that pass."""
    max_aspect_ratio: Annotated[float, Field(ge=1, allow_inf_nan=False)] = 2.0
    """Largest ratio of the longer to the shorter side of the original image."""

    @field_serializer("safe_labels")
    def _in_order(self, labels: frozenset[str]) -> list[str]:
        """Give the set an order, which signatures and digests need."""
        return sorted(labels)


def drop_reason(
    caption: str, nsfw: str, width: int, height: int, settings: FilterSettings
) -> DropReason | None:
    """Return the reason why a pair is left out, or None if it is kept.

    Args:
        caption: Caption of the image.
        nsfw: Label of the pair, a value of ``NSFW``.
        width: Width of the original image, in pixels.
        height: Height of the original image, in pixels.
        settings: Conditions for pairs.
    """
    if len(caption) < settings.min_caption_length:
        return DropReason.SHORT_CAPTION
    if nsfw not in settings.safe_labels:
        return DropReason.NSFW
    if width <= 0 or height <= 0:
        return DropReason.UNKNOWN_SIZE
    if max(width, height) > settings.max_aspect_ratio * min(width, height):
        return DropReason.EXTREME_ASPECT_RATIO
    return None
