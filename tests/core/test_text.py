"""Captions as tokens, with a tokenizer of t5-small's shape: Unigram, 32,100 ids, EOS 1."""

import hashlib
import json
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from core.errors import TextError
from core.text import CaptionTokenizer, clean
from core.tokenizer_file import MAX_TOKENIZER_BYTES

WORDS = ["▁a", "▁red", "▁heart", "▁cat", "▁", "a", "e", "h", "r", "t", "d", "c"]


def t5_shaped(*, adds_eos: bool = True) -> Tokenizer:
    """Return a tokenizer like t5-small's: <pad> 0, </s> 1, <unk> 2, 32,000 pieces, 100 <extra_id_N>.

    A template appends </s> if ``adds_eos``.
    """
    pieces = ["<pad>", "</s>", "<unk>", *WORDS]
    pieces += [f"▁piece{index}" for index in range(32_000 - len(pieces))]
    tokenizer = Tokenizer(
        models.Unigram([(piece, -float(index)) for index, piece in enumerate(pieces)], unk_id=2)
    )
    tokenizer.add_special_tokens([f"<extra_id_{index}>" for index in range(100)])
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC()])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    if adds_eos:
        tokenizer.post_processor = processors.TemplateProcessing(
            single="$A </s>", special_tokens=[("</s>", 1)]
        )
    tokenizer.enable_truncation(512)
    return tokenizer


@pytest.fixture(scope="module")
def t5_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("text") / "tokenizer.json"
    t5_shaped().save(str(path))
    return path


@pytest.fixture(scope="module")
def paper(t5_file: Path) -> CaptionTokenizer:
    return CaptionTokenizer.load(t5_file, length=256, vocab=32_100)


def ids(*pieces: str) -> list[int]:
    return [3 + WORDS.index(piece) for piece in pieces]


def test_captions_end_and_are_padded_with_eos(paper: CaptionTokenizer) -> None:
    tokens = paper.encode(["a red heart", "cat"])
    assert tokens.dtype == torch.int64
    assert tokens.shape == (2, 256)
    assert tokens[0].tolist() == ids("▁a", "▁red", "▁heart") + [1] * 253
    assert tokens[1].tolist() == ids("▁cat") + [1] * 255
    assert paper.vocab_size == 32_100


def test_long_captions_are_cut_and_still_end(paper: CaptionTokenizer, t5_file: Path) -> None:
    caption = "cat " * 300
    reference = Tokenizer.from_file(str(t5_file))
    reference.enable_truncation(256)
    assert paper.encode([caption])[0].tolist() == reference.encode(caption.strip()).ids
    assert paper.encode([caption])[0].tolist() == ids("▁cat") * 255 + [1]


def test_the_last_free_place_is_used(paper: CaptionTokenizer) -> None:
    assert paper.encode(["cat " * 255])[0].tolist() == ids("▁cat") * 255 + [1]
    assert paper.encode(["cat " * 254])[0].tolist() == ids("▁cat") * 254 + [1, 1]


def test_an_end_is_appended_where_the_tokenizer_adds_none(tmp_path: Path, paper: CaptionTokenizer) -> None:
    t5_shaped(adds_eos=False).save(str(tmp_path / "tokenizer.json"))
    bare = CaptionTokenizer.load(tmp_path / "tokenizer.json", length=256)
    captions = ["a red heart", "", "cat " * 300]
    assert torch.equal(bare.encode(captions), paper.encode(captions))


def test_an_empty_caption_is_all_end(paper: CaptionTokenizer) -> None:
    assert paper.encode([""])[0].tolist() == [1] * 256
    assert paper.encode([]).shape == (0, 256)


def test_padding_may_be_another_token(t5_file: Path) -> None:
    tokenizer = CaptionTokenizer.load(t5_file, length=4, pad_id=0)
    assert tokenizer.encode(["cat"])[0].tolist() == [*ids("▁cat"), 1, 0, 0]


@pytest.mark.parametrize(
    ("caption", "cleaned"),
    [
        ("a\tred\r\nheart", "a red heart"),
        ("  a   red\x00heart\x7f ", "a red heart"),
        ("\x1b[31mred", "[31mred"),
        ("a \ud800 b", "a \ufffd b"),
        ("👩\u200d🚀", "👩\u200d🚀"),
    ],
)
def test_captions_are_brought_to_one_line(caption: str, cleaned: str) -> None:
    assert clean(caption) == cleaned


@given(st.lists(st.text(st.characters(exclude_categories=[])), max_size=4))
def test_any_text_becomes_tokens_of_the_vocabulary(paper: CaptionTokenizer, captions: list[str]) -> None:
    tokens = paper.encode(captions)
    assert tokens.shape == (len(captions), 256)
    assert bool(((tokens >= 0) & (tokens < 32_100)).all())
    assert bool((tokens[:, -1] == 1).all())


def test_a_huge_caption_is_cut_before_it_is_tokenized(paper: CaptionTokenizer) -> None:
    assert paper.encode(["cat " * 1_000_000])[0].tolist() == ids("▁cat") * 255 + [1]


def test_a_tokenizer_larger_than_the_models_vocabulary_is_refused(t5_file: Path) -> None:
    with pytest.raises(TextError, match="32100 tokens, but the model knows 32000"):
        CaptionTokenizer.load(t5_file, length=256, vocab=32_000)


@pytest.mark.parametrize(("eos_id", "pad_id"), [(40_000, 1), (1, 40_000), (-1, 1), (1, -1)])
def test_an_end_or_padding_that_the_tokenizer_lacks_is_refused(
    t5_file: Path, eos_id: int, pad_id: int
) -> None:
    with pytest.raises(TextError, match="is out of range"):
        CaptionTokenizer.load(t5_file, length=256, eos_id=eos_id, pad_id=pad_id)


def test_the_digest_decides(t5_file: Path) -> None:
    digest = hashlib.sha256(t5_file.read_bytes()).hexdigest()
    CaptionTokenizer.load(t5_file, length=8, digest=digest)
    with pytest.raises(TextError, match="not the one"):
        CaptionTokenizer.load(t5_file, length=8, digest="00" * 32)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not json",
        b"[]",
        b"\xff",
        json.dumps({"version": "1.0"}).encode(),
        b'{"model": {"type": "Odd"}}',
    ],
)
def test_other_files_are_no_tokenizers(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "tokenizer.json").write_bytes(content)
    with pytest.raises(TextError, match="not a tokenizer"):
        CaptionTokenizer.load(tmp_path / "tokenizer.json", length=8)


def test_a_tokenizer_that_cannot_take_a_caption_says_so(tmp_path: Path) -> None:
    """Its file names a token for unknown words that it does not have, which the library notices at the first one."""
    tokenizer = Tokenizer(models.WordLevel({"red": 0, "heart": 1}, unk_token="[UNK]"))
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    loaded = CaptionTokenizer.load(tmp_path / "tokenizer.json", length=8)
    for ask in (
        lambda: loaded.encode(["cat"]),
        lambda: loaded.encode_prompt("cat"),
        lambda: loaded.count("cat"),
    ):
        with pytest.raises(TextError, match="tokenizer fails"):
            ask()


def test_a_file_too_large_is_never_read_whole(tmp_path: Path) -> None:
    with (tmp_path / "tokenizer.json").open("wb") as file:
        file.truncate(MAX_TOKENIZER_BYTES * 1024)
    with pytest.raises(TextError, match="too many"):
        CaptionTokenizer.load(tmp_path / "tokenizer.json", length=8)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TextError, match=r"nowhere\.json"):
        CaptionTokenizer.load(tmp_path / "nowhere.json", length=8)


@pytest.mark.parametrize("prompt", ["a red heart", "  cat ", "cat \N{SNOWMAN}", " ".join(["cat"] * 255)])
def test_a_prompt_that_can_be_read_is_encoded_as_a_caption_is(paper: CaptionTokenizer, prompt: str) -> None:
    assert torch.equal(paper.encode_prompt(prompt), paper.encode([prompt]))


@pytest.mark.parametrize(
    ("prompt", "says"),
    [
        (" ".join(["cat"] * 256), "it has 25[67] tokens, and the model reads 255"),
        ("cat " * 10_000, "it has 39,999 characters"),
        ("\N{SNOWMAN}", "no word that this run's model knows"),
        ("", "no word that this run's model knows"),
    ],
    ids=["a token too many", "far too long", "unknown", "empty"],
)
def test_nothing_of_a_prompt_is_cut_off_or_unknown_in_silence(
    paper: CaptionTokenizer, prompt: str, says: str
) -> None:
    with pytest.raises(TextError, match=says):
        paper.encode_prompt(prompt)
