"""Shows beneath each block of commands whether the tests execute it: an extension of Sphinx.

The word after the language of a block says it: ``sh executed`` or ``sh not-executed``. GitHub shows neither.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

MARKS = {"executed": "executed by the tests", "not-executed": "not executed by the tests"}
"""Words after ``sh`` in a block of commands, and what readers see beneath it."""


class CommandBlock(SphinxDirective):  # type: ignore[misc]
    """A block of commands with its mark; without one, the build fails."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the highlighted commands and the paragraph beneath them."""
        (mark,) = self.arguments
        if mark not in MARKS:
            raise self.error(
                f"A block of commands is marked as one of {', '.join(MARKS)}, and not as {mark!r}."
            )
        text = "\n".join(self.content)
        commands = nodes.literal_block(text, text, language="sh")
        self.set_source_info(commands)
        return [commands, nodes.paragraph("", MARKS[mark], classes=["tried-mark", mark])]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the block, which MyST calls by the language of a fence (``myst_fence_as_directive``)."""
    app.add_directive("sh", CommandBlock)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
