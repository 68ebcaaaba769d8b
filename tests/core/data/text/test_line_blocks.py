"""Each line of a file is in one block, blocks are found without each other, and no line takes much memory."""

import io
import random

import pytest

from core.data.text.line_blocks import MOST_BLOCKS, LineBlocks
from core.errors import DataError

BLOCK, LONGEST = 64, 40


def blocks_of(content: bytes) -> LineBlocks:
    return LineBlocks(io.BytesIO(content), "a file", BLOCK, LONGEST)


def lines_of(blocks: LineBlocks) -> list[bytes]:
    return [line for block in range(blocks.count) for line in blocks.lines(block)]


@pytest.mark.parametrize("seed", range(20))
def test_blocks_together_are_the_file_and_have_all_lines_but_long_ones(seed: int) -> None:
    draws = random.Random(seed)
    lines = [bytes(draws.choices(b"abc", k=draws.randint(0, LONGEST))) for _ in range(60)]
    content = b"\n".join(lines) + draws.choice([b"", b"\n"])
    blocks = blocks_of(content)
    assert blocks.count == -(-len(content) // BLOCK)
    assert b"".join(chunk for block in range(blocks.count) for chunk in blocks.chunks(block)) == content
    assert [line for line in lines_of(blocks) if line] == [line for line in lines if line]
    again = [list(blocks.lines(block)) for block in reversed(range(blocks.count))]
    assert [line for block in reversed(again) for line in block] == lines_of(blocks)


@pytest.mark.parametrize("size", [LONGEST + 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 3 * BLOCK + 17])
def test_a_line_that_is_too_long_is_left_out_and_no_other_one(size: int) -> None:
    for before in range(0, BLOCK, 5):
        content = b"x" * before + b"\nfirst\n" + b"y" * size + b"\nsecond\nthird\n"
        kept = [line for line in lines_of(blocks_of(content)) if line]
        assert [line for line in kept if line[:1] not in (b"x", b"y")] == [b"first", b"second", b"third"]
        assert sum(map(len, kept)) < before + 20 + LONGEST


def test_a_file_of_one_line_is_cut_where_blocks_end() -> None:
    blocks = blocks_of(b"z" * (3 * BLOCK + 5))
    assert [len(b"".join(blocks.chunks(block))) for block in range(blocks.count)] == [
        BLOCK,
        BLOCK,
        BLOCK + 5,
        0,
    ]
    assert blocks_of(b"").count == 0


def test_a_file_of_too_many_blocks_is_refused() -> None:
    class FileThatClaimsMuch(io.BytesIO):
        def seek(self, offset: int, whence: int = 0, /) -> int:
            return BLOCK * MOST_BLOCKS + 1

    with pytest.raises(DataError, match="too many"):
        LineBlocks(FileThatClaimsMuch(), "a file", BLOCK, LONGEST)
