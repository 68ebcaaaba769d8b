"""A request for pictures is refused in words before anything is loaded, and completed as the run's own are."""

import sys
from subprocess import run

import pytest
from pydantic import ValidationError

from core.errors import GenerationError
from core.messages.pictures import LONGEST_PROMPT, MOST_PICTURES, GenerationRequest
from core.messages.sampling import Sampling


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"prompt": ""}, "prompt: it is empty"),
        ({"prompt": " \t\n"}, "prompt: it is empty"),
        ({"prompt": "a" * (LONGEST_PROMPT + 1)}, "prompt: it has 2,001 characters, and 2,000 are the most"),
        ({"prompt": "red\x1b[2Jheart"}, "prompt: it has a control character, U+001B, at place 4"),
        ({"prompt": "red\nheart"}, "prompt: it has a control character, U+000A, at place 4"),
        ({"prompt": "red\x9fheart"}, "prompt: it has a control character, U+009F, at place 4"),
        ({"prompt": "heart\udcff"}, "prompt: it has half of a character, U+DCFF, at place 6"),
        ({"prompt": "❤️"}, "prompt: it has no letter and no digit"),
        ({"prompt": "👩‍👩‍👧 🇩🇪 !"}, "prompt: it has no letter and no digit"),
        ({"prompt": "1️⃣ ℹ️"}, "prompt: it has no letter and no digit"),
        ({"prompt": "\u200b\u202e"}, "prompt: it has no letter and no digit"),
        ({"count": 0}, "count: input should be greater than or equal to 1, but it is 0"),
        ({"count": MOST_PICTURES + 1}, "count: input should be less than or equal to 1024"),
        ({"count": 4, "best": 5}, "the best 5 of 4 cannot be kept"),
        ({"best": 0}, "best: input should be greater than or equal to 1"),
        ({"top_k": 0}, "top_k: input should be greater than or equal to 1"),
        ({"top_p": 0.0}, "top_p: input should be greater than 0"),
        ({"top_p": 1.01}, "top_p: input should be less than or equal to 1"),
        ({"top_p": float("nan")}, "top_p: input should be a finite number"),
        ({"temperature": 0.0}, "temperature: input should be greater than or equal to 0.01"),
        ({"temperature": float("inf")}, "temperature: input should be a finite number"),
        ({"seed": -1}, "seed: input should be greater than or equal to 0"),
        ({"colour": "red"}, "colour is not a known field"),
    ],
    ids=str,
)
def test_what_cannot_be_drawn_is_refused_in_words(fields: dict[str, object], says: str) -> None:
    with pytest.raises(GenerationError) as refused:
        GenerationRequest.of(**{"prompt": "red heart", **fields})
    assert says in refused.value.what
    assert refused.value.what.isprintable(), "a prompt could steer the terminal"


@pytest.mark.parametrize(
    "prompt", ["red heart", "œuvre", "赤いハート", "rouge ❤️", "3", "3 ℹ️", "नमस्ते", "a\u200db"]
)
def test_whatever_has_a_letter_or_a_digit_can_be_read(prompt: str) -> None:
    assert GenerationRequest.of(prompt=prompt).prompt == prompt


@pytest.mark.parametrize(
    ("fields", "top_k", "top_p", "temperature"),
    [
        ({}, 256, None, 0.7),
        ({"top_k": 3}, 3, None, 0.7),
        ({"top_p": 0.75}, None, 0.75, 0.7),
        ({"top_p": 0.75, "top_k": 9, "temperature": 1.0}, 9, 0.75, 1.0),
    ],
)
def test_what_was_not_asked_for_is_as_usual(
    fields: dict[str, float], top_k: int | None, top_p: float | None, temperature: float
) -> None:
    asked = GenerationRequest.of(prompt="red heart", seed=5, **fields)
    assert asked.sampling(8192) == Sampling(top_k=top_k, top_p=top_p, temperature=temperature, seed=5)


def test_guidance_is_the_runs_own_unless_asked_for() -> None:
    plain, guided = (
        GenerationRequest.of(prompt="red heart"),
        GenerationRequest.of(prompt="red heart", guidance=4),
    )
    assert plain.sampling(8192).guidance == 1.0
    assert plain.sampling(8192, usual_guidance=2.0).guidance == 2.0
    assert guided.sampling(8192, usual_guidance=2.0).guidance == 4.0


def test_a_model_that_cannot_be_guided_says_so() -> None:
    asked = GenerationRequest.of(prompt="red heart", guidance=4)
    with pytest.raises(GenerationError, match="learned no pictures without captions"):
        asked.sampling(8192)
    assert not GenerationRequest.of(prompt="red heart", guidance=1).sampling(8192).is_guided


def test_a_request_cannot_be_changed_and_survives_json() -> None:
    asked = GenerationRequest.of(prompt="red heart", count=4, best=2, top_p=0.5, seed=2**62)
    assert GenerationRequest.model_validate_json(asked.model_dump_json()) == asked
    with pytest.raises(ValidationError):
        asked.count = 5


def test_checking_a_request_loads_nothing_heavy() -> None:
    code = (
        "import sys; from core.messages.pictures import GenerationRequest as R; R.of(prompt='red heart');"
        "assert not {'torch', 'numpy', 'tokenizers'} & sys.modules.keys()"
    )
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
