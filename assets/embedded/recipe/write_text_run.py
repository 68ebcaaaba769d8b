"""Makes the embedded text run of the text that was collected: a byte-level BPE tokenizer, and the signed manifest.

The same text gives the same tokenizer. A manifest names every file by digest, so this runs again whenever one
changed.

    python -m assets.embedded.recipe.write_text_run
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from assets.embedded.recipe.collect_text import TEXT
from assets.embedded.recipe.signed import folder_and_key, write_signed
from core.families.causal_lm.config import CausalConfig
from core.families.causal_lm.rules import CausalRules, TextDataRules, TokenRules
from core.run.contact import Contact
from core.run.encodings import Encoding
from core.run.manifest import RunManifest
from core.run.optimizer_rules import AdamWRules
from core.run.rules import LocalStepRules, Overlap, ScheduleRules, SwarmRules
from core.signing import SigningKey
from core.storage.files import FileRef

VOCABULARY = 2048
END = "<|end|>"
"""Token that ends a document; its id is 0."""
MODEL = CausalConfig(dim=128, depth=4, heads=4, length=128, vocab=VOCABULARY)
OPTIMIZER = AdamWRules(kind="adamw", min_8bit_size=1 << 20)
"""Rules with float32 moments, since no parameter is as large."""
SCHEDULE = ScheduleRules(peak_lr=3e-3, warmup_epochs=2, total_epochs=400)
SWARM = SwarmRules(
    target_batch_size=256,
    large_tensor_elements=4096,
    overlap=Overlap.FULL,
    local_steps=LocalStepRules(
        steps=8, drift_encoding=Encoding.BLOCKWISE4, mean_encoding=Encoding.BLOCKWISE4
    ),
    matchmaking_seconds=10.0,
    allreduce_seconds=30.0,
    averaging_seconds=60.0,
)
TITLE = "Python, explained"
DESCRIPTION = (
    "A text run that comes with Idlebrush: a small model learns to write like Python's documentation."
)
PROMPTS = (
    "Return the number of",
    "The value of the expression",
    "Raise an exception if",
    "A class that",
    "This module provides",
    "If the file cannot be opened",
)


def main() -> None:
    text, key = folder_and_key(__doc__, "--text", TEXT)
    train_tokenizer(read_texts(text)).save(str(text / "tokenizer.json"))
    print(*write(text, key).describe(), sep="\n")


def read_texts(text: Path) -> list[str]:
    """Return the documents that peers learn from, in the folder ``text``."""
    found: list[str] = pq.read_table(text / "data" / "train.parquet").column("text").to_pylist()
    return found


def train_tokenizer(texts: Sequence[str], vocabulary: int = VOCABULARY) -> Tokenizer:
    """Learn the merges of bytes; the same ``texts`` give the same tokenizer of that ``vocabulary``."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


def write(text: Path, key: SigningKey) -> RunManifest:
    """Write the manifest of the run whose files lie in the folder ``text``, signed with ``key``."""
    return write_signed(training_rules(text), contact(), key, text / "run.toml")


def training_rules(text: Path) -> CausalRules:
    """Return the training part, on which the peers of the run agree."""

    def ref(path: str) -> FileRef:
        return FileRef.of(text / path, text)

    return CausalRules(
        name="python-text",
        model=MODEL,
        tokens=TokenRules(tokenizer=ref("tokenizer.json"), end_id=0),
        data=TextDataRules(files=(ref("data/train.parquet"),), heldout=ref("data/heldout.parquet")),
        optimizer=OPTIMIZER,
        schedule=SCHEDULE,
        swarm=SWARM,
    )


def contact() -> Contact:
    """Return the contact part; the time of issue numbers it, so that a later one replaces it."""
    now = datetime.now(UTC).replace(microsecond=0)
    return Contact(
        title=TITLE,
        description=DESCRIPTION,
        sample_prompts=PROMPTS,
        serial=int(now.timestamp()),
        issued_at=now,
    )


if __name__ == "__main__":
    main()
