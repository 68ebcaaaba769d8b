"""Names of teams: which are allowed, and when two of them look alike."""

import unicodedata

from coordinator.database.team_tables import LONGEST_NAME
from coordinator.errors import GateRefusal

SHORTEST_NAME = 2
_MOST_MARKS = 2
"""Most combining marks on one letter: more of them cover the lines above and below."""
_FILLERS = "\u115f\u1160"
"""Fillers of Hangul: letters that nobody sees, two more of which NFKC makes one of these."""
_CAPITALS = {
    **{"a": "АΑ", "b": "ВΒ", "c": "СϹ", "e": "ЕΕ", "h": "НΗ", "i": "ІΙӀ", "j": "ЈͿ", "k": "КΚ", "m": "МΜ"},
    **{"n": "Ν", "o": "ОΟ", "p": "РΡ", "s": "Ѕ", "t": "ТΤ", "x": "ХΧ", "y": "УΥ", "z": "Ζ"},
}
"""Cyrillic and Greek capitals that are drawn like a Latin one; some of their small letters are like another."""
_SMALL = {
    **{
        "a": "аαɑ@",
        "b": "вьβ",
        "c": "сϲ",
        "d": "ԁđ",
        "e": "еε",
        "g": "ɡ",
        "h": "нһħ",
        "i": "іιıɩ1|!",
        "j": "јϳ",
    },
    **{"k": "кκ", "l": "łӏ", "m": "м", "n": "η", "o": "оοσ0øө", "p": "рρ", "q": "ԛ", "s": "ѕ$", "t": "тτŧ"},
    **{"u": "υʋ", "v": "νѵ", "w": "ωԝ", "x": "хχ", "y": "уγү"},
}
_PAIRS = (("rn", "m"), ("vv", "w"), ("l", "i"))
"""Letters that are drawn like another one in small print, once all are small Latin ones."""


def _table(alike: dict[str, str]) -> dict[int, str]:
    return {ord(letter): latin for latin, letters in alike.items() for letter in letters}


_CAPITAL_TABLE, _SMALL_TABLE = _table(_CAPITALS), _table(_SMALL)


def normalised(name: str) -> str:
    """Return a name as it is stored: in Unicode's form NFKC, with single spaces.

    Raises:
        GateRefusal: the name is too short or too long, or has characters that cannot be seen.
    """
    text = " ".join(unicodedata.normalize("NFKC", name).split())
    if not SHORTEST_NAME <= len(text) <= LONGEST_NAME:
        raise _refused(f"A team's name has {SHORTEST_NAME} to {LONGEST_NAME} characters.")
    if any(unicodedata.category(letter)[0] == "C" or letter in _FILLERS for letter in text):
        raise _refused("A team's name has no invisible characters.")
    if not any(letter.isalnum() for letter in text):
        raise _refused("A team's name has at least one letter or digit.")
    if _marks_in_a_row(text) > _MOST_MARKS:
        raise _refused(f"A letter of a team's name has at most {_MOST_MARKS} accents.")
    return text


def key_of(name: str) -> str:
    """Return a text that is the same for names that look alike, such as "Painters", "PA1NTERS" and "раinтers".

    Accents, case, spaces and signs do not count, and letters that are drawn alike are one. This follows the
    skeletons of Unicode's Technical Standard 39, with those pairs of its table that a reader confuses in Latin,
    Cyrillic and Greek, and with the digits that stand for letters.
    """
    small = unicodedata.normalize("NFKC", name).translate(_CAPITAL_TABLE).casefold()
    plain = "".join(letter for letter in unicodedata.normalize("NFKD", small) if letter.isprintable())
    letters = "".join(
        letter for letter in plain.translate(_SMALL_TABLE) if letter.isalnum() and letter not in _FILLERS
    )
    for pair, letter in _PAIRS:
        letters = letters.replace(pair, letter)
    return letters


def _marks_in_a_row(text: str) -> int:
    longest = run = 0
    for letter in unicodedata.normalize("NFD", text):
        run = run + 1 if unicodedata.combining(letter) else 0
        longest = max(longest, run)
    return longest


def _refused(what: str) -> GateRefusal:
    return GateRefusal(what, "Choose another name.", status=409)
