"""The one style sheet of the app, made from the tokens: no other place names a colour."""

from dataclasses import asdict
from string import Template

from gui.design.assets import asset
from gui.design.tokens import CONTROL_HEIGHT, Palette, Radius, Type, mix


def stylesheet(palette: Palette, *, dark: bool) -> str:
    """For the application; marks within controls are drawn for light and for dark themes."""
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
        marks=asset("theme", "dark" if dark else "light").as_posix(),
    )


def _banners(palette: Palette) -> dict[str, str]:
    tones = {"warning": palette.ochre, "error": palette.vermilion, "done": palette.viridian}
    fills = {f"{kind}_fill": mix(tone, palette.raised, 0.08) for kind, tone in tones.items()}
    edges = {"info": palette.accent, **tones}
    return fills | {f"banner_{kind}": mix(tone, palette.raised, 0.4) for kind, tone in edges.items()}
