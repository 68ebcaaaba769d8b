"""The tutorial on large models: its page and its notebook agree, and every cell does what the page says."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from nbformat import NotebookNode

from benchmarks.memory.tutorial import COLOURS
from docs.handbook.notebooks import DOCS, NOTEBOOKS, PAGES, execute, filled, notebook_of, saved

pytestmark = pytest.mark.timeout(1800)
"""Half an hour for all cells: a fixture executes them, in the time of the first test that asks for it."""
NAME = "large-models.md"
PAGE = (DOCS / NAME).read_text(encoding="utf-8")
STEPS = 6
BOUND = 0.03
"""Largest difference between what is predicted and what is measured, as a share."""
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def executed() -> NotebookNode:
    notebook = notebook_of(PAGE)
    execute(notebook)
    return notebook


@pytest.fixture(scope="module")
def outputs(executed: NotebookNode) -> list[str]:
    """What cells put out as Markdown or as text, without libraries' notes."""
    found = [each for cell in executed.cells if cell.cell_type == "code" for each in cell.outputs]
    texts = [each.get("text") or each.get("data", {}).get("text/markdown") for each in found]
    return [text for text, each in zip(texts, found, strict=True) if text and each.get("name") != "stderr"]


def rows_of(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()[2:]]


def table_of(outputs: list[str], heading: str) -> list[list[str]]:
    return rows_of(next(text for text in outputs if text.startswith(heading)))


def bytes_of(written: str) -> float:
    number, unit = written.split()
    return float(number) * {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}[unit]


def test_the_notebook_is_that_of_the_page() -> None:
    assert (NOTEBOOKS / PAGES[NAME]).read_text(encoding="utf-8") == saved(notebook_of(PAGE))


def test_links_of_the_notebook_lead_somewhere() -> None:
    texts = [cell.source for cell in notebook_of(PAGE).cells if cell.cell_type == "markdown"]
    places = [place for text in texts for place in re.findall(r"\]\((\.\./[^)#]+)", text)]
    assert len(places) > 3
    assert [place for place in places if not (NOTEBOOKS / place).is_file()] == []


def test_each_step_takes_what_was_predicted(outputs: list[str]) -> None:
    rows = table_of(outputs, "| step |")
    assert len(rows) == STEPS
    for name, predicted, measured, ratio, *_ in rows:
        assert float(ratio) == pytest.approx(1, abs=BOUND), name
        assert bytes_of(predicted) == pytest.approx(bytes_of(measured), rel=BOUND), name


def test_each_technique_saves_what_the_page_says(outputs: list[str]) -> None:
    rows = table_of(outputs, "| step |")
    here = [bytes_of(row[2]) for row in rows]
    assert here[0] > here[1] > here[2] > here[3]
    assert here[4] > here[3], "on a processor the offload costs a copy of the weights"
    assert here[5] < here[4] / 2
    large = [bytes_of(row[4]) for row in rows]
    assert large == sorted(large, reverse=True)
    assert [row[0] for row in rows if row[5] != "–"] == ["optimizer on the processor", "shared layers"]


def test_the_page_has_the_predictions_of_today(outputs: list[str]) -> None:
    lines = set(PAGE.splitlines())
    predictions = [text for text in outputs if text.startswith("| |")]
    assert len(predictions) == STEPS
    for text in predictions:
        assert {line for line in text.splitlines() if "measured" not in line} <= lines
    plans = next(text for text in outputs if text.startswith("| GPU |"))
    assert set(plans.splitlines()) <= lines
    mine = [row[:2] + row[4:] for row in table_of(outputs, "| step |")]
    assert mine == [row[:2] + row[4:] for row in rows_of(PAGE[PAGE.index("| step |") :].split("\n\n")[0])]


def test_what_is_streamed_is_learned(outputs: list[str]) -> None:
    same, learned = (
        [float(loss) for loss in text.split()[1:]] for text in outputs if text.startswith("losses")
    )
    assert max(same[:5]) - min(same[:5]) < 1e-3
    assert learned[-1] < learned[0] - 0.3
    assert any("'taken': 24" in text for text in outputs)


def test_pictures_have_the_parts_and_what_was_measured(executed: NotebookNode, tmp_path: Path) -> None:
    page = filled(PAGE, executed, "large-models", tmp_path)
    assert notebook_of(page) == notebook_of(PAGE)
    for number in range(1, STEPS + 1):
        assert f"({tmp_path.name}/large-models-{number}.svg)" in page
        root = ElementTree.parse(tmp_path / f"large-models-{number}.svg").getroot()
        bars = [bar for bar in root.iter(f"{SVG}rect") if float(bar.get("y", "0")) > 66]
        widths = [(bar.get("fill"), float(bar.get("width", "0"))) for bar in bars]
        colours = list(COLOURS.values())
        parts = sum(width for colour, width in widths[:4] if colour in colours)
        assert widths[4][0] not in colours
        assert parts == pytest.approx(widths[4][1], rel=BOUND, abs=0.5)
        assert len(widths) == 9 * number
