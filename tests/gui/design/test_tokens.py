"""Every pair of colours that is drawn on each other can be told apart, in all four palettes."""

import pytest

from gui.design.tokens import DARK, DARK_CONTRAST, LIGHT, LIGHT_CONTRAST, Palette, mix
from tests.gui.design.contrast import contrast

PALETTES = {
    "light": LIGHT,
    "dark": DARK,
    "light with more contrast": LIGHT_CONTRAST,
    "dark with more contrast": DARK_CONTRAST,
}
GROUNDS = ("paper", "raised", "sunken")
WORDS = [(text, ground) for text in ("ink", "soft", "faint") for ground in (*GROUNDS, "tint")]
PIGMENTS = [
    (text, ground) for text in ("accent", "vermilion", "viridian", "ochre", "violet") for ground in GROUNDS
]
OTHERS = [
    ("on_accent", "accent"),
    ("ink", "selection"),
    ("ink", "line"),
    ("paper", "ink"),
    ("accent", "tint"),
]
EDGES = [("control", "paper"), ("control", "raised"), ("accent", "line"), ("accent", "line_strong")]


@pytest.fixture(params=PALETTES.values(), ids=list(PALETTES))
def palette(request: pytest.FixtureRequest) -> Palette:
    assert isinstance(request.param, Palette)
    return request.param


def pairs_below(
    contrast_of_two: float, pairs: list[tuple[str, str]], palette: Palette
) -> list[tuple[str, str]]:
    """The pairs of colours that cannot be told apart well enough."""
    return [
        (text, ground)
        for text, ground in pairs
        if contrast(getattr(palette, text), getattr(palette, ground)) < contrast_of_two
    ]


def test_text_is_legible(palette: Palette) -> None:
    assert pairs_below(4.5, WORDS + PIGMENTS + OTHERS, palette) == []


def test_edges_and_marks_of_what_is_operated_are_seen(palette: Palette) -> None:
    assert pairs_below(3, EDGES, palette) == []


@pytest.mark.parametrize("tone", ["ochre", "vermilion", "viridian"])
def test_words_are_legible_on_a_banner_of_each_kind(palette: Palette, tone: str) -> None:
    fill = mix(getattr(palette, tone), palette.raised, 0.08)

    assert contrast(palette.soft, fill) >= 4.5
    assert contrast(getattr(palette, tone), fill) >= 3


@pytest.mark.parametrize(("usual", "stronger"), [(LIGHT, LIGHT_CONTRAST), (DARK, DARK_CONTRAST)])
@pytest.mark.parametrize("text", ["soft", "faint", "accent", "control"])
def test_more_contrast_is_more(usual: Palette, stronger: Palette, text: str) -> None:
    after = contrast(getattr(stronger, text), stronger.paper)
    assert after > contrast(getattr(usual, text), usual.paper)
    assert after >= 7


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#2c3fc7", "#2c3fc7") == 1


def test_a_mix_takes_that_share_of_the_first_colour() -> None:
    assert mix("#ff0000", "#0000ff", 1.0) == "#ff0000"
    assert mix("#ff0000", "#0000ff", 0.0) == "#0000ff"
    assert mix("#ffffff", "#000000", 0.5) == "#808080"
