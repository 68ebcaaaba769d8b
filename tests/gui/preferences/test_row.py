"""A search finds preferences by every typed word, and their texts mark these words."""

import pytest

from gui.preferences.row import marked, matches

TEXTS = (
    "Hottest GPU",
    "Pause while the GPU is hotter than this, until it has cooled by 5 °C.",
    "gpu-temperature",
)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", True),
        ("  ", True),
        ("gpu", True),
        ("GPU hot", True),
        ("temperature cooled", True),
        ("gpu-temp", True),
        ("gpu battery", False),
        ("<b>", False),
    ],
)
def test_every_word_has_to_occur_somewhere(query: str, found: bool) -> None:
    assert matches(query, TEXTS) is found


@pytest.mark.parametrize(
    ("text", "query", "html"),
    [
        ("A < B", "", "A &lt; B"),
        ("A < B", "<", "A [&lt;] B"),
        ("Hottest GPU", "gpu hot", "[Hot]test [GPU]"),
        ("Amperes & more", "amp", "[Amp]eres &amp; more"),
        ("Anything", "zebra", "Anything"),
    ],
)
def test_what_occurs_is_marked_and_everything_is_escaped(text: str, query: str, html: str) -> None:
    written = marked(text, query, "#fe0", "#000")
    opened = '<span style="background-color: #fe0; color: #000">'
    assert written.replace(opened, "[").replace("</span>", "]") == html
