"""Makes the notebook of a page, and fills the page with its outputs: ``python -m docs.handbook.notebooks``.

A page is written by hand but for its outputs. Its blocks of Python are the notebook's cells, and the text between
them is its text. Behind a block, what stands between two comments is what the cell put out when it was last executed;
the notebook has none of it.
"""

import argparse
import asyncio
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

DOCS = Path(__file__).resolve().parents[1]
NOTEBOOKS = DOCS.parent / "notebooks"
PAGES = {"large-models.md": "large_models_on_small_devices.ipynb"}
"""Pages that are notebooks, and the files of these."""
BEGIN, END = "<!-- what the cell put out -->", "<!-- end of what it put out -->"
SECONDS = 900
"""Seconds that a cell may take."""
_BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n", re.MULTILINE | re.DOTALL)
_OUTPUT = re.compile(rf"\n?{BEGIN}.*?{END}\n", re.DOTALL)
_LINK = re.compile(r"\]\((?![a-z]+:|#)([^)]+)\)")


def notebook_of(page: str) -> NotebookNode:
    """Return the notebook of a ``page`` in Markdown, without outputs; links lead to the pages from its folder."""
    cells = [_cell(number, kind, text) for number, (kind, text) in enumerate(_parts(page))]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def saved(notebook: NotebookNode) -> str:
    """Return the content of the ``notebook``'s file."""
    return str(nbformat.writes(notebook)) + "\n"


def execute(
    notebook: NotebookNode, folder: Path = NOTEBOOKS, environment: Mapping[str, str] | None = None
) -> None:
    """Execute all cells in one process in ``folder``, and keep what they put out in the ``notebook``.

    The process has ended afterwards, also if this was interrupted. ``environment`` is its environment; None: that of
    this process.

    Raises:
        nbclient.exceptions.CellExecutionError: a cell failed.
    """
    client = NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": str(folder)}})
    # A loop of its own: what an interruption leaves in it ends with it.
    with asyncio.Runner() as runner:
        try:
            runner.run(client.async_execute(env=dict(os.environ if environment is None else environment)))
        finally:
            manager: Any = client.km  # an asynchronous one; none is left after an ordinary end
            if manager is not None and manager.has_kernel:
                runner.run(manager.shutdown_kernel(now=True))


def filled(page: str, notebook: NotebookNode, name: str, pictures: Path) -> str:
    """Return the ``page`` with what the cells of its executed ``notebook`` put out.

    Pictures are written into the folder ``pictures``, by the ``name`` of the page and their number.
    """
    outputs = iter([cell.outputs for cell in notebook.cells if cell.cell_type == "code"])
    numbers = iter(range(1, 1000))

    def with_output(found: re.Match[str]) -> str:
        shown = [_shown(each, name, numbers, pictures) for each in next(outputs)]
        whole = "\n\n".join(text for text in shown if text)
        return f"{found[0]}\n{BEGIN}\n\n{whole}\n\n{END}\n" if whole else found[0]

    return _BLOCK.sub(with_output, _OUTPUT.sub("", page))


def _parts(page: str) -> Iterator[tuple[str, str]]:
    page, end = _OUTPUT.sub("", page), 0
    for found in _BLOCK.finditer(page):
        yield from _text(page[end : found.start()])
        yield "code", found["code"].rstrip("\n")
        end = found.end()
    yield from _text(page[end:])


def _text(text: str) -> Iterator[tuple[str, str]]:
    if text.strip():
        yield "markdown", _LINK.sub(r"](../docs/\1)", text.strip())


def _cell(number: int, kind: str, text: str) -> NotebookNode:
    make = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
    return make(text, id=f"cell-{number}")


def _shown(output: Mapping[str, Any], name: str, numbers: Iterator[int], pictures: Path) -> str:
    """Return an ``output`` as a page shows it, in Markdown."""
    if output["output_type"] == "stream":
        if output["name"] == "stderr":  # libraries' notes, with numbers of processes
            return ""
        return f"```text\n{output['text'].rstrip()}\n```"
    data = output.get("data", {})
    if "image/svg+xml" in data:
        file = pictures / f"{name}-{next(numbers)}.svg"
        file.write_text(data["image/svg+xml"].rstrip() + "\n", encoding="utf-8")
        return f"![Memory by step: the tables have its numbers]({pictures.name}/{file.name})"
    if "text/markdown" in data:
        return str(data["text/markdown"]).strip()
    return f"```text\n{data['text/plain']}\n```" if "text/plain" in data else ""


def main(words: Sequence[str] | None = None) -> None:
    """Write the notebooks of all pages; execute them and fill the pages if that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m docs.handbook.notebooks", description=__doc__)
    parser.add_argument("--execute", action="store_true", help="fill the pages with what their cells put out")
    options = parser.parse_args(words)
    for name, file in PAGES.items():
        page = DOCS / name
        notebook = notebook_of(page.read_text(encoding="utf-8"))
        NOTEBOOKS.mkdir(exist_ok=True)
        (NOTEBOOKS / file).write_text(saved(notebook), encoding="utf-8")
        if options.execute:
            execute(notebook)
            text = filled(page.read_text(encoding="utf-8"), notebook, page.stem, DOCS / "pictures")
            page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
