"""Names of teams: what is normalised, what is refused, and what looks alike."""

import pytest

from coordinator.errors import GateRefusal
from coordinator.teams.names import key_of, normalised


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  The   Painters\n", "The Painters"),
        ("Ｗｉｄｅ", "Wide"),
        ("cafe\u0301", "café"),
        ("кисть", "кисть"),
        ("絵筆", "絵筆"),
        ("x" * 40, "x" * 40),
        ("Ünïté 42!", "Ünïté 42!"),
    ],
)
def test_a_name_is_kept_in_one_form(given: str, kept: str) -> None:
    assert normalised(given) == kept
    assert normalised(kept) == kept


@pytest.mark.parametrize(
    "name",
    [
        "",
        "x",
        " x ",
        "x" * 41,
        "a\u200bb",
        "a\u202eb",
        "a\x00b",
        "a\x1b[31mb",
        "!!!",
        "--",
        "\ue000ab",
        "a\ud800b",
        "\u3164\u3164",
        "ab\u3164",
        "ab\uffa0",
        "ab\u115f",
    ],
)
def test_a_name_that_cannot_be_told_from_others_is_refused(name: str) -> None:
    with pytest.raises(GateRefusal):
        normalised(name)


def test_a_name_that_covers_its_neighbours_is_refused() -> None:
    with pytest.raises(GateRefusal, match="accents"):
        normalised("ab" + "\u0300\u0316\u0327\u0334" * 3)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Painters", "PAINTERS"),
        ("Painters", "P a-i.n_t'ers"),
        ("Painters", "Pa1nters"),
        ("Painters", "Palnters"),
        ("Painters", "Päínters"),
        ("Painters", "Раinтеrѕ"),
        ("Painters", "ＰＡＩＮＴＥＲＳ"),
        ("Corner", "Comer"),
        ("Νοτε", "Note"),
        ("Moose", "M00se"),
        ("Straße", "Strasse"),
        ("Painters", "Pain\u3164ters"),
        ("Painters", "Pain\u115fters"),
    ],
)
def test_names_that_look_alike_have_one_key(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Painters", "Pointers"), ("Team 2", "Team 3"), ("кисть", "кость"), ("絵筆", "絵本"), ("Ada", "Ida")],
)
def test_other_names_have_another_key(one: str, other: str) -> None:
    assert key_of(one) != key_of(other)
