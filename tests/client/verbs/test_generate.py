"""`idlebrush generate` as a user types it: pictures of the embedded run, ranked; refusals; Ctrl-C."""

import json
import os
import pty
import signal
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
import torch
from PIL import Image

from client.contribution.counting import counted_download
from client.contribution.database import ContributionDatabase
from client.contribution.stats import TrainedRun
from client.joining.embedded import embedded_run
from client.paths import HOME_VARIABLE, Paths
from client.preferences.preferences import with_value
from client.preferences.preferences_file import change
from core.model.transformer import Transformer
from core.run.manifest import RunManifest
from core.run.training.families import picture_rules
from core.storage.checkpoint import TrainingState, save
from tests.command_line import COMMAND, ended_by_then, idlebrush
from tests.core.ranking.model_hub import model_hub, rank_by_it
from tests.core.ranking.tiny_clip import write_tiny_clip
from tests.swarms.drawable_run import save_checkpoint, write_drawable_run

RUN = embedded_run() / "run.toml"


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of the embedded run, with a model that was never trained."""
    folder, run = tmp_path_factory.mktemp("embedded") / "checkpoint", RunManifest.load(RUN)
    parameters = dict(
        Transformer(picture_rules(run.training).model, torch.Generator().manual_seed(0)).state_dict()
    )
    save(
        folder, TrainingState(run.training.name, run.training_digest, 3, parameters, {"none": torch.zeros(1)})
    )
    return folder


def test_the_best_pictures_are_kept_and_come_again_from_the_model_that_was_exported(
    checkpoint: Path, tmp_path: Path
) -> None:
    asked = ("generate", "red heart", "-n", 5, "--best", 2, "--top-k", 256, "--top-p", 0.75, "--seed", 4)
    published = tmp_path / "published"
    idlebrush("checkpoint", "export", checkpoint, "--run", RUN, "--out", published)
    models = {"one": ("--run", RUN, "--checkpoint", checkpoint), "two": ("--checkpoint", published)}
    answers = [
        json.loads(idlebrush(*asked, *model, "--json", "--out", tmp_path / name).stdout)
        for name, model in models.items()
    ]
    for answer in answers:
        assert [item["score"] for item in answer["pictures"]] == sorted(
            (item["score"] for item in answer["pictures"]), reverse=True
        )
        assert len(answer["pictures"]) == 2
        assert (answer["epoch"], answer["unranked"]) == (3, "")
    one, two = ([Path(answer["folder"], item["file"]) for item in answer["pictures"]] for answer in answers)
    assert [file.name for file in one] == [file.name for file in two]
    for own, published_one in zip(one, two, strict=True):
        with Image.open(own) as picture, Image.open(published_one) as again:
            assert picture.size == (64, 64)
            assert picture.tobytes() == again.tobytes(), "the same seed gives the same pixels"
            assert picture.text["Parameters"] == again.text["Parameters"]  # type: ignore[attr-defined]


def test_it_says_where_the_pictures_are(tmp_path: Path) -> None:
    folder = write_drawable_run(tmp_path / "run", saved=True).parent
    done = idlebrush(
        "generate", "red heart", "-n", 2, "--best", 1, "--run", folder, "--out", tmp_path / "out"
    )
    assert done.returncode == 0, done.stderr
    assert "2 pictures by epoch 7 of A tiny run, seed " in done.stdout
    assert "The pictures are not ranked and all kept: The run names no ranker." in done.stdout
    named = [Path(line.strip()) for line in done.stdout.splitlines() if line.startswith("  ")]
    assert len(named) == 2
    assert all(path.is_file() for path in named)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([""], "prompt: it is empty"),
        (["❤️"], "no letter and no digit"),
        (["red\x1bheart"], "a control character, U+001B"),
        (["red green blue heart"], "it has 4 tokens, and the model reads 3 tokens"),
        (["violet"], "no word that this run's model knows"),
        (["red heart", "-n", "4", "--best", "5"], "the best 5 of 4"),
        (["red heart", "-n", "-1"], "count: input should be greater than or equal to 1"),
        (["red heart", "--temperature", "0"], "temperature: input should be greater"),
        (["red heart", "--guidance", "4"], "cannot be guided"),
        (["red heart", "--top-p", "inf"], "top_p: input should be a finite number"),
    ],
    ids=str,
)
def test_what_cannot_be_drawn_is_refused_and_no_folder_made(
    tmp_path: Path, arguments: list[str], says: str
) -> None:
    folder = write_drawable_run(tmp_path / "run", saved=True).parent
    done = idlebrush("generate", *arguments, "--run", folder, "--out", tmp_path / "out")
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 2
    assert not (tmp_path / "out").exists()


def test_a_folder_of_somebody_elses_is_refused_before_anything_is_drawn(tmp_path: Path) -> None:
    folder = write_drawable_run(tmp_path / "run", saved=True).parent
    (tmp_path / "pictures.json").write_text("mine")
    done = idlebrush("generate", "red heart", "--run", folder, "--out", tmp_path)
    assert done.returncode == 2
    assert "was not written by this version" in done.stderr


def test_ctrl_c_ends_it_at_once_and_leaves_nothing(tmp_path: Path) -> None:
    folder = write_drawable_run(tmp_path / "run", saved=True).parent
    here, there = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "generate", "red heart", "-n", "1024", "--run", folder, "--out", tmp_path / "out"],
        stderr=there,
        env={**os.environ, "TERM": "xterm", "OMP_NUM_THREADS": "1"},
    )
    os.close(there)
    output = b""
    while b"Drawing" not in output:
        output += os.read(here, 4096)
    with ended_by_then(process, cpu_seconds=3.0, wall_seconds=15.0):
        process.send_signal(signal.SIGINT)
        try:
            while piece := os.read(here, 4096):
                output += piece
        except OSError:
            pass  # how a terminal tells that nobody is at its other end
        os.close(here)
    assert process.returncode == 130
    assert b"Cancelled: nothing was saved." in output
    assert not (tmp_path / "out").exists()


def test_what_ranks_the_pictures_is_not_fetched_beyond_the_months_quota_and_what_came_counts(
    tmp_path: Path,
) -> None:
    manifest = write_drawable_run(tmp_path / "run")
    rank_by_it(manifest)
    save_checkpoint(manifest, manifest.parent / "peer" / "checkpoint")
    paths = Paths.of_user({HOME_VARIABLE: str(tmp_path / "home")})
    paths.prepare()
    change(paths.preferences, lambda now: with_value(now, "monthly-quota", "100 MB"))
    with counted_download(
        paths.stats, TrainedRun("d" * 64, "another"), lambda error: pytest.fail(str(error))
    ) as received:
        received(100_000_000)
    (tmp_path / "hub").mkdir()
    with model_hub(write_tiny_clip(tmp_path / "hub")) as hub:
        kept = {"HF_ENDPOINT": hub.address, "HF_HOME": str(tmp_path / "kept")}
        home = {**os.environ, **kept, HOME_VARIABLE: str(tmp_path / "home")}
        asked = ("generate", "red heart", "-n", "2", "--run", manifest, "--out", tmp_path / "out", "--json")
        done = subprocess.run([*COMMAND, *asked], env=home, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        with closing(ContributionDatabase.read(paths.stats)) as database:
            counted = database.since(RunManifest.load(manifest).training_digest, 0).bytes_received
    assert "may be downloaded now" in json.loads(done.stdout)["unranked"]
    assert 0 < counted <= hub.sent < 10_000, "sizes are asked for, and no more than the smallest file comes"
