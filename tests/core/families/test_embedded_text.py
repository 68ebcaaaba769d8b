"""The embedded text run is what its recipe makes of Python's documentation."""

import json
from pathlib import Path

import pytest

from assets.embedded.recipe.collect_text import TEXT, distinct, docstrings, is_held_out
from assets.embedded.recipe.write_text_run import MODEL, read_texts, train_tokenizer, training_rules
from client.joining.embedded import MANIFESTS, EmbeddedSet, embedded_run
from core.families.causal_lm.rules import CausalRules
from core.families.causal_lm.tokens import TextTokenizer
from core.run.manifest import RunManifest


@pytest.fixture(scope="module")
def manifest() -> RunManifest:
    return RunManifest.load(embedded_run() / MANIFESTS[EmbeddedSet.TEXT])


def test_its_manifest_has_the_rules_of_the_recipe(manifest: RunManifest) -> None:
    assert manifest.training == training_rules(TEXT)
    assert manifest.contact.sample_prompts


def test_its_tokenizer_is_made_of_its_text_and_loses_nothing(manifest: RunManifest) -> None:
    texts = read_texts(TEXT)
    assert sum(map(len, texts)) > 1_000_000
    made = json.loads(train_tokenizer(texts).to_str())
    assert made == json.loads((TEXT / "tokenizer.json").read_text(encoding="utf-8"))
    training = manifest.training
    assert isinstance(training, CausalRules)
    tokenizer = TextTokenizer.of_run(training, TEXT)
    for text in (texts[0], "naïve 😀 – “quoted”\n\n\tindented"):
        tokens = tokenizer.encode(text)
        assert tokenizer.decode(tokens) == text
        assert 0 <= min(tokens) <= max(tokens) < MODEL.vocab


def test_paragraphs_come_once_and_short_ones_not_at_all() -> None:
    long = "A paragraph that says enough to be learned from."
    documents = {"b": f"{long}\n\nshort\n\nAnother one, which also says enough to stay.", "a": f"{long}\n"}
    assert list(distinct(documents)) == [("a", long), ("b", "Another one, which also says enough to stay.")]
    held_out = [number for number in range(2000) if is_held_out(f"module {number}.py")]
    assert 60 < len(held_out) < 140


def test_docstrings_of_all_kinds_are_found() -> None:
    source = '"""Of the module."""\nclass A:\n    """Of the class."""\n    def f(self): "Of the method."\n'
    assert docstrings(source) == "Of the module.\n\nOf the class.\n\nOf the method."
    assert docstrings("not python(") == ""


def test_licence_and_origin_lie_beside_it() -> None:
    licences = Path(TEXT, "licenses")
    assert "PYTHON SOFTWARE FOUNDATION LICENSE" in (licences / "Python-3.11-LICENSE.txt").read_text()
    assert "PSF License" in (licences / "ATTRIBUTION.md").read_text(encoding="utf-8")
