"""CLIP ranks as the transformers library scores, whatever the pictures; and a bad model is refused in words."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from PIL import Image
from torch import Tensor
from transformers import CLIPModel, CLIPProcessor, CLIPTokenizer
from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

from core.errors import CoreError, RankingError
from core.ranking.clip import ClipRanker
from tests.core.ranking.tiny_clip import TEXT, VISION, write_tiny_clip

Table = dict[str, Any]


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_clip(tmp_path_factory.mktemp("clip"))


@pytest.fixture
def copy(clip: Path, tmp_path: Path) -> Path:
    """A model of one's own, to be damaged."""
    for file in clip.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def edit(folder: Path, change: Callable[[Table], object]) -> None:
    table = json.loads((folder / "config.json").read_text())
    change(table)
    (folder / "config.json").write_text(json.dumps(table))


def pictures(*shape: int, seed: int = 0) -> Tensor:
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed))


def by_transformers(folder: Path, prompt: str, images: Tensor) -> Tensor:
    """Cosines as its own model, tokenizer and processor give them."""
    side = {"height": VISION["image_size"], "width": VISION["image_size"]}
    processor = CLIPProcessor(
        CLIPImageProcessorPil(size={"shortest_edge": VISION["image_size"]}, crop_size=side),
        CLIPTokenizer.from_pretrained(folder),
    )
    files = [Image.fromarray((image * 255).round().byte().permute(1, 2, 0).numpy()) for image in images]
    words = {"truncation": True, "max_length": TEXT["max_position_embeddings"]}
    model = CLIPModel.from_pretrained(folder).eval()
    with torch.no_grad():
        answer = model(**processor(text=[prompt], images=files, return_tensors="pt", **words))
    scores: Tensor = answer.logits_per_text[0] / model.logit_scale.exp()
    return scores


@pytest.mark.parametrize("prompt", ["a red heart", "Ünïcode, 7 hearts!", "heart " * 40, ""])
@pytest.mark.parametrize("shape", [(3, 3, 32, 32), (2, 3, 64, 48), (35, 3, 16, 16)])
def test_scores_are_those_of_transformers(clip: Path, prompt: str, shape: tuple[int, ...]) -> None:
    images = pictures(*shape)
    scores = ClipRanker.load(clip).scores(prompt, images)
    torch.testing.assert_close(scores, by_transformers(clip, prompt, images), atol=1e-5, rtol=0)


def test_embeddings_have_length_1_and_their_cosines_are_the_scores(clip: Path) -> None:
    ranker, texts, images = ClipRanker.load(clip), ["a red heart", "a cat"], pictures(3, 3, 20, 20)
    read, seen = ranker.embed_texts(texts), ranker.embed_images(images)
    torch.testing.assert_close(torch.cat([read, seen]).norm(dim=1), torch.ones(5))
    for text, row in zip(texts, read @ seen.T, strict=True):
        torch.testing.assert_close(row, ranker.scores(text, images))


@pytest.mark.parametrize("end", [0, 5, 10**9, "end", None])
def test_whatever_a_configuration_says_of_the_end_a_prompt_is_read_to_it(copy: Path, end: object) -> None:
    expected = ClipRanker.load(copy).scores("a heart", pictures(2, 3, 32, 32))
    edit(copy, lambda table: table["text_config"].update(eos_token_id=end))
    assert torch.equal(ClipRanker.load(copy).scores("a heart", pictures(2, 3, 32, 32)), expected)


def test_configurations_of_before_the_end_was_named_are_read_as_transformers_reads_them(copy: Path) -> None:
    edit(copy, lambda table: table["text_config"].update(eos_token_id=2))
    scores = ClipRanker.load(copy).scores("a heart", pictures(2, 3, 32, 32))
    torch.testing.assert_close(
        scores, by_transformers(copy, "a heart", pictures(2, 3, 32, 32)), atol=1e-5, rtol=0
    )


def test_nothing_that_a_configuration_asks_for_beyond_sizes_is_looked_for(copy: Path) -> None:
    expected = ClipRanker.load(copy).scores("heart", pictures(2, 3, 32, 32))
    lures = {
        "auto_map": {"AutoModel": "code.Model"},
        "_attn_implementation": "kernels-community/flash-attn",
        "quantization_config": {"quant_method": "bitsandbytes", "load_in_8bit": True},
    }
    edit(copy, lambda table: table.update(lures, text_config={**table["text_config"], **lures}))
    assert torch.equal(ClipRanker.load(copy).scores("heart", pictures(2, 3, 32, 32)), expected)


BAD_CONFIGURATIONS: list[tuple[str, Callable[[Table], object], str]] = [
    ("another family", lambda t: t.update(model_type="bert"), "model_type"),
    ("too wide", lambda t: t["text_config"].update(hidden_size=1 << 30), "text_config.hidden_size"),
    ("pictures too large", lambda t: t["vision_config"].update(image_size=10**6), "vision_config.image_size"),
    (
        "unknown activation",
        lambda t: t["vision_config"].update(hidden_act="exec"),
        "vision_config.hidden_act",
    ),
    ("heads that do not divide", lambda t: t["text_config"].update(num_attention_heads=3), "must divide"),
    ("other sizes than the weights'", lambda t: t["text_config"].update(hidden_size=32), "size"),
    ("more layers than the weights", lambda t: t["text_config"].update(num_hidden_layers=3), "lacks"),
    (
        "a model that the weights are too few for",
        lambda t: t["text_config"].update(num_hidden_layers=128, intermediate_size=8192),
        "too small",
    ),
    ("fewer words than the tokenizer", lambda t: t["text_config"].update(vocab_size=100), "tokens"),
]


@pytest.mark.parametrize(
    ("change", "named"),
    [case[1:] for case in BAD_CONFIGURATIONS],
    ids=[case[0] for case in BAD_CONFIGURATIONS],
)
def test_a_bad_configuration_is_refused_by_name(
    copy: Path, change: Callable[[Table], object], named: str
) -> None:
    edit(copy, change)
    with pytest.raises(CoreError, match=named):
        ClipRanker.load(copy)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors"])
@pytest.mark.parametrize("content", [None, b"", b"\x80\x04 no longer what it was"])
def test_a_damaged_or_missing_file_is_refused(copy: Path, name: str, content: bytes | None) -> None:
    (copy / name).unlink()
    if content is not None:
        (copy / name).write_bytes(content)
    with pytest.raises(CoreError) as refusal:
        ClipRanker.load(copy)
    assert str(copy) in refusal.value.what


def test_a_pickle_beside_missing_safetensors_is_left_alone(copy: Path) -> None:
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    with pytest.raises(RankingError):
        ClipRanker.load(copy)
