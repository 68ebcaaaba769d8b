"""Counts of parameters, against the published ones."""

import pytest

from core.memory.models import GPT2, MODELS, Bert, known_model
from core.memory.parameters import count, parameters


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("bert-base", 109_514_298),  # with the head of its masked language model, without the pooler
        ("bert-large", 335_174_458),
        ("t5-small", 60_506_624),
        ("t5-base", 222_903_552),
        ("t5-large", 737_668_096),
        ("t5-3b", 2_851_598_336),
        ("t5-11b", 11_307_321_344),
        ("gpt2", 124_439_808),
        ("gpt2-medium", 354_823_168),
        ("gpt2-large", 774_030_080),
        ("gpt2-xl", 1_557_611_200),
        ("gpt-j-6b", 6_050_882_784),
        ("dalle", 125_894_244),
    ],
)
def test_counts_are_those_of_the_published_weights(name: str, published: int) -> None:
    assert count(MODELS[name].architecture) == published


@pytest.mark.parametrize(
    ("name", "billions"),
    [
        ("gpt3-125m", 0.125),
        ("gpt3-350m", 0.356),
        ("gpt3-760m", 0.76),
        ("gpt3-1.3b", 1.316),
        ("gpt3-2.7b", 2.65),
        ("gpt3-6.7b", 6.66),
        ("gpt3-13b", 12.85),
        ("gpt3-175b", 174.6),
        ("dalle-12b", 12.2),
    ],
)
def test_counts_come_to_what_the_papers_round(name: str, billions: float) -> None:
    assert count(MODELS[name].architecture) / 1e9 == pytest.approx(billions, rel=0.005)


def test_the_backbone_of_bert_has_its_published_size() -> None:
    bert = Bert(layers=12, width=768, heads=12)
    head = sum(item.total for item in parameters(bert) if item.name.startswith("head"))
    pooler = 768 * 768 + 768
    assert count(bert) - head + pooler == 109_482_240


def test_shared_layers_are_counted_once() -> None:
    model = GPT2(layers=12, width=64, heads=2)
    layer = count(GPT2(layers=1, width=64, heads=2)) - count(GPT2(layers=0, width=64, heads=2))
    assert count(model) - count(model, shared_layers=4) == 8 * layer
    assert count(model, shared_layers=99) == count(model)


def test_names_are_known_in_any_case() -> None:
    assert known_model(" GPT2-XL ") is MODELS["gpt2-xl"]
