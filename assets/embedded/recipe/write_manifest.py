"""Writes the manifests of the embedded run: ``run.toml`` for the starter set, ``run-all.toml`` for all emoji.

A manifest names every file by digest, so this runs again whenever one of them changed.

    python -m assets.embedded.recipe.write_manifest
"""

import json
from datetime import UTC, datetime
from pathlib import Path

from assets.embedded.recipe.signed import folder_and_key, write_signed
from core.data.index import ShardIndex
from core.families.text_to_image.rules import TextToImageRules
from core.model.config import preset
from core.run.contact import Contact, ScorerRanking
from core.run.encodings import Encoding
from core.run.manifest import RunManifest
from core.run.optimizer_rules import LambRules
from core.run.rules import LocalStepRules, Overlap, ScheduleRules, SwarmRules, TrainingRules
from core.run.training.data_rules import CodecRules, CodesBegin, DataRules, TextRules
from core.signing import SigningKey
from core.storage.files import FileRef

EMBEDDED = Path(__file__).parents[1]
MANIFESTS = {"starter": "run.toml", "all": "run-all.toml"}
TITLES = {"starter": "Emoji that combine", "all": "Emoji, all of them"}
DESCRIPTIONS = {
    "starter": "The run that comes with Idlebrush: a small model learns things, colours, numbers and places, and to "
    "combine them in pictures that it never saw.",
    "all": "A longer run that comes with Idlebrush: a small model learns to draw all emoji from their names.",
}
MODELS = {
    # A third of the parameters, and two and a half times the speed: what it cannot remember, it has to combine.
    "starter": preset("emoji").model_copy(update={"dim": 128, "depth": 4, "heads": 2}),
    "all": preset("emoji"),
}
SCHEDULES = {
    "starter": ScheduleRules(peak_lr=1.5e-2, warmup_epochs=2, total_epochs=240),
    "all": ScheduleRules(peak_lr=1.5e-2, warmup_epochs=12, total_epochs=1000),
}
CODES_BEGIN = {
    # A model that knows from the start which codes are alike combines; else it remembers (docs/measured.md).
    "starter": CodesBegin.CODEBOOK,
    "all": CodesBegin.DRAWN,
}
CAPTION_DROPOUT = 0.1
"""Share of samples without their caption, so that drawings can be guided."""
OPTIMIZER = LambRules(min_8bit_size=1 << 20)
"""Rules with float32 moments, since no parameter is as large: they take 25 MB more, and a step half as long."""
SWARM = SwarmRules(
    target_batch_size=384,
    large_tensor_elements=4096,
    overlap=Overlap.FULL,
    # A small model learns its few pictures by heart. Sparse drifts carry too little of that to the others: four peers
    # need 1.5 times as many samples by them (docs/measured.md, "Local steps").
    local_steps=LocalStepRules(
        steps=8, drift_encoding=Encoding.BLOCKWISE4, mean_encoding=Encoding.BLOCKWISE4
    ),
    matchmaking_seconds=10.0,
    allreduce_seconds=30.0,
    averaging_seconds=60.0,
)


def main() -> None:
    embedded, key = folder_and_key(__doc__, "--embedded", EMBEDDED)
    for split in MANIFESTS:
        print(*write(embedded, split, key).describe(), sep="\n", end="\n\n")


def write(embedded: Path, split: str, key: SigningKey) -> RunManifest:
    """Write the manifest of a set, such as "starter", from the files that lie in ``embedded``."""
    return write_signed(
        training_rules(embedded, split), contact(embedded, split), key, embedded / MANIFESTS[split]
    )


def training_rules(embedded: Path, split: str) -> TrainingRules:
    """Return the training part, on which the peers of the run agree."""
    model = MODELS[split]
    shards = ShardIndex.load(embedded / "data").splits

    def ref(path: str) -> FileRef:
        return FileRef.of(embedded / path, embedded)

    return TextToImageRules(
        name=f"emoji-{split}",
        model=model,
        codes_begin=CODES_BEGIN[split],
        codec=CodecRules(config=ref("codec/config.yaml"), weights=ref("codec/vqgan.safetensors")),
        text=TextRules(tokenizer=ref("tokenizer.json"), length=model.text_length, vocab=model.text_vocab),
        data=DataRules(
            shards=tuple(ref(f"data/{entry.file}") for entry in shards[split]),
            heldout=ref(f"data/{shards[f'{split}-heldout'][0].file}"),
            caption_dropout=CAPTION_DROPOUT,
        ),
        optimizer=OPTIMIZER,
        schedule=SCHEDULES[split],
        swarm=SWARM,
    )


def contact(embedded: Path, split: str) -> Contact:
    """Return the contact part: texts on the run and its ranker. The time of issue numbers it, so that a later one
    replaces it."""
    prompts = json.loads((embedded / "prompts.json").read_text(encoding="utf-8"))
    now = datetime.now(UTC).replace(microsecond=0)
    return Contact(
        title=TITLES[split],
        description=DESCRIPTIONS[split],
        sample_prompts=tuple(
            entry["prompt"] for entry in prompts if entry["set"] in (split, f"{split}-heldout")
        ),
        ranking=ScorerRanking(weights=FileRef.of(embedded / "scorer" / "scorer.safetensors", embedded)),
        serial=int(now.timestamp()),
        issued_at=now,
    )


if __name__ == "__main__":
    main()
