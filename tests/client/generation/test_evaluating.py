"""A whole evaluation of the shipped model, of few pictures: it sorts, goes on after an end, and refuses in words."""

import io
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from client.generation.evaluating import EvaluationChoices, report, run_evaluation
from client.joining.embedded import embedded_run
from client.paths import Paths
from core.errors import CoreError, GenerationError, ManifestError, RankingError
from core.evaluation.document import FILE, MOST_PROMPTS, PAGE, read_evaluation
from core.evaluation.held_out import held_out_pairs
from core.evaluation.prompts import HELD_OUT, prompts_in, usual_prompts
from core.run.manifest import RunManifest
from tests.swarms.drawable_run import write_drawable_run
from tests.swarms.text_run import write_text_run

PROMPT = "red heart"
NEVER_SEEN = "blue <b>panda</b>"


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths.of_user({"IDLEBRUSH_HOME": str(tmp_path / "home")})


@pytest.fixture
def choices(tmp_path: Path) -> EvaluationChoices:
    """Two prompts, a drawing of each, and few training pictures."""
    prompts = tmp_path / "prompts.txt"
    prompts.write_text(f"# words of a stranger\n{PROMPT}\n\n{NEVER_SEEN}\nRed  Heart\n")
    out = tmp_path / "out"
    return EvaluationChoices(embedded_run() / "run.toml", None, prompts, out, drawings=1, pictures=64, seed=0)


def quiet() -> Console:
    return Console(file=io.StringIO())


def test_an_evaluation_sorts_and_shows_what_it_found_and_goes_on_from_what_it_kept(
    choices: EvaluationChoices, paths: Paths
) -> None:
    evaluation = run_evaluation(choices, paths, quiet())
    assert read_evaluation(choices.out)[0] == evaluation
    assert [result.prompt for result in evaluation.results] == [PROMPT, NEVER_SEEN]
    assert (evaluation.data.pictures, evaluation.data.is_whole) == (64, False)
    heart = evaluation.results[0]
    assert heart.measured.drawn.score > evaluation.thresholds.related.threshold
    assert heart.near_prompt
    assert heart.near_drawing
    assert evaluation.held_out is not None
    page = (choices.out / PAGE).read_text()
    assert "<b>panda" not in page
    assert "&lt;b&gt;panda" in page
    words = str(report(evaluation, choices.out, paths.evaluations))
    assert NEVER_SEEN in words

    kept = {file: file.stat().st_mtime_ns for file in paths.evaluations.rglob("*.safetensors")}
    again = run_evaluation(choices, paths, quiet())
    assert again.results == evaluation.results
    assert kept == {file: file.stat().st_mtime_ns for file in paths.evaluations.rglob("*.safetensors")}


def test_prompts_are_the_runs_own_and_some_that_it_holds_out() -> None:
    base = embedded_run()
    manifest = RunManifest.load(base / "run.toml")
    held_out = [caption for caption, _ in held_out_pairs(manifest, base)]
    prompts = usual_prompts(manifest.contact.sample_prompts, held_out)
    assert tuple(one.prompt for one in prompts[: len(manifest.contact.sample_prompts)]) == (
        manifest.contact.sample_prompts
    )
    known = {row["prompt"]: row["set"] for row in json.loads((base / "prompts.json").read_text())}
    own = prompts[: len(manifest.contact.sample_prompts)]
    assert [one.is_held_out for one in own] == [known[one.prompt] == "starter-heldout" for one in own]
    assert all(one.is_held_out for one in prompts[len(own) :])
    assert len(prompts) == len(own) + HELD_OUT


def test_a_prompt_of_a_file_that_the_run_holds_out_is_marked_as_one(tmp_path: Path) -> None:
    file = tmp_path / "prompts.txt"
    file.write_text("Red  heart.\nblue panda\n")
    found = [(one.prompt, one.is_held_out) for one in prompts_in(file, ["red heart", "green sun"])]
    assert found == [("Red  heart.", True), ("blue panda", False)]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "0 prompts"),
        (b"# none\n\n", "0 prompts"),
        ("\n".join(f"prompt {number}" for number in range(MOST_PROMPTS + 1)).encode(), "65 prompts"),
        (b"a\x07b\n", "control character"),
        (b"\xff\xfe", "cannot be read"),
    ],
)
def test_prompts_that_cannot_be_drawn_are_refused(tmp_path: Path, content: bytes, words: str) -> None:
    file = tmp_path / "prompts.txt"
    file.write_bytes(content)
    with pytest.raises(GenerationError, match=words):
        prompts_in(file)


def refused(choices: EvaluationChoices, paths: Paths) -> CoreError:
    with pytest.raises(CoreError) as error:
        run_evaluation(choices, paths, quiet())
    assert not choices.out.exists()
    return error.value


def test_a_run_of_text_and_one_without_a_ranker_are_refused_in_words(
    choices: EvaluationChoices, paths: Paths, tmp_path: Path
) -> None:
    text = write_text_run(tmp_path / "text")
    shutil.copytree(embedded_run() / "checkpoint", text.parent / "checkpoint")
    error = refused(replace(choices, run=text), paths)
    assert isinstance(error, ManifestError)
    assert "makes no pictures" in error.what

    unranked = write_drawable_run(tmp_path / "unranked", saved=True)
    words = tmp_path / "words.txt"
    words.write_text("red heart")
    error = refused(replace(choices, run=unranked, prompts=words), paths)
    assert isinstance(error, RankingError)
    assert "names no ranker" in error.what


def test_a_folder_with_other_files_is_refused_before_anything_is_drawn(
    choices: EvaluationChoices, paths: Paths
) -> None:
    choices.out.mkdir()
    (choices.out / "mine.txt").write_text("mine")
    with pytest.raises(GenerationError, match="that are no evaluation"):
        run_evaluation(choices, paths, quiet())
    assert [item.name for item in choices.out.iterdir()] == ["mine.txt"]
    assert not (choices.out / FILE).exists()
