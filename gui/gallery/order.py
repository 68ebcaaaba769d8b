"""What a person asks to be drawn, as the form holds it, and whether it can be drawn."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from client.api.gallery import GenerationRequest
from gui.errors import GuiError

translate = QCoreApplication.translate

MOST = 1_024
"""Pictures of one request."""
DRAWN = 16
KEPT = 4
"""Pictures that are drawn, and kept, unless the person says otherwise."""
LONGEST_PROMPT = 2_000
SEEDS = 2**31
"""Below this, so that a seed fits into its field."""


@dataclass(frozen=True)
class Order:
    """The fields of the form."""

    prompt: str
    count: int = DRAWN
    best: int = KEPT
    temperature: float | None = None
    """None: the run's own, as is the next."""
    top_k: int | None = None
    seed: int | None = None
    """None: another one each time."""

    @classmethod
    def again(cls, request: GenerationRequest) -> "Order":
        """What was asked for before."""
        seed = request.seed if request.seed < SEEDS else None
        best = request.count if request.best is None else request.best
        return cls(request.prompt, request.count, best, request.temperature, request.top_k, seed)


def request_of(order: Order, seed: int) -> GenerationRequest:
    """What the daemon is asked for, with that seed where the person gave none; GuiError says what is amiss."""
    prompt = " ".join(order.prompt.split())
    if fault := _fault_of(prompt):
        raise GuiError(fault, "")
    try:
        return GenerationRequest(
            prompt=prompt,
            count=order.count,
            best=order.best if order.best < order.count else None,
            temperature=order.temperature,
            top_k=order.top_k,
            seed=seed if order.seed is None else order.seed,
        )
    except ValueError:  # which quotes the prompt as it is
        raise GuiError(
            translate("Order", "No model can read this."),
            translate("Order", "Say in plain words what the picture should show."),
        ) from None


def _fault_of(prompt: str) -> str:
    """Why it cannot be drawn; empty where it seems to be fine."""
    if not prompt:
        return translate("Order", "Say what the pictures should show.")
    if len(prompt) > LONGEST_PROMPT:
        return translate("Order", "That is too long. A few words do best.")
    return ""
