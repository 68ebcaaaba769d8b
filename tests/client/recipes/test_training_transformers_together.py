"""The recipe of the paper's run makes exactly that run, and its README says what the program computes."""

import json
import mmap
import os
import re
import subprocess
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest
import tomli_w
import torch
import yaml

from client.recipes.gathering import gather
from client.recipes.hub_file import is_commit
from client.recipes.recipe import FILE, Recipe
from coordinator.draft import Draft
from core.codec.config import CodecConfig
from core.codec.vqgan import weight_shapes
from core.generation.drawing import Drawing
from core.messages.sampling import Sampling
from core.model.config import preset
from core.model.transformer import Transformer
from core.published.model_folder import ModelFolder, open_model
from core.run.aggregation import Aggregation, RobustRules
from core.run.contact import ClipRanking
from core.run.describe import bytes_of_round
from core.run.encodings import TopK
from core.run.filters import FilterSettings
from core.run.manifest import RunManifest
from core.run.optimizer_rules import LambRules
from core.run.rules import MOST_GROUPS, ScheduleRules, SwarmRules
from core.run.training.data_rules import CodesBegin, HubSource
from core.run.training.families import picture_rules
from tests.client.recipes.hub_of_recipes import fetching_from
from tests.command_line import COMMAND, idlebrush
from tests.core.codec.test_codec_loading import published_gumbel_document
from tests.core.data.streaming.test_published_layout import write_as_published
from tests.core.published.hivemind_state import state_of
from tests.core.test_text import t5_shaped
from tests.hub.writable_hub import WritableHub, writable_hub

NAME = "training-transformers-together"
FOLDER = Path(__file__).parents[3] / "assets" / "recipes" / NAME
README = (FOLDER / "README.md").read_text()
PAGE = (FOLDER.parents[2] / "docs" / "organisers" / "paper-run.md").read_text()
NOW = datetime(2026, 6, 1, tzinfo=UTC)
DATA_COMMIT = "d" * 40
CODEC, TEXT, DATA = "neggles/vaedump", "google-t5/t5-small", "laion/laion_100m_vqgan_f8"
CODEC_FOLDER = "taming/vq-gumbel-f8-8192"
WEIGHTS = "training-transformers-together/dalle-demo-v1"
ROW = re.compile(
    r"^\| `(?P<options>--gpu-memory[^`]+)` \| [^|]+ \| (?P<how>[^|]+) \|(?P<gpu>[^|]*)\|(?P<ram>[^|]*)\|$",
    re.MULTILINE,
)


@contextmanager
def hub_of_the_paper(files: Mapping[str, Mapping[str, bytes]]) -> Iterator[WritableHub]:
    """Give a Hub that has the files at the commits that the recipe names."""
    recipe = Recipe.load(NAME)
    commits = {place.file.repo: place.file.revision for place in recipe.places()}
    commits |= {DATA: DATA_COMMIT, recipe.published.repo: recipe.published.revision}
    with writable_hub() as hub:
        for repo, content in files.items():
            hub.make(repo, content, revision=commits[repo])
        yield hub


def without_digest(table: dict[str, Any]) -> None:
    """Take the digest off the codec's weights: the real file is not here."""
    table["training"]["codec"]["weights"] = table["training"]["codec"]["weights"].partition("#")[0]


def test_its_names_are_files_at_commits_or_branches() -> None:
    recipe = Recipe.load(NAME)
    named = {str(place.file): place.file for place in recipe.places()}
    assert sorted(file.repo for file in named.values()) == [TEXT, CODEC, CODEC]
    assert all(is_commit(file.revision) for file in named.values())
    assert {file.sha256 for file in named.values() if file.path.endswith(".ckpt")} != {None}
    assert recipe.published.repo == WEIGHTS
    assert is_commit(recipe.published.revision)


@pytest.fixture(scope="module")
def draft(tmp_path_factory: pytest.TempPathFactory) -> Draft:
    """The draft that the recipe makes, with files of which only the names are right."""
    files = {
        CODEC: {f"{CODEC_FOLDER}/config.yaml": b"config", f"{CODEC_FOLDER}/model.ckpt": b"weights"},
        TEXT: {"tokenizer.json": b"{}"},
        DATA: {"0.parquet": b"rows"},
    }
    recipe = Recipe.load(NAME)
    without_digest(recipe.table)
    with hub_of_the_paper(files) as hub, fetching_from(hub) as fetcher:
        return Draft.load(gather(recipe, tmp_path_factory.mktemp("out"), fetcher).draft, NOW)


def test_the_run_is_that_of_the_paper(draft: Draft) -> None:
    rules = picture_rules(draft.training)
    assert rules.name == NAME
    assert rules.model == preset("dalle")
    assert rules.codes_begin is CodesBegin.DRAWN
    assert rules.optimizer == LambRules()
    assert rules.schedule == ScheduleRules(peak_lr=2.5e-3, warmup_epochs=3_125, total_epochs=31_250)
    assert rules.data.hub == HubSource(repo=DATA, revision=DATA_COMMIT)
    assert rules.data.filters == FilterSettings()
    assert (rules.text.length, rules.text.vocab, rules.text.eos_id, rules.text.pad_id) == (256, 32_100, 1, 1)
    paper = SwarmRules()
    ours = {
        "aggregation": Aggregation.CLIPPED_MEAN,
        "robust": RobustRules(),
        "most_groups": MOST_GROUPS,
        "recomputed_share": 0.02,
    }
    assert rules.swarm == paper.model_copy(update=ours)
    assert draft.contact.ranking == ClipRanking()
    assert draft.contact.sample_prompts[2] == "flower dress, size M"


def test_with_three_lines_it_has_the_papers_rules(draft: Draft) -> None:
    table = tomllib.loads((draft.base / "draft.toml").read_text())
    (lines,) = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    table["training"]["swarm"] |= tomllib.loads(lines)
    (draft.base / "papers.toml").write_text(tomli_w.dumps(table))
    assert Draft.load(draft.base / "papers.toml", NOW).training.swarm == SwarmRules()


def test_its_pace_is_that_of_the_schedule(draft: Draft) -> None:
    rules = draft.training
    samples = rules.schedule.total_epochs * rules.swarm.target_batch_size
    whole = samples / (75 * 86_400)
    assert f"In 75 days that is {whole:.0f} samples a second" in " ".join(README.split())
    for text in (README, PAGE):
        assert f"{0.8 * whole:.0f} samples a second" in " ".join(text.split())


def test_without_two_lines_it_is_a_run_for_homes(draft: Draft) -> None:
    table = tomllib.loads((draft.base / "draft.toml").read_text())
    for name in ("gradient_encoding", "overlap"):
        del table["training"]["swarm"][name]
    (draft.base / "homes.toml").write_text(tomli_w.dumps(table))
    swarm = Draft.load(draft.base / "homes.toml", NOW).training.swarm
    assert swarm.local_steps is not None
    assert isinstance(swarm.local_steps.drift_encoding, TopK)
    assert swarm.aggregation is Aggregation.MEAN_OF_SENDERS


def test_the_digest_of_the_codec_is_checked(tmp_path: Path) -> None:
    files = {
        CODEC: {f"{CODEC_FOLDER}/config.yaml": b"config", f"{CODEC_FOLDER}/model.ckpt": b"weights"},
        TEXT: {"tokenizer.json": b"{}"},
        DATA: {},
    }
    with hub_of_the_paper(files) as hub:
        asked = ("coordinator", "gather", NAME, tmp_path / "out")
        done = idlebrush(*asked, environment={**os.environ, "HF_ENDPOINT": hub.address})
    assert (done.returncode, done.stdout) == (2, "")
    assert "not 5cd6c74810ab97e00e942c25403f73afc081e8b19987b31ec0d9ff5b68e7ab14" in done.stderr
    assert not (tmp_path / "out" / "draft.toml").exists()


def test_its_parameters_are_counted_by_part() -> None:
    with torch.device("meta"):
        model = Transformer(preset("dalle"))
    counts = dict.fromkeys(("vocabulary", "attention", "feed_forward", "layers", "norm"), 0)
    for name, parameter in model.named_parameters():
        first, *rest = name.split(".")
        counts[rest[1] if first == "weights" else first] += parameter.numel()
    attention = 3 * 1024 * 1024 + 1024 * 1024 + 1024
    feed_forward = (1024 + 1) * 8192 + (4096 + 1) * 1024
    assert counts == {
        "vocabulary": (32_100 + 256 + 8192) * (1024 + 1),
        "attention": 5 * attention,
        "feed_forward": 5 * feed_forward,
        "layers": 64 * 2 * 3 * 1024,
        "norm": 2 * 1024,
    }
    own = sum(counts.values())
    effective = own + 59 * (attention + feed_forward)
    assert (own, effective) == (125_894_244, 1_116_354_148)
    for number in (*counts.values(), own, effective):
        assert f"{number:,}" in README


def test_its_traffic_is_that_of_the_readme(draft: Draft) -> None:
    size = bytes_of_round(draft.training)
    sent = size.values + size.aggregates
    assert f"{sent / 1e6:.0f} MB and receives" in README
    assert f"{sent * 8 / 60 / 1e6:.0f} Mbit/s" in README


@pytest.mark.parametrize("row", list(ROW.finditer(README)), ids=lambda row: row["options"])
def test_the_verdicts_of_the_planner_are_those_of_the_readme(row: re.Match[str]) -> None:
    done = idlebrush("plan", "dalle", *row["options"].split(), "--json")
    plan = json.loads(done.stdout)
    assert done.returncode == (0 if plan["fits"] else 2)
    if not plan["fits"]:
        assert (row["how"], row["gpu"].strip(), row["ram"].strip()) == ("it does not fit", "", "")
        return
    used = plan["techniques"]
    samples = f"{used['micro_batch']} sample{'s' if used['micro_batch'] > 1 else ''} at a time"
    twice = f"{used['checkpointed']} of 64 layers computed twice"
    assert row["how"] == f"{samples}, {twice if used['activations'] == 'reverse' else 'all activations kept'}"
    assert row["gpu"].strip() == (_gib(plan["taken"]["gpu"]) if plan["on_gpu"] else "none")
    assert row["ram"].strip() == _gib(plan["taken"]["ram"])


def test_the_readme_has_verdicts() -> None:
    rows = README.count("\n| `--gpu-memory")
    assert len(list(ROW.finditer(README))) == rows > 5


def _gib(size: int) -> str:
    return f"{size / 2**30:.1f} GiB"


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
def test_files_of_the_exact_shapes_make_a_run_and_draw(tmp_path: Path) -> None:
    """Codec, tokenizer, shard and weights have the names, types and shapes of the real ones, with other values."""
    source = tmp_path / "recipe" / NAME / FILE
    source.parent.mkdir(parents=True)
    source.write_text(re.sub("#sha256=[0-9a-f]{64}", "", (FOLDER / FILE).read_text()))
    gathered, home, model = tmp_path / "gathered", tmp_path / "home", tmp_path / "model"
    with hub_of_the_paper(files_of_exact_shapes(tmp_path)) as hub:
        environment = {**os.environ, "HF_ENDPOINT": hub.address, "HF_HOME": str(tmp_path / "hf")}
        succeed("coordinator", "gather", source, gathered, environment=environment)
        init_in_a_process(home, gathered / "draft.toml", environment)
        asked = ("checkpoint", "import", source, "--fetched", gathered, "--out", model, "--json")
        imported = succeed(*asked, environment=environment)
    succeed("coordinator", "begin-with", model, "--home", home)
    manifest, document = RunManifest.load(home / "run" / "run.toml"), json.loads(imported)
    assert picture_rules(manifest.training).model == preset("dalle")
    assert document["parameters"] == 125_894_244
    assert manifest.state.parameters == document["parameter_digest"]
    draws_its_first_code(open_model(model))


def succeed(*words: object, environment: Mapping[str, str] = os.environ) -> str:
    done = idlebrush(*words, environment=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def init_in_a_process(home: Path, draft: Path, environment: Mapping[str, str]) -> None:
    """Make the run: the library that lists data sets reads the Hub's address when it is loaded."""
    words = [*COMMAND, "coordinator", "init", str(home), "--run", str(draft), "--open"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=800)
    assert done.returncode == 0, done.stderr


def draws_its_first_code(model: ModelFolder) -> None:
    """Take a prompt through all 64 layers to its first code, and a picture of that code through the codec."""
    assert model.document.ranking == ClipRanking()
    text = model.tokenizer().encode(["flower dress, size M"])
    drawing = Drawing(model.transformer().requires_grad_(False), text, Sampling(top_k=256))
    while not drawing.progress:
        drawing.step()
    code = drawing.codes()[0, 0, 0]
    picture = model.codec().decode(code.expand(1, 32, 32))
    assert 0 <= int(code) < 8192
    assert picture.shape == (1, 3, 256, 256)
    assert picture.isfinite().all()


def files_of_exact_shapes(folder: Path) -> dict[str, dict[str, bytes]]:
    """Return files whose names, types and shapes are the real ones, by repository; they stay on the disk."""
    (folder / "config.yaml").write_text(yaml.safe_dump(published_gumbel_document()))
    shapes = weight_shapes(CodecConfig.model_validate(published_gumbel_document()))
    torch.save(
        {"state_dict": {name: torch.zeros(shape) for name, shape in shapes.items()}}, folder / "model.ckpt"
    )
    torch.save(state_of(preset("dalle")), folder / "model_state.pt")
    t5_shaped().save(str(folder / "tokenizer.json"))
    write_as_published(folder / "0.parquet", 0)

    def content(name: str) -> bytes:
        """Return a file mapped into memory, which for its readers is the same as its bytes."""
        with (folder / name).open("rb") as file:
            return cast("bytes", mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))

    return {
        CODEC: {f"{CODEC_FOLDER}/{name}": content(name) for name in ("config.yaml", "model.ckpt")},
        TEXT: {"tokenizer.json": content("tokenizer.json")},
        DATA: {"data/train-00000.parquet": content("0.parquet")},
        WEIGHTS: {"model_state.pt": content("model_state.pt")},
    }
