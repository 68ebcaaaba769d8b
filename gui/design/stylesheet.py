"""The one style sheet of the app, made from the tokens: no other place names a colour."""

from dataclasses import asdict
from pathlib import Path
from string import Template

from gui.design.assets import asset
from gui.design.tokens import CONTROL_HEIGHT, Palette, Radius, Type, mix

_MARKS = {
    # name: (icon, colour)
    "check": ("check", "on_accent"),
    "dash": ("minus", "on_accent"),
    "down": ("down", "soft"),
    "up": ("up", "soft"),
    "right": ("right", "soft"),
    "tick": ("check", "accent"),
}
"""What Qt wants as files: the marks within controls, and the colour of the palette each is drawn in."""


def stylesheet(palette: Palette, marks: Path) -> str:
    """For the application; the marks are where `draw_marks` has put them."""
    source = Template(asset("theme", "app.qss").read_text(encoding="utf-8"))
    return source.substitute(
        asdict(palette),
        hover=mix(palette.sunken, palette.line, 0.7),
        chosen=mix(palette.selection, palette.raised, 0.5),
        accent_hover=mix(palette.accent, palette.ink, 0.86),
        accent_pressed=mix(palette.accent, palette.ink, 0.72),
        dim=mix(palette.faint, palette.paper, 0.65),
        danger_line=mix(palette.vermilion, palette.paper, 0.5),
        **_banners(palette),
        **{f"size_{size.name.lower()}": f"{size.value}px" for size in Type},
        **{f"radius_{radius.name.lower()}": f"{radius.value}px" for radius in Radius},
        height=f"{CONTROL_HEIGHT}px",
        marks=marks.as_posix(),
    )


def _banners(palette: Palette) -> dict[str, str]:
    tones = {"warning": palette.ochre, "error": palette.vermilion, "done": palette.viridian}
    fills = {f"{kind}_fill": mix(tone, palette.raised, 0.08) for kind, tone in tones.items()}
    edges = {"info": palette.accent, **tones}
    return fills | {f"banner_{kind}": mix(tone, palette.raised, 0.4) for kind, tone in edges.items()}


def draw_marks(palette: Palette, folder: Path) -> None:
    """Write the marks in the palette's colours; where there is no room for them, controls lack their arrows."""
    colours = asdict(palette)
    folder.mkdir(parents=True, exist_ok=True)
    for name, (icon, colour) in _MARKS.items():
        source = asset("icons", f"{icon}.svg").read_bytes()
        (folder / f"{name}.svg").write_bytes(source.replace(b"currentColor", colours[colour].encode()))
