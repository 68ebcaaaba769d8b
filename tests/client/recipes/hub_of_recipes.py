"""A Hub on loopback with the files of a tiny run and its published weights, and the recipe that names them."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import tomli_w
import torch

from client.fetching.web_client import WebClient
from client.recipes.hub_fetcher import WORDING, HubFetcher
from core.http_client import HttpClient
from core.ranking.scorer import Scorer, ScorerConfig
from core.run.manifest import RunManifest
from core.text import CaptionTokenizer
from tests.core.published.hivemind_state import state_of
from tests.hub.writable_hub import WritableHub, writable_hub
from tests.swarms.drawable_run import PROMPTS, write_drawable_run
from tests.swarms.tiny_run import MODEL

CODEC, TEXT, WEIGHTS, DATA, RANKER = "ada/codec", "ada/text", "ada/weights", "ada/codes", "ada/ranker"
COMMIT = "c" * 40
"""Commit of the data set."""


@contextmanager
def hub_with_recipe(folder: Path) -> Iterator[tuple[WritableHub, Path]]:
    """Give a Hub, and the file of a recipe whose run, data and published weights are on it."""
    tables, files = recipe_of(write_drawable_run(folder / "run"))
    recipe = folder / "tiny.toml"
    recipe.write_text(tomli_w.dumps(tables))
    with writable_hub() as hub:
        for repo, content in files.items():
            hub.make(repo, content, revision=COMMIT if repo == DATA else None)
        yield hub, recipe


def recipe_of(manifest: Path) -> tuple[dict[str, Any], dict[str, dict[str, bytes]]]:
    """Return the tables of the recipe of a run, and the files that it names, by repository."""
    training, folder = RunManifest.load(manifest).training.model_dump(mode="json"), manifest.parent
    codec, text = training["codec"], training["text"]
    files = {CODEC: {}, TEXT: {}, WEIGHTS: {"model_state.pt": weights()}, DATA: {}}
    files[RANKER] = {"scorer.safetensors": scorer(folder / text["tokenizer"]["path"])}
    for table, key, repo in ((codec, "config", CODEC), (codec, "weights", CODEC), (text, "tokenizer", TEXT)):
        path = table[key]["path"]
        files[repo][f"deep/{path}"] = (folder / path).read_bytes()
        table[key] = f"hf://{repo}@main/deep/{path}"
    for shard in training["data"].pop("shards"):
        files[DATA][shard["path"]] = (folder / shard["path"]).read_bytes()
    training["data"]["hub"] = {"repo": DATA, "revision": "main"}
    ranking = {"kind": "scorer", "weights": f"hf://{RANKER}/scorer.safetensors"}
    contact = {"title": "A tiny run", "sample_prompts": list(PROMPTS), "ranking": ranking}
    published = {"model": f"hf://{WEIGHTS}/model_state.pt"}
    return without_nothing({"training": training, "contact": contact, "published": published}), files


def without_nothing(value: Any) -> Any:
    """Return tables without the values that TOML cannot write."""
    if isinstance(value, dict):
        return {key: without_nothing(inner) for key, inner in value.items() if inner is not None}
    return value


def weights() -> bytes:
    """Return weights of the tiny model as dalle-hivemind would publish them."""
    file = io.BytesIO()
    torch.save(state_of(MODEL), file)
    return file.getvalue()


def scorer(tokenizer: Path) -> bytes:
    """Return an untrained scorer of the tiny run's captions."""
    tokens = CaptionTokenizer.load(tokenizer, length=MODEL.text_length).vocab_size
    file = tokenizer.with_name("scorer.safetensors")
    Scorer(ScorerConfig(vocab=tokens, length=MODEL.text_length, resolution=16, width=8, dim=8)).save(file)
    return file.read_bytes()


@contextmanager
def fetching_from(hub: WritableHub) -> Iterator[HubFetcher]:
    with WebClient(HttpClient(), WORDING) as web:
        yield HubFetcher(web, hub.address)
