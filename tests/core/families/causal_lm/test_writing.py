"""A model writes the same text whatever is kept of what it has read, and cards show it."""

import math
from pathlib import Path

import pytest
import torch
import torch.nn.functional as F

from core.errors import GenerationError
from core.families.causal_lm.cards import SIDE, card
from core.families.causal_lm.config import CausalConfig
from core.families.causal_lm.model import CausalTransformer
from core.families.causal_lm.writing import PIECE, TEMPERATURE, TOP_K, TextReading, Writing
from core.model.family.publishing import WritingChoices
from core.model.techniques import Precision, Techniques
from core.run.manifest import RunManifest
from core.run.training.families import family_of
from tests.swarms.text_run import MODEL, write_text_run

PROMPTS = ("The number", "")


def build(config: CausalConfig = MODEL, techniques: Techniques | None = None) -> CausalTransformer:
    return CausalTransformer(config, torch.Generator().manual_seed(3), techniques)


@pytest.mark.parametrize("reversible", [False, True])
def test_what_is_read_piece_by_piece_is_what_is_read_at_once(reversible: bool) -> None:
    model = build(MODEL.model_copy(update={"reversible": reversible}))
    tokens = torch.randint(0, MODEL.vocab, (1, 10), generator=torch.Generator().manual_seed(0))
    reader = TextReading(model)
    for piece in tokens.split([4, 1, 3, 2], dim=1):
        found = reader.read(piece)
    with torch.no_grad():
        hidden, _ = model.encode(tokens, remember=False)
        expected = F.linear(hidden[0, -1], model.vocabulary.weight)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)
    with pytest.raises(ValueError, match="reads 16 tokens at most"):
        reader.read(tokens)


def choices(tokens: int, seed: int = 0) -> WritingChoices:
    return WritingChoices(tokens, TEMPERATURE, TOP_K, seed)


def written(model: CausalTransformer, seed: int) -> torch.Tensor:
    writing = Writing(model, [[5, 6, 7], list(range(1, 40)), []], end_id=0, choices=choices(8, seed))
    while not writing.done:
        writing.step()
    return writing.codes()


def test_the_same_seed_writes_the_same_text_and_another_one_another() -> None:
    model = build()
    before = torch.get_rng_state()
    first, again, other = (written(model, seed) for seed in (0, 0, 1))
    assert first.shape == (3, 8)
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
    assert torch.equal(before, torch.get_rng_state()), "the global generator is left alone"


def test_a_model_in_sixteen_bits_writes() -> None:
    assert written(build(techniques=Techniques(precision=Precision.BFLOAT16)), 0).shape == (3, 8)


def test_a_long_prompt_is_read_in_pieces() -> None:
    model = build(MODEL.model_copy(update={"length": 128}))
    prompt = torch.randint(1, MODEL.vocab, (100,), generator=torch.Generator().manual_seed(0)).tolist()
    writing, steps = Writing(model, [prompt], end_id=0, choices=choices(1)), 0
    while not writing.done:
        writing.step()
        steps += 1
    assert steps == 1 + math.ceil(100 / PIECE)
    whole = TextReading(model).read(torch.tensor([prompt]))
    assert int(writing.codes()[0, 0]) in whole.topk(TOP_K).indices


def test_writing_takes_what_is_kept_of_a_text_as_well(tmp_path: Path) -> None:
    manifest = RunManifest.load(write_text_run(tmp_path))
    maker = family_of(manifest.training).specimens(manifest, tmp_path, PROMPTS)
    model = build()
    copied = sum(item.numel() * item.element_size() for item in (*model.parameters(), *model.buffers()))
    reader = TextReading(model)
    reader.read(torch.zeros(1, MODEL.length, dtype=torch.int64))
    kept = sum(item.numel() * item.element_size() for pair in reader._kept.values() for item in pair)
    with pytest.raises(GenerationError, match="Writing needs"):
        maker.begin(model, copied + kept)
    maker.begin(model, copied + 2 * kept + 4 * MODEL.vocab)


def test_specimens_are_texts_and_cards(tmp_path: Path) -> None:
    manifest = RunManifest.load(write_text_run(tmp_path))
    maker = family_of(manifest.training).specimens(manifest, tmp_path, PROMPTS)
    drawing = maker.begin(build(), 1 << 30)
    while not drawing.done:
        drawing.step()
    texts, cards = maker.texts(drawing.codes()), maker.pictures(drawing.codes())
    assert len(texts) == len(PROMPTS)
    assert not texts[0].startswith(PROMPTS[0]), "the prompt is not repeated"
    assert all(texts)
    assert cards.shape == (2, 3, SIDE, SIDE)
    assert cards.shape[2] <= maker.tile


def test_a_card_shows_its_text_within_its_edges() -> None:
    empty, short, long = card("", ""), card("A prompt", "and more"), card("A prompt", "word " * 500)
    assert (empty == empty[:, :1, :1]).all()
    for shown in (short, long, card("A prompt", "w" * 500)):
        inked = (shown != empty).any(dim=0)
        assert inked.any()
        assert not inked[:8].any()
        assert not inked[-8:].any()
        assert not inked[:, :8].any()
        assert not inked[:, -8:].any()
    assert (long != empty).sum() > 5 * (short != empty).sum()


def test_a_card_breaks_long_words_and_shows_no_boxes_for_letters_that_the_typeface_lacks() -> None:
    empty, broken, cut = card("", ""), card("", "w" * 60), card("", "w" * 20)
    assert (broken != empty).sum() > 2 * (cut != empty).sum(), "nothing of the word is left out"
    foreign = card("数学", "方程 式 пример")
    assert torch.equal(foreign, card("[…]", "[…]")), "boxes say nothing"
    assert torch.equal(card("", "w " * 1_000_000), card("", "w " * 1000))
