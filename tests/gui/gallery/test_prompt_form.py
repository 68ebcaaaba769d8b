"""The form turns a person's input into a request to the daemon."""

import pytest
from PySide6.QtWidgets import QApplication

from core.messages.pictures import LONGEST_PROMPT, MOST_PICTURES, GenerationRequest
from gui.errors import GuiError
from gui.gallery import prompt_form
from gui.gallery.prompt_form import PromptInput, request_of


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (PromptInput("red heart"), GenerationRequest(prompt="red heart", count=16, best=4, seed=5)),
        (PromptInput("  red \n heart "), GenerationRequest(prompt="red heart", count=16, best=4, seed=5)),
        (PromptInput("cat", 3, 3), GenerationRequest(prompt="cat", count=3, best=None, seed=5)),
        (
            PromptInput("cat", 8, 2, 0.7, 64, 3.5, 0),
            GenerationRequest(prompt="cat", count=8, best=2, temperature=0.7, top_k=64, guidance=3.5, seed=0),
        ),
    ],
)
def test_fields_become_a_request(asked: PromptInput, expected: GenerationRequest) -> None:
    assert request_of(asked, 5) == expected


@pytest.mark.parametrize("prompt", ["", "  ", "!?", "x" * (LONGEST_PROMPT + 1), "❤️"])
def test_what_nobody_can_draw_is_reported_before_the_daemon_is_asked(qapp: QApplication, prompt: str) -> None:
    with pytest.raises(GuiError) as caught:
        request_of(PromptInput(prompt), 5)
    assert caught.value.what.endswith(".")


@pytest.mark.parametrize(
    "asked", [PromptInput("cat", 8, 2, 0.7, 64, 3.5, 3), PromptInput("cat", 4, 4, seed=9)]
)
def test_what_was_asked_for_can_be_asked_for_again(asked: PromptInput) -> None:
    assert PromptInput.again(request_of(asked, 5)) == asked


def test_a_seed_that_fits_no_field_is_drawn_again() -> None:
    assert PromptInput.again(GenerationRequest(prompt="cat", seed=2**40)).seed is None


def test_the_bounds_are_those_of_requests() -> None:
    assert (prompt_form.MOST, prompt_form.LONGEST_PROMPT) == (MOST_PICTURES, LONGEST_PROMPT)
