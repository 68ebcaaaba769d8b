"""Text that a model or a peer wrote is kept to what can be shown: any letters, and nothing that steers."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.excerpt import passage


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("def f():\n\treturn 1\n", "def f():\n    return 1\n"),
        ("one\r\ntwo\rthree\u2028four", "one\ntwo\nthree\nfour"),
        ("数学 – пример – مثال – नमस्ते 👩‍💻", "数学 – пример – مثال – नमस्ते 👩‍💻"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("safe\u202etxt.exe\u2066\u2069\u200f", "safetxt.exe"),
        ("\x1b[31mred\x07\x00", "�[31mred��"),
        ("no\u00a0break\u3000wide", "no break wide"),
        ("a\n\n\n\n\nb", "a\n\nb"),
        ("half \ud800 a pair", "half � a pair"),
        ("<b>&amp;</b>", "<b>&amp;</b>"),
        ("z" + "\u0301" * 500, "z" + "\u0301" * 8),
        ("hidden\U000e0041tags", "hiddentags"),
    ],
)
def test_letters_stay_and_what_steers_does_not(text: str, shown: str) -> None:
    assert passage(text) == shown


def test_a_long_text_is_cut_by_letters_and_by_lines() -> None:
    assert passage("w" * 10_000_000, 600) == "w" * 599 + "…"
    assert passage("a\n" * 400, 600).count("\n") == 39


@given(st.text(st.characters(), max_size=200), st.integers(1, 60))
def test_any_text_can_be_written_and_stays_as_it_is_a_second_time(text: str, longest: int) -> None:
    shown = passage(text, longest)
    shown.encode()
    assert len(shown) <= longest
    assert passage(shown, longest) == shown
    kinds = {unicodedata.category(letter) for letter in shown} - {"Cf"}
    assert not kinds & {"Cs", "Co", "Cn", "Zl", "Zp"}
    assert all(letter == "\n" or unicodedata.category(letter) != "Cc" for letter in shown)
