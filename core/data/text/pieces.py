"""Cuts text into pieces of bounded size, always at the same places, since a tokenizer takes a text as a whole."""

from collections.abc import Iterable, Iterator

PIECE_BYTES = 1 << 16
"""Largest piece, in bytes of UTF-8."""
_CHARACTER_BYTES = 4


def pieces(chunks: Iterable[bytes], most: int = PIECE_BYTES) -> Iterator[str]:
    """Yield a text in pieces, which end at the end of a line if one lies in their second half.

    Bytes that are not UTF-8 become replacement characters. How the text is divided into chunks makes no difference.

    Args:
        chunks: The text in UTF-8, in chunks of any size.
        most: Largest piece in bytes.
    """
    rest = b""
    for chunk in chunks:
        held, start = rest + chunk, 0
        while len(held) - start > most:
            end = _end(held, start, most)
            yield held[start:end].decode(errors="replace")
            start = end
        rest = held[start:]
    if rest:
        yield rest.decode(errors="replace")


def _end(held: bytes, start: int, most: int) -> int:
    """Return where the piece that begins at ``start`` ends; more than ``most`` bytes follow."""
    line = held.rfind(b"\n", start + most // 2, start + most)
    if line >= 0:
        return line + 1
    end = start + most
    before = (end - back for back in range(_CHARACTER_BYTES))
    return next((place for place in before if not _continues(held[place])), end)


def _continues(byte: int) -> bool:
    """Return True for a byte of UTF-8 that begins no character."""
    return byte & 0xC0 == 0x80
