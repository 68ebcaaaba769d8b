"""The model card: ``README.md`` with the YAML that the Hugging Face Hub reads, and what people ask first."""

import re
from collections.abc import Mapping
from typing import Any

import yaml

from core.model.config import ModelConfig
from core.published.document import FileOrigin, ModelDocument, ModelOrigin, RunOrigin
from core.run.contact import ClipRanking, Ranking
from core.run.describe import parameter_count

_PAPER = "[Training Transformers Together](https://arxiv.org/abs/2207.03481) (Borzunov et al., 2022)"
_LICENSE = re.compile(r"---\nlicense: (\S+)\n")
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~])")


def model_card(document: ModelDocument, license_id: str | None = None) -> str:
    """Return the card of the model that ``document`` describes; it depends on nothing else.

    ``license_id`` is one of the Hub's identifiers, such as ``apache-2.0``. Without one, the card claims no
    licence.
    """
    sections = [
        _front_matter(document, license_id),
        f"# {title_of(document.origin)}\n\n{_summary(document)}",
        f"## How to draw with it\n\n{_use(document)}",
        f"## What it is\n\n{_table(document.model)}",
        f"## Where it comes from\n\n{source_of(document.origin, document.parameter_digest)}",
        f"## What to expect of it\n\n{_limits(license_id)}",
    ]
    return "\n\n".join(sections) + "\n"


def is_as_written(card: str, document: ModelDocument) -> bool:
    """Return True if ``card`` is that of ``document`` under any licence, and has not been changed since."""
    license_id = _LICENSE.match(card)
    return card == model_card(document, license_id[1] if license_id else None)


def front_matter(fields: Mapping[str, Any], license_id: str | None, data: str | None) -> str:
    """Return the YAML at the head of a card.

    Args:
        fields: Library, task and tags.
        license_id: One of the Hub's identifiers; None: no licence is named.
        data: Data set on the Hub that the model learned from; None: it is not there.
    """
    found = {**({"license": license_id} if license_id else {}), **fields}
    if data:
        found["datasets"] = [data]
    return f"---\n{yaml.safe_dump(found, sort_keys=False, allow_unicode=True)}---"


def _front_matter(document: ModelDocument, license_id: str | None) -> str:
    fields = {
        "library_name": "idlebrush",
        "pipeline_tag": "text-to-image",
        "tags": ["text-to-image", "dalle", "vqgan", "collaborative-training", "idlebrush"],
    }
    data = document.origin.data if isinstance(document.origin, RunOrigin) else None
    return front_matter(fields, license_id, data)


def title_of(origin: ModelOrigin) -> str:
    """Return the title of the card of a model of that ``origin``, for Markdown."""
    if isinstance(origin, RunOrigin):
        return f"{_plain(origin.run)}, epoch {origin.epoch:,}"
    return _plain(origin.name)


def _summary(document: ModelDocument) -> str:
    model = document.model
    return (
        f"A text-to-image transformer of {parameter_count(model):,} parameters in {model.depth} layers. It reads a "
        f"prompt of up to {model.text_length} tokens and draws a picture as {model.grid} x {model.grid} codes of a "
        f"VQ-GAN. Architecture and procedure are those of {_PAPER}."
    )


def _use(document: ModelDocument) -> str:
    lines = ["With Idlebrush installed, in this folder:", "", "```sh"]
    best = " --best 4" if document.ranking else ""
    lines += [f'idlebrush generate "a red heart" --checkpoint . -n 16{best} --out pictures', "```"]
    if document.ranking:
        lines += ["", f"{_ranker(document.ranking)} picks the best of many pictures (`--best`)."]
    missing = [
        name for name, part in (("tokenizer", document.text), ("image codec", document.codec)) if part is None
    ]
    if missing:
        lines += ["", f"The folder has no {' and no '.join(missing)}; drawing needs the model's own."]
    return "\n".join(lines)


def _ranker(ranking: Ranking) -> str:
    if isinstance(ranking, ClipRanking):
        return f"[{ranking.repo}](https://huggingface.co/{ranking.repo}/tree/{ranking.revision})"
    return f"A small scorer that was trained with the model's data, `{ranking.weights.path}`,"


def _table(model: ModelConfig) -> str:
    rows = ["| setting | value |", "| --- | --- |"]
    for name, value in model.model_dump(mode="json").items():
        shown = ", ".join(value) if isinstance(value, list) else value
        rows.append(f"| `{name}` | {shown} |")
    return "\n".join(rows)


def source_of(origin: ModelOrigin, digest: str) -> str:
    """Return what a card says of the ``origin`` of a model, whose parameters have that ``digest``."""
    if isinstance(origin, FileOrigin):
        sentences = [f"Imported from the file {_plain(origin.name)} with the SHA-256 `{origin.sha256}`."]
    else:
        sentences = [
            f"Trained together by the volunteers of the run {_plain(origin.run)}, of which this is epoch "
            f"{origin.epoch:,}; the run's digest is `{_plain(origin.training_digest)}`. Who they were is not kept in "
            "a checkpoint: ask the run's organiser for the list of contributors."
        ]
    sentences.append(f"Digest of the parameters, which identifies copies: `{digest}`.")
    return "\n\n".join(sentences)


def _limits(license_id: str | None) -> str:
    limits = [
        "- It knows what its data showed it, with that data's biases, and no more: expect nothing of words and "
        "combinations that were rare there, of writing, of counting, or of faces.",
        "- Trained on little data, it repeats pictures of that data.",
        "- Nothing filters what it draws. Look at pictures before you show them to others.",
        "- A run that continues makes better checkpoints than an early one of it.",
    ]
    if not license_id:
        limits.append("- No licence was named for it: ask the run's organiser before you build on it.")
    return "\n".join(limits)


def _plain(text: str) -> str:
    """Return text that Markdown shows as it is."""
    return _MARKS.sub(r"\\\1", text)
