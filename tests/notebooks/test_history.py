"""The history of a run in a notebook, from a real website and from a demo's file."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from client.notebook.cells import NotebookError
from client.notebook.charts import curve
from client.notebook.history import METRICS, load_history, show_history, show_progress_pictures, site_of
from coordinator.web.app import create_app
from core.run.join_link import JoinLink
from tests.coordinator.web.conftest import GENEROUS
from tests.coordinator.web.serving import served
from tests.coordinator.web.sites import HOSTILE, PROMPTS, fill, site
from tests.notebooks.drawn_cells import DrawnCells

LINE = '{"epoch": %d, "loss": %f, "samples": 64, "peers": 2, "seconds": 1.5}\n'


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A website with epochs and pictures."""
    with site(tmp_path_factory.mktemp("history") / "home") as made:
        fill(made)
        with served(create_app(made.context, GENEROUS)) as found:
            yield found


def test_a_history_is_fetched_and_drawn(address: str) -> None:
    cell = DrawnCells()
    history = show_history(f"{address}/", cell)
    assert [each.epoch for each in history.epochs] == list(range(1, 41))
    assert history.epochs[0].loss > history.epochs[-1].loss
    (page,) = cell.pages
    assert page.html.count("<polyline") == 3
    assert page.text.startswith(f"History of {address}\nEpoch 40: loss {history.epochs[-1].loss:.4f}")


def test_the_pictures_of_some_epochs_are_shown_and_the_newest_is_one(address: str) -> None:
    cell = DrawnCells()
    show_progress_pictures(address, 2, cell)
    (page,) = cell.pages
    assert page.html.count("data:image/webp;base64,") == 2
    assert "Epoch 40" in page.html
    assert HOSTILE not in page.html
    assert PROMPTS[0] in page.text


def test_a_demos_file_is_read_from_its_folder_too(tmp_path: Path) -> None:
    (tmp_path / METRICS).write_text("".join(LINE % (epoch, 4 - epoch / 2) for epoch in (2, 1, 3)))
    for source in (tmp_path, tmp_path / METRICS):
        assert [each.loss for each in load_history(str(source)).epochs] == [3.5, 3.0, 2.5]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("nowhere/metrics.jsonl", "cannot be read"),
        ("http://127.0.0.1:1", "127.0.0.1"),
        ("idlebrush:join?run=x", "is not a join link"),
    ],
)
def test_what_has_no_history_says_why(source: str, words: str) -> None:
    with pytest.raises(NotebookError, match=words):
        load_history(source)


def test_epochs_that_a_run_made_again_count_once_as_they_were_made_last(tmp_path: Path) -> None:
    file, cell = tmp_path / METRICS, DrawnCells()
    file.write_text("".join(LINE % made for made in ((1, 4.0), (1, 3.5))))
    assert [each.loss for each in show_history(str(file), cell).epochs] == [3.5]
    assert "begin with the second epoch" in cell.pages[-1].text
    file.write_text("".join(LINE % made for made in ((1, 4.0), (2, 3.0), (1, 3.5), (2, 2.0))))
    assert [each.loss for each in show_history(str(file), cell).epochs] == [3.5, 2.0]
    assert cell.pages[-1].html.count("<polyline") == 3


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / METRICS).write_text('{"epoch": 1}\n')
    with pytest.raises(NotebookError, match="a line is no epoch"):
        load_history(str(tmp_path))


@pytest.mark.parametrize(
    "source",
    [
        "https://run.example",
        "https://run.example/",
        "https://run.example/files/run.toml",
        str(JoinLink("https://run.example/files/run.toml", "ab:cd")),
    ],
)
def test_a_website_is_found_by_whatever_leads_to_it(source: str) -> None:
    assert site_of(source) == "https://run.example"


@pytest.mark.parametrize("values", [(3.0, 3.0), (5.0, 1.25), (0.0, 1e9)])
def test_a_curve_stays_within_its_frame(values: tuple[float, float]) -> None:
    points: list[tuple[float, float]] = []

    class CurvePlaces(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag == "polyline":
                pairs = (dict(attrs)["points"] or "").split()
                points.extend((float(x), float(y)) for x, y in (pair.split(",") for pair in pairs))

    CurvePlaces().feed(curve([(1, values[0]), (10, values[1])], "Loss", "red", str))
    assert [x for x, _ in points] == [64, 630]
    assert all(12 <= y <= 194 for _, y in points)
    assert (points[0][1] < points[1][1]) == (values[0] > values[1]), "more is higher"
