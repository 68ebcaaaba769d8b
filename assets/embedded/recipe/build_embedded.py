"""Makes the embedded runs' data again: fetches emoji, composes scenes, trains the tokenizer, encodes by the codec.

Shards hold codes of one codec, so this runs again whenever ``codec/vqgan.safetensors`` changes.

    python -m assets.embedded.recipe.build_embedded --work build/emoji
"""

import argparse
import json
from pathlib import Path

from assets.embedded.recipe.compose import add_scenes
from assets.embedded.recipe.fetch_emoji import lay_out
from assets.embedded.recipe.scenes import SceneGrammar
from assets.embedded.recipe.train_tokenizer import read_captions, train
from core.data.building.build import BuildSettings, build_from_folder
from core.data.checking.check import check_shards
from core.data.index import ShardIndex
from core.model.config import preset

EMBEDDED = Path(__file__).parents[1]
CODEC = EMBEDDED / "codec"
SHARD_ROWS = 1024
PROMPTS = {
    "starter": (
        "panda",
        "red heart",
        "two pizzas",
        "sunflower",
        "a pink cat",
        "big rocket",
        "a red car on a yellow square",
        "thumbs up, medium skin tone",
    ),
    "starter-heldout": (
        "blue panda",
        "purple house",
        "four stars",
        "fox on green",
    ),
    "all": (
        "red heart",
        "smiling face with sunglasses",
        "pizza",
        "panda",
        "sunflower",
        "rocket",
        "thumbs up, medium skin tone",
        "green square",
    ),
    "all-heldout": (
        "blue heart",
        "green circle",
        "thumbs up, dark skin tone",
        "victory hand, light skin tone",
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--work", type=Path, required=True, help="folder for packages and pictures")
    parser.add_argument("--packages", type=Path, help="folder that keeps the downloaded packages")
    parser.add_argument("--out", type=Path, default=EMBEDDED, help="where the embedded run lies")
    arguments = parser.parse_args()
    work: Path = arguments.work
    lay_out(work, arguments.packages or work / "packages")
    add_scenes(SceneGrammar.load(), work)
    index = build(work, CODEC, arguments.out)
    print(describe(arguments.out, index))


def build(source: Path, codec: Path, out: Path) -> ShardIndex:
    """Write tokenizer, prompts and shards to ``out``, and check that every caption fits the model."""
    captions = read_captions(source)
    tokenizer = train(captions)
    length = preset("emoji").text_length
    too_long = {caption for caption in captions if len(tokenizer.encode(caption).ids) > length}
    if too_long:
        raise SystemExit(f"These captions have more than {length} tokens: {', '.join(sorted(too_long))}.")
    tokenizer.save(str(out / "tokenizer.json"))
    _write_prompts(out / "prompts.json")
    return build_from_folder(source, codec, out / "data", BuildSettings(shard_rows=SHARD_ROWS))


def describe(out: Path, index: ShardIndex) -> str:
    """Summarise the result in a few lines."""
    report = check_shards(out / "data")
    size = sum(path.stat().st_size for path in (out / "data").glob("*.parquet"))
    lines = [f"{split}: {rows} samples" for split, rows in report.rows.items()]
    lines += [f"left out, {reason}: {count}" for reason, count in index.left_out.items()]
    lines += [f"{size} bytes, {size / sum(report.rows.values()):.0f} a sample"]
    lines += [f"{report.statistics.codebook.used} of {index.vocab} codes occur", *report.problems]
    return "\n".join(lines)


def _write_prompts(path: Path) -> None:
    prompts = [{"prompt": prompt, "set": name} for name, chosen in PROMPTS.items() for prompt in chosen]
    path.write_text(json.dumps(prompts, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
