"""Collects the text of the embedded text run: Python's own documentation, as this Python carries it.

It is the reference that ``help()`` shows (``pydoc_data.topics``) and the docstrings of the standard library, both
under the PSF License. Files that name another holder of rights are left out, and no paragraph is taken twice. A
document is a topic or a module; one in twenty, chosen by its name's hash, is held out.

    python -m assets.embedded.recipe.collect_text
"""

import ast
import hashlib
import re
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from pydoc_data.topics import topics

import pyarrow as pa
import pyarrow.parquet as pq

TEXT = Path(__file__).parents[1] / "text"
_LEFT_OUT = re.compile(r"(^|/)(tests?|idlelib|lib2to3|turtle.*|ensurepip|site-packages|__pycache__)(/|\.py$)")
_OTHER_RIGHTS = re.compile(r"copyright|licensed|all rights reserved", re.IGNORECASE)
_SHORT = 40
"""Characters of a paragraph that is left out as too short to say something."""
_HELD_OUT = 20


def main() -> None:
    documents = list(distinct({**dict(of_topics()), **dict(of_library())}))
    for split, chosen in (("train", False), ("heldout", True)):
        kept = [text for name, text in documents if is_held_out(name) is chosen]
        file = TEXT / "data" / f"{split}.parquet"
        pq.write_table(pa.table({"text": kept}), file, compression="zstd", compression_level=19)
        print(f"{file.name}: {len(kept):,} documents, {sum(map(len, kept)):,} characters")


def of_topics() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each topic of the reference."""
    for name, text in topics.items():
        yield f"topic {name}", text


def of_library() -> Iterator[tuple[str, str]]:
    """Yield the name of each module of the standard library and its docstrings."""
    root = Path(sysconfig.get_path("stdlib"))
    for file in sorted(root.rglob("*.py")):
        name = file.relative_to(root).as_posix()
        if not _LEFT_OUT.search(name):
            content = file.read_text(encoding="utf-8", errors="replace")
            if not _OTHER_RIGHTS.search(content) and (text := docstrings(content)):
                yield f"module {name}", text


def docstrings(source: str) -> str:
    """Return all docstrings of a module's ``source``, each after an empty line; nothing if it is no Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return ""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = (ast.get_docstring(node) for node in ast.walk(tree) if isinstance(node, kinds))
    return "\n\n".join(text for text in found if text)


def distinct(documents: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield documents in the order of their names, without short paragraphs and those that an earlier one had."""
    seen = set[str]()
    for name, text in sorted(documents.items()):
        kept = []
        for paragraph in re.split(r"\n\s*\n", text):
            key = " ".join(paragraph.split())
            if len(key) >= _SHORT and key not in seen:
                seen.add(key)
                kept.append(paragraph.rstrip())
        if kept:
            yield name, "\n\n".join(kept)


def is_held_out(name: str) -> bool:
    """Return True for about one in twenty names, for ever the same ones."""
    return hashlib.sha256(name.encode()).digest()[0] * _HELD_OUT < 256


if __name__ == "__main__":
    main()
