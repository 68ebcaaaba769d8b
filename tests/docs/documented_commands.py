"""The blocks of commands on the pages of the handbook, and the commands in them."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
MARKS = ("executed", "not-executed")
LANGUAGES = {"text", "toml", "ini", "nginx", "python", "{toctree}"}
"""Languages of blocks that hold no commands."""
_FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_ASSIGNMENT = re.compile(r"[A-Z_]+=")


@dataclass(frozen=True)
class FencedBlock:
    """A block of code on a page."""

    page: str
    """Path of the page in the repository."""
    line: int
    info: str
    """Words behind the opening of the block: its language, and of commands the mark."""
    text: str

    @property
    def mark(self) -> str | None:
        """Mark of a block of commands; None for all other blocks."""
        words = self.info.split()
        return words[1] if len(words) == 2 and words[0] == "sh" and words[1] in MARKS else None

    @property
    def commands(self) -> Iterator[list[str]]:
        """Words of each command, without comments and variables of its environment."""
        for line in self.text.replace("\\\n", " ").splitlines():
            words = shlex.shlex(line, posix=True, punctuation_chars=";&|")
            words.whitespace_split, words.commenters = True, "#"
            command: list[str] = []
            for word in (*words, ";"):
                if set(word) <= set(";&|"):
                    if command:
                        yield command
                    command = []
                elif command or not _ASSIGNMENT.match(word):
                    command.append(word)


def blocks_of(page: Path) -> list[FencedBlock]:
    """All blocks of code of a page, in order."""
    text, name = page.read_text(), str(page.relative_to(ROOT))
    return [
        FencedBlock(name, text.count("\n", 0, found.start()) + 1, found["info"].strip(), found["text"])
        for found in _FENCE.finditer(text)
    ]


BLOCKS = tuple(block for page in PAGES for block in blocks_of(page))
