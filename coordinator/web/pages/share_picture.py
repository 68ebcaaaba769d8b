"""Draws the picture by which a volunteer shares their contribution: figures, the newest pictures, a year of days."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw

from core.contribution.year import YearCalendar
from core.generation.animation import read_frame, tile_box
from core.generation.lettering import Typeface, font_of, write_line
from core.generation.records import columns_for

SIZE = (1200, 630)
"""Width and height in pixels, as sites that preview links show it (Open Graph)."""
MOST_PICTURES = 4
_PAPER, _INK, _SOFT, _ACCENT, _BRUSH = "#faf9f6", "#191820", "#4f4c59", "#2c3fc7", "#c2371b"
_LEVELS = ("#e9e6de", "#c4caf0", "#959fe3", "#606fd5", _ACCENT)
"""Colours of a day by its level."""
_MARGIN, _RIGHT = 64, 764
_SIDE, _GAP = 178, 16
"""Side of a picture, and the gap between two."""
_CALENDAR_TOP, _PITCH, _SQUARE = 466, 20, 16
_LEAST = 30
"""Size in pixels down to which a line is shrunk before it is cut."""


@dataclass(frozen=True)
class SharedFigures:
    """Content of the picture."""

    title: str
    """Title of the run."""
    name: str
    team: str
    """Name of the team; empty for none."""
    figures: tuple[tuple[str, str], ...]
    """Amounts with their labels, three at most."""
    calendar: YearCalendar


def draw(shared: SharedFigures, pictures: Sequence[Image.Image]) -> bytes:
    """Return the picture as PNG.

    Args:
        shared: the figures.
        pictures: what the model draws; the first `MOST_PICTURES` are shown.
    """
    sheet = Image.new("RGB", SIZE, _PAPER)
    pen = ImageDraw.Draw(sheet)
    width = (_RIGHT if pictures else SIZE[0]) - 2 * _MARGIN
    text, strong = Typeface.TEXT, Typeface.STRONG_TEXT
    _write(pen, (_MARGIN, 56), shared.title, strong, 28, _BRUSH, width)
    _write(pen, (_MARGIN, 98), shared.name, Typeface.HEADING, 84, _INK, width)
    if shared.team:
        _write(pen, (_MARGIN, 210), f"Team {shared.team}", text, 32, _SOFT, width)
    for number, (amount, label) in enumerate(shared.figures):
        left = _MARGIN + number * 220
        _write(pen, (left, 290), amount, Typeface.FIGURES, 58, _ACCENT, 210)
        _write(pen, (left, 368), label, text, 26, _SOFT, 210)
    for number, picture in enumerate(pictures[:MOST_PICTURES]):
        place = _RIGHT + number % 2 * (_SIDE + _GAP), 48 + number // 2 * (_SIDE + _GAP)
        sheet.paste(picture.resize((_SIDE, _SIDE), Image.Resampling.LANCZOS), place)
    _draw_days(pen, shared.calendar)
    packed = BytesIO()
    sheet.save(packed, "PNG")
    return packed.getvalue()


def pictures_of(file: Path, prompts: int) -> list[Image.Image]:
    """Return the first pictures of a frame of the time-lapse; none if it is damaged, too large or too small.

    Args:
        file: File of the frame, as the recorder keeps it.
        prompts: Number of its prompts.
    """
    columns = columns_for(prompts)
    frame = read_frame(file, prompts, columns)
    if frame is None:
        return []
    shown = range(min(prompts, MOST_PICTURES))
    return [frame.crop(tile_box(frame, prompts, columns, number)) for number in shown]


def _draw_days(pen: ImageDraw.ImageDraw, calendar: YearCalendar) -> None:
    for week, days in enumerate(calendar.weeks):
        for number, day in enumerate(days):
            x, y = _MARGIN + 6 + week * _PITCH, _CALENDAR_TOP + number * _PITCH
            pen.rounded_rectangle((x, y, x + _SQUARE, y + _SQUARE), 4, _LEVELS[day.level])


def _write(
    pen: ImageDraw.ImageDraw,
    at: tuple[int, int],
    text: str,
    typeface: Typeface,
    size: int,
    colour: str,
    width: int,
) -> None:
    write_line(pen, at, text, font_of(typeface, size), colour, width, _LEAST)
