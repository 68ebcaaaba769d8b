"""The evaluation that an organiser published: shown with all it says escaped, and gone where it was withdrawn."""

import asyncio
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from coordinator.errors import PublishError
from coordinator.home import Home
from coordinator.published_evaluation import EvaluationFile, publish, withdraw
from coordinator.web.static_site import StaticSite
from core.evaluation.document import FILE, PICTURES, read_evaluation
from core.evaluation.writing import write_evaluation
from core.run.manifest import RunManifest
from core.storage.replacement import place
from tests.coordinator.web.conftest import browsing
from tests.coordinator.web.markup import ParsedPage
from tests.coordinator.web.sites import ServedSite
from tests.core.evaluation.made_evaluation import CAPTION, HOSTILE, made_evaluation

LINK = '<a href="/evaluation">Evaluation</a>'


def made(folder: Path, home: Home) -> Path:
    """Return a folder with an evaluation of the home's run."""
    write_evaluation(folder, *made_evaluation(RunManifest.load(home.manifest).training_digest), "a page")
    return folder


@pytest.fixture
def home(changing: ServedSite, tmp_path: Path) -> Home:
    """The home of a site whose organiser has published an evaluation."""
    found = changing.context.home
    publish(found, made(tmp_path / "made", found))
    return found


@pytest.fixture
def visitor(changing: ServedSite) -> Iterator[TestClient]:
    with browsing(changing) as client:
        yield client


def test_the_page_shows_each_kind_and_runs_nothing_that_strangers_wrote(
    home: Home, visitor: TestClient
) -> None:
    answer = visitor.get("/evaluation")
    page = ParsedPage(answer.text)
    assert page.faults == []
    assert HOSTILE not in answer.text
    assert CAPTION not in answer.text
    assert any(HOSTILE in words for words in page.words)
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    for heading in ("Realistic", "Generalising", "Failing"):
        assert f">{heading}</h2>" in answer.text
    assert visitor.get("/").text.count(LINK) == 2


def test_only_the_evaluations_own_pictures_are_handed_out(home: Home, visitor: TestClient) -> None:
    evaluation, pictures = made_evaluation()
    for name in evaluation.files:
        answer = visitor.get(f"/evaluation/{name}")
        assert (answer.content, answer.headers["content-type"]) == (pictures[name], "image/webp")
        assert "immutable" in answer.headers["cache-control"]
    for other in (FILE, "..%2Fevaluation.json", "0" * 32 + ".webp", "%2e%2e"):
        assert visitor.get(f"/evaluation/{other}").status_code == 404
    name = min(evaluation.files)
    (home.evaluation / PICTURES / name).write_bytes(b"<script>")
    assert visitor.get(f"/evaluation/{name}").status_code == 404


def test_without_an_evaluation_nothing_leads_to_one(changing: ServedSite, visitor: TestClient) -> None:
    home = changing.context.home
    assert visitor.get("/evaluation").status_code == 404
    assert LINK not in visitor.get("/").text
    assert not withdraw(home)


def test_a_withdrawn_or_damaged_evaluation_is_shown_no_more(
    home: Home, changing: ServedSite, visitor: TestClient
) -> None:
    (home.evaluation / FILE).write_text("{")
    assert visitor.get("/evaluation").status_code == 404
    changing.clock.seconds += 2  # pages are kept for a second
    assert LINK not in visitor.get("/").text
    assert withdraw(home)
    assert not home.evaluation.exists()
    assert LINK not in visitor.get("/").text


def test_prompts_that_the_organiser_leaves_out_are_not_shown(home: Home, tmp_path: Path) -> None:
    first, *others = made_evaluation()[0].results
    folder = tmp_path / "made"
    publish(home, folder, [first.prompt])
    assert read_evaluation(home.evaluation)[0].results == tuple(others)
    for left, words in [
        (["no such prompt"], "has no prompt"),
        ([first.prompt, *(o.prompt for o in others)], "All"),
    ]:
        with pytest.raises(PublishError, match=words):
            publish(home, folder, left)
    assert read_evaluation(home.evaluation)[0].results == tuple(others)


def test_an_older_evaluation_does_not_come_back(home: Home) -> None:
    shutil.copytree(home.evaluation, home.evaluation.parent / ".evaluation.previous")
    assert withdraw(home)
    assert place(home.evaluation, FILE) is None


def test_an_evaluation_is_parsed_again_only_after_a_change(home: Home, tmp_path: Path) -> None:
    file = EvaluationFile(home)
    first, again = file.read(), file.read()
    assert first is not None
    assert again is not None
    assert first[1] is again[1]
    evaluation, pictures = made_evaluation(RunManifest.load(home.manifest).training_digest)
    write_evaluation(tmp_path / "newer", evaluation.model_copy(update={"held_out": None}), pictures)
    publish(home, tmp_path / "newer")
    newer = file.read()
    assert newer is not None
    assert newer[1].held_out is None


def test_an_evaluation_of_another_run_is_refused_and_the_old_one_stays(home: Home, tmp_path: Path) -> None:
    write_evaluation(tmp_path / "other", *made_evaluation("ef" * 32))
    before = (home.evaluation / FILE).read_bytes()
    with pytest.raises(PublishError, match="not of this one"):
        publish(home, tmp_path / "other")
    assert (home.evaluation / FILE).read_bytes() == before


def test_pages_as_files_do_without_a_damaged_evaluation(
    home: Home, changing: ServedSite, tmp_path: Path
) -> None:
    (home.evaluation / FILE).write_text('{"version": 2}')
    folder = tmp_path / "pages"
    asyncio.run(StaticSite(changing.context, folder).write())
    assert LINK not in (folder / "index.html").read_text()
    assert not (folder / "evaluation").exists()


def test_pages_as_files_have_the_evaluation_and_its_pictures(
    home: Home, changing: ServedSite, tmp_path: Path
) -> None:
    folder = tmp_path / "pages"
    asyncio.run(StaticSite(changing.context, folder).write())
    evaluation, pictures = made_evaluation()
    assert 'href="/evaluation"' in (folder / "index.html").read_text()
    assert HOSTILE not in (folder / "evaluation" / "index.html").read_text()
    for name in evaluation.files:
        assert (folder / "evaluation" / name).read_bytes() == pictures[name]
