"""The size of a vocabulary is read from a tokenizer's file as the library counts it."""

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from core.errors import TextError
from core.text import CaptionTokenizer
from core.tokenizer_file import MOST_GROWTH, read_content, vocabulary_size

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


def grown(*, before: list[Any] = [], splits: list[Any] = [], after: list[Any] = []) -> Tokenizer:  # noqa: B006
    """Return a tokenizer with these steps before the tokens, of normalizing and splitting, and after them."""
    tokenizer = Tokenizer(KINDS["WordLevel"])
    tokenizer.normalizer = normalizers.Sequence(before)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(splits)
    tokenizer.decoder = decoders.Sequence(after)
    return tokenizer


TENFOLD = normalizers.Replace("a", "a" * 10)


@pytest.mark.parametrize(
    "tokenizer",
    [
        grown(before=[TENFOLD] * 5),
        grown(before=[normalizers.Sequence([normalizers.Sequence([TENFOLD, TENFOLD])]), TENFOLD, TENFOLD]),
        grown(before=[normalizers.Replace(Regex("x*"), "a" * 40)] * 2),
        grown(before=[normalizers.Replace("", "ab")] * 7),
        grown(before=[normalizers.Prepend("a" * 40), TENFOLD, TENFOLD]),
        grown(before=[normalizers.ByteLevel()] * 6),
        grown(splits=[pre_tokenizers.ByteLevel()] * 6),
        grown(splits=[pre_tokenizers.ByteLevel()] * 3, before=[TENFOLD, TENFOLD]),
        grown(after=[decoders.Replace("a", "a" * 10)] * 4),
        grown(before=[normalizers.Lowercase()] * 65),
    ],
)
def test_a_tokenizer_that_makes_much_text_of_little_is_refused(tokenizer: Tokenizer, tmp_path: Path) -> None:
    content = tokenizer.to_str().encode()
    with pytest.raises(TextError, match="it takes too many steps, or makes too much text"):
        vocabulary_size(content, "it")
    (tmp_path / "tokenizer.json").write_bytes(content)
    with pytest.raises(TextError, match="makes too much text"):
        CaptionTokenizer.load(tmp_path / "tokenizer.json", length=4)


@pytest.mark.parametrize(
    "tokenizer",
    [
        grown(before=[normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
        grown(
            before=[
                normalizers.Replace("``", '"'),
                normalizers.Replace("''", '"'),
                normalizers.NFKD(),
                normalizers.StripAccents(),
                normalizers.Lowercase(),
                normalizers.Replace(Regex(" {2,}"), " "),
            ],
            splits=[pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()],
        ),
        grown(
            before=[normalizers.NFC()],
            splits=[pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel()],
            after=[
                decoders.Replace("▁", " "),
                decoders.ByteFallback(),
                decoders.Fuse(),
                decoders.Strip(" ", 1, 0),
            ],
        ),
        grown(before=[normalizers.BertNormalizer()], splits=[pre_tokenizers.BertPreTokenizer()]),
    ],
    ids=["Llama", "ALBERT", "GPT-2", "BERT"],
)
def test_the_steps_of_known_tokenizers_are_taken(tokenizer: Tokenizer) -> None:
    assert vocabulary_size(tokenizer.to_str().encode(), "it") == 4


def test_a_compiled_table_counts_by_its_longest_replacement() -> None:
    def document(longest: int) -> bytes:
        table = (8).to_bytes(4, "little") + bytes(8) + b"a\0" + b"b" * longest + b"\0"
        step = {"type": "Precompiled", "precompiled_charsmap": b64encode(table).decode()}
        return json.dumps({"model": {"vocab": {"a": 0}}, "normalizer": step}).encode()

    assert vocabulary_size(document(MOST_GROWTH), "it") == 1
    with pytest.raises(TextError, match="makes too much text"):
        vocabulary_size(document(MOST_GROWTH + 1), "it")
