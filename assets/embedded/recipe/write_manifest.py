"""Writes the manifests of the embedded run: ``run.toml`` for the starter set, ``run-all.toml`` for all emoji.

A manifest names every file by digest, so this runs again whenever one of them changed.

    python -m assets.embedded.recipe.write_manifest
"""

import argparse
import json
from datetime import UTC, datetime
from pathlib import Path

from core.data.index import ShardIndex
from core.model.config import preset
from core.run.contact import Contact, ScorerRanking
from core.run.encodings import Encoding
from core.run.manifest import RunManifest
from core.run.optimizer_rules import LambRules
from core.run.rules import (
    CodecRules,
    DataRules,
    LocalStepRules,
    Overlap,
    ScheduleRules,
    SwarmRules,
    TextRules,
    TrainingRules,
)
from core.signing import SigningKey
from core.storage.files import FileRef

EMBEDDED = Path(__file__).parents[1]
MANIFESTS = {"starter": "run.toml", "all": "run-all.toml"}
TITLES = {"starter": "Emoji, a starter set", "all": "Emoji, all of them"}
SCHEDULES = {
    "starter": ScheduleRules(peak_lr=1.5e-2, warmup_epochs=2, total_epochs=150),
    "all": ScheduleRules(peak_lr=1.5e-2, warmup_epochs=12, total_epochs=1000),
}
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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--embedded", type=Path, default=EMBEDDED, help="where the embedded run lies")
    parser.add_argument("--key", type=Path, help="key to sign with; a new one, kept nowhere, if not given")
    arguments = parser.parse_args()
    key = SigningKey.load(arguments.key) if arguments.key else SigningKey.generate()
    for split in MANIFESTS:
        print(*write(arguments.embedded, split, key).describe(), sep="\n", end="\n\n")


def write(embedded: Path, split: str, key: SigningKey) -> RunManifest:
    """Write the manifest of a set, such as "starter", from the files that lie in ``embedded``."""
    manifest = RunManifest.create(training_rules(embedded, split), contact(embedded, split), key)
    manifest.save(embedded / MANIFESTS[split])
    return RunManifest.load(embedded / MANIFESTS[split])


def training_rules(embedded: Path, split: str) -> TrainingRules:
    """Return the training part, on which the peers of the run agree."""
    model = preset("emoji")
    shards = ShardIndex.load(embedded / "data").splits

    def ref(path: str) -> FileRef:
        return FileRef.of(embedded / path, embedded)

    return TrainingRules(
        name=f"emoji-{split}",
        model=model,
        codec=CodecRules(config=ref("codec/config.yaml"), weights=ref("codec/vqgan.safetensors")),
        text=TextRules(tokenizer=ref("tokenizer.json"), length=model.text_length, vocab=model.text_vocab),
        data=DataRules(
            shards=tuple(ref(f"data/{entry.file}") for entry in shards[split]),
            heldout=ref(f"data/{shards['heldout'][0].file}"),
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
        description="The run that comes with Idlebrush: a small model learns to draw emoji from their names.",
        sample_prompts=tuple(entry["prompt"] for entry in prompts),
        ranking=ScorerRanking(weights=FileRef.of(embedded / "scorer" / "scorer.safetensors", embedded)),
        serial=int(now.timestamp()),
        issued_at=now,
    )


if __name__ == "__main__":
    main()
