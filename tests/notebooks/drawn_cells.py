"""Displays of cells, which keep what is drawn."""

from client.notebook.cells import CellPage


class DrawnCells:
    """The display of every cell, whose pages are kept in their order."""

    def __init__(self) -> None:
        self.pages: list[CellPage] = []

    def __call__(self) -> "DrawnCells":
        """Return the display of another cell."""
        return self

    def draw(self, page: CellPage) -> None:
        self.pages.append(page)

    @property
    def text(self) -> str:
        """The text of all pages."""
        return "\n".join(page.text for page in self.pages)
