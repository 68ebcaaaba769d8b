"""The prompts of an evaluation: those of a file, or the run's sample prompts and captions that it holds out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.data.streaming.walk import permutation
from core.errors import GenerationError
from core.evaluation.caption_keys import plain
from core.evaluation.document import MOST_PROMPTS
from core.messages.pictures import fault_of
from core.storage.files import read_bounded

HELD_OUT = 12
"""Number of held-out captions that are asked for, unless the prompts are given."""
_LARGEST = 1 << 20
"""Largest size of a file of prompts, in bytes."""


@dataclass(frozen=True)
class EvaluationPrompt:
    """A prompt, and whether the run holds it out."""

    prompt: str
    is_held_out: bool = False


def prompts_in(file: Path, held_out: Sequence[str] = ()) -> list[EvaluationPrompt]:
    """Return the prompts in ``file``, one a line; empty lines, and lines that begin with #, are left out.

    Args:
        file: Text file in UTF-8.
        held_out: Captions that the run keeps from training.

    Raises:
        GenerationError: the file cannot be read, has no prompt or too many, or one has characters that cannot be
            in a prompt.
    """
    try:
        text = read_bounded(file, _LARGEST).decode("utf-8-sig")
    except (OSError, ValueError) as error:
        raise GenerationError(
            f"The prompts in {file} cannot be read: {error}.",
            "Give a text file in UTF-8 with a prompt a line.",
        ) from error
    lines = [line.strip() for line in text.splitlines()]
    found = _marked((line for line in lines if line and not line.startswith("#")), held_out)
    if not 0 < len(found) <= MOST_PROMPTS:
        raise GenerationError(
            f"{file} has {len(found)} prompts.", f"Give 1 to {MOST_PROMPTS} prompts, one a line."
        )
    for one in found:
        if fault := fault_of(one.prompt):
            raise GenerationError(f"A prompt in {file} cannot be drawn: {fault}.", "Correct that line.")
    return found


def usual_prompts(samples: Sequence[str], held_out: Sequence[str]) -> list[EvaluationPrompt]:
    """Return the run's sample prompts, and some captions that it keeps from training, if there are any.

    Args:
        samples: The run's sample prompts.
        held_out: Captions that the run keeps from training.

    Raises:
        GenerationError: there is neither.
    """
    asked, captions = samples[: MOST_PROMPTS - HELD_OUT], list(dict.fromkeys(held_out))
    drawn = [captions[place] for place in permutation(len(captions), "prompts of an evaluation")]
    usable = (caption for caption in drawn if fault_of(caption) is None)
    found = _marked((*asked, *usable), held_out)
    if not found:
        raise GenerationError("The run names no sample prompts.", "Give prompts with --prompts.")
    return found[: len(asked) + HELD_OUT]


def _marked(prompts: Iterable[str], held_out: Iterable[str]) -> list[EvaluationPrompt]:
    """Return each prompt once: the first of those that differ in spaces and capitals alone."""
    found, kept_out = dict[str, EvaluationPrompt](), {plain(caption) for caption in held_out}
    for prompt in prompts:
        words = plain(prompt)
        found.setdefault(words, EvaluationPrompt(prompt, words in kept_out))
    return list(found.values())
