"""Text is cut at the same places however it arrives, and nothing of it is lost."""

import pytest

from core.data.text.pieces import pieces

TEXTS = {
    "lines": "".join(f"line {number}\n" for number in range(50)),
    "no end of a line": "word " * 60,
    "characters of four bytes": "😀" * 70,
    "one line end early on": "a\n" + "é" * 90,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_pieces_are_the_text_whatever_its_chunks_are(text: str) -> None:
    content = text.encode()
    whole = list(pieces([content], 64))
    assert "".join(whole) == text
    assert max(len(piece.encode()) for piece in whole) <= 64
    assert min(len(piece.encode()) for piece in whole[:-1]) > 32
    for size in (1, 7, 64, 65, 1000):
        chunks = [content[at : at + size] for at in range(0, len(content), size)]
        assert list(pieces(chunks, 64)) == whole


def test_a_piece_ends_with_a_line_where_one_ends() -> None:
    assert all(piece.endswith("\n") for piece in pieces([TEXTS["lines"].encode()], 64))


def test_what_is_no_text_is_replaced_and_takes_little_time() -> None:
    assert list(pieces([b"a\xffb"])) == ["a\ufffdb"]
    assert sum(map(len, pieces([b"\x80" * (1 << 20)]))) == 1 << 20
    assert list(pieces([])) == list(pieces([b""])) == []
