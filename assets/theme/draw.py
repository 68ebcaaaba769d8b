"""Draws the marks within controls in the colours of each theme: style sheets take them as files, in no other way.

python -m assets.theme.draw
"""

from dataclasses import asdict
from pathlib import Path

from gui.design.assets import asset
from gui.design.tokens import DARK, LIGHT, Palette

HERE = Path(__file__).parent
MARKS = {
    # name: (icon, colour)
    "check": ("check", "on_accent"),
    "dash": ("minus", "on_accent"),
    "down": ("down", "soft"),
    "up": ("up", "soft"),
    "right": ("right", "soft"),
    "tick": ("check", "accent"),
}
"""The icon that each is, and the palette's name of its colour."""


def draw(palette: Palette, folder: Path) -> None:
    """Write all marks in the palette's colours."""
    colours = asdict(palette)
    folder.mkdir(exist_ok=True)
    for name, (icon, colour) in MARKS.items():
        drawing = asset("icons", f"{icon}.svg").read_text(encoding="utf-8")
        (folder / f"{name}.svg").write_text(
            drawing.replace("currentColor", colours[colour]), encoding="utf-8"
        )


def main() -> None:
    """Write those of both themes; more contrast changes none of them."""
    draw(LIGHT, HERE / "light")
    draw(DARK, HERE / "dark")


if __name__ == "__main__":
    main()
