"""Trains the embedded run's tokenizer: BPE of 2,048 ids on the captions, with T5's special ids and spaces.

Id 0 is left to padding (the model has embeddings of its own for it), 1 ends a caption, 2 is what is unknown.
Text is lower-cased and stripped of accents first. Padding and truncation belong to the reader of the file.

    python -m assets.embedded.recipe.train_tokenizer --source build/emoji --out tokenizer.json
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from assets.embedded.recipe.fetch_emoji import read_records

VOCAB_SIZE = 2048
PAD, EOS, UNKNOWN = "<pad>", "</s>", "<unk>"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--source", type=Path, required=True, help="folder with metadata.jsonl")
    parser.add_argument("--out", type=Path, required=True, help="the tokenizer's JSON file")
    arguments = parser.parse_args()
    train(read_captions(arguments.source)).save(str(arguments.out))


def read_captions(source: Path) -> list[str]:
    """Return the captions of a folder of emoji and scenes: each word of the many scenes gets an id of its own."""
    return [record["caption"] for record in read_records(source)]


def train(captions: Iterable[str]) -> Tokenizer:
    """Learn the merges; the same captions give the same tokenizer."""
    tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN, fuse_unk=True))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.NFKD(),
            normalizers.StripAccents(),
            normalizers.Lowercase(),
            normalizers.Replace(Regex("[’‘]"), "'"),
            normalizers.Replace(Regex("[“”]"), '"'),
            normalizers.Replace(Regex(r"\s+"), " "),
            normalizers.Strip(),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Punctuation("isolated"), pre_tokenizers.Metaspace(prepend_scheme="first")]
    )
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="first")
    trainer = trainers.BpeTrainer(
        vocab_size=VOCAB_SIZE,
        special_tokens=[PAD, EOS, UNKNOWN],
        initial_alphabet=[chr(code) for code in range(33, 127)],
        show_progress=False,
    )
    tokenizer.train_from_iterator(captions, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single=f"$A {EOS}", special_tokens=[(EOS, 1)])
    return tokenizer


if __name__ == "__main__":
    main()
