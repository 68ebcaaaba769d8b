"""A text run so small that its swarms take seconds: a tiny language model, bytes as tokens, a few kB of text."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from core.families.causal_lm.config import CausalConfig
from core.families.causal_lm.rules import CausalRules, TextDataRules, TokenRules
from core.run.contact import Contact
from core.run.manifest import RunManifest
from core.run.optimizer_rules import AdamWRules
from core.run.rules import ScheduleRules, SwarmRules
from core.signing import SigningKey
from core.storage.files import FileRef

END = "<|end|>"
MODEL = CausalConfig(dim=32, depth=2, heads=2, length=16, vocab=257)
TEXT = "".join(
    f"The number {number} follows {number - 1}, and {number + 1} comes next.\n" for number in range(200)
)
_SWARM: dict[str, Any] = {
    "target_batch_size": 64,
    "large_tensor_elements": 1024,
    "matchmaking_seconds": 6.0,
    "allreduce_seconds": 12.0,
    "averaging_seconds": 30.0,
}


def write_text_run(
    folder: Path, *, model: CausalConfig = MODEL, prompts: tuple[str, ...] = (), **swarm: Any
) -> Path:
    """Make the files of a tiny text run and its signed manifest in ``folder``; returns the manifest's path."""
    folder.mkdir(parents=True, exist_ok=True)
    byte_tokenizer().save(str(folder / "tokenizer.json"))
    (folder / "text.txt").write_text(TEXT, encoding="utf-8")
    (folder / "heldout.txt").write_text(TEXT[2000:5000], encoding="utf-8")

    def ref(name: str) -> FileRef:
        return FileRef.of(folder / name, folder)

    training = CausalRules(
        name="tiny-text",
        model=model,
        tokens=TokenRules(tokenizer=ref("tokenizer.json"), end_id=0),
        data=TextDataRules(files=(ref("text.txt"),), heldout=ref("heldout.txt")),
        optimizer=AdamWRules(kind="adamw", min_8bit_size=1024, block_size=256),
        schedule=ScheduleRules(peak_lr=0.01, warmup_epochs=2, total_epochs=200),
        swarm=SwarmRules(**{**_SWARM, **swarm}),
    )
    contact = Contact(title="A text run", issued_at=datetime(2026, 1, 1, tzinfo=UTC), sample_prompts=prompts)
    RunManifest.create(training, contact, SigningKey.generate()).save(folder / "run.toml")
    return folder / "run.toml"


def byte_tokenizer() -> Tokenizer:
    """Return a tokenizer whose tokens are the end of a document and the bytes."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocab = {END: 0, **{letter: number for number, letter in enumerate(alphabet, 1)}}
    tokenizer = Tokenizer(models.BPE(vocab, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([END])
    return tokenizer
