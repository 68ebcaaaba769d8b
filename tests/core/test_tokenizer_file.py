"""The size of a vocabulary is read from a tokenizer's file as the library counts it."""

from pathlib import Path

import pytest
from tokenizers import Tokenizer, models

from core.errors import TextError
from core.text import CaptionTokenizer
from core.tokenizer_file import read_content, vocabulary_size

TOKENS = {"<unk>": 0, "a": 1, "b": 2, "ab": 3}
KINDS: dict[str, models.Model] = {
    "WordLevel": models.WordLevel(TOKENS, unk_token="<unk>"),
    "WordPiece": models.WordPiece(TOKENS, unk_token="<unk>"),
    "BPE": models.BPE(TOKENS, [("a", "b")]),
    "Unigram": models.Unigram([(token, -float(number)) for token, number in TOKENS.items()], unk_id=0),
    "with a gap": models.WordLevel({**TOKENS, "c": 9}, unk_token="<unk>"),
    "without any token": models.WordLevel({}, unk_token="<unk>"),
}


@pytest.mark.parametrize("added", [[], ["<pad>", "a"]])
@pytest.mark.parametrize("kind", KINDS)
def test_the_size_is_that_of_the_library(kind: str, added: list[str], tmp_path: Path) -> None:
    tokenizer = Tokenizer(KINDS[kind])
    tokenizer.add_special_tokens(added)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    by_library = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    found = vocabulary_size(read_content(tmp_path / "tokenizer.json"), "it")
    assert found == CaptionTokenizer(by_library, length=4, eos_id=1, pad_id=1).vocab_size


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\xff", b"[]", b"1", b"null", b"{}", b'{"model": {}}', b'{"model": {"vocab": 3}}'),
        *(b'{"model": {"vocab": {"a": %s}}}' % value for value in (b'"1"', b"1.5", b"null", b"9" * 10_000)),
        b'{"model": {"vocab": {}}, "added_tokens": [{"content": "a"}]}',
        b'{"model": {"vocab": {}}, "added_tokens": [3]}',
        b'{"model": {"vocab": {}}, "added_tokens": null}',
        b"[" * 200_000,
    ],
    ids=lambda content: content[:40].decode(errors="replace"),
)
def test_what_is_no_tokenizer_is_refused(content: bytes) -> None:
    with pytest.raises(TextError, match=r"it is not a tokenizer in JSON"):
        vocabulary_size(content, "it")
