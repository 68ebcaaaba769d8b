"""The small scorer: what it saves it is again, and files that are not one are refused before memory is taken."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer, models, pre_tokenizers
from torch import Tensor

from core.errors import RankingError
from core.ranking.ranker import best
from core.ranking.scorer import Scorer, ScorerConfig, ScorerRanker
from core.text import CaptionTokenizer

WORDS = ("<pad>", "</s>", "<unk>", "red", "heart", "sun")
CONFIG = ScorerConfig(vocab=len(WORDS), length=4, resolution=16, width=8, dim=8)


def tokenizer(length: int = CONFIG.length, words: tuple[str, ...] = WORDS) -> CaptionTokenizer:
    model = models.WordLevel({word: index for index, word in enumerate(words)}, unk_token="<unk>")
    tokens = Tokenizer(model)
    tokens.pre_tokenizer = pre_tokenizers.Whitespace()
    return CaptionTokenizer(tokens, length=length, eos_id=1, pad_id=1)


def pictures(count: int, side: int = CONFIG.resolution) -> Tensor:
    return torch.rand(count, 3, side, side, generator=torch.Generator().manual_seed(0))


@pytest.fixture
def scorer() -> Scorer:
    torch.manual_seed(0)
    return Scorer(CONFIG)


@pytest.fixture
def file(scorer: Scorer, tmp_path: Path) -> Path:
    scorer.save(tmp_path / "scorer.safetensors")
    return tmp_path / "scorer.safetensors"


def test_a_scorer_is_again_what_was_saved_to_16_bits(scorer: Scorer, file: Path) -> None:
    loaded = Scorer.load(file)
    assert loaded.config == CONFIG
    for name, tensor in scorer.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], tensor.half().float()), name


def test_embeddings_have_length_1_and_their_cosines_are_the_scores(file: Path) -> None:
    ranker = ScorerRanker.load(file, tokenizer())
    texts, images = ["red heart", "sun"], pictures(5)
    read, seen = ranker.embed_texts(texts), ranker.embed_images(images)
    torch.testing.assert_close(torch.cat([read, seen]).norm(dim=1), torch.ones(7))
    for text, row in zip(texts, read @ seen.T, strict=True):
        torch.testing.assert_close(row, ranker.scores(text, images))
    with pytest.raises(RankingError):
        ranker.embed_images(images * float("nan"))


def test_every_picture_is_scored_by_itself_whatever_it_comes_with(file: Path) -> None:
    ranker = ScorerRanker.load(file, tokenizer())
    images = pictures(300)
    scores = ranker.scores("red heart", images)
    assert scores.shape == (300,)
    assert scores.dtype == torch.float32
    assert float(scores.abs().max()) <= 1
    torch.testing.assert_close(ranker.scores("red heart", images.flip(0)).flip(0), scores)
    torch.testing.assert_close(ranker.scores("red heart", images[299:]), scores[299:])
    assert not torch.allclose(ranker.scores("sun", images), scores)


@pytest.mark.parametrize("side", [8, 40])
def test_pictures_of_other_sizes_are_resized(file: Path, side: int) -> None:
    ranker, colours = ScorerRanker.load(file, tokenizer()), pictures(3)[:, :, :1, :1]
    resized = ranker.scores("sun", colours.expand(3, 3, side, 2 * side))
    torch.testing.assert_close(resized, ranker.scores("sun", colours.expand(3, 3, 16, 16)))


def test_the_best_come_first_and_of_equal_ones_the_earlier() -> None:
    different = [torch.full((3, 4, 4), 50 * level, dtype=torch.uint8) for level in range(4)]
    assert best(torch.tensor([0.1, 0.5, 0.3, 0.5]), 3, different) == [1, 3, 2]
    assert best(torch.tensor([0.1, 0.5]), 4, different) == [1, 0]


def test_a_picture_that_looks_like_a_better_one_is_kept_last() -> None:
    red, blue = (
        torch.zeros((3, 8, 8), dtype=torch.uint8).index_fill(0, torch.tensor(c), 200) for c in (0, 2)
    )
    hardly_other = red.clone()
    hardly_other[0, 0, 0] = 255
    scores, drawn = torch.tensor([0.9, 0.9, 0.9, 0.2]), [red, red.clone(), hardly_other, blue]
    assert best(scores, 1, drawn) == [0]
    assert best(scores, 2, drawn) == [0, 3]
    assert best(scores, 3, drawn) == [0, 3, 1]
    assert best(scores, 4, drawn) == [0, 1, 2, 3], "all are kept, in their order"


def test_a_picture_that_is_none_is_refused(file: Path) -> None:
    images = pictures(2)
    images[1, 0, 3, 3] = float("nan")
    with pytest.raises(RankingError, match="are not finite"):
        ScorerRanker.load(file, tokenizer()).scores("sun", images)


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory."),
        RuntimeError("DefaultCPUAllocator: can't allocate memory"),
    ],
)
def test_where_memory_ends_so_does_the_ranking_and_nothing_else(scorer: Scorer, error: RuntimeError) -> None:
    def end(*_: object) -> None:
        raise error

    scorer.image.register_forward_pre_hook(end)
    with pytest.raises(RankingError, match="too little memory"):
        ScorerRanker(scorer, tokenizer()).scores("sun", pictures(1))


@pytest.mark.parametrize("shape", [(3, 16, 16), (1, 1, 16, 16), (0, 3, 16, 16)])
def test_another_shape_is_the_callers_mistake(file: Path, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="floats of shape"):
        ScorerRanker.load(file, tokenizer()).scores("sun", torch.zeros(shape))


@pytest.mark.parametrize("other", [tokenizer(length=5), tokenizer(words=(*WORDS, "moon"))])
def test_a_scorer_for_other_tokens_is_refused(file: Path, other: CaptionTokenizer) -> None:
    with pytest.raises(RankingError, match="another tokenizer"):
        ScorerRanker.load(file, other)


def rewrite(file: Path, tensors: dict[str, Tensor] | None = None, **config: object) -> None:
    """The file with other tensors or with another configuration than belongs to them."""
    table = {**json.loads(CONFIG.model_dump_json()), **config}
    save_file(tensors or load_file(file), file, {"scorer": json.dumps(table)})


def without_one(file: Path) -> None:
    tensors = load_file(file)
    del tensors["text.words"]
    rewrite(file, tensors)


def in_another_kind_of_numbers(file: Path) -> None:
    rewrite(file, {name: tensor.to(torch.float8_e8m0fnu) for name, tensor in load_file(file).items()})


def with_nonsense(file: Path) -> None:
    rewrite(file, {name: torch.full_like(tensor, float("nan")) for name, tensor in load_file(file).items()})


DAMAGE: list[tuple[str, Callable[[Path], object], str]] = [
    ("gone", Path.unlink, "cannot be read"),
    ("empty", lambda file: file.write_bytes(b""), "damaged"),
    ("cut short", lambda file: file.write_bytes(file.read_bytes()[:-1]), "damaged"),
    ("a pickle", lambda file: torch.save({"a": 1}, file), "damaged"),
    ("no scorer", lambda file: save_file({"a": torch.zeros(1)}, file), "vocab is missing"),
    ("unlike its sizes", lambda file: rewrite(file, dim=16), "not hold the weights"),
    ("claiming much", lambda file: rewrite(file, vocab=1 << 16, dim=1024), "not hold the weights"),
    ("claiming too much", lambda file: rewrite(file, dim=1 << 20), "dim"),
    ("in other numbers", in_another_kind_of_numbers, "not hold the weights"),
    ("incomplete", without_one, "not hold the weights"),
]


@pytest.mark.parametrize(("damage", "named"), [case[1:] for case in DAMAGE], ids=[case[0] for case in DAMAGE])
def test_a_file_that_is_no_scorer_is_refused(
    file: Path, damage: Callable[[Path], object], named: str
) -> None:
    damage(file)
    with pytest.raises(RankingError, match=named) as refusal:
        Scorer.load(file)
    assert str(file) in refusal.value.what


def test_weights_that_are_no_numbers_are_noticed(file: Path) -> None:
    with_nonsense(file)
    with pytest.raises(RankingError, match="scores that are not finite"):
        ScorerRanker.load(file, tokenizer()).scores("sun", pictures(1))
