"""Shows HTML in a notebook's cell and updates it in place, with text for front ends without HTML, and errors."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import Any, Protocol

from client.api.errors import ClientError
from core.errors import CoreError

_BOX = (
    "max-width:46rem;margin:.4rem 0;padding:.9rem 1.1rem;border:1px solid rgba(128,128,128,.35);"
    "border-left:4px solid {colour};border-radius:8px;font-family:system-ui,sans-serif;line-height:1.5"
)
BLUE, GREEN, YELLOW, RED, GREY = "#4c63e6", "#1f9d78", "#c98a12", "#d6492c", "#8a8792"
"""Colours of the left border and of bars, which are legible on light and dark notebooks."""


@dataclass(frozen=True)
class CellPage:
    """A page that one cell shows at a moment."""

    html: str
    text: str
    """Text of the page for front ends that draw no HTML."""


class CellDisplay(Protocol):
    """Place where a page is drawn in place of the one before."""

    def draw(self, page: CellPage) -> None:
        """Show ``page`` in place of the one before."""


class NotebookCell:
    """Output of the cell that runs, by Jupyter's own messages: no widgets have to be installed."""

    def __init__(self) -> None:
        """Prepare to draw in the cell that runs."""
        self._handle: Any = None
        self._drawn: CellPage | None = None

    def draw(self, page: CellPage) -> None:
        """Show ``page`` in place of the one before; an equal one is not sent again."""
        if page == self._drawn:
            return
        self._drawn = page
        data = {"text/html": page.html, "text/plain": page.text}
        if self._handle is None:
            from IPython.display import display

            self._handle = display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)


class NotebookError(ClientError):
    """An error in a notebook: its cell shows what happened and what to do, and no traceback."""

    code = "notebook"

    def _render_traceback_(self) -> list[str]:
        """Return the lines that IPython shows in place of a traceback."""
        return [self.what, self.remedy]


@contextmanager
def in_words() -> Iterator[None]:
    """Raise a NotebookError in place of any error that states what happened and what to do."""
    try:
        yield
    except NotebookError:
        raise
    except CoreError as error:
        raise NotebookError(error.what, error.remedy) from None


def boxed(title: str, html: Iterable[str], text: Iterable[str], colour: str = BLUE) -> CellPage:
    """Return a page with a title.

    Args:
        title: Title as text, which may come from strangers.
        html: Parts of the page as HTML.
        text: Lines of the same as text.
        colour: Colour of the left border.
    """
    head = f'<div style="font-weight:600;font-size:1.05rem">{escape(title)}</div>'
    style = _BOX.format(colour=colour)
    return CellPage(f'<div style="{style}">{head}{"".join(html)}</div>', "\n".join((title, *text)))


def sentences(title: str, lines: Iterable[str], colour: str = BLUE) -> CellPage:
    """Return a page with a paragraph for each of ``lines``."""
    lines = tuple(lines)
    return boxed(title, (paragraph(line) for line in lines), lines, colour)


def paragraph(text: str) -> str:
    """Return a paragraph as HTML."""
    return f'<p style="margin:.35rem 0">{escape(text)}</p>'


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Return names and values as an HTML table."""
    cell = "padding:.15rem .9rem .15rem 0;text-align:left;vertical-align:top;background:none;border:0"
    lines = (
        f'<tr style="background:none"><th style="{cell};white-space:nowrap">{escape(name)}</th>'
        f'<td style="{cell}">{escape(value)}</td></tr>'
        for name, value in rows
    )
    return f'<table style="border-collapse:collapse;margin:.5rem 0;font:inherit">{"".join(lines)}</table>'


def bar(share: float, colour: str = BLUE) -> str:
    """Return a bar as HTML that is filled to ``share``, 0 to 1."""
    percent = f"{100 * min(max(share, 0.0), 1.0):.0f}"
    return (
        f'<div role="progressbar" aria-valuenow="{percent}" style="height:10px;border-radius:5px;margin:.5rem 0;'
        f'background:rgba(128,128,128,.25)"><div style="height:10px;border-radius:5px;width:{percent}%;'
        f'background:{colour}"></div></div>'
    )
