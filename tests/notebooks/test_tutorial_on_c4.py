"""The tutorial's real configuration, with small sizes: every cell, and files like C4's from a Hub on loopback."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from assets import embedded
from docs.handbook.notebooks import DOCS, execute, notebook_of
from tests.hub.writable_hub import WritableHub, writable_hub

pytestmark = pytest.mark.timeout(1800)
TEXT = Path(embedded.__file__).parent / "text"
SIZES = re.compile(r"^REAL = .*$", re.MULTILINE)
SMALL_SIZES = "REAL = CausalConfig(depth=4, dim=64, heads=2, length=64, vocab=50_257)"
COMMIT = "c4" * 20
TRAINED_ON = "en/partial-train/0000.parquet"
LISTING = """
from core.data.listing import hub_shards
print("shards:", *(shard.name for shard in hub_shards(rules.data.hub)))
"""


def like_gpt2() -> bytes:
    """A tokenizer with as many tokens as GPT-2's, and the same last one."""
    tokenizer = json.loads((TEXT / "tokenizer.json").read_text(encoding="utf-8"))
    vocabulary = tokenizer["model"]["vocab"]
    vocabulary |= {f"unused-{number}": number for number in range(len(vocabulary), 50_256)}
    vocabulary["<|endoftext|>"] = 50_256
    return json.dumps(tokenizer).encode()


def like_c4(name: str) -> bytes:
    """A shard with C4's columns and the text of one that comes with Idlebrush."""
    text = pq.read_table(TEXT / "data" / name).column("text")
    pages = [f"https://page.example/{number}" for number in range(len(text))]
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"text": text, "timestamp": pages, "url": pages}), sink)
    return bytes(sink.getvalue())


@pytest.fixture
def hub() -> Iterator[WritableHub]:
    with writable_hub() as hub:
        hub.make("openai-community/gpt2", {"tokenizer.json": like_gpt2()})
        shards = {
            TRAINED_ON: like_c4("train.parquet"),
            "en/validation/0000.parquet": like_c4("heldout.parquet"),
        }
        other = {"de/partial-train/0000.parquet": b"German"}
        hub.make("allenai/c4", {**shards, **other}, revision=COMMIT)
        hub.repositories["allenai/c4"].branches = {"refs/convert/parquet": COMMIT}
        yield hub


def real_notebook() -> NotebookNode:
    """The notebook with the real configuration chosen, small, and with a last cell that prints the shards."""
    notebook = notebook_of((DOCS / "large-models.md").read_text(encoding="utf-8"))
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    chosen = SIZES.sub(SMALL_SIZES, first.source).replace("CHOSEN = SMALL", "CHOSEN = REAL")
    assert SMALL_SIZES in chosen
    assert "CHOSEN = REAL" in chosen
    first.source = chosen
    notebook.cells.append(new_code_cell(LISTING))
    return notebook


def test_the_real_configuration_trains_on_what_it_streams(hub: WritableHub, tmp_path: Path) -> None:
    notebook = real_notebook()
    execute(notebook, environment={**os.environ, "HF_ENDPOINT": hub.address, "HF_HOME": str(tmp_path)})
    outputs = [each for cell in notebook.cells if cell.cell_type == "code" for each in cell.outputs]
    texts = "".join(each.text for each in outputs if each.get("name") == "stdout")
    same, learned = (line.split()[1:] for line in texts.splitlines() if line.startswith("losses"))
    assert len(same) == 6, "every step is measured"
    assert float(learned[-1]) < float(learned[0]) - 0.3
    assert f"shards: allenai/c4@{COMMIT}/{TRAINED_ON}\n" in texts, "no validation split, no other language"
    assert "'taken': 24" in texts
